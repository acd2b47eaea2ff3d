"""What is particular to a site: its devices' facts, versions, what is ours on a device, and how devices are reached."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from netaudit.intent.schema.base import Secret, Section, Text

Area = Literal["ports", "addressing", "bgp", "qos", "buffers", "lldp", "all"]
AREAS: tuple[Area, ...] = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")


class Credentials(Section):
    """Where user and password of the devices are kept: `env:NAME`, `keyring:NAME` or `file:PATH`."""

    user: Secret = "env:NETAUDIT_USER"
    """Where the user name is."""
    password: Secret = "keyring:netaudit"
    """Where the password is."""


class Management(Section):
    """How devices are reached."""

    dns: Text | None = None
    """Name of a device in DNS, with {name} in it. Default: the column `management` of devices.csv."""
    vrf: Text = "mgmt"
    """VRF of the management port."""
    jump: Text = "none"
    """Host that connections go through, or `none`."""
    credentials: Credentials = Field(default_factory=Credentials.model_construct)
    """Where user and password are kept."""
