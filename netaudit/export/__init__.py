"""A fabric for other tools: the cable plan, and the graph of what is connected."""

from netaudit.export.cables import Cable, as_csv, as_markdown, cables
from netaudit.export.graph import as_dot, graph

__all__ = ["Cable", "as_csv", "as_dot", "as_markdown", "cables", "graph"]
