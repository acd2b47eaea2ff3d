"""Whether several NOSes mean the same: one device rendered for each, read back, and held against the neutral model."""

from netaudit.equivalence.prove import Change, Proof, prove
from netaudit.equivalence.text import equivalence_data, equivalence_problems, equivalence_table

__all__ = ["Change", "Proof", "equivalence_data", "equivalence_problems", "equivalence_table", "prove"]
