"""The fabric as it is against the fabric as intended: knows states only, no vendor, no intent."""
