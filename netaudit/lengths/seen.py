"""What one switch shows of the lengths of its cables: what plugs tell, what is set, and who is at the other end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from netaudit.state import Device, Expectation, LldpNeighbor, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """By port. Only what was told and can be believed; `doubts` has the rest, each with its reason."""

    plugs: Mapping[str, float]
    """What the EEPROM in the plug says."""
    set_m: Mapping[str, int]
    """What the configuration that runs says (CABLE_LENGTH): a setting, by a person or by netaudit."""
    doubts: Mapping[str, str]
    elsewhere: Mapping[str, str]
    """The end that LLDP hears where the model plans another one: the cable there is not the planned one."""


def seen_of(
    expectation: Expectation, name: str, stores: Mapping[Store, Device], doubts: Iterable[tuple[str, str]]
) -> Seen:
    """From the stores of a switch, as its platform reads them."""
    state, running = stores.get(Store.STATE), stores.get(Store.RUNNING)
    ports = (state.ports if state is not None else None) or {}
    buffers = (running.buffers.ports if running is not None and running.buffers is not None else None) or {}
    return Seen(
        plugs={key: port.cable_m for key, port in ports.items() if isinstance(port.cable_m, float)},
        set_m={key: port.cable_length_m for key, port in buffers.items() if isinstance(port.cable_length_m, int)},
        doubts=dict(doubts),
        elsewhere=_elsewhere(expectation, name, state),
    )


def _elsewhere(expectation: Expectation, name: str, state: Device | None) -> Mapping[str, str]:
    heard = (state.lldp.neighbors if state is not None and state.lldp is not None else None) or {}
    if not heard:
        return {}
    lldp = expectation.device(name).lldp
    planned = (lldp.neighbors if lldp is not None else None) or {}
    found: dict[str, str] = {}
    for key, neighbor in heard.items():
        want = planned.get(key)
        if not isinstance(neighbor, LldpNeighbor) or not isinstance(want, LldpNeighbor):
            continue
        known = expectation.neighbor(str(neighbor.system), str(neighbor.port))
        if known is None or known == (want.system, want.port) or (known[0] == want.system and known[1] is None):
            continue  # a stranger by name, the planned end, or the planned host that does not tell its port
        if known[0] == want.system and ":" in str(known[1]):
            continue  # a MAC address for a port id: it stands for any port of the planned switch
        found[key] = f"{known[0]}:{known[1]}" if known[1] is not None else known[0]
    return found
