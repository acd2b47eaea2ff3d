"""What the shared pool keeps after headroom, and whether headroom leaves enough of the buffer for bursts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from netaudit.lossless.derivation import Caution, Derived, Term, require, round_down, round_up

KIB = 1024
PHI = Fraction(3, 10)
"""Headroom may take this part of the buffer; the rest absorbs bursts (headroom.md 4.5). Judgement."""
PRIVATE_HEADROOM_BYTES = 10 * KIB
"""Each lossless port keeps this beside a shared headroom pool (sonic-swss cfgmgr/buffer_pool_mellanox.lua)."""
MIRROR_BYTES = 10 * KIB
"""Egress mirror headroom of each port that is up, up to Spectrum-5 (buffer_pool_mellanox.lua)."""
MANAGEMENT_POOL_BYTES = 256 * KIB
"""buffer_pool_mellanox.lua."""
DEFAULT_SHARED_HEADROOM_BYTES = 655_360
"""Size of the shared headroom pool where the sum asks for none (buffer_pool_mellanox.lua)."""
SHARING_WARN = 4
SHARING_REFUSE = 8
"""Sum of xoff over the shared headroom pool: doubtful above the first, refused above the second (headroom.md 4.2).
Judgement."""

_LUA = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How much of the buffer headroom takes."""

    share: Fraction
    """Part of the buffer."""
    limit: Fraction
    fits: bool
    terms: tuple[Term, ...]


def reserved(*, ports_up: int, eight_lane_ports_up: int, pipeline_kib: Fraction, profiles_bytes: int = 0) -> Derived:
    """Bytes an NVIDIA switch keeps beside lossless headroom: one lossy and one management group a port, mirroring.

    A port of 8 lanes keeps 2 x pipeline - 1 KiB a group. `profiles_bytes` is what profiles of queues and ports reserve.
    """
    require(0 <= eight_lane_ports_up <= ports_up, "ports of 8 lanes are among the ports")
    narrow = round_up(pipeline_kib * KIB, 1)
    wide = round_up((2 * pipeline_kib - 1) * KIB, 1)
    groups = (ports_up - eight_lane_ports_up) * narrow + eight_lane_ports_up * wide
    terms = (
        Term(
            name="lossy groups", value=groups, unit="B", source=f"one a port, {narrow} B, {wide} B on 8 lanes; {_LUA}"
        ),
        Term(name="management groups", value=groups, unit="B", source=f"the same again; {_LUA}"),
        Term(name="egress mirror", value=ports_up * MIRROR_BYTES, unit="B", source=f"10 KiB a port; {_LUA}"),
        Term(name="management pool", value=MANAGEMENT_POOL_BYTES, unit="B", source=f"256 KiB; {_LUA}"),
        Term(name="profiles of queues and ports", value=profiles_bytes, unit="B", source="sum of their sizes"),
    )
    return Derived(value=sum(int(term.value) for term in terms), unit="B", terms=terms)


def ingress_pool(
    *,
    template_bytes: int,
    buffer_bytes: int,
    cell_bytes: int,
    headroom_bytes: int,
    reserved_bytes: int = 0,
    shared_headroom_bytes: int = 0,
) -> Derived:
    """Size of the ingress pool: the template's, or the whole cells our headroom leaves where that is less.

    `headroom_bytes` is the sum of the sizes of all lossless groups. 0 is headroom that does not fit at all.
    """
    require(cell_bytes > 0 and buffer_bytes > 0, "buffer and cell must be positive")
    left = round_down(buffer_bytes - headroom_bytes - reserved_bytes - shared_headroom_bytes, cell_bytes)
    terms = (
        Term(name="template's pool", value=template_bytes, unit="B", source="buffer template of the HWSKU"),
        Term(name="buffer", value=buffer_bytes, unit="B", source="catalogue"),
        Term(name="headroom of all lossless groups", value=-headroom_bytes, unit="B", source="sum of their sizes"),
        Term(
            name="reserved", value=-reserved_bytes, unit="B", source="lossy and management groups, mirroring, profiles"
        ),
        Term(name="shared headroom pool", value=-shared_headroom_bytes, unit="B", source="its size"),
        Term(name="left by our headroom", value=left, unit="B", source="rounded down to the cell"),
    )
    return Derived(value=max(0, min(template_bytes, left)), unit="B", terms=terms)


def shared_headroom_pool(
    *, uncovered_bytes: int, lossless_ports: int, ratio: Fraction | int, greatest_bytes: int = 0, parts: int = 1
) -> Derived:
    """Size of the shared headroom pool that over-subscribes by `ratio`.

    `uncovered_bytes` is the sum over all lossless groups of xon + xoff - size, what they would need beyond their own.
    Where the greatest of them is given, the pool holds two of it in each part of the buffer, or all there are: below
    that a second pause already drops (headroom.md 4.2).
    """
    require(uncovered_bytes >= 0 and lossless_ports >= 0 and ratio >= 1, "a ratio below 1 is no over-subscription")
    private = lossless_ports * PRIVATE_HEADROOM_BYTES
    least = min(uncovered_bytes, 2 * greatest_bytes * parts)
    size = max(round_up(Fraction(max(0, uncovered_bytes - private)) / ratio, 1), least) or DEFAULT_SHARED_HEADROOM_BYTES
    terms = (
        Term(
            name="headroom beyond the groups' own", value=uncovered_bytes, unit="B", source="sum of xon + xoff - size"
        ),
        Term(name="private headroom", value=-private, unit="B", source=f"10 KiB a lossless port; {_LUA}"),
        Term(name="over-subscription", value=Fraction(ratio), unit="x", source="intent: buffers.shared_headroom"),
        Term(name="two full groups", value=least, unit="B", source="at least, in each part of the buffer"),
    )
    return Derived(value=size, unit="B", terms=terms)


def shared_buffer(
    *,
    pool_bytes: int,
    shared_headroom_bytes: int,
    within_pool: bool,
    buffer_bytes: int,
    headroom_bytes: int,
    reserved_bytes: int,
    parts: int = 1,
) -> Derived:
    """What lossless groups share besides headroom, of one part of the buffer: B_s of ecn.md 2.2.

    `headroom_bytes` is what groups keep of their own. `within_pool`: the size of the pool has its shared headroom in it
    (Broadcom: size + xoff of Tomahawk templates is more than the chip has), else it stands beside (NVIDIA). What
    sonic-mgmt measures on Tomahawk 5, 72.0 MB an ITM of Arista-7060X6-64PE-B, is within 2 % of it.
    """
    require(parts > 0 and buffer_bytes > 0, "buffer and its parts must be positive")
    left = buffer_bytes - shared_headroom_bytes - headroom_bytes - reserved_bytes
    pool = pool_bytes - shared_headroom_bytes if within_pool else pool_bytes
    terms = (
        Term(name="pool", value=pool_bytes, unit="B", source="its size"),
        Term(
            name="shared headroom pool",
            value=-shared_headroom_bytes,
            unit="B",
            source="in the pool" if within_pool else "beside the pool",
        ),
        Term(name="headroom of all lossless groups", value=-headroom_bytes, unit="B", source="sum of their sizes"),
        Term(name="parts of the buffer", value=parts, unit="x", source="catalogue: a port uses its own part only"),
    )
    return Derived(value=max(0, min(pool, left)) // parts, unit="B", terms=terms)


def sharing_cautions(*, pool_bytes: int, sum_xoff_bytes: int, greatest_xoff_bytes: int) -> tuple[Caution, ...]:
    """Why a shared headroom pool is too small; empty where it is not (headroom.md 4.2).

    It is drop-free only while no more groups are in XOFF at once than it holds xoffs. Codes: `shared-headroom-refused`,
    `shared-headroom-tight`.
    """
    require(pool_bytes > 0, "a shared headroom pool has a size")
    ratio = Fraction(sum_xoff_bytes, pool_bytes)
    if ratio > SHARING_REFUSE or pool_bytes < min(sum_xoff_bytes, 2 * greatest_xoff_bytes):
        code = "shared-headroom-refused"
    elif ratio > SHARING_WARN:
        code = "shared-headroom-tight"
    else:
        return ()
    together = pool_bytes // greatest_xoff_bytes if greatest_xoff_bytes else 0
    text = f"the pool of {pool_bytes:,} B is over-subscribed {float(ratio):.2f} times and holds {together} full groups"
    return (Caution(code=code, text=text),)


def fit(*, headroom_bytes: int, buffer_bytes: int, phi: Fraction = PHI) -> Fit:
    """Whether headroom leaves the buffer enough for bursts: at most `phi` of it (headroom.md 4.5).

    Give one part of the buffer and the headroom of its ports where the chip has parts (ITMs), else the whole.
    """
    require(buffer_bytes > 0 and headroom_bytes >= 0, "the buffer must be positive")
    share = Fraction(headroom_bytes, buffer_bytes)
    terms = (
        Term(
            name="headroom",
            value=headroom_bytes,
            unit="B",
            source="sum over the lossless groups, shared ones by their pool",
        ),
        Term(name="buffer", value=buffer_bytes, unit="B", source="catalogue"),
        Term(name="share", value=share * 100, unit="%", source=f"at most {float(phi) * 100:g} % (headroom.md 4.5)"),
    )
    return Fit(share=share, limit=phi, fits=share <= phi, terms=terms)
