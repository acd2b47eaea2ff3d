"""The only place that knows Nornir: one call that answers for every host, and plugins for Nornir scripts."""
