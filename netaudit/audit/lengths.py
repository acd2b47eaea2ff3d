"""What plugs tell of their cables, held against what is assumed: not to the metre, and only where one tells it."""

from __future__ import annotations

from dataclasses import replace

from netaudit.state import ABSENT, Device, Port
from netaudit.state.length import same_length


def with_told_lengths(expected: Device, observed: Device) -> Device:
    """The observed ports, whose cable is as long as expected where the plug says so closely enough, or says nothing."""
    if observed.ports is None:
        return observed
    known: dict[tuple[object, ...], Port] = {}
    changed: dict[str, Port] = {}
    for key, port in (expected.ports or {}).items():
        seen, assumed_m = observed.ports.get(key), port.cable_m
        if seen is None or not isinstance(assumed_m, float) or seen.cable_m in (None, assumed_m):
            continue
        if seen.cable_m is ABSENT or (isinstance(seen.cable_m, float) and same_length(assumed_m, seen.cable_m)):
            alike = (id(seen), assumed_m)
            if alike not in known:
                known[alike] = replace(seen, cable_m=assumed_m)
            changed[key] = known[alike]
    return replace(observed, ports={**observed.ports, **changed}) if changed else observed
