"""What each session lets through: in only what the sender may announce, out only what the receiver may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network

from netaudit.expect.interfaces import plane_prefixes
from netaudit.expect.vrfs import externals_in, vrf_exports, vrf_imports, vrf_policies, vrf_tells
from netaudit.fabric import DEFAULT_VRF, DRAINED, Fabric, FabricDevice
from netaudit.intent.schema.layout import External
from netaudit.state import Policy, PolicyRule

IMPORT, EXPORT = "FABRIC-IN", "FABRIC-OUT"
FROM_HOST, TO_HOST = "HOST-IN", "HOST-OUT"
"""Where hosts speak BGP."""
FROM_SUPERSPINE = "SUPERSPINE-IN"
"""Of a spine: what comes from other pods, whatever it is; from leaves it takes less."""
PASSING = ("spine", "superspine")
"""Roles that pass on what they learn."""
Rules = frozenset[PolicyRule]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneRules:
    """What is announced in a plane, and by whom."""

    pattern: Rules
    """Its slices of the pools, and what is pinned outside of them."""
    loopbacks: Rules
    """The part of it that a block may announce."""
    blocks: Mapping[str, Rules]
    """Block → what its devices originate beside their loopbacks."""
    everything: Rules
    """Whatever may be in a table of the plane: both together."""


def own_prefixes(device: FabricDevice) -> tuple[str, ...]:
    """What a device originates: its loopbacks, of a leaf one aggregate for its hosts, of a block its own prefixes."""
    return (*(str(ip_network(loopback)) for loopback in device.loopbacks), *device.blocks, *device.originates)


def import_policy(fabric: Fabric, device: FabricDevice, peer: str, vrf: str = DEFAULT_VRF) -> str:
    """The policy for what a peer sends. Above, a block is let announce what is that block's: no leaf has a default."""
    if fabric.is_external(peer):
        return _incoming(peer)
    if vrf != DEFAULT_VRF:
        return vrf_imports(vrf)
    role = fabric.devices[peer].place.role
    if device.place.role == "spine" and role == "superspine":
        return FROM_SUPERSPINE
    return _incoming(role) if device.place.role in PASSING and role not in ("leaf", *PASSING) else IMPORT


def export_policy(fabric: Fabric, peer: str, vrf: str = DEFAULT_VRF) -> str:
    """The policy for what a peer is sent: no default route ever leaves the fabric."""
    if vrf != DEFAULT_VRF:
        return vrf_tells(vrf) if fabric.is_external(peer) else vrf_exports(vrf)
    return _outgoing(peer) if fabric.is_external(peer) else EXPORT


def allowas_in(fabric: Fabric, device: FabricDevice, peer: str) -> int:
    """How often a path from a peer may hold the device's own ASN."""
    return 0 if fabric.is_external(peer) else fabric.intent.model.bgp.allowas_in.get(device.place.role, 0)


def _incoming(name: str) -> str:
    return f"{name.upper()}-IN"


def _outgoing(name: str) -> str:
    return f"{name.upper()}-OUT"


def policies(fabric: Fabric, device: FabricDevice, plane: PlaneRules) -> Mapping[str, Policy]:
    """In: what the plane, or a block, may announce. Out: a leaf and a block their own, those above the plane's.

    A host may announce what is inside the block of its leaf, which the leaf keeps for itself.

    A leaf that passes on nothing it learned makes a valley path impossible, whatever ASNs say (topology.md section 6).
    A drained device announces nothing, so that the tables of the others do without it (DESIGN.md, «Status»).
    """
    role, everything = device.place.role, plane.everything
    own = frozenset(_exactly(prefix) for prefix in own_prefixes(device))
    drained = device.place.status == DRAINED
    nothing: Rules = frozenset()
    outgoing = {EXPORT: nothing if drained else everything if role in PASSING else own}
    incoming: dict[str, Rules] = {IMPORT: everything}
    if role in PASSING:
        incoming = {IMPORT: plane.pattern if role == "spine" else plane.pattern.union(*_below(fabric, plane))}
        if role == "spine" and fabric.intent.model.superspine is not None:
            incoming[FROM_SUPERSPINE] = everything
        incoming |= {_incoming(name): plane.loopbacks | rules for name, rules in plane.blocks.items()}
    elif role in plane.blocks:
        incoming = {IMPORT: everything - plane.blocks[role]}
    for name, external in fabric.outside(device.name).items():
        incoming[_incoming(name)] = _of_external(external, families(fabric))
        if name not in externals_in(fabric, device.name, DEFAULT_VRF):
            continue
        told = own if role == "leaf" else everything
        outgoing[_outgoing(name)] = nothing if drained else frozenset(r for r in told if not _is_default(r))
    if role == "leaf" and fabric.intent.model.hosts.attach == "bgp":
        lengths = {block: ip_network(block).max_prefixlen for block in device.blocks}
        incoming[FROM_HOST] = frozenset(PolicyRule(prefix=b, up_to=length) for b, length in lengths.items())
        outgoing[TO_HOST] = nothing if drained else everything
    outgoing |= dict(vrf_policies(fabric, device))
    return {
        **{name: Policy(permits=rules, origin=_ORIGIN) for name, rules in incoming.items()},
        **{name: Policy(permits=r, origin=_DRAINED_ORIGIN if drained else _ORIGIN) for name, r in outgoing.items()},
    }


def _below(fabric: Fabric, plane: PlaneRules) -> Iterator[Rules]:
    """What blocks below spines originate: it comes to superspines from the spines."""
    return (rules for name, rules in plane.blocks.items() if fabric.intent.model.blocks[name].to == "spine")


def families(fabric: Fabric) -> frozenset[str]:
    """Address families in use: those that loopbacks or hosts have a pool of, or a block a prefix."""
    addressing, blocks = fabric.intent.model.addressing, fabric.intent.model.blocks.values()
    announced = (prefix for block in blocks for prefix in block.originates)
    return frozenset(f"ipv{pool.version}" for pool in (*addressing.loopbacks, *addressing.hosts, *announced))


def _of_external(external: External, used: frozenset[str]) -> Rules:
    """What a neighbor may announce: what the intent says, else anything."""
    if external.prefixes is not None:
        return frozenset(_exactly(str(prefix)) for prefix in external.prefixes)
    anything = {"ipv4": PolicyRule(prefix="0.0.0.0/0", up_to=32), "ipv6": PolicyRule(prefix="::/0", up_to=128)}
    return frozenset(rule for family, rule in anything.items() if family in used)


def _is_default(rule: PolicyRule) -> bool:
    return rule.prefix in ("0.0.0.0/0", "::/0")


def plane_rules(fabric: Fabric, plane: str) -> PlaneRules:
    """The plane's slices of the pools, whatever is pinned outside of them, and what blocks originate."""
    model = fabric.intent.model
    slices = plane_prefixes(fabric.intent, plane)
    rules = {PolicyRule(prefix=str(prefix), up_to=up_to) for prefix, up_to in slices}
    of_loopbacks = slices[: len(model.addressing.loopbacks)]
    loopbacks = {PolicyRule(prefix=str(prefix), up_to=up_to) for prefix, up_to in of_loopbacks}
    for device in fabric.devices.values():
        if device.place.plane == plane and device.row is not None and (device.row.loopback or device.row.block):
            for own in map(ip_network, (*device.loopbacks, *device.blocks)):
                held = ((p, up_to) for p, up_to in slices if own.version == p.version and own.subnet_of(p))  # type: ignore[arg-type]
                if not any(own.prefixlen <= up_to for _, up_to in held):
                    rules.add(_exactly(str(own)))
                    if own.prefixlen == own.max_prefixlen and device.place.role in model.blocks:
                        loopbacks.add(_exactly(str(own)))
    pattern = frozenset(rules)
    blocks = {name: frozenset(_exactly(str(p)) for p in block.originates) for name, block in model.blocks.items()}
    everything = pattern.union(*blocks.values())
    return PlaneRules(pattern=pattern, loopbacks=frozenset(loopbacks), blocks=blocks, everything=everything)


def _exactly(prefix: str) -> PolicyRule:
    return PolicyRule(prefix=prefix, up_to=ip_network(prefix).prefixlen)


_ORIGIN = {"permits": "addressing"}
_DRAINED_ORIGIN = {"permits": "=a drained device announces nothing"}
