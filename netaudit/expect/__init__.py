"""The expected state of a fabric, in neutral units: all decisions, one module an area."""

from netaudit.expect.expected import Expected

__all__ = ["Expected"]
