"""What Junos says over gNMI: links and LLDP neighbors, in OpenConfig's trees."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms import openconfig
from netaudit.platforms.junos.answers_live import NETWORK_PORT, PortOf, far_port, physical
from netaudit.platforms.junos.answers_tree import Unreadable
from netaudit.state import ABSENT, LldpNeighbor, Port


def oc_oper(text: str, port_of: PortOf) -> Mapping[str, Port]:
    """Which links are up. Raises `Unreadable` for an answer without any port."""
    found = openconfig.interfaces(text)
    ports = {
        port_of(name): Port(oper_up=port.oper_up)
        for name, port in found.items.items()
        if NETWORK_PORT.fullmatch(name) and port.oper_up is not None
    }
    if not ports or found.problems:
        raise Unreadable("; ".join(found.problems) or "no port in the answer")
    return ports


def oc_neighbors(text: str, port_of: PortOf) -> Mapping[str, LldpNeighbor]:
    """Who is heard at each port. Raises `Unreadable` for an answer without any port."""
    found = openconfig.lldp(text)
    if not found.items or found.problems:
        raise Unreadable("; ".join(found.problems) or "no port in the answer")
    return {
        port_of(physical(name)): LldpNeighbor(
            system=heard[0].system or ABSENT,
            port=far_port(heard[0].port_id, heard[0].port_description) or ABSENT,
        )
        for name, heard in found.items.items()
        if heard and NETWORK_PORT.fullmatch(physical(name))
    }
