"""A plan as a file: what was reviewed is what is pushed, or it is refused."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Final

from netaudit.platforms import Impact
from netaudit.push.plan import FORMAT, DevicePlan, Plan, Status
from netaudit.push.store import Json, invalid, list_of, object_of, only, read_json, text, whole_number, write_json
from netaudit.state import Place

_HINT: Final = "make it again: netaudit plan INTENT -o plan.json"
_WHAT: Final = "a plan"


def save_plan(plan: Plan, file: Path) -> None:
    """Write the plan. Raises Unusable where the file cannot be written."""
    head = {"format": FORMAT, "approval": plan.approval, "fabric": plan.fabric, "intent_sha256": plan.intent_sha256}
    write_json(file, {**head, "devices": [_device_to(d) for d in plan.devices]})


def load_plan(file: Path) -> Plan:
    """The plan of a file. Raises Invalid for anything that `save_plan` did not write, a changed hash included."""
    data = read_json(file, _WHAT, _HINT)
    try:
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']}; this version reads format {FORMAT}")
        only(data, ("format", "approval", "fabric", "intent_sha256", "devices"))
        plan = Plan(
            fabric=text(data["fabric"]),
            intent_sha256=text(data["intent_sha256"]),
            devices=tuple(_device_from(row) for row in list_of(data["devices"])),
        )
        if plan.approval != data["approval"]:
            raise ValueError("its hashes were changed after it was made")
    except KeyError as error:
        raise invalid(file, f"not {_WHAT}: {error.args[0]} is missing", _HINT) from None
    except (TypeError, ValueError) as error:
        raise invalid(file, f"not {_WHAT}: {error}", _HINT) from None
    return plan


def place_to(place: Place) -> Json:
    """A place as JSON."""
    return {field.name: getattr(place, field.name) for field in fields(Place)}


def place_from(value: object) -> Place:
    """The place that `place_to` wrote. Raises KeyError, TypeError or ValueError for another."""
    data = object_of(value)
    only(data, tuple(field.name for field in fields(Place)))
    return Place(
        role=text(data["role"]),
        tier=whole_number(data["tier"]),
        plane=text(data["plane"]),
        unit=text(data["unit"]),
        rail=whole_number(data["rail"]),
        number=whole_number(data["number"]),
        status=text(data["status"]),
    )


def _device_to(device: DevicePlan) -> Json:
    own = {field.name: getattr(device, field.name) for field in fields(DevicePlan)}
    return {**own, "place": place_to(device.place), "files": dict(device.files)}


def _device_from(row: object) -> DevicePlan:
    data = object_of(row)
    only(data, tuple(field.name for field in fields(DevicePlan)))
    return DevicePlan(
        name=text(data["name"]),
        platform=text(data["platform"]),
        place=place_from(data["place"]),
        status=Status(text(data["status"])),
        reason=text(data["reason"]),
        files={name: text(content) for name, content in object_of(data["files"]).items()},
        owns=tuple(map(text, list_of(data["owns"]))),
        serial=text(data["serial"]),
        running_sha256=text(data["running_sha256"]),
        candidate_sha256=text(data["candidate_sha256"]),
        diff=tuple(map(text, list_of(data["diff"]))),
        impact=Impact(text(data["impact"])),
        steps=tuple(map(text, list_of(data["steps"]))),
    )
