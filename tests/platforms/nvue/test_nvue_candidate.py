"""What a device shall hold: our parts in, everything else byte for byte; and back again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.nvue import problems

from netaudit.platforms import nvue
from netaudit.render import render
from netaudit.state import Device, Store
from netaudit.state.walk import differences
from platforms.nvue.fabrics import RELEASES, examples

AREAS = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
NOTHING = "- header:\n    model: SN5600\n    version: Cumulus Linux 5.17.0\n- set: {}\n"
SITE = """\
# kept by the site
- header:
    model: SN5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.17.0
- set:
    bridge:
      domain:
        br_default:
          stp:
            priority: 4096
    interface:
      eth0:
        ipv4:
          address:
            203.0.113.11/24:   {}
        type: eth
        vrf: mgmt
      lo:
        ipv4:
          address:
            192.0.2.11/32: {}
        type: loopback
      swp1:
        # a comment beside ours
        evpn:
          multihoming: {}
        link:
          mtu: 1500
        type: swp
      swp99:
        description: "gone"
        type: swp
    qos:
      link-pause:
        mine:
          tx: enable
      roce:
        mode: lossy
        state: enabled
    router:
      adaptive-routing:
        state: enabled
      bgp:
        autonomous-system: 65000
        state: enabled
    system:
      aaa:
        user:
          cumulus:
            hashed-password: '*'
      forwarding:
        ecmp-hash:
          ipv6-label: enabled
      hostname: as-it-was
      lldp:
        state: disabled
        tx-interval: 40
    vrf:
      default:
        router:
          pim:
            state: enabled
          static:
            0.0.0.0/0:
              via:
                10.0.0.1:
                  type: ipv4-address
            10.99.0.0/16:
              via:
                blackhole:
                  type: blackhole
      mgmt:
        router:
          static:
            0.0.0.0/0:
              via:
                203.0.113.1:
                  type: ipv4-address
      theirs:
        table: auto
# the end
"""


def merged(device: Device, running: str, owns: tuple[str, ...] = AREAS) -> str:
    return nvue.candidate(render(device), {"nvue.yaml": running}, owns)["nvue.yaml"]


def tree(text: str) -> dict[str, object]:
    found: dict[str, object] = next(d["set"] for d in yaml.safe_load(text) if "set" in d)
    return found


def at(text: str, *path: str) -> object:
    found: object = tree(text)
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


@pytest.mark.parametrize("running", [NOTHING, SITE], ids=["nothing", "site"])
def test_what_comes_of_it_is_the_expected_state_and_twice_changes_nothing(running: str) -> None:
    for device in examples("5.17"):
        text = merged(device, running)
        found = nvue.read_config({"nvue.yaml": text}, device.name)
        wrong = [d.path for d in differences(device, found, nvue.HELD[Store.RUNNING])]
        # the host name is nobody's area; another VRF is theirs, and so is a line of routing that nobody models
        assert {path[:2] for path in wrong} <= {
            ("system", "hostname"),
            ("vrfs",),
            ("bgp", "unmodelled"),
            ("system", "hwsku"),
        }
        assert merged(device, text) == text
        assert problems(text, "5.17") == []


def test_what_is_not_ours_stays_byte_for_byte() -> None:
    text = merged(examples("5.17")[0], SITE)
    for part in (
        "# kept by the site\n",
        "            203.0.113.11/24:   {}\n        type: eth\n        vrf: mgmt\n",
        "        # a comment beside ours\n        evpn:\n          multihoming: {}\n",
        "      link-pause:\n        mine:\n          tx: enable\n",
        "      adaptive-routing:\n        state: enabled\n",
        "            hashed-password: '*'\n",
        "        tx-interval: 40\n",
        "          pim:\n            state: enabled\n",
        "            0.0.0.0/0:\n              via:\n                10.0.0.1:\n                  type: ipv4-address\n",
        "      mgmt:\n        router:\n          static:\n            0.0.0.0/0:\n",
        "      theirs:\n        table: auto\n",
        "            priority: 4096\n",
        "          ipv6-label: enabled\n",
        "# the end\n",
    ):
        assert part in text, part


def test_what_is_ours_and_not_expected_goes() -> None:
    text = merged(examples("5.17")[0], SITE)
    assert at(text, "interface", "swp99") is None
    assert at(text, "vrf", "default", "router", "static", "10.99.0.0/16") is None
    assert at(text, "interface", "lo", "ipv4", "address") == {"10.255.0.1/32": {}}
    assert at(text, "system", "lldp", "state") == "enabled"
    assert at(text, "qos", "roce", "mode") == "lossless"
    assert at(text, "system", "hostname") == "as-it-was"


@pytest.mark.parametrize("area", AREAS)
def test_an_area_alone_changes_no_other(area: str) -> None:
    device = examples("5.17")[0]
    text = merged(device, SITE, (area,))
    changed = [line.split("  ")[0] for line in nvue.diff({"nvue.yaml": SITE}, {"nvue.yaml": text})]
    assert changed
    kinds = {"swp": "PORT", "vlan": "VLAN"}
    for line in changed:
        words = line.split()
        assert any(fits(part.split(), words, kinds) for part in nvue.OWNS[area]) or (
            area == "addressing" and words[0] == "vrf"
        ), line


def fits(part: list[str], words: list[str], kinds: dict[str, str]) -> bool:
    def one(want: str, word: str) -> bool:
        named = next((kind for start, kind in kinds.items() if word.startswith(start) and want == kind), "")
        return want in (word, named) or want in ("VRF", "BLACKHOLE")

    return len(part) <= len(words) and all(map(one, part, words))


def test_no_area_changes_nothing() -> None:
    assert merged(examples("5.17")[0], SITE, ()) == SITE


@pytest.mark.parametrize("release", RELEASES[::3])
def test_it_is_written_in_the_words_of_the_version_that_runs(release: str) -> None:
    running = NOTHING.replace("5.17.0", f"{release}.1")
    for device in examples(release):
        text = merged(device, running)
        assert problems(text, release) == []
        assert merged(device, text) == text


def test_a_device_of_5_14_gets_old_words_although_5_17_is_intended() -> None:
    text = merged(examples("5.17")[0], NOTHING.replace("5.17.0", "5.14.0"))
    assert problems(text, "5.14") == []
    assert at(text, "router", "bgp", "enable") in ("on", True)
    assert "version: Cumulus Linux 5.14.0" in text


def test_the_vendors_example_keeps_what_is_not_ours(shared: Path) -> None:
    running = (shared / "data" / "vendor-examples" / "nvue-5.17-leaf.yaml").read_text()
    for device in examples("5.17"):
        text = merged(device, running)
        assert problems(text, "5.17") == []
        assert at(text, "system", "gnmi-server") == at(running, "system", "gnmi-server")
        assert at(text, "interface", "eth0") == at(running, "interface", "eth0")
        assert at(text, "router", "bfd") == at(running, "router", "bfd")
        assert merged(device, text) == text


def test_what_is_kept_puts_back_what_was_there() -> None:
    for device in examples("5.17"):
        rendered, running = render(device), {"nvue.yaml": SITE}
        kept = nvue.kept(running, rendered, AREAS)
        assert "hashed-password" not in kept["nvue.yaml"]
        assert "203.0.113" not in kept["nvue.yaml"]
        pushed = nvue.candidate(rendered, running, AREAS)
        back = nvue.candidate(kept, pushed, AREAS)
        left = nvue.diff(running, back)
        assert all(line.startswith("vrf ") for line in left), left  # a VRF that came is not taken away


def test_equal_is_equal_whatever_the_order_and_the_quotes() -> None:
    one = "- set:\n    a:\n      '10': x\n      b: 'y'\n"
    other = "- set:\n    a:\n        b: y\n        10: x\n"
    assert nvue.equal({"nvue.yaml": one}, {"nvue.yaml": other})
    assert not nvue.equal({"nvue.yaml": one}, {"nvue.yaml": other.replace("x", "z")})


def test_a_difference_is_told_leaf_by_leaf_and_no_secret_is() -> None:
    one = "- set:\n    interface:\n      swp1:\n        link:\n          mtu: 9000\n    a:\n      password: hunter2\n"
    other = one.replace("9000", "9216").replace("hunter2", "hunter3")
    found = nvue.diff({"nvue.yaml": one}, {"nvue.yaml": other})
    assert found == ("a password  *** → ***", "interface swp1 link mtu  9000 → 9216")
    assert nvue.diff({"nvue.yaml": one}, {"nvue.yaml": one}) == ()


def test_a_vrf_of_the_intent_is_made_even_where_nothing_is_in_it() -> None:
    device = examples("5.17")[2]
    assert at(merged(device, SITE), "vrf", "Vrf-red") == {}
    assert at(merged(device, SITE, ("bgp",)), "vrf", "Vrf-red") is None


@pytest.mark.parametrize("text", ["", "- set:\n    a: *b\n", "just text", "- header: {}\n", "- set: x\n"])
def test_a_hostile_running_text_raises_nothing_but_a_value_error(text: str) -> None:
    rendered, running = render(examples("5.17")[0]), {"nvue.yaml": text}
    for attempt in (
        lambda: nvue.candidate(rendered, running, AREAS),
        lambda: nvue.kept(running, rendered, AREAS),
        lambda: nvue.equal(rendered, running),
        lambda: nvue.diff(running, rendered),
        lambda: nvue.problems(running),
    ):
        with suppress(ValueError):
            attempt()


def _parts() -> Iterator[str]:
    """Parts that are never ours, as a device may hold them."""
    yield "    acl:\n      mine:\n        type: ipv4\n"
    yield "    evpn:\n      state: enabled\n"
    yield "    nve:\n      vxlan:\n        state: enabled   # x\n"
    yield "    mlag:\n      backup:\n        10.1.1.1: {}\n"
    yield "    service:\n      ntp:\n        mgmt:\n          server:\n            192.0.2.1: {}\n"
    yield "    platform: {}\n"


@settings(max_examples=30)
@given(st.permutations(list(_parts())), st.integers(0, 6))
def test_parts_that_are_not_ours_stay_wherever_they_stand(parts: list[str], count: int) -> None:
    running = "- header:\n    version: Cumulus Linux 5.17.0\n- set:\n" + "".join(parts[:count])
    if not count:
        running = NOTHING
    text = merged(small(), running)
    assert all(part in text for part in parts[:count])
    assert merged(small(), text) == text


def small() -> Device:
    device = examples("5.17")[0]
    return replace(
        device, ports={key: port for key, port in (device.ports or {}).items() if key == "61"}, qos=None, buffers=None
    )


RANGES = """\
- header:
    model: SN5600
    version: Cumulus Linux 5.17.0
- set:
    bridge:
      domain:
        br_default:
          vlan:
            10,20-22: {}
    interface:
      swp1-4,6:
        evpn:
          multihoming: {}
        link:
          mtu: 1500
        type: swp
      swp1:
        description: in two of them
      swp70-71:
        type: swp
      vlan10,20:
        type: svi
"""


def test_ranges_are_read_as_what_they_stand_for() -> None:
    device = nvue.read_config({"nvue.yaml": RANGES}, "x")
    assert device.ports is not None
    assert set(device.ports) == {"1", "2", "3", "4", "6", "70", "71"}
    assert {port.mtu_bytes for key, port in device.ports.items() if int(key) < 70} == {1500}
    assert device.ports["1"].description == "in two of them"
    assert set(device.vlans or {}) == {"10", "20", "21", "22"}


def test_of_a_range_what_is_theirs_stays_and_each_port_gets_its_own() -> None:
    device = examples("5.17")[0]
    text = merged(device, RANGES)
    assert "      swp1-4,6:\n        evpn:\n          multihoming: {}\n      swp" in text
    assert at(text, "interface", "swp70-71") is None
    assert at(text, "interface", "swp61", "link", "speed") == "800G"
    found = nvue.read_config({"nvue.yaml": text}, device.name)
    assert [
        d.path for d in differences(device, found, nvue.HELD[Store.RUNNING]) if d.path != ("system", "hostname")
    ] == []
    assert merged(device, text) == text


def test_a_device_that_is_as_it_shall_be_keeps_its_ranges() -> None:
    device = small()
    ports = {key: port for key, port in (examples("5.17")[0].ports or {}).items() if key in ("61", "62")}
    both = replace(device, ports={key: replace(port, description="one") for key, port in ports.items()})
    one = replace(device, ports={"61": both.ports["61"]}, interfaces={}, bgp=None)  # type: ignore[index]
    running = merged(one, NOTHING, ("ports",)).replace("      swp61:\n", "      swp61-62:\n", 1)
    wanted = replace(one, ports=both.ports)
    assert merged(wanted, running, ("ports",)) == running
