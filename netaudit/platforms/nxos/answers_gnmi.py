"""What NX-OS says over gNMI, in OpenConfig: links, LLDP, sessions. `None` where it says nothing that can be used."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms import openconfig
from netaudit.platforms.nxos.answers_live import Neighbor, by_port
from netaudit.platforms.nxos.answers_text import is_port, key_of
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, Leaf, LldpNeighbor, Port

_DEFAULT = "default"


def oc_oper(text: str) -> Mapping[str, Port] | None:
    """Which links are up."""
    found = openconfig.interfaces(text).items
    ports = {
        key_of(name): Port(oper_up=port.oper_up)
        for name, port in found.items()
        if is_port(name) and port.oper_up is not None
    }
    return ports or None


def oc_neighbors(text: str) -> Mapping[str, LldpNeighbor | Absent] | None:
    """Who is heard where. That no port hears anybody is not believed: the command says it again, or not."""
    found = openconfig.lldp(text).items
    heard = by_port(
        Neighbor(local=local, system=one.system or one.chassis_id, port=one.port_id, description=one.port_description)
        for local, neighbors in found.items()
        for one in neighbors
    )
    return heard or None


def oc_sessions(text: str) -> Bgp | None:
    """Sessions by neighbor, those of all VRFs; the own ASN is that of the default one."""
    found = openconfig.sessions(text).items
    own: Leaf[int] = next((one.local_asn for one in found.values() if one.vrf == _DEFAULT and one.local_asn), None)
    neighbors = {
        one.address or key_of(one.port): BgpNeighbor(
            session=one.state, remote_asn=one.peer_asn if one.state == "Established" else None
        )
        for one in found.values()
        if one.state is not None
    }
    if not neighbors or len(neighbors) != len(found):
        return None
    return Bgp(asn=own if own is not None else ABSENT, neighbors=neighbors)
