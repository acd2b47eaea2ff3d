"""Which words of EOS depend on the chip: those of queues, and those of its buffer (eos.md section 1)."""

from __future__ import annotations

SAND = ("Jericho", "Qumran", "Arad", "Ramon")
"""Beginnings of names of chips whose queues are `tx-queue`; all others are taken for strata (eos.md section 1, by
family)."""


def is_sand(asic: str) -> bool:
    """Is it a chip with virtual output queues?"""
    return asic.startswith(SAND)


def queue_word(asic: str) -> str:
    """`uc-tx-queue` on Trident and Tomahawk, `tx-queue` on Jericho."""
    return "tx-queue" if is_sand(asic) else "uc-tx-queue"
