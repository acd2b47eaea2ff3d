"""The page of the catalogue: every rule of the field, where it is decided, by which rule of ours, or why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netaudit import checks
from netaudit.audit.rules import RULES
from netaudit.docs.markdown import page, sentence, table
from netaudit.rulebook import MEANING, Entry, Status, decided, entries

FAMILIES = {
    "CAB": "Cabling and LLDP",
    "RAIL": "Planes and rails",
    "INT": "Interfaces",
    "ADR": "Addressing",
    "BGP": "BGP sessions",
    "RIB": "BGP tables and forwarding",
    "QOS": "QoS maps, end to end",
    "PFC": "PFC",
    "HDR": "Headroom and buffers",
    "ECN": "ECN",
    "ETS": "Schedulers",
    "WD": "PFC watchdog",
    "LB": "Load balancing",
    "CNT": "Counters",
    "MGT": "Management, time, firmware",
    "CAP": "Capacity",
    "KV": "KV-cache transfers",
}
"""First part of an id → what its rules are about, in the order of the catalogue."""


def status_page() -> str:
    """Every rule of the catalogue by its family."""
    found = [(entry, decided(entry, checks.RULES, AUDITS)) for entry in entries()]
    rows = [(f"**{s}**", MEANING[s], str(sum(s in status for _, status in found))) for s in Status]
    return page(
        "# Status of the rules",
        f"A catalogue of {len(found)} rules for lossless AI fabrics, in our words, and what became of each. A rule may "
        "be decided twice: in the intent before a change, and on the switches after it. *Severity* is that of the "
        "catalogue. `netaudit rules --catalogue` prints the same; [rules.md](rules.md) has our own rules in full.",
        table(("status", "meaning", "rules"), rows),
        *(block for family, title in FAMILIES.items() for block in _family(family, title, found)),
    )


AUDITS = frozenset(rule.id for rule in RULES)


def _family(family: str, title: str, found: Sequence[tuple[Entry, tuple[Status, ...]]]) -> Iterator[str]:
    yield f"## {title}"
    yield table(
        ("id", "severity", "what is right", "status", "ours", "note"),
        (
            (e.id, str(e.severity), e.what, ", ".join(status), " ".join(map(_link, e.rules)), sentence(e.reason))
            for e, status in found
            if e.id.partition("-")[0] == family
        ),
    )


def _link(rule: str) -> str:
    return f"[{rule}](rules.md#{rule.lower()})"
