"""A fabric to try things on: simulated switches, or real FRR in network namespaces."""
