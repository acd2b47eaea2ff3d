"""Nornir connections to a device: `netaudit_gnmi` and `netaudit_ssh`, named as entry points in pyproject.toml.

Options are given as extras: `user` and `password` (references: env:NAME, file:PATH, keyring:NAME), `ca`, `known_hosts`,
`tls_name`, `timeout_s`. Nornir's own `password` may hold a reference too; a password as such is refused, because Nornir
prints its inventory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from nornir.core.configuration import Config
from nornir.core.inventory import Host

from netaudit.collect.failure import Failure, Unreached
from netaudit.collect.gnmi import GnmiClient
from netaudit.collect.read import TIMEOUT_S
from netaudit.collect.secrets import is_reference, secret
from netaudit.collect.ssh import SshClient, open_ssh
from netaudit.collect.targets import HTTPS_PORT, NETCONF_PORT, SSH_PORT, Target, gnmi_port_of
from netaudit.diag import Unusable

GNMI = "netaudit_gnmi"
SSH = "netaudit_ssh"
HTTPS, NETCONF = "netaudit_https", "netaudit_netconf"
"""No plugins: their connection options say the port at which a push by a NAPALM driver finds the device."""
_EXTRAS = ("user", "password", "ca", "known_hosts", "tls_name", "timeout_s")


class _Client(Protocol):
    def close(self) -> None:
        """End the connection."""


_ClientT = TypeVar("_ClientT", bound=_Client)


class _Connection(ABC, Generic[_ClientT]):
    """A client as a Nornir connection, as its plugins are called."""

    _client: _ClientT | None = None

    @abstractmethod
    def _connected(self, options: _Options, port: int | None) -> _ClientT:
        """A client that has reached the device. Raises Unreached with the step that failed."""

    def open(
        self,
        hostname: str | None,
        username: str | None,
        password: str | None,
        port: int | None,
        platform: str | None,
        extras: dict[str, object] | None = None,
        configuration: Config | None = None,
    ) -> None:
        """Connect. Raises Unreached with the step that failed, Unusable for wrong options."""
        self._client = self._connected(_options(hostname, username, password, platform, extras), port)

    def close(self) -> None:
        """End the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    @property
    def connection(self) -> _ClientT:
        """The client."""
        if self._client is None:
            raise Unusable("the connection is not open", "call open first")
        return self._client


class GnmiConnection(_Connection[GnmiClient]):
    """A gNMI client as a Nornir connection. `open` asks for the capabilities, so that it fails where a Get would."""

    def _connected(self, options: _Options, port: int | None) -> GnmiClient:
        client = GnmiClient(options.target(gnmi_port=port), options.timeout_s)
        said = client.capabilities()
        if isinstance(said, Failure):
            client.close()
            raise Unreached(said)
        return client


class SshConnection(_Connection[SshClient]):
    """An SSH client as a Nornir connection."""

    def _connected(self, options: _Options, port: int | None) -> SshClient:
        client = open_ssh(options.target(ssh_port=port or SSH_PORT))
        if isinstance(client, Failure):
            raise Unreached(client)
        return client


def target_of(host: Host) -> Target:
    """The device that both connections of a host lead to."""
    gnmi, ssh = (host.get_connection_parameters(name) for name in (GNMI, SSH))
    at_gnmi = _options(gnmi.hostname, gnmi.username, gnmi.password, gnmi.platform, gnmi.extras)
    at_ssh = _options(ssh.hostname, ssh.username, ssh.password, ssh.platform, ssh.extras)
    target = at_gnmi.target(ssh_port=ssh.port or SSH_PORT, gnmi_port=gnmi.port)
    https, netconf = (host.get_connection_parameters(name).port for name in (HTTPS, NETCONF))
    return replace(
        target,
        name=host.name,
        known_hosts=at_ssh.known_hosts,
        https_port=https or HTTPS_PORT,
        netconf_port=netconf or NETCONF_PORT,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """What Nornir hands to `open`, checked."""

    address: str
    platform: str
    user: str
    password: str
    ca: Path | None
    known_hosts: Path | None
    tls_name: str
    timeout_s: float

    def target(self, *, ssh_port: int = SSH_PORT, gnmi_port: int | None = None) -> Target:
        return Target(
            name=self.address,
            address=self.address,
            platform=self.platform,
            ssh_port=ssh_port,
            gnmi_port=gnmi_port or gnmi_port_of(self.platform),
            user=secret(self.user) if is_reference(self.user) else self.user,
            password=secret(self.password) if self.password else None,
            ca=self.ca,
            known_hosts=self.known_hosts,
            tls_name=self.tls_name,
        )


def _options(
    hostname: str | None,
    username: str | None,
    password: str | None,
    platform: str | None,
    extras: Mapping[str, object] | None,
) -> _Options:
    given = dict(extras or {})
    unknown = sorted(set(given) - set(_EXTRAS))
    if not hostname or unknown:
        what = f"unknown extras: {', '.join(unknown)}" if unknown else "the host has no hostname"
        raise Unusable(f"{what} in the Nornir inventory", f"known extras are {', '.join(_EXTRAS)}")
    texts = {key: str(given[key]) for key in _EXTRAS if given.get(key) is not None}
    reference = password or texts.get("password", "")
    if reference and not is_reference(reference):
        hint = "write a reference: env:NAME, file:PATH or keyring:NAME"
        raise Unusable("the Nornir inventory holds a password as such", hint)
    return _Options(
        address=hostname,
        platform=platform or "",
        user=username or texts.get("user", ""),
        password=reference,
        ca=Path(texts["ca"]) if "ca" in texts else None,
        known_hosts=Path(texts["known_hosts"]) if "known_hosts" in texts else None,
        tls_name=texts.get("tls_name", ""),
        timeout_s=float(texts.get("timeout_s", TIMEOUT_S)),
    )
