"""SWITCH_TRIMMING and SWITCH_HASH, one row each for the whole switch: writer and reader."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms.sonic.tables import Row, Tables, fields, number, text
from netaudit.state import ABSENT, Leaf, Qos, Trimming

FIELDS = {
    "source-ip": "SRC_IP",
    "destination-ip": "DST_IP",
    "protocol": "IP_PROTOCOL",
    "source-port": "L4_SRC_PORT",
    "destination-port": "L4_DST_PORT",
}
"""Our word → SONiC's, in the order in which they are written (sonic-hash.yang)."""
_WORDS = {theirs: ours for ours, theirs in FIELDS.items()}


def write_switching(qos: Qos) -> Tables:
    """Both tables, each only where something is said."""
    tables: Tables = {}
    if isinstance(qos.trimming, Trimming):
        trim = qos.trimming
        tables["SWITCH_TRIMMING"] = {
            "GLOBAL": fields({"size": trim.size_bytes, "dscp_value": trim.dscp, "queue_index": trim.queue})
        }
    if isinstance(qos.hash_fields, frozenset):
        known = [theirs for ours, theirs in FIELDS.items() if ours in qos.hash_fields]
        others = sorted(word for word in qos.hash_fields if word not in FIELDS)
        tables["SWITCH_HASH"] = {"GLOBAL": {"ecmp_hash": [*known, *others]}}
    return tables


def read_trimming(table: Mapping[str, Row] | None) -> Leaf[Trimming]:
    """What is trimmed, and to what; words in place of numbers (`from-tc`, `dynamic`) read as absent."""
    if table is None:
        return None
    row = table.get("GLOBAL")
    if row is None:
        return ABSENT
    return Trimming(size_bytes=number(row, "size"), dscp=_digits(row, "dscp_value"), queue=_digits(row, "queue_index"))


def _digits(row: Row, field: str) -> Leaf[int]:
    value = text(row, field)
    return number(row, field) if isinstance(value, str) and value.isdecimal() else ABSENT


def read_hash(table: Mapping[str, Row] | None) -> Leaf[frozenset[str]]:
    """What ECMP is hashed of, in our words; a field for which we have none keeps SONiC's."""
    if table is None:
        return None
    value = table.get("GLOBAL", {}).get("ecmp_hash")
    if value is None:
        return ABSENT
    names = value if isinstance(value, list) else value.split(",")
    return frozenset(_WORDS.get(name.strip(), name.strip()) for name in names if name.strip())
