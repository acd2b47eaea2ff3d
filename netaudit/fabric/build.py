"""From the intent to the fabric: places, names, numbers and addresses, and every reason why it cannot be built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from difflib import get_close_matches

from netaudit import hardware, platforms
from netaudit.diag import Invalid
from netaudit.fabric import numbers, unique
from netaudit.fabric.deal import layouts
from netaudit.fabric.extra import extra_ports
from netaudit.fabric.kinds import RETIRED
from netaudit.fabric.model import FabricDevice, FabricHost
from netaudit.fabric.problems import Problems
from netaudit.fabric.roles import Role, roles
from netaudit.fabric.topology import Fabric
from netaudit.hardware import SwitchModel
from netaudit.intent import Intent

MAX_UNFITTING = 10_000
"""Leaves of a fabric that does not fit and whose pins are looked at all the same: some 0.1 s."""


def build(intent: Intent, today: date | None = None) -> Fabric:
    """The fabric. Raises `Invalid` with every problem that prevents it: models, ports, pools, names, pins."""
    problems = Problems(intent)
    models = {name: _model(role, problems) for name, role in roles(intent.model).items()}
    dealt = layouts(intent, models, problems)
    known = {name: model for name, model in models.items() if model}
    numbers.pools(intent, known, problems)
    looked_at = known.keys() == models.keys() and (len(dealt) == len(models) or _few(intent))
    made = tuple(numbers.devices(intent, known, problems)) if looked_at else ()
    hosts = {host.name: host for host in _hosts(intent, problems)} if "leaf" in dealt else {}
    unique.names(made, hosts, problems)
    unique.numbers(made, problems)
    unique.prefixes(made, problems)
    standing = {device.name: device for device in made if device.place.status != RETIRED}
    if made:
        _empty_planes(intent, standing, problems)
    extra = extra_ports(intent, standing, hosts, dealt, problems)
    if problems.found:
        raise Invalid(problems.found)
    return Fabric(intent=intent, devices=standing, hosts=hosts, layouts=dealt, extra=extra, today=today)


def _empty_planes(intent: Intent, standing: Mapping[str, FabricDevice], problems: Problems) -> None:
    """A plane is something as long as it has a leaf and a spine, and where it has pods, a superspine."""
    there = {(device.place.plane, device.place.role) for device in standing.values()}
    needed = [("leaf", "units"), ("spine", "devices")]
    if intent.model.superspine is not None:
        needed.append(("superspine", "devices"))
    for plane in intent.model.planes:
        for role, path in needed:
            if (plane, role) not in there:
                message = f"every {role} of plane {plane} is retired"
                problems.add(path, message, f"leave one {role}, or take the plane out of `planes`")


def _few(intent: Intent) -> bool:
    """Are there so few devices that it takes no time to look at those of a fabric that does not fit?"""
    model = intent.model
    return len(model.planes) * len(model.units) * model.unit_leaves <= MAX_UNFITTING


def _model(role: Role, problems: Problems) -> SwitchModel | None:
    if role.platform not in platforms.names():
        message, hint = f"platform `{role.platform}` is not supported yet", f"supported: {', '.join(platforms.names())}"
        problems.add(f"{role.path}.platform", message, hint)
    try:
        return hardware.switch(role.model)
    except KeyError:
        near = get_close_matches(role.model, hardware.switch_names(), 1)
        hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(hardware.switch_names())}"
        problems.add(f"{role.path}.model", f"no switch model `{role.model}` in the catalogue", hint)
        return None


def _hosts(intent: Intent, problems: Problems) -> Iterator[FabricHost]:
    seen: dict[str, str] = {}
    for unit, body in intent.model.units.items():
        for index in range(1, body.hosts + 1 if body.status != RETIRED else 1):
            name = intent.host_names.get((unit, index), f"{unit}-h{index}")
            where = f"{unit} host {index}"
            if name in seen:
                problems.add("hosts.names", f"`{name}` is the name of both {seen[name]} and {where}")
            seen[name] = where
            status = intent.host_status.get((unit, index), "active")
            if status != RETIRED:
                yield FabricHost(name=name, unit=unit, index=index, status=status)
