"""What is left when something fails: reachability, capacity, width and hot links, from the expected BGP tables."""

from netaudit.whatif.events import KINDS, NAMED, PAIR, Event
from netaudit.whatif.graph import Graph, graph
from netaudit.whatif.named import named
from netaudit.whatif.outcome import Outcome, Study
from netaudit.whatif.require import Requirement, measured, requirement

__all__ = [
    "KINDS",
    "NAMED",
    "PAIR",
    "Event",
    "Graph",
    "Outcome",
    "Requirement",
    "Study",
    "graph",
    "measured",
    "named",
    "requirement",
]
