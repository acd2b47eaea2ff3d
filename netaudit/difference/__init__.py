"""What changes for the devices of a fabric when one intent takes the place of another."""

from netaudit.difference.compare import FabricDiff, compare
from netaudit.difference.wiring import CableChange, Wiring, wiring

__all__ = ["CableChange", "FabricDiff", "Wiring", "compare", "wiring"]
