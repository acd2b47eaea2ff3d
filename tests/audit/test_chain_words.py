"""Where a DSCP goes, on NOSes that bind no map of queues to ports: there is one for the switch, or none."""

from __future__ import annotations

import pytest

from netaudit.audit.chain import is_lossless, told
from netaudit.state import Device, PortQos, Qos

PORTS = {"1": PortQos(dscp_to_tc="switch", pfc=frozenset({3}))}
PATH = ("qos", "dscp_to_tc", "switch", "26")


def device(tc: int, queues: dict[str, dict[int, int]] | None) -> Device:
    qos = Qos(dscp_to_tc={"switch": {26: tc}}, tc_to_queue=queues, ports=PORTS)
    return Device(name="x", platform="eos", qos=qos)


@pytest.mark.parametrize("queues", [{"switch": {n: n for n in range(8)}}, None])
def test_the_one_map_of_the_switch_is_that_of_every_port_and_none_is_number_by_number(
    queues: dict[str, dict[int, int]] | None,
) -> None:
    said = told(PATH, device(3, queues), device(4, queues))
    assert said == ("DSCP 26 → traffic class 4 → queue 4 (lossy), planned traffic class 3 → queue 3 (lossless)")
    assert is_lossless(PATH, device(3, queues))


def test_a_class_that_the_map_leaves_out_has_no_queue() -> None:
    assert told(PATH, device(3, {"switch": {3: 3}}), device(4, {"switch": {3: 3}})).startswith(
        "DSCP 26 → traffic class 4 → no queue"
    )
