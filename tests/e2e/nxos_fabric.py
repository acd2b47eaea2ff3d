"""Small intents with NX-OS switches in them, made from the two-plane example: one plane, four leaves, two spines."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def intent(leaf: str, spine: str, model: str = "nvidia-sn5600") -> str:
    """The text of an intent whose leaves and spines run these NOSes."""
    text = (REPOSITORY / "intent" / "two-plane.yml").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^planes: .*$", "planes: [a]", text)
    text = re.sub(r"(?m)^rails: .*$", "rails: 2", text)
    text = re.sub(r"(?m)^  (su\d): \{hosts: 4\}", r"  \1: {hosts: 2}", text)
    text = re.sub(r"(?m)^  measured: .*\n", "", text)
    text = re.sub(r"(?m)^devices: .*\n", "", text)
    text = re.sub(r"(?m)^leaf: \{model: [\w-]+, platform: \w+", f"leaf: {{model: {model}, platform: {leaf}", text)
    return re.sub(r"(?m)^spine: \{model: [\w-]+, platform: \w+", f"spine: {{model: {model}, platform: {spine}", text)


def write(folder: Path, leaf: str, spine: str, model: str = "nvidia-sn5600") -> Path:
    """The intent's file."""
    file = folder / f"{leaf}-under-{spine}.yml"
    file.write_text(intent(leaf, spine, model), encoding="utf-8")
    return file
