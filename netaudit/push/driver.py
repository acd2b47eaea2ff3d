"""A NAPALM driver of one device: opened so that the device must prove who it is, its calls and exceptions as data.

What NAPALM leaves open by default is closed here, by arguments that the drivers and the libraries below them have:

- `eos`: pyeapi takes an SSL context; without one it verifies nothing (pyeapi/eapilib.py, HttpsEapiConnection).
- `nxos`: `ssl_verify` goes to requests as it is, so it may be the file of a CA; netmiko carries its files.
- `nxos_ssh`: netmiko's `ssh_strict` and `alt_key_file`; without them it takes any host key.
- `junos`: PyEZ verifies host keys if its Device is told so, which NAPALM's driver does not do: its `device` is replaced
  before it is opened. Which file holds the keys is said in an ssh_config, the only way ncclient has.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol, cast

from netaudit.collect.failure import Failure, Kind, ReachStep
from netaudit.collect.reach import tls_context, tls_service_failure
from netaudit.collect.secrets import reveal
from netaudit.collect.ssh import CONNECT_TIMEOUT_S, Completed, SshClient, open_ssh
from netaudit.collect.targets import Target
from netaudit.platforms import Step
from netaudit.push.eos_sessions import EosDriver, enter_session
from netaudit.push.refusal import without_secrets

REFUSED_CODE: Final = 1
"""Exit code of a call that the driver or the device refuses, so that a step's `ok` can allow for it."""
_LOST: Final = frozenset(
    (
        *("OSError", "EOFError", "JSONDecodeError"),  # requests' exceptions are OSErrors
        *("ConnectionException", "NXAPIConnectionError", "NXAPIAuthError", "NXAPIPostError"),  # NAPALM
        *("ConnectionError", "SSHException", "ReadException"),  # pyeapi; paramiko, netmiko's too; netmiko
        *("ConnectError", "ConnectClosedError", "RpcTimeoutError"),  # PyEZ
        *("TransportError", "SessionCloseError", "TimeoutExpiredError"),  # ncclient
    )
)
"""Names of the exceptions after which nobody knows what became of a call. By name, since importing all of these
libraries for one driver would take a second."""

for _library in ("napalm", "pyeapi", "netmiko", "ncclient", "jnpr", "scp", "urllib3"):
    # What they log may be whole configurations (pyeapi/eapilib.py, send); what they raise is reported here.
    logging.getLogger(_library).setLevel(logging.CRITICAL + 1)


class _Napalm(Protocol):
    """What is used of NAPALM's NetworkDriver."""

    device: object

    def open(self) -> None: ...
    def close(self) -> None: ...
    def is_alive(self) -> Mapping[str, bool]: ...
    def load_replace_candidate(self, *, config: str) -> None: ...
    def load_merge_candidate(self, *, config: str) -> None: ...
    def compare_config(self) -> str: ...
    def commit_config(self, *, revert_in: int | None) -> None: ...
    def confirm_commit(self) -> None: ...
    def discard_config(self) -> None: ...
    def rollback(self) -> None: ...


_CALLS: Final[Mapping[str, Callable[[_Napalm, Step], str | None]]] = {
    "load_replace_candidate": lambda driver, step: driver.load_replace_candidate(config=step.content),
    "load_merge_candidate": lambda driver, step: driver.load_merge_candidate(config=step.content),
    "compare_config": lambda driver, step: driver.compare_config(),
    "commit_config": lambda driver, step: driver.commit_config(revert_in=step.revert_s or None),
    "confirm_commit": lambda driver, step: driver.confirm_commit(),
    "discard_config": lambda driver, step: driver.discard_config(),
    "rollback": lambda driver, step: driver.rollback(),
}


class Driver:
    """The NAPALM driver `name` of one device, opened at the first call and anew where its connection is lost."""

    def __init__(self, target: Target, name: str) -> None:
        self._target = target
        self._name = name
        self._napalm: _Napalm | None = None
        self._heard = BytesIO()
        """What a CLI said, where netmiko drives one; emptied before each call."""

    def call(self, step: Step) -> Completed | Failure:
        """What came of the step: exit code 1 and the reason on stderr where it was refused.

        stdout is a diff, or what a CLI said meanwhile. A Failure means that the device may or may not have done it.
        """
        if step.driver not in _CALLS:
            raise ValueError(f"no call of a NAPALM driver: {step.driver}")
        opened = self._opened(step.timeout_s)
        if isinstance(opened, Failure):
            return opened
        self._heard.seek(0)
        self._heard.truncate()
        try:
            _set_timeout(opened, step.timeout_s)
            if self._name == "eos" and step.content:
                enter_session(cast(EosDriver, opened))
            said = _CALLS[step.driver](opened, step)
        except Exception as error:  # noqa: BLE001 - NAPALM lets the exceptions of six libraries through; all are answers
            return self._answer(opened, error)
        return Completed(exit_code=0, stdout=said or self._said(), stderr="")

    def close(self) -> None:
        """End the connection; what was loaded and not committed is discarded, by NAPALM's own habit."""
        if self._napalm is not None:
            with contextlib.suppress(Exception):  # the device may be gone, which nobody waits for here
                _set_timeout(self._napalm, CONNECT_TIMEOUT_S)
                self._napalm.close()
            self._napalm = None

    def _opened(self, timeout_s: float) -> _Napalm | Failure:
        if self._napalm is not None:
            return self._napalm
        if self._name not in _OPENERS:
            cause = f"there is no way to verify the device through the NAPALM driver {self._name or 'without a name'}"
            return Failure(kind=Kind.REFUSED, step=ReachStep.PATH, cause=cause)
        if self._target.tls_name:
            cause = "no NAPALM driver looks for another name in a certificate than the address"
            return Failure(kind=Kind.REFUSED, step=ReachStep.TLS, cause=cause)
        try:
            self._napalm = _OPENERS[self._name](self._target, timeout_s, self._heard)
        except Exception as error:  # noqa: BLE001 - as in `call`
            return _unreached(self._name, self._target) or self._failure(error)
        return self._napalm

    def _answer(self, napalm: _Napalm, error: Exception) -> Completed | Failure:
        if not any(_named(one, _LOST) for one in _chain(error)):
            return Completed(exit_code=REFUSED_CODE, stdout=self._said(), stderr=self._reason(error))
        with contextlib.suppress(Exception):  # one that cannot even tell is not alive
            if napalm.is_alive()["is_alive"]:  # eAPI has no connection to lose, and its driver knows its session
                return self._failure(error)
        self.close()
        return self._failure(error)

    def _said(self) -> str:
        return self._heard.getvalue().decode("utf-8", "replace")

    def _failure(self, error: Exception) -> Failure:
        words = " ".join(f"{type(one).__name__} {one}" for one in _chain(error)).lower()
        if "auth" in words and "socket error" not in words:
            kind, step = Kind.AUTH_REFUSED, ReachStep.AUTH
        elif "timed out" in words or "timeout" in words:
            kind, step = Kind.TIMED_OUT, ReachStep.PATH
        else:
            kind, step = Kind.CUT_OFF, ReachStep.PATH
        return Failure(kind=kind, step=step, cause=self._reason(error))

    def _reason(self, error: Exception) -> str:
        password = "" if self._target.password is None else self._target.password.reveal()
        return without_secrets(_text(error) or type(error).__name__, password)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and those it was raised for: the libraries often replace the one that tells."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _named(error: BaseException, names: frozenset[str]) -> bool:
    return any(one.__name__ in names for one in type(error).__mro__)


def _text(error: Exception) -> str:
    """What an exception says. PyEZ's errors are lists of mappings, of which NAPALM makes an exception's argument."""
    given = error.args[0] if error.args else ""
    if isinstance(given, list) and all(isinstance(one, dict) for one in given):
        return "; ".join(" ".join(str(one[k]) for k in ("message", "bad_element") if one.get(k)) for one in given)
    return str(error)


def _set_timeout(napalm: _Napalm, timeout_s: float) -> None:
    """How long the next call may wait, by the attribute that the library of the driver has for it."""
    device = napalm.device
    transport = getattr(getattr(device, "connection", None), "transport", None)
    for owner, name in ((transport, "timeout"), (getattr(device, "api", None), "timeout"), (device, "timeout")):
        if isinstance(getattr(owner, name, None), int | float):
            setattr(owner, name, timeout_s)
            return
    if hasattr(device, "read_timeout_override"):  # netmiko
        device.read_timeout_override = timeout_s


def _driver(name: str, target: Target, timeout_s: float, options: Mapping[str, object]) -> _Napalm:
    from napalm import get_network_driver  # 0.5 s to import, and only a push by a driver needs it

    password = "" if target.password is None else target.password.reveal()
    made = get_network_driver(name)(target.address, reveal(target.user), password, timeout_s, dict(options))
    return cast(_Napalm, made)


def _eos(target: Target, timeout_s: float, heard: BytesIO) -> _Napalm:
    context = tls_context(target.ca)
    context.set_alpn_protocols(["http/1.1"])
    # a session that cannot be discarded is over, by its timer or somebody's hand: the next load begins another one
    options = {"port": target.https_port, "context": context, "force_cfg_session_invalid": True}
    driver = _driver("eos", target, timeout_s, options)
    driver.open()
    return driver


def _nxos(target: Target, timeout_s: float, heard: BytesIO) -> _Napalm:
    trusted = True if target.ca is None else str(target.ca)
    options = {"port": target.https_port, "ssl_verify": trusted, **_netmiko(target, heard)}
    driver = _driver("nxos", target, timeout_s, options)
    driver.open()
    return driver


def _nxos_ssh(target: Target, timeout_s: float, heard: BytesIO) -> _Napalm:
    driver = _driver("nxos_ssh", target, timeout_s, {"port": target.ssh_port, **_netmiko(target, heard)})
    driver.open()
    return driver


def _netmiko(target: Target, heard: BytesIO) -> Mapping[str, object]:
    """netmiko's own arguments: only known hosts, no keys of ours unless allowed, and what it hears is kept."""
    return {
        "ssh_strict": True,
        "system_host_keys": target.known_hosts is None,
        "alt_host_keys": target.known_hosts is not None,
        "alt_key_file": str(target.known_hosts or ""),
        "allow_agent": target.keys,
        "conn_timeout": CONNECT_TIMEOUT_S,
        "session_log": heard,
    }


def _junos(target: Target, timeout_s: float, heard: BytesIO) -> _Napalm:
    from jnpr.junos import Device

    hosts = target.known_hosts or Path("~/.ssh/known_hosts").expanduser()
    with tempfile.NamedTemporaryFile("w", suffix=".ssh_config") as config:
        # a file of ours in place of ~/.ssh/config, which PyEZ would read, port and user included
        config.write(f'Host *\n  UserKnownHostsFile "{hosts}"\n')
        config.flush()
        driver = _driver("junos", target, timeout_s, {"port": target.netconf_port, "ssh_config_file": config.name})
        driver.device = Device(
            host=target.address,
            user=reveal(target.user),
            password=None if target.password is None else target.password.reveal(),
            port=target.netconf_port,
            ssh_config=config.name,
            hostkey_verify=True,
            allow_agent=target.keys,
            look_for_keys=target.keys,
            conn_open_timeout=CONNECT_TIMEOUT_S,
        )
        driver.open()
    return driver


_OPENERS: Final[Mapping[str, Callable[[Target, float, BytesIO], _Napalm]]] = {
    "eos": _eos,
    "nxos": _nxos,
    "nxos_ssh": _nxos_ssh,
    "junos": _junos,
}


def _unreached(name: str, target: Target) -> Failure | None:
    """The step of reaching the device that fails, asked when a driver, which cannot tell, has failed."""
    if name in ("eos", "nxos"):
        return tls_service_failure(target, target.https_port, CONNECT_TIMEOUT_S)
    found = open_ssh(replace(target, ssh_port=target.netconf_port) if name == "junos" else target)
    if isinstance(found, SshClient):
        found.close()
        return None
    return found
