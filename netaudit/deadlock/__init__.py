"""Whether the lossless classes can lock up: circles among the buffers that wait for each other."""

from netaudit.deadlock.proof import Cycle, Proof, Valley, circle_of_two, prove

__all__ = ["Cycle", "Proof", "Valley", "circle_of_two", "prove"]
