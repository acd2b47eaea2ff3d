"""Traffic classes, PFC, buffers and MTU: what makes the fabric lossless."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Discriminator, Field, PlainValidator, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from netaudit.intent.schema.base import Alpha, Microseconds, Milliseconds, Percent, Section, Size, Text

Dscp = Annotated[int, Field(ge=0, le=63)]
"""Six bits (RFC 2474)."""
Priority = Annotated[int, Field(ge=0, le=7)]
"""Three bits (IEEE 802.1Q); PFC counts the same eight (802.1Qbb)."""


class EcnThresholds(Section):
    """Explicit thresholds of ECN marking."""

    kmin: Size
    """Queue length from which packets are marked."""
    kmax: Size
    """Queue length from which every packet is marked."""
    pmax: Percent
    """Marking probability just below `kmax`."""
    reason: Text = ""
    """Why these and not the computed ones: shown wherever they are."""


class EcnRule(Section):
    """Another judgement in the rule that computes the thresholds (ecn.md 5), with the reason for it."""

    lambda_: Alpha = Field(default_factory=lambda: Fraction(1), alias="lambda", json_schema_extra={"default": 1})
    """`kmin` in bandwidth x round trip: 1 for training, 1/2 where latency comes first."""
    queues: int = Field(default=8, ge=1, le=1024)
    """Congested queues, all fed by one port, for which every packet is marked before PFC pauses."""
    delay: Microseconds | None = None
    """The longest wait that is marked, such as 50us. Default: 50us, of deep buffers 200us or four round trips."""
    reason: Text = Field(min_length=1)
    """Why this judgement: shown wherever the thresholds are."""


def _kind_of_ecn(value: object) -> str:
    if isinstance(value, EcnRule):
        return "rule"
    if isinstance(value, Mapping) and value and not {"kmin", "kmax", "pmax"} & set(value):
        return "rule"
    return "thresholds" if isinstance(value, (Mapping, EcnThresholds)) else "word"


def _ecn_word(value: object) -> object:
    if value in ("auto", "none", None):
        return "auto" if value == "auto" else None
    context = {"message": "is auto, none or {kmin: …, kmax: …, pmax: …}", "hint": "auto computes the thresholds"}
    raise PydanticCustomError("misread", "{message}", context)


EcnWord = Annotated[
    Literal["auto"] | None, PlainValidator(_ecn_word), WithJsonSchema({"enum": ["auto", "none", None]}), Tag("word")
]
Ecn = Annotated[
    EcnWord | Annotated[EcnThresholds, Tag("thresholds")] | Annotated[EcnRule, Tag("rule")],
    Discriminator(_kind_of_ecn),
]


class Trim(Section):
    """What becomes of a packet that finds no room: its header goes on, so that the receiver can ask for the rest."""

    size: Size = Field(default=128, json_schema_extra={"default": "128B"})
    """Bytes that are left of it; 128 B are SONiC's default."""
    dscp: Dscp
    """DSCP of what is left. The class that has it carries it, and must be served earlier."""


class TrafficClass(Section):
    """A class of traffic: how it is recognised, queued and protected."""

    dscp: tuple[Dscp, ...] = ()
    """DSCP values of the class; `default` takes all that no class names."""
    priority: Priority | None = None
    """PFC priority. Needed where lossless."""
    queue: Priority | None = None
    """Egress queue. Default: the priority; of `default`, 0."""
    lossless: bool = False
    """PFC protects the class from drops."""
    share: Percent | None = None
    """Share of the link when all classes have traffic. Shares sum to 100 % without the strict classes."""
    strict: bool = False
    """Served before all others, up to `cap`."""
    cap: Percent | None = None
    """Ceiling of a strict class, so that it cannot starve the others."""
    ecn: Ecn = None
    """ECN marking: auto (computed), {lambda, queues, delay, reason} (computed so), {kmin, kmax, pmax}, or none."""
    carries: tuple[Literal["cnp", "bgp", "bfd"], ...] = ()
    """Control traffic that belongs to the class."""
    trim: Trim | None = None
    """Packet trimming in place of a drop, of a class that is not lossless: {size, dscp}. Default: a drop."""


def default_traffic() -> Mapping[str, TrafficClass]:
    """RoCE lossless with ECN, control strict, the rest by default."""
    # built as read already: validating them again would cost a validator of this section alone
    known = TrafficClass.model_construct
    return {
        "roce": known(dscp=(26,), priority=3, lossless=True, share=Fraction(60), ecn="auto"),
        "control": known(dscp=(48,), queue=6, strict=True, cap=Fraction(5), carries=("cnp", "bgp", "bfd")),
        "default": known(share=Fraction(40)),
    }


class Watchdog(Section):
    """The PFC watchdog. Ranges of times: SONiC's PFC_WD (sonic.md section 2)."""

    detect: Milliseconds = Field(default=200, json_schema_extra={"default": "200ms"})
    """A queue that is paused this long is a storm; 100 to 5,000 ms."""
    restore: Milliseconds = Field(default=400, json_schema_extra={"default": "400ms"})
    """A storm is over after this long without pause; 100 to 60,000 ms."""
    action: Literal["drop", "forward", "alert"] = "drop"
    """What happens to the packets of a queue in a storm."""
    poll: Milliseconds | None = None
    """How often queues are looked at; 100 to 1,000 ms. Default: `detect`, 200 ms at most."""


class Pfc(Section):
    """Priority flow control."""

    watchdog: Watchdog = Field(default_factory=Watchdog.model_construct)
    """What ends a PFC storm."""


class BufferProfile(Section):
    """How switches of a buffer class share their memory."""

    alpha: Alpha = Field(default_factory=lambda: Fraction(1), json_schema_extra={"default": 1})
    """Share of the free buffer a queue may take: 1, 8, 1/4."""
    headroom: Literal["published", "computed", "dynamic"] = "published"
    """Where headroom comes from: the HWSKU's table, our own formula, or the switch."""
    packets: Literal["worst-case", "bulk"] = "worst-case"
    """Packet sizes that headroom is computed for."""
    shared_headroom: int = Field(default=4, ge=1, le=64)
    """Over-subscription of the shared headroom pool; 1 is dedicated headroom, as computed headroom is by default."""
    phi: Percent = Field(default=Fraction(30), json_schema_extra={"default": "30%"})
    """Part of the buffer that headroom may take; the rest absorbs bursts."""

    @property
    def sharing(self) -> int:
        """Over-subscription of headroom that is computed: dedicated unless the intent says otherwise."""
        return self.shared_headroom if "shared_headroom" in self.model_fields_set else 1


class DeepBufferProfile(BufferProfile):
    """The same for switches with memory beside the chip: no shared pool, no published tables."""

    headroom: Literal["published", "computed", "dynamic"] = "computed"
    """Where headroom comes from: the HWSKU's table, our own formula, or the switch."""
    packets: Literal["worst-case", "bulk"] = "bulk"
    """Packet sizes that headroom is computed for."""
    shared_headroom: int = Field(default=1, ge=1, le=64)
    """Over-subscription of the shared headroom pool; 1 is dedicated headroom."""


class Buffers(Section):
    """Buffers by the class of a switch model."""

    shallow: BufferProfile = Field(default_factory=BufferProfile.model_construct)
    """Switches whose buffer is on the chip."""
    deep: DeepBufferProfile = Field(default_factory=DeepBufferProfile.model_construct)
    """Switches with memory beside the chip."""


class Mtu(Section):
    """Sizes in bytes."""

    port: int = Field(default=9216, ge=68, le=9216)
    """MTU of switch ports."""
    host: int = Field(default=9000, ge=68, le=9216)
    """IP MTU of the hosts."""
    roce: Literal[256, 512, 1024, 2048, 4096] = 4096
    """Path MTU of RDMA; the sizes InfiniBand has."""
