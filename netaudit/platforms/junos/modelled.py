"""Which statements of routing a leaf of the state stands for."""

from __future__ import annotations

from typing import Final

from netaudit.platforms.junos.text import Words

_SPEAKER: Final = (
    "routing-options router-id *",
    "routing-options autonomous-system *",
    "protocols bgp hold-time *",
    "protocols bgp multipath",
    "protocols bgp multipath multiple-as",
    "protocols bgp defaults ebgp no-policy receive *",
    "protocols bgp defaults ebgp no-policy advertise *",
)
_SESSION: Final = (
    "type *",
    "hold-time *",
    "multipath",
    "multipath multiple-as",
    "family inet unicast",
    "family inet unicast extended-nexthop",
    "family inet unicast loops *",
    "family inet6 unicast",
    "family inet6 unicast loops *",
    "import *",
    "export *",
    "peer-as *",
    "peer-as-list *",
)
_GROUP: Final = (
    "",
    *_SESSION,
    "allow *",
    "dynamic-neighbor *",
    "dynamic-neighbor * allow *",
    "dynamic-neighbor * peer-auto-discovery family inet6 ipv6-nd",
    "dynamic-neighbor * peer-auto-discovery interface *",
    "neighbor *",
    *(f"neighbor * {setting}" for setting in _SESSION),
)
_INSTANCE: Final = (*_SPEAKER, *(f"protocols bgp group * {setting}".strip() for setting in _GROUP))
_ALL: Final = (
    *_INSTANCE,
    *(f"routing-instances * {setting}" for setting in _INSTANCE),
    "chassis maximum-ecmp *",
    "policy-options as-list * members *",
    "routing-options forwarding-table export *",
    "routing-options forwarding-table ecmp-fast-reroute",
    "routing-options static route * discard",
    "routing-options rib inet6.0 static route * discard",
    "routing-options rib inet.0 static route * discard",
)
_PATTERNS: Final[frozenset[Words]] = frozenset(tuple(pattern.split()) for pattern in _ALL)
_LENGTHS: Final = frozenset(map(len, _PATTERNS))


def is_modelled(words: Words) -> bool:
    """Does a leaf say what this statement says?"""
    return len(words) in _LENGTHS and any(
        len(pattern) == len(words) and all(p in ("*", w) for p, w in zip(pattern, words, strict=True))
        for pattern in _PATTERNS
    )
