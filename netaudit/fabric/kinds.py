"""Words for what a port is for, and for what stage of its life a thing is in."""

from __future__ import annotations

HOST_LEAF, LEAF_SPINE, SPINE_SUPERSPINE, SPARE = "host-leaf", "leaf-spine", "spine-superspine", "spare"
PLANNED, ACTIVE, DRAINED, RETIRED = "planned", "active", "drained", "retired"
"""DESIGN.md rule 6. Whatever is retired is not in a fabric: its ports are spare, its numbers stay taken."""
DEFAULT_VRF = "default"
_EXTRA = "links."


def block_kind(block: str, to: str) -> str:
    """Kind of the links between a block and what it hangs below: `storage-spine`."""
    return f"{block}-{to}"


def block_of(kind: str) -> str:
    """The block whose links are of that kind; of another kind a word that no block may have for a name."""
    return kind.removesuffix("-spine").removesuffix("-superspine")


def extra_kind(number: int) -> str:
    """Kind of the link that stands at that index of `links`: each has its own speed and cable."""
    return f"{_EXTRA}{number}"


def extra_of(kind: str) -> int | None:
    """The index in `links` of a link of that kind; `None` if it is of the pattern."""
    number = kind.removeprefix(_EXTRA)
    return int(number) if number != kind and number.isdecimal() else None


def is_fabric_link(kind: str) -> bool:
    """Is a link of that kind one between switches, with a BGP session on it?"""
    return kind not in (HOST_LEAF, SPARE)
