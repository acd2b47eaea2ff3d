"""What the Generic Config Updater refuses (sonic.md 10), and which ports it takes down on the way."""

from __future__ import annotations

import pytest

from netaudit.lab.sim.gcu import GcuRefused, apply_patch, replace

Rows = dict[str, dict[str, dict[str, object]]]


def config(hwsku: str = "ACS-SN5600") -> Rows:
    return {
        "DEVICE_METADATA": {"localhost": {"hwsku": hwsku}},
        "PORT": {
            "Ethernet0": {"admin_status": "up", "lanes": "0,1", "mtu": "9100"},
            "Ethernet8": {"admin_status": "down", "lanes": "8,9"},
        },
        "INTERFACE": {"Ethernet0": {}},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.0.0.1/32": {}},
        "BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000", "mode": "dynamic", "type": "ingress"}},
        "BUFFER_PROFILE": {"p": {"pool": "ingress_lossless_pool", "size": "1", "xoff": "1", "dynamic_th": "0"}},
        "BUFFER_PG": {"Ethernet0|3": {"profile": "p"}, "Ethernet8|3": {"profile": "p"}},
        "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "X"}, "Ethernet0": {"pfc_enable": "3"}},
        "QUEUE": {"Ethernet0|3": {"scheduler": "s"}},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet0": {"action": "drop"}},
        "WRED_PROFILE": {"w": {"ecn": "ecn_all"}},
    }


REFUSED = {
    "a pool's size": ("replace", "/BUFFER_POOL/ingress_lossless_pool/size", "2"),
    "a new pool": ("add", "/BUFFER_POOL/x", {"type": "egress"}),
    "a pool gone": ("remove", "/BUFFER_POOL"),
    "a profile's size": ("replace", "/BUFFER_PROFILE/p/size", "2"),
    "a field more in a profile": ("add", "/BUFFER_PROFILE/p/xon", "2"),
    "xoff taken away": ("remove", "/BUFFER_PROFILE/p/xoff"),
    "a row replaced whole, where a field differs that may not": (
        "replace",
        "/BUFFER_PROFILE/p",
        {"pool": "i", "size": "9"},
    ),
    "all profiles gone": ("remove", "/BUFFER_PROFILE"),
    "the watchdog's global row gone": ("remove", "/PFC_WD/GLOBAL"),
    "the poll interval gone": ("remove", "/PFC_WD/GLOBAL/POLL_INTERVAL"),
    "the loopback gone": ("remove", "/LOOPBACK_INTERFACE/Loopback0"),
    "the loopback's table gone": ("remove", "/LOOPBACK_INTERFACE"),
    "an emptied table": ("remove", "/WRED_PROFILE/w"),
    "an empty new table": ("add", "/SCHEDULER", {}),
    "a row in a table that is not there": ("add", "/SCHEDULER/s", {"type": "DWRR"}),
    "a field in a row that is not there": ("add", "/PORT/Ethernet16/mtu", "9100"),
    "a prefix whose slash is not escaped": ("add", "/INTERFACE/Ethernet0|10.0.0.0/31", {}),
    "a row that is no object": ("add", "/PORT/Ethernet16", "x"),
    "a table that is no object": ("add", "/SCHEDULER", "x"),
    "a value that is no text": ("add", "/PORT/Ethernet0/x", {"a": "b"}),
}
TAKEN = {
    "a threshold": ("replace", "/BUFFER_PROFILE/p/dynamic_th", "1"),
    "a headroom": ("replace", "/BUFFER_PROFILE/p/xoff", "2"),
    "trimming": ("add", "/BUFFER_PROFILE/p/packet_discard_action", "trim"),
    "a new profile": ("add", "/BUFFER_PROFILE/q", {"pool": "ingress_lossless_pool", "size": "1"}),
    "a profile gone, and its rows": ("remove", "/BUFFER_PROFILE/q"),
    "a watched port": ("add", "/PFC_WD/Ethernet8", {"action": "drop"}),
    "another poll interval": ("replace", "/PFC_WD/GLOBAL/POLL_INTERVAL", "100"),
    "the whole watchdog gone": ("remove", "/PFC_WD"),
    "an address of the loopback": ("remove", "/LOOPBACK_INTERFACE/Loopback0|10.0.0.1~132"),
    "a prefix, escaped": ("add", "/INTERFACE/Ethernet0|10.0.0.0~131", {}),
    "a whole new table": ("add", "/SCHEDULER", {"s": {"type": "DWRR"}}),
    "ECN": ("replace", "/WRED_PROFILE/w/ecn", "ecn_none"),
    "a leaf-list": ("add", "/PORT/Ethernet0/x", ["a", "b"]),
}


def patch(op: str, path: str, *value: object) -> list[dict[str, object]]:
    return [{"op": op, "path": path, **({"value": value[0]} if value else {})}]


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    before = config()
    with pytest.raises(GcuRefused):
        apply_patch(before, patch(*REFUSED[case]))
    assert before == config()


@pytest.mark.parametrize("case", TAKEN)
def test_taken(case: str) -> None:
    before = config()
    before["BUFFER_PROFILE"]["q"] = {"pool": "ingress_lossless_pool", "size": "1"}
    if case == "a new profile":
        del before["BUFFER_PROFILE"]["q"]
    assert apply_patch(before, patch(*TAKEN[case])).config != before


@pytest.mark.parametrize("table", ["BUFFER_PROFILE", "PFC_WD"])
def test_a_table_that_is_not_there_cannot_be_created(table: str) -> None:
    before = config()
    rows = before.pop(table)
    with pytest.raises(GcuRefused):
        apply_patch(before, patch("add", f"/{table}", rows))


def test_the_global_row_of_the_watchdog_cannot_be_created() -> None:
    before = config()
    rows = before["PFC_WD"].pop("GLOBAL")
    with pytest.raises(GcuRefused):
        apply_patch(before, patch("add", "/PFC_WD/GLOBAL", rows))


@pytest.mark.parametrize("case", ["a threshold", "a watched port", "the whole watchdog gone"])
def test_on_a_hwsku_that_gcu_does_not_list_neither_fields_nor_the_watchdog_change(case: str) -> None:
    with pytest.raises(GcuRefused):
        apply_patch(config("DellEMC-Z9332f-O32"), patch(*TAKEN[case]))


def test_a_replace_needs_the_whole_config_and_is_refused_for_what_a_patch_is() -> None:
    with pytest.raises(GcuRefused):
        replace(config(), {"PORT": config()["PORT"]})
    assert replace(config(), config()).flaps == frozenset()


@pytest.mark.parametrize(
    ("operation", "flaps"),
    [
        (("replace", "/BUFFER_PG/Ethernet0|3/profile", "x"), {"Ethernet0"}),
        (("replace", "/BUFFER_PG/Ethernet8|3/profile", "x"), set()),
        (("replace", "/PORT_QOS_MAP/Ethernet0/pfc_enable", "4"), {"Ethernet0"}),
        (("replace", "/PORT_QOS_MAP/global/dscp_to_tc_map", "Y"), set()),
        (("remove", "/QUEUE"), {"Ethernet0"}),
        (("replace", "/PORT/Ethernet0/lanes", "0,1,2"), {"Ethernet0"}),
        (("replace", "/PORT/Ethernet0/mtu", "9216"), set()),
    ],
)
def test_an_enabled_port_flaps_where_gcu_takes_it_down(operation: tuple[str, ...], flaps: set[str]) -> None:
    assert apply_patch(config(), patch(*operation)).flaps == flaps
