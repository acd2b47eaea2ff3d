from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def original(shared: Path) -> Callable[[str], str]:
    """The text of an original file of a field case (`A01/observed_config_db.json`)."""
    return lambda name: (shared / "field" / "cases" / name).read_text(encoding="utf-8")


@pytest.fixture
def original_json(original: Callable[[str], str]) -> Callable[[str], object]:
    return lambda name: json.loads(original(name))
