"""What `DEVICE[:PORT]` means, and what is said where it means nothing."""

from __future__ import annotations

import pytest

from netaudit.cli.show.target import Target, target, whole_device
from netaudit.diag import Invalid
from tests.cli.showing import example

EXAMPLE = example()


def refused(text: str) -> tuple[str, str]:
    with pytest.raises(Invalid) as error:
        target(EXAMPLE, text)
    (only,) = error.value.diagnostics
    return only.message, only.hint


def test_a_device_and_a_port_of_it_are_found() -> None:
    assert target(EXAMPLE, "a-spine1") == Target(device="a-spine1")
    assert target(EXAMPLE, " a-su1-r1-leaf:1/2 ") == Target(device="a-su1-r1-leaf", port="1/2")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("a-su1-r1-laef:1", "there is no device `a-su1-r1-laef` in two-plane", "did you mean `a-su1-r1-leaf`?"),
        (
            "zzz",
            "there is no device `zzz` in two-plane",
            "there are a-su1-r1..r4-leaf, a-su2-r1..r4-leaf, a-spine1, a-spine2, b-su1-r1..r4-leaf, b-su2-r1..r4-leaf, "
            "b-spine1, b-spine2",
        ),
        ("", "one device is meant here, by its name", "for example a-su1-r1-leaf"),
        ("plane=a", "one device is meant here, by its name", "for example a-su1-r1-leaf"),
        (
            "su1-h1",
            "`su1-h1` is a host; what it should be is not known here",
            "its switch ports: a-su1-r1-leaf:1/1, a-su1-r2-leaf:1/1, a-su1-r3-leaf:1/1, a-su1-r4-leaf:1/1, …",
        ),
        (
            "a-su1-r1-leaf:1",
            "there is no port 1 on a-su1-r1-leaf",
            "cage 1 is split into 1/1 and 1/2: a-su1-r1-leaf:1/1",
        ),
        ("a-su1-r1-leaf:64/1", "there is no port 64/1 on a-su1-r1-leaf", "cage 64 is one port: a-su1-r1-leaf:64"),
        ("a-su1-r1-leaf:70", "there is no port 70 on a-su1-r1-leaf", "its cages are 1 to 65"),
        (
            "a-su1-r1-leaf:x",
            "`x` is not a port",
            "cages are front-panel numbers from 1: a-su1-r1-leaf:12, or a-su1-r1-leaf:12/1 for a part of a split cage",
        ),
    ],
)
def test_what_means_nothing_is_refused_with_what_would(text: str, message: str, hint: str) -> None:
    assert refused(text) == (message, hint)


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ("Ethernet504", "is cage 64: write `a-su1-r1-leaf:64`"),
        ("Ethernet4", "is cage 1, sub-port 2: write `a-su1-r1-leaf:1/2`"),
        ("etp1b", "is cage 1, sub-port 2: write `a-su1-r1-leaf:1/2`"),
        ("Ethernet300", "is cage 38: write `a-su1-r1-leaf:38`"),
    ],
)
def test_a_port_name_of_the_device_is_translated(own: str, says: str) -> None:
    message, hint = refused(f"a-su1-r1-leaf:{own}")
    assert message == f"`{own}` is a device's port name, not a cage"
    assert hint == f"on this model {own} {says}"


def test_a_port_is_refused_where_only_devices_have_an_answer() -> None:
    assert whole_device(EXAMPLE, "a-spine1") == "a-spine1"
    with pytest.raises(Invalid) as error:
        whole_device(EXAMPLE, "a-spine1:1")
    assert error.value.diagnostics[0].hint == "write a-spine1"
