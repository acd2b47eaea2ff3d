"""Where ECN marking begins and ends on a queue, so that senders slow down before PFC has to stop them (ecn.md 5).

The factors below are judgement, chosen to sit inside the spread of published configurations (ecn.md 4); none was
measured on a switch. Users override the result with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from netaudit.lossless.derivation import Caution, Derived, Term, require, round_down, round_up

ROCE_OVERHEAD_BYTES = 82
"""Wire bytes around a RoCEv2 payload: 14 Ethernet, 4 FCS, 20 preamble and gap, 20 IPv4, 8 UDP, 12 BTH, 4 ICRC."""
FLOOR_PACKETS = 16
"""Below so many full packets a burst of one queue pair is marked (ecn.md 3). Judgement."""
RAMP = 4
"""Kmax over Kmin: room for the linear ramp; HPCC and SimAI use 4, Dell 6, NVIDIA 10 (ecn.md 5). Judgement."""
PFC_MARGIN = Fraction(8, 10)
"""Kmax stays below this part of the bound where PFC fires first (ecn.md 5). Judgement."""
SHALLOW_DELAY_CAP_US = 50
DEEP_DELAY_CAP_US = 200
"""Longest queue a marked packet may have waited in (ecn.md 5). Judgement."""
PMAX_DCQCN_PERCENT = 100
"""NVIDIA's default RoCE profile (Cumulus 5.x, Onyx 3.10)."""
PMAX_OTHER_PERCENT = 20
"""Between SONiC's 5 and SimAI's 20 to 80 (ecn.md 4). Judgement; below 1 Spectrum marks nothing."""
CONTROLS: Mapping[str, str] = MappingProxyType(
    {
        "dcqcn": "NVIDIA's default for DCQCN, whose NICs even out single marks",
        "rtt": "NICs go by their round trips: marks are a hint, and do not have to reach every packet",
        "none": "no NIC reacts: marks show where queues build, and PFC alone slows senders down",
    }
)
"""Congestion control of the hosts → why Pmax is what it is for it (ecn.md 5)."""
INCASTS = (2, 4, 8, 16)
SWITCH_NS = 800
"""Store and forward with FEC, 0.7 to 1.0 us (ecn.md 3)."""
NIC_NS = 3_000
"""Both NICs together, 2 to 4 us (ecn.md 3)."""
NS_PER_M = 5
POSITIVE = "speed, RTT, cell, buffer, alpha, classes and queues must be positive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ecn:
    """Marking thresholds of one queue, whole cells; all three colours alike."""

    kmin_bytes: int
    kmax_bytes: int
    pmax_percent: int
    terms: tuple[Term, ...]
    warnings: tuple[Caution, ...]


def rtt(*, lengths_m: Iterable[float], switches: int, switch_ns: int = SWITCH_NS, nic_ns: int = NIC_NS) -> Derived:
    """Round trip of an empty path in ns (ecn.md 3): `lengths_m` and `switches` are those passed one way."""
    metres = sum((Fraction(length) for length in lengths_m), Fraction(0))
    require(metres >= 0 and switches >= 0, "lengths and switches are not negative")
    terms = (
        Term(
            name="cables",
            value=2 * metres * NS_PER_M,
            unit="ns",
            source=f"{float(metres):g} m there and back at 5 ns/m",
        ),
        Term(
            name="switches",
            value=2 * switches * switch_ns,
            unit="ns",
            source=f"{switches} there and back, {switch_ns} ns each",
        ),
        Term(name="NICs", value=nic_ns, unit="ns", source="2 to 4 us (ecn.md 3)"),
    )
    return Derived(value=round_up(sum((Fraction(t.value) for t in terms), Fraction(0)), 1), unit="ns", terms=terms)


def delay_cap_us(*, deep: bool, rtt_ns: int) -> int:
    """The `delay_cap_us` for `ecn`: a deep buffer's grows with its link, or a long link would always be marked."""
    return max(DEEP_DELAY_CAP_US, round_up(Fraction(4 * rtt_ns, 1_000), 1)) if deep else SHALLOW_DELAY_CAP_US


def ecn(
    *,
    speed_mbps: int,
    rtt_ns: int,
    roce_mtu_bytes: int,
    cell_bytes: int,
    shared_bytes: int,
    alpha: Fraction,
    lossless_classes: int,
    congested_queues: int = 8,
    delay_cap_us: int = SHALLOW_DELAY_CAP_US,
    congestion_control: str = "dcqcn",
    throughput: Fraction = Fraction(1),
    egress_ports: int | None = None,
    judged: str = "ecn.md 5",
) -> Ecn:
    """Kmin, Kmax and Pmax of a lossless queue.

    `shared_bytes` is what lossless groups share after headroom, of one part of the buffer where the chip has parts.
    `throughput` is lambda: 1 for training, 1/2 for latency-first inference. `egress_ports` adds the strict case that
    every port is congested by one ingress. `judged` is where lambda, queues and delay cap come from. Raises ValueError
    for arguments outside the formula.
    """
    require(min(speed_mbps, rtt_ns, cell_bytes, shared_bytes, lossless_classes, congested_queues) > 0 < alpha, POSITIVE)
    bdp = Fraction(speed_mbps * rtt_ns, 8_000)
    wanted, low = _wanted_kmin(speed_mbps, rtt_ns, bdp, throughput, roce_mtu_bytes, judged)
    first = _EcnFirst(alpha=alpha, shared_bytes=shared_bytes, classes=lossless_classes)
    cap = Fraction(speed_mbps * delay_cap_us, 8)
    high = min(RAMP * wanted, PFC_MARGIN * first.bound(congested_queues), cap)
    squeezed = high < 2 * wanted
    kmax = max(round_down(high, cell_bytes), cell_bytes)
    kmin = min(round_up(high / 2 if squeezed else wanted, cell_bytes), kmax)
    pmax = PMAX_DCQCN_PERCENT if congestion_control == "dcqcn" else PMAX_OTHER_PERCENT
    terms = (
        *low,
        *first.terms(congested_queues, egress_ports),
        Term(name="delay cap", value=cap, unit="B", source=f"{delay_cap_us} us at line rate ({judged})"),
        *first.margins(kmax, bdp, congested_queues),
        *_outcome(kmin, kmax, pmax, squeezed, congestion_control),
        *_waits(kmin, kmax, speed_mbps),
    )
    notes = (*_squeezed(squeezed, high == cap, kmin), *first.strict_case(kmin, kmax, egress_ports))
    return Ecn(kmin_bytes=kmin, kmax_bytes=kmax, pmax_percent=pmax, terms=terms, warnings=notes)


def _outcome(kmin: int, kmax: int, pmax: int, squeezed: bool, congestion_control: str) -> tuple[Term, ...]:
    low = "lambda x bandwidth x RTT or the floor, rounded up to the cell: one sender alone is not slowed"
    why = CONTROLS.get(congestion_control, "")
    return (
        Term(name="Kmin", value=kmin, unit="B", source="half of Kmax, or nothing would ramp" if squeezed else low),
        Term(
            name="Kmax", value=kmax, unit="B", source="least of 4 x Kmin, 0.8 x E1, delay cap, rounded down to the cell"
        ),
        Term(name="Pmax", value=pmax, unit="%", source=f"`{congestion_control}`: {why} (ecn.md 5)"),
    )


def _waits(kmin: int, kmax: int, speed_mbps: int) -> tuple[Term, ...]:
    """The same as waiting times: bytes alone are another policy at each speed (ecn.md 1)."""
    return tuple(
        Term(name=f"{name}, time to drain", value=Fraction(8 * size, speed_mbps), unit="us", source="at line rate")
        for name, size in (("Kmin", kmin), ("Kmax", kmax))
    )


def _wanted_kmin(
    speed_mbps: int, rtt_ns: int, bdp: Fraction, throughput: Fraction, roce_mtu_bytes: int, judged: str
) -> tuple[Fraction, tuple[Term, ...]]:
    """Kmin before the buffer and the delay cap have their say."""
    floor = FLOOR_PACKETS * (roce_mtu_bytes + ROCE_OVERHEAD_BYTES)
    terms = (
        Term(name="RTT", value=rtt_ns, unit="ns", source="from the cable lengths of the intent (ecn.md 3)"),
        Term(name="bandwidth x RTT", value=bdp, unit="B", source=f"{speed_mbps // 1000}G, one way"),
        Term(name="lambda", value=throughput, unit="x", source=judged),
        Term(
            name="floor of Kmin",
            value=floor,
            unit="B",
            source=f"{FLOOR_PACKETS} packets of {roce_mtu_bytes} + {ROCE_OVERHEAD_BYTES} B (ecn.md 3)",
        ),
    )
    wanted = max(throughput * bdp, Fraction(floor))
    return wanted, (*terms, Term(name="4 x Kmin", value=RAMP * wanted, unit="B", source="ecn.md 5"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _EcnFirst:
    """The bounds below which marking is complete before PFC fires (ecn.md 2.2)."""

    alpha: Fraction
    shared_bytes: int
    classes: int

    def bound(self, queues: int) -> Fraction:
        """E1: so many egress queues are congested, all fed by one ingress; SIGCOMM'15's, where alpha is beta / 8."""
        return self.alpha * self.shared_bytes / (queues * (1 + self.alpha * self.classes))

    def trigger(self, senders: int) -> Fraction:
        """E2: the egress queue at which PFC fires when so many ingress ports send to one egress port."""
        return senders * self.alpha * self.shared_bytes / (1 + senders * self.alpha)

    def terms(self, queues: int, egress_ports: int | None) -> tuple[Term, ...]:
        what = f"alpha {self.alpha}, {self.shared_bytes} B shared, {self.classes} lossless (ecn.md 2.2)"
        used = Term(
            name="ECN before PFC (E1)",
            value=self.bound(queues),
            unit="B",
            source=f"{queues} congested queues, {what}; 0.8 of it is used",
        )
        if egress_ports is None:
            return (used,)
        every = self.bound(egress_ports)
        return (
            used,
            Term(name="E1, every port congested", value=every, unit="B", source=f"{egress_ports} ports, {what}"),
        )

    def strict_case(self, kmin: int, kmax: int, egress_ports: int | None) -> tuple[Caution, ...]:
        """What happens should one ingress feed every port's congestion: to be printed, never to fail on (ecn.md 5)."""
        if egress_ports is None or kmax < (bound := self.bound(egress_ports)):
            return ()
        what = "marking begins only after PFC" if kmin >= bound else "PFC fires before marking is complete"
        text = f"with every port congested by one ingress {what} ({int(bound):,} B)"
        return (Caution(code="ecn-strict-case", text=text),)

    def margins(self, kmax: int, bdp: Fraction, queues: int) -> tuple[Term, ...]:
        """What is left below the PFC trigger: of so many queues at once, and of an incast in which each further sender
        adds a BDP after the first mark (ecn.md 2.2)."""
        proved = Term(
            name="mark before pause",
            value=self.bound(queues) - kmax,
            unit="B",
            source=f"E1 - Kmax: every packet is marked so long before {queues} congested queues make PFC fire",
        )
        return (proved, *self._incasts(kmax, bdp))

    def _incasts(self, kmax: int, bdp: Fraction) -> tuple[Term, ...]:
        return tuple(
            Term(
                name=f"margin at {senders}-to-1",
                value=self.trigger(senders) - kmax - (senders - 1) * bdp,
                unit="B",
                source="PFC trigger (E2) - Kmax - one BDP of each further sender (ecn.md 2.2)",
            )
            for senders in INCASTS
        )


def _squeezed(squeezed: bool, by_delay: bool, kmin: int) -> tuple[Caution, ...]:
    if not squeezed:
        return ()
    why = "the delay cap is too short" if by_delay else "the buffer is too small"
    text = f"{why} for this round trip: Kmin lowered to half of Kmax, {kmin:,} B"
    return (Caution(code="ecn-squeezed", text=text),)
