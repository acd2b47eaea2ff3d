from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collect.device import Device, running


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    with running(tmp_path) as one:
        yield one
