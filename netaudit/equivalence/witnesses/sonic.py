"""SONiC by its own YANG models, read by libyang. Of routing there is no model: frr.conf is self-checked."""

from __future__ import annotations

import json
import os
from pathlib import Path

from netaudit.equivalence.witnesses.sonic_yang import models
from netaudit.platforms import Files
from netaudit.state import Device

MODELS = "NETAUDIT_SONIC_YANG"
"""Variable with the folder of the models: src/sonic-yang-models/yang-models of sonic-buildimage."""


def witness(files: Files, device: Device) -> tuple[str, tuple[str, ...]] | None:
    """What the models object to; `None` without a folder of models, or without libyang."""
    folder = os.environ.get(MODELS)
    found = models(Path(folder)) if folder else ""
    if isinstance(found, str):
        return None
    return "SONiC's YANG models, libyang", tuple(found.problems(json.loads(files["config_db.json"])))
