"""Physical ports, and the layer 3 interfaces on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from netaudit.state.leaf import Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """One port of a cage. Its key in `Device.ports` is `cage` or `cage/sub`, as printed on the front panel."""

    native: Leaf[str] = None
    """The device's own name of the port: `Ethernet0`."""
    alias: Leaf[str] = None
    """The name the device tells its LLDP neighbors, where it has one: `etp1a`."""
    enabled: Leaf[bool] = None
    """Administratively up."""
    oper_up: Leaf[bool] = None
    """The link is up. Held by the `state` and `applied` stores only."""
    speed_mbps: Leaf[int] = None
    lanes: Leaf[tuple[int, ...]] = None
    """SerDes lanes as the chip counts them; two ports never share one."""
    breakout: Leaf[str] = None
    """How the cage is split, as the hardware profile spells it (`2x400G[200G]`); on its first port, else `None`."""
    fec: Leaf[str] = None
    """`rs`, `fc`, `none` or `auto`."""
    mtu_bytes: Leaf[int] = None
    pfc_asymmetric: Leaf[bool] = None
    """PFC is obeyed for the priorities with PFC, and sent for all."""
    autoneg: Leaf[bool] = None
    description: Leaf[str] = None
    cable_m: Leaf[float] = None
    """How long the cable is. Held by the `state` store only, which has it of cables whose ends are fixed (DAC, AOC)."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """Layer 3 on a port (its key is the port's), on a loopback (`Loopback0`) or on a VLAN (`Vlan1000`)."""

    vrf: Leaf[str] = None
    """`default`, or the name of the VRF."""
    addresses: Leaf[frozenset[str]] = None
    """`address/length`, in the canonical text of `ipaddress`."""
    link_local: Leaf[bool] = None
    """An IPv6 link-local address is enabled although no other address is there: what unnumbered BGP needs."""
    origin: Origin | None = field(default=None, compare=False, repr=False)
