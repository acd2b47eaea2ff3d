"""VRFs: how SONiC spells the name of one, and the table VRF."""

from __future__ import annotations

from netaudit.platforms.sonic.tables import Seen, Tables, seen
from netaudit.state import Device

PREFIX = "Vrf_"
"""vrfmgrd takes names that begin with `Vrf` (sonic-vrf.yang: `Vrf[a-zA-Z0-9_-]+`); an intent's names have no `_`."""
LONGEST = 15
"""A VRF is a network device: IFNAMSIZ of Linux, less the byte that ends it (sonic-types.yang, interface_name)."""
FIXED = ("default", "mgmt")
"""Names that are not rows of VRF: the main table, and the management VRF of MGMT_VRF_CONFIG."""


def native_vrf(name: str) -> str:
    """`storage` → `Vrf_storage`; a name that is SONiC's own already (`Vrf-red`, `mgmt`) stays."""
    return name if name in FIXED or name.startswith("Vrf") else f"{PREFIX}{name}"


def vrf_of(native: str) -> str:
    """`Vrf_storage` → `storage`; the native name where `native_vrf` would not lead back to it.

    A name that is no VRF of SONiC at all is marked as one: `storage` in frr.conf is not the VRF `Vrf_storage`.
    """
    name = native.removeprefix(PREFIX)
    if name and native_vrf(name) == native:
        return name
    return native if native.startswith("Vrf") or native in FIXED else f"native {native}"


def vrf_problem(name: str) -> str:
    """Why SONiC has no VRF of that name; empty if it may have one."""
    if name == "mgmt":
        return "`mgmt` is the VRF of the management port, which is not ours"
    if len(native_vrf(name)) > LONGEST:
        return f"`{native_vrf(name)}` has {len(native_vrf(name))} characters, and Linux has room for {LONGEST}"
    return ""


def write_vrfs(device: Device) -> Tables:
    """VRF: a row for each, without fields."""
    names = device.vrfs if isinstance(device.vrfs, frozenset) else frozenset()
    return {"VRF": {native_vrf(name): {} for name in sorted(names)}}


def read_vrfs(tables: Seen) -> frozenset[str] | None:
    """The VRFs of a device, by the names an intent has for them."""
    table = seen(tables, "VRF")
    return None if table is None else frozenset(vrf_of(name) for name in table)


def beside_ours(ours: Tables, theirs: Tables) -> Tables:
    """Rows that stay although their tables are ours: VRFs that the intent lacks, and interfaces bound to one of those.

    Somebody else's VRF is theirs with all that is in it, as long as it is on ports that the intent does not use.
    """
    foreign = theirs.get("VRF", {}).keys() - ours.get("VRF", {}).keys()
    kept: Tables = {"VRF": {name: row for name, row in theirs.get("VRF", {}).items() if name in foreign}}
    for table in ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE"):
        rows = theirs.get(table, {})
        bound = {name for name, row in rows.items() if row.get("vrf_name") in foreign} - ours.get(table, {}).keys()
        kept[table] = {key: row for key, row in rows.items() if key.partition("|")[0] in bound}
    return {table: rows for table, rows in kept.items() if rows}
