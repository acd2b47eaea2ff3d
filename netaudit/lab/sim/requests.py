"""A line of the control socket of a lab, of either kind."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`{"do": "status" | "break" | "heal", "kind": ..., "arguments": [...]}`."""

    do: str
    kind: str
    arguments: list[str]


def request(line: bytes) -> Request:
    """What a line asks for. Raises `ValueError` with the answer for one that asks for nothing known."""
    try:
        said = json.loads(line)
        do, kind = str(said["do"]), str(said.get("kind", ""))
        arguments = [str(one) for one in said.get("arguments", ())]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not a request: {error!r}", "") from None
    if do not in ("status", "break", "heal"):
        raise ValueError(f"{do} is not known", "status, break or heal")
    return Request(do=do, kind=kind, arguments=arguments)
