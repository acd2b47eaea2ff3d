"""What plugs tell of themselves: TRANSCEIVER_INFO of STATE_DB, as xcvrd writes it from their EEPROM (CMIS)."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.lab.sim.cabling import End
from netaudit.lab.sim.database import Hash
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.switch import Switch


def transceivers(fabric: Fabric, switch: Switch) -> Mapping[str, Hash]:
    """A row for each port that a cable is in, whether the link is up or not."""
    native = switch.facts().native
    cables = fabric.cables if fabric.faults.cables is None else fabric.faults.cables
    rows: dict[str, Hash] = {}
    for cable in cables:
        for end in (cable.a, cable.b):
            if end.device == switch.name and end.port in native:
                told = fabric.faults.plugs.get(end, cable.assembly_m)
                rows[native[end.port]] = _row(end, told)
    return rows


def _row(end: End, told: str) -> Hash:
    """A plug that can be separated from its fibre has the length 0, and a connector (CMIS 5.0, bytes 202 and 203)."""
    return {
        "type": "OSFP 8X Pluggable Transceiver",
        "type_abbrv_name": "OSFP-8X",
        "manufacturer": "netaudit lab",
        "model": "ASSEMBLY" if told else "SEPARABLE",
        "serial": f"LAB-{end.device}-{end.port.replace('/', '-')}",
        "vendor_rev": "A",
        "connector": "No separable connector" if told else "MPO 1x12",
        "encoding": "N/A",
        "ext_identifier": "Power Class 1 (0.25W Max)",
        "ext_rateselect_compliance": "N/A",
        "cable_type": "Length Cable Assembly(m)",
        "cable_length": told or "0.0",
        "nominal_bit_rate": "0",
        "specification_compliance": "passive_copper_media_interface" if told else "sm_media_interface",
        "is_replaceable": "True",
    }
