"""The files a VOS box ships with: its ports, all of them down."""

from __future__ import annotations

import json
from collections.abc import Mapping

from netaudit.hardware import SwitchModel


def factory_files(model: SwitchModel, hwsku: str, *, hostname: str, serial: str, mac: str) -> Mapping[str, str]:
    """Path → text."""
    eeprom = {"serial": serial, "mac": mac, "platform": model.name, "hwsku": hwsku}
    return {"eeprom.json": json.dumps(eeprom), "vos.conf": f'["system", "hostname"] "{hostname}"\n'}
