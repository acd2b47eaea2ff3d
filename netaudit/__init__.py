"""netaudit: one intent for a lossless AI fabric, rendered, pushed and audited."""

__version__ = "0.1.0"
