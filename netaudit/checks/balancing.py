"""Whether switches and NICs can spread traffic as the intent says, and whether what they do then holds together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from netaudit import hardware
from netaudit.checks.design import Design
from netaudit.checks.ecn import fits
from netaudit.checks.say import counted, exact, rate
from netaudit.diag import Diagnostic
from netaudit.expect.classes import classes
from netaudit.expect.system import system
from netaudit.fabric import HOST_LEAF, extra_of
from netaudit.hardware import SwitchModel
from netaudit.intent import tiers

NEEDS: Mapping[str, tuple[str, ...]] = {
    "dlb": ("dlb-flowlet",),
    "glb": ("dlb-flowlet",),
    "scheduled": ("scheduled-fabric",),
    "spray": ("dlb-packet", "adaptive-routing"),
}
"""Mode → features of a switch, of which it needs one (load-balancing.md section 1). `ecmp` and `qp-pin` need none."""
SHORTEST_US, LONGEST_US = 2, 2047
"""Idle time of a flowlet that an ARS object takes (SONiC's HLD of ARS; load-balancing.md section 1)."""
DLB_WIDTH = 64
"""Next hops of one group that balances by load, where the model says nothing else (load-balancing.md section 1)."""
FIBRE_NS_PER_M = 5
"""Light in glass (load-balancing.md section 2)."""
SEEDS: Mapping[str, Mapping[int, int]] = {"sonic": {0: 0, 1: 10, 2: 25}}
"""Platform → tier → hash seed that follows from it. SONiC's template gives 25 to every type with `SpineRouter` in it,
so Fabric-, Upper- and LowerSpineRouter hash alike: only the three plain types are used (load-balancing.md 3.4)."""
PINNING_NICS = frozenset({"cx7", "cx8", "bf3"})
"""NICs whose driver sets the UDP source port of a queue pair: mlx5dv_modify_qp_udp_sport (load-balancing.md 3.1)."""


def able(design: Design) -> Iterator[Diagnostic]:
    """LB-10: a mode that a switch of the fabric is not known to have. One diagnostic a model."""
    mode = design.model.load_balancing.mode
    features = NEEDS.get(mode, ())
    models = {load.model.name: load for load in design.loads}
    for name, load in models.items() if features else ():
        if any(load.model.can(feature) for feature in features):
            continue
        wanted = " or ".join(hardware.FEATURES[feature] for feature in features)
        message = f"`mode: {mode}` needs {wanted}, which {name} ({load.model.asic}) is not known to do"
        hint = f"mode: ecmp{able_switches(load.model, features)}"
        yield design.error("LB-10", "load_balancing.mode", message, hint)


def queue_pairs(design: Design) -> Iterator[Diagnostic]:
    """LB-10: a hash over the RDMA queue pair on a chip that is not known to look that far into a packet."""
    if "queue-pair" not in design.model.load_balancing.hash:
        return
    for name, model in {load.model.name: load.model for load in design.loads}.items():
        if not model.can("udf-qp-hash"):
            message = f"{name} ({model.asic}) is not known to hash over the RDMA queue pair"
            hint = f"hash: [five-tuple]{able_switches(model, ('udf-qp-hash',))}"
            yield design.error("LB-10", "load_balancing.hash", message, hint)


def able_switches(model: SwitchModel, features: Collection[str]) -> str:
    """`, or a switch that can: …`: up to three of the catalogue, those of the same maker first; empty if none can."""
    models = [hardware.switch(name) for name in hardware.switch_names()]
    able = [m for m in models if any(m.can(feature) for feature in features)]
    names = [m.name for m in sorted(able, key=lambda m: m.vendor != model.vendor)]
    return f", or a switch that can: {', '.join(names[:3])}" if names else ""


def speeds(design: Design) -> Iterator[Diagnostic]:
    """LB-08: spraying by adaptive routing on links that run at a speed at which the chip cannot."""
    if design.model.load_balancing.mode != "spray":
        return
    told: set[tuple[str, int]] = set()
    for kind in design.classes:
        model = hardware.switch(kind.model)
        key = (kind.model, kind.speed_mbps)
        if kind.kind == HOST_LEAF or key in told or not model.can("adaptive-routing") or model.can("dlb-packet"):
            continue
        if not model.can("adaptive-routing", kind.speed_mbps):
            told.add(key)
            able_at = ", ".join(rate(speed) for speed in sorted(model.features["adaptive-routing"]))
            message = f"{kind.model} has no adaptive routing at {rate(kind.speed_mbps)}, at which {kind.kind} runs"
            yield design.warning("LB-08", "spine.speed", message, f"links of {able_at}, or mode: ecmp")


def out_of_order(design: Design) -> Iterator[Diagnostic]:
    """LB-05: spraying to NICs that take no packets out of order: they go back to the first one that is missing."""
    if design.model.load_balancing.mode != "spray":
        return
    card = hardware.nic(design.model.hosts.nic)
    if card.out_of_order:
        return
    known = "takes no RDMA packets out of order" if card.out_of_order is False else "is not known to take packets so"
    message = f"`mode: spray` delivers packets out of order, and {card.title} {known}"
    others = [name for name in hardware.nic_names() if hardware.nic(name).out_of_order]
    hint = " or ".join((*(f"hosts: {{nic: {name}}}" for name in others[:1]), "mode: ecmp"))
    yield design.error("LB-05", "load_balancing.mode", message, hint)


def width(design: Design) -> Iterator[Diagnostic]:
    """RIB-07: groups of next hops that are wider than the chip can spread over."""
    mode = design.model.load_balancing.mode
    by_load = mode in ("dlb", "glb")
    uplinks = tiers.uplinks(design.model)
    loads = {(load.role, load.model.name): load.model for load in design.loads if load.role in uplinks}
    for (role, name), model in loads.items():
        most, widest = (model.limits.dlb_width or DLB_WIDTH) if by_load else model.limits.ecmp_width, uplinks[role]
        if most is not None and widest > most:
            how = "by load" if by_load else "at all"
            message = f"{counted(widest, 'uplink')} in one group of next hops; {name} spreads over {most} {how}"
            then = "the rest falls back to the hash in silence" if by_load else "the rest stays idle"
            path = "spine.count" if role == "leaf" else "superspine.count"
            yield design.error("RIB-07", path, message, f"at most {most} uplinks a {role}: {then}")


def idle(design: Design) -> Iterator[Diagnostic]:
    """LB-03: a gap that ends a flowlet though the packets before it may still be on a longer path."""
    chosen = design.model.load_balancing
    if chosen.mode not in ("dlb", "glb"):
        if design.intent.given("load_balancing.idle"):
            message = f"`idle` has no effect with `mode: {chosen.mode}`: nothing is cut into flowlets"
            yield design.info("LB-03", "load_balancing.idle", message, "mode: dlb, or no idle")
        return
    if not SHORTEST_US <= chosen.idle <= LONGEST_US:
        message = f"idle {chosen.idle}us is not {SHORTEST_US}us to {LONGEST_US}us, which is what switches take"
        yield design.error("LB-03", "load_balancing.idle", message, "idle: 128us is safe at 400G (Juniper's design)")
        return
    if not fits(design):
        return  # without thresholds nobody knows how long a queue is
    skew, queue, cable = skew_us(design)
    if chosen.idle <= skew:
        message = f"idle {chosen.idle}us is within the skew of the paths, {float(skew):.1f} us: flowlets overtake"
        hint = f"above {float(skew):.1f} us: {queue} to drain, {cable} of cable (load-balancing.md section 2)"
        path = design.written("load_balancing.idle", "load_balancing.mode")
        yield design.error("LB-03", path, message, hint)


def skew_us(design: Design) -> tuple[Fraction, str, str]:
    """How much later one path may deliver than another, and its two parts in words: a full queue up to Kmax, and the
    difference of the lengths of cable there and back down."""
    links = [kind for kind in design.classes if kind.kind == "leaf-spine"]
    waits = [
        (Fraction(8 * design.expected.wide.marking(c, kind.speed_mbps).kmax_bytes, kind.speed_mbps), c, kind.speed_mbps)
        for kind in links
        for c in classes(design.intent)
        if c.body.ecn is not None
    ]
    lengths = [kind.length_m for kind in links]
    apart = 2 * (Fraction(max(lengths)) - Fraction(min(lengths))) if lengths else Fraction(0)
    wait, kind, speed = max(waits, key=lambda w: w[0]) if waits else (Fraction(0), None, 0)
    full = exact(design.expected.wide.marking(kind, speed).kmax_bytes) if kind is not None else "nothing"
    return wait + apart * FIBRE_NS_PER_M / 1000, f"{full} at {rate(speed)}" if kind else full, f"{float(apart):g} m"


def hashed(design: Design) -> Iterator[Diagnostic]:
    """LB-01: a hash without the ports of a packet: all flows between two hosts take one path."""
    if "five-tuple" not in design.model.load_balancing.hash:
        message = "the hash is not taken of the five-tuple: flows between two hosts cannot be told apart"
        yield design.error("LB-01", "load_balancing.hash", message, "hash: [five-tuple]")


def seeds(design: Design) -> Iterator[Diagnostic]:
    """LB-02: switches that are linked and hash with the same seed. One diagnostic a pair of roles."""
    devices, told = design.fabric.devices, set()
    for kind, members in design.classes.items():
        near, far = devices[members.end.device], devices.get(members.peer.device)
        if far is None:
            continue
        used = [SEEDS.get(d.platform, {}).get(_tier(system(d).tier)) for d in (near, far)]
        pair = frozenset((near.place.role, far.place.role))
        if used[0] is None or used[0] != used[1] or near.platform != far.platform or pair in told:
            continue
        told.add(pair)
        message = f"{near.name} and {far.name} hash with the same seed, {used[0]}: paths polarise"
        hint = "one of them a tier higher; SONiC ties the seed to the tier"
        path = kind.kind if extra_of(kind.kind) is not None else "load_balancing.seeds"
        yield design.warning("LB-02", path, message, hint)


def _tier(leaf: object) -> int:
    return leaf if isinstance(leaf, int) else -1


def pinned(design: Design) -> Iterator[Diagnostic]:
    """LB-07: queue pairs that hosts are to pin: whether the NIC can, and what nobody can compute."""
    if design.model.load_balancing.mode != "qp-pin":
        return
    name = design.model.hosts.nic
    if name not in PINNING_NICS:
        message = f"`mode: qp-pin` needs a NIC that sets the UDP source port of a queue pair; {name} is not known to"
        yield design.error(
            "LB-07", "load_balancing.mode", message, f"hosts: {{nic: {min(PINNING_NICS)}}} or mode: ecmp"
        )
        return
    message = "which source port takes which path follows from the chip's hash, which nobody can compute"
    hint = "measure it on the hosts, and again after each change of links or software"
    yield design.info("LB-07", "load_balancing.mode", message, hint)
