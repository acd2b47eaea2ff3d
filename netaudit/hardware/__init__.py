"""What a switch, a NIC or a cable can do: models as data files, each figure with its source beside it."""

from netaudit.hardware.catalogue import (
    media_names,
    medium,
    models,
    nic,
    nic_names,
    switch,
    switch_names,
)
from netaudit.hardware.model import (
    Cage,
    HeadroomData,
    Hwsku,
    Medium,
    NicModel,
    PgRow,
    PoolTemplate,
    Subport,
    SwitchModel,
    breakout_for,
    required_fec,
)

__all__ = [
    "Cage",
    "HeadroomData",
    "Hwsku",
    "Medium",
    "NicModel",
    "PgRow",
    "PoolTemplate",
    "Subport",
    "SwitchModel",
    "breakout_for",
    "media_names",
    "medium",
    "models",
    "nic",
    "nic_names",
    "required_fec",
    "switch",
    "switch_names",
]
