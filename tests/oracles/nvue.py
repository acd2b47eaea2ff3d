"""NVIDIA's own models of NVUE as a judge of a whole file, which a YAML library reads."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest
import yaml

from netaudit.equivalence.witnesses import nvue

MISSING = "nvueschema is not installed"


def versions() -> tuple[str, ...]:
    """The releases there are models of: `5.0` to `5.18`."""
    if find_spec("nvueschema") is None:
        pytest.skip(MISSING)
    found: tuple[str, ...] = import_module("nvueschema.models._versions").VERSIONS
    return found


def problems(text: str, version: str) -> list[str]:
    """What the model of a release says against a file, one line each."""
    if version not in versions():
        raise LookupError(version)
    documents = yaml.safe_load(text)
    header = next((d["header"] for d in documents if "header" in d), {})
    tree = next(d["set"] for d in documents if "set" in d)
    major, minor = map(int, version.split("."))
    found = nvue.problems({**(tree or {}), "header": header}, (major, minor))
    assert found is not None
    return list(found)
