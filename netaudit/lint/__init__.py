"""Vendors' headroom tables, read from text and held against themselves and physics. Touches no file."""

from netaudit.lint.config import read_config
from netaudit.lint.lookup import read_lookup
from netaudit.lint.rules import RULES, lint
from netaudit.lint.silicon import Silicon, silicon
from netaudit.lint.table import Row, Table, Use

__all__ = ["RULES", "Row", "Silicon", "Table", "Use", "lint", "read_config", "read_lookup", "silicon"]
