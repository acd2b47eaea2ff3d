"""Judges that are not ours: SONiC's YANG models and FRR's own parsers."""
