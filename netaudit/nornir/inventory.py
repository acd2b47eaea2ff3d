"""Nornir's inventory of a fabric, made from the intent: as a plugin, and as SimpleInventory's three files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nornir.core.inventory import (
    ConnectionOptions,
    Defaults,
    Group,
    Groups,
    Host,
    Hosts,
    Inventory,
    ParentGroups,
)

from netaudit.collect.secrets import reference
from netaudit.collect.targets import HTTPS_PORT, NETCONF_PORT, Target, load_targets, site_targets
from netaudit.nornir.connections import GNMI, HTTPS, NETCONF, SSH

if TYPE_CHECKING:
    from netaudit.fabric import Fabric


class NetauditIntent:
    """Inventory plugin: the switches of an intent, grouped by role, plane, unit and platform.

    `targets` is a targets file, as the lab writes one; without it the intent's `management` says how devices are
    reached. Credentials are in the inventory by reference only.
    """

    def __init__(self, intent: str, targets: str | None = None) -> None:
        self._intent = Path(intent)
        self._targets = None if targets is None else Path(targets)

    def load(self) -> Inventory:
        """The inventory. Raises Invalid with every problem of the intent, the fabric or the targets."""
        from netaudit.fabric import build  # the models behind these take 0.1 s to import
        from netaudit.intent import load

        fabric = build(load(self._intent))
        return inventory(fabric, fabric_targets(fabric, self._targets))


def fabric_targets(fabric: Fabric, file: Path | None = None) -> Mapping[str, Target]:
    """How each switch of a fabric is reached: by a targets file, else as the intent's `management` says."""
    platforms = {name: device.platform for name, device in fabric.devices.items()}
    if file is not None:
        return load_targets(file, platforms)
    management = fabric.intent.model.management
    addresses = {
        name: device.management or (management.dns or "").replace("{name}", name)
        for name, device in fabric.devices.items()
    }
    return site_targets(
        addresses, platforms, user=management.credentials.user, password=management.credentials.password
    )


def inventory(fabric: Fabric, targets: Mapping[str, Target]) -> Inventory:
    """The fabric as Nornir's objects."""
    defaults = Defaults(connection_options=_connections(_shared(targets)))
    groups = Groups({name: Group(name=name, defaults=defaults) for name in _all_groups(fabric)})
    hosts = Hosts()
    for name, target in targets.items():
        hosts[name] = Host(
            name=name,
            hostname=target.address,
            platform=target.platform,
            groups=ParentGroups([groups[group] for group in _groups(fabric, name)]),
            data=dict(_data(fabric, name)),
            connection_options=_connections(_own(target)),
            defaults=defaults,
        )
    return Inventory(hosts=hosts, groups=groups, defaults=defaults)


def simple_inventory(fabric: Fabric, targets: Mapping[str, Target]) -> Mapping[str, str]:
    """The same as the text of `hosts.yaml`, `groups.yaml` and `defaults.yaml` for Nornir's SimpleInventory."""
    hosts = {
        name: {
            "hostname": target.address,
            "platform": target.platform,
            "groups": _groups(fabric, name),
            "data": _data(fabric, name),
            "connection_options": _own(target),
        }
        for name, target in targets.items()
    }
    groups: Mapping[str, object] = {name: {} for name in _all_groups(fabric)}
    made = f"# Made from the intent of {fabric.name}; change that one.\n"
    texts = {"hosts.yaml": hosts, "groups.yaml": groups, "defaults.yaml": {"connection_options": _shared(targets)}}
    return {file: f"---\n{made}" + "".join(f"{line}\n" for line in _yaml(data)) for file, data in texts.items()}


def _groups(fabric: Fabric, name: str) -> tuple[str, ...]:
    """Written like the words of `--where`."""
    device = fabric.devices[name]
    place = device.place
    words = {"role": place.role, "plane": place.plane, "unit": place.unit, "platform": device.platform}
    return tuple(f"{key}={value}" for key, value in words.items() if value)


def _all_groups(fabric: Fabric) -> tuple[str, ...]:
    return tuple(sorted({group for name in fabric.devices for group in _groups(fabric, name)}))


def _data(fabric: Fabric, name: str) -> Mapping[str, object]:
    device = fabric.devices[name]
    place = device.place
    return {
        "place": str(place),
        "tier": place.tier,
        "rail": place.rail,
        "number": place.number,
        "status": place.status,
        "asn": device.asn,
    }


def _own(target: Target) -> Mapping[str, Mapping[str, object]]:
    """What one device has for itself: its ports."""
    ports = {GNMI: target.gnmi_port, SSH: target.ssh_port}
    unusual = {HTTPS: (target.https_port, HTTPS_PORT), NETCONF: (target.netconf_port, NETCONF_PORT)}
    ports.update({name: port for name, (port, usual) in unusual.items() if port != usual})
    return {name: {"port": port} for name, port in ports.items()}


def _shared(targets: Mapping[str, Target]) -> Mapping[str, Mapping[str, object]]:
    """What all devices of a targets file or of an intent have in common: credentials by reference, whom to trust."""
    first = next(iter(targets.values()), None)
    if first is None:
        return {}
    common = {
        "user": reference(first.user),
        "password": None if first.password is None else reference(first.password),
    }
    gnmi = {**common, "ca": first.ca and str(first.ca), "tls_name": first.tls_name}
    ssh = {**common, "known_hosts": first.known_hosts and str(first.known_hosts)}
    extras = {GNMI: gnmi, SSH: ssh}
    return {name: {"extras": {k: v for k, v in some.items() if v}} for name, some in extras.items()}


def _connections(data: Mapping[str, Mapping[str, object]]) -> dict[str, ConnectionOptions]:
    found = {}
    for name, options in data.items():
        port, extras = options.get("port"), options.get("extras")
        found[name] = ConnectionOptions(
            port=port if isinstance(port, int) else None, extras=dict(extras) if isinstance(extras, Mapping) else None
        )
    return found


_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_=.-]*")
_READ_OTHERWISE: Final = frozenset(("yes", "no", "on", "off", "true", "false", "null", "y", "n"))
"""Words that YAML 1.1 or 1.2 does not read as text."""


def _yaml(data: Mapping[str, object], indent: str = "") -> Iterator[str]:
    """Block mappings, their values as JSON spells them, which YAML reads alike."""
    for key, value in data.items():
        plain = _PLAIN.fullmatch(key) and key.lower() not in _READ_OTHERWISE
        name = key if plain else json.dumps(key)
        if isinstance(value, Mapping) and value:
            yield f"{indent}{name}:"
            yield from _yaml(value, f"{indent}  ")
        else:
            yield f"{indent}{name}: {json.dumps(value, ensure_ascii=False)}"
