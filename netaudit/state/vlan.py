"""Broadcast domains: which ports are in a VLAN, and how they send its frames."""

from __future__ import annotations

from dataclasses import dataclass, field

from netaudit.state.leaf import Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Vlan:
    """One VLAN; its key in `Device.vlans` is its number. Its interface is `Device.interfaces["Vlan<number>"]`."""

    members: Leaf[frozenset[str]] = None
    """Ports whose frames carry no tag, as `cage[/sub]`."""
    tagged: Leaf[frozenset[str]] = None
    """Ports whose frames carry a tag, that of the VLAN or one of priority alone."""
    origin: Origin | None = field(default=None, compare=False, repr=False)
