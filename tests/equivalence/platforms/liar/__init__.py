"""SONiC with two faults: it drops what ports are called without a word, and reads another AS number than it wrote."""

from __future__ import annotations

from dataclasses import replace

from netaudit.platforms import Files, sonic
from netaudit.platforms.sonic import *  # noqa: F403
from netaudit.platforms.sonic import (  # noqa: F401
    GNMI_PORT,
    NAME,
    NAPALM,
    RAW_SUFFIXES,
    RAW_TABLES,
    ROUTING_FILE,
    TABLES,
    TITLE,
    VENDORS,
)
from netaudit.state import Device
from netaudit.state.walk import without


def quantize(device: Device) -> Device:
    """Less than SONiC's, and no table says so."""
    return without(sonic.quantize(device), ("ports.*.description",))


def read_config(files: Files, name: str) -> Device:
    """Another AS number."""
    read = sonic.read_config(files, name)
    assert read.bgp is not None
    assert isinstance(read.bgp.asn, int)
    return replace(read, bgp=replace(read.bgp, asn=read.bgp.asn + 1))
