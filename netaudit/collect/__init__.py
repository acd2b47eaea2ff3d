"""I/O in: what devices answer over gNMI and SSH, and recordings of it."""
