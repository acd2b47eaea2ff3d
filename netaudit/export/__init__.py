"""A fabric for other tools and teams: the cable plan, the graph, what NICs are set to, and where each DSCP goes."""

from netaudit.export.cables import Cable, as_csv, as_markdown, cables
from netaudit.export.containerlab import as_containerlab
from netaudit.export.drawing import as_svg
from netaudit.export.dscp import dscp_csv, dscp_markdown, dscp_rows
from netaudit.export.graph import as_dot, graph
from netaudit.export.nics import nics, nics_markdown
from netaudit.export.schedulers import kubernetes, labels, nccl, rails, rails_csv, slurm

__all__ = [
    "Cable",
    "as_containerlab",
    "as_csv",
    "as_dot",
    "as_markdown",
    "as_svg",
    "cables",
    "dscp_csv",
    "dscp_markdown",
    "dscp_rows",
    "graph",
    "kubernetes",
    "labels",
    "nccl",
    "nics",
    "nics_markdown",
    "rails",
    "rails_csv",
    "slurm",
]
