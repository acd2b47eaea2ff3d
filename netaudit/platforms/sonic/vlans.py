"""VLAN and VLAN_MEMBER: which ports are in which VLAN. The interface on one stands with the others, in ports.py."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms.sonic.names import VLAN
from netaudit.platforms.sonic.tables import Row, Seen, Table, Tables, seen, text
from netaudit.state import Device, Vlan

WITHOUT_ROW = " (members only)"
_MODES = (("members", "untagged"), ("tagged", "tagged"))


def write_vlans(device: Device) -> Tables:
    """The row of each VLAN, and one for each port in it."""
    rows: Table = {}
    members: Table = {}
    ports = device.ports or {}
    for number, vlan in (device.vlans or {}).items():
        name = f"{VLAN}{number}"
        rows[name] = {"vlanid": number}
        for leaf, mode in _MODES:
            keys = getattr(vlan, leaf)
            for key in sorted(keys) if isinstance(keys, frozenset) else ():
                port = ports.get(key)
                native = port.native if port is not None and isinstance(port.native, str) else key
                members[f"{name}|{native}"] = {"tagging_mode": mode}
    return {"VLAN": rows, "VLAN_MEMBER": members}


def read_vlans(tables: Seen, keys: Mapping[str, str]) -> Mapping[str, Vlan] | None:
    """VLANs by number. `None` unless both tables were seen.

    Members of a VLAN without a row are in none, as vlanmgrd waits for it; they stand under a key of their own.
    """
    rows, members = seen(tables, "VLAN"), seen(tables, "VLAN_MEMBER")
    if rows is None or members is None:
        return None
    untagged: dict[str, set[str]] = {}
    tagged: dict[str, set[str]] = {}
    for key, row in members.items():
        name, _, native = key.partition("|")
        (untagged if _is_untagged(row) else tagged).setdefault(name, set()).add(keys.get(native, native))
    for name, row in rows.items():
        # what a minigraph left in the row itself: vlanmgrd takes these as untagged
        listed = text(row, "members")
        natives = (native.strip() for native in listed.split(",")) if isinstance(listed, str) else ()
        untagged.setdefault(name, set()).update(keys.get(native, native) for native in natives if native)
    return {
        name.removeprefix(VLAN) + ("" if name in rows else WITHOUT_ROW): Vlan(
            members=frozenset(untagged.get(name, ())), tagged=frozenset(tagged.get(name, ()))
        )
        for name in dict.fromkeys((*rows, *untagged, *tagged))
    }


def _is_untagged(row: Row) -> bool:
    """vlanmgrd takes a member without a mode as untagged (sonic-swss, cfgmgr/vlanmgr.cpp)."""
    mode = text(row, "tagging_mode")
    return mode == "untagged" or not isinstance(mode, str)
