"""How each device is reached: address, ports, credentials by reference, and whom to trust."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from netaudit.collect.secrets import Secret, is_reference, secret
from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.platforms import names as platform_names
from netaudit.platforms import platform as platform_of

SSH_PORT: Final = 22
GNMI_PORT: Final = 8080
"""SONiC's gNMI port without a GNMI row (sonic.md 8); `gnmi_port_of` tells that of another platform."""
HTTPS_PORT: Final = 443
"""Of eAPI and NX-API."""
NETCONF_PORT: Final = 830
"""RFC 6242, NETCONF over SSH."""
_SIZE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of a targets file: 100,000 devices at 160 bytes each."""
_KEYS: Final = ("targets", "ca", "known_hosts", "credentials")
_TARGET_KEYS: Final = ("address", "ssh_port", "gnmi_port", "https_port", "netconf_port")
_CREDENTIAL_KEYS: Final = ("user", "password")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One device as a transport needs it."""

    name: str
    address: str
    platform: str
    ssh_port: int = SSH_PORT
    gnmi_port: int = GNMI_PORT
    https_port: int = HTTPS_PORT
    """Where eAPI or NX-API is, for platforms that are changed over it."""
    netconf_port: int = NETCONF_PORT
    user: str | Secret = ""
    password: Secret | None = None
    ca: Path | None = None
    """Certificates that may have signed the device's; `None` is the system's."""
    known_hosts: Path | None = None
    """SSH host keys; `None` is the user's own file."""
    tls_name: str = ""
    """Name to look for in the certificate in place of the address; set only where the device cannot have it right."""
    keys: bool = False
    """Let SSH use the user's agent and key files too."""


def load_targets(file: Path, platforms: Mapping[str, str]) -> Mapping[str, Target]:
    """The targets of a targets file for the devices of `platforms` (device → platform), in that order.

    Devices of the file that are not asked for are left out; one that is asked for and not there is an error.
    Raises Invalid with every problem of the file.
    """
    problems: list[Diagnostic] = []
    data = _mapping(_json(file), _KEYS, "", file, problems)
    credentials = _mapping(data.get("credentials", {}), _CREDENTIAL_KEYS, "credentials", file, problems)
    user = _user(credentials.get("user", ""), file, problems)
    password = _password(credentials.get("password"), file, problems)
    ca, known_hosts = (_path(data.get(key), key, file, problems) for key in ("ca", "known_hosts"))
    rows = data.get("targets")
    if not isinstance(rows, dict):
        problems.append(_problem(file, "`targets` is missing or no object", 'write {"targets": {NAME: {…}}}'))
        rows = {}
    targets = {}
    for name, platform in platforms.items():
        if name not in rows:
            if isinstance(data.get("targets"), dict):
                problems.append(_missing(file, name, rows))
            continue
        row = _mapping(rows[name], _TARGET_KEYS, f"targets.{name}", file, problems)
        targets[name] = Target(
            name=name,
            platform=platform,
            address=_address(row.get("address"), f"targets.{name}.address", file, problems),
            ssh_port=_port(row.get("ssh_port", SSH_PORT), f"targets.{name}.ssh_port", file, problems),
            gnmi_port=_port(row.get("gnmi_port", gnmi_port_of(platform)), f"targets.{name}.gnmi_port", file, problems),
            https_port=_port(row.get("https_port", HTTPS_PORT), f"targets.{name}.https_port", file, problems),
            netconf_port=_port(row.get("netconf_port", NETCONF_PORT), f"targets.{name}.netconf_port", file, problems),
            user=user,
            password=password,
            ca=ca,
            known_hosts=known_hosts,
        )
    if problems:
        raise Invalid(problems)
    return targets


def site_targets(
    addresses: Mapping[str, str], platforms: Mapping[str, str], *, user: str, password: str
) -> Mapping[str, Target]:
    """The targets of a site: standard ports, the system's trust, credentials by reference.

    Raises Invalid naming every device of `platforms` that has no address, and credentials that are no reference.
    """
    problems = [
        Diagnostic(
            message=f"`{name}` has no management address",
            hint="give it one in devices.csv, or all of them a name with management.dns",
        )
        for name in platforms
        if not addresses.get(name)
    ]
    try:
        who = secret(user) if is_reference(user) else user
        word = secret(password)
    except ValueError as error:
        raise Invalid([*problems, Diagnostic(message=str(error))]) from None
    if problems:
        raise Invalid(problems)
    return {
        name: Target(
            name=name,
            address=addresses[name],
            platform=platform,
            gnmi_port=gnmi_port_of(platform),
            user=who,
            password=word,
        )
        for name, platform in platforms.items()
    }


def gnmi_port_of(platform: str) -> int:
    """Where the gNMI server of a platform listens unless somebody moved it."""
    return platform_of(platform).GNMI_PORT if platform in platform_names() else GNMI_PORT


def check_secrets(targets: Iterable[Target]) -> None:
    """Raise Unusable for the first reference that leads nowhere, before any device is asked."""
    for one in {s for t in targets for s in (t.user, t.password) if isinstance(s, Secret)}:
        one.reveal()


def _json(file: Path) -> object:
    try:
        if file.stat().st_size > _SIZE_LIMIT:
            raise Invalid([_problem(file, f"larger than {_SIZE_LIMIT:,} bytes", "this is no targets file")])
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        hint = "`netaudit lab up` writes one; --targets names it"
        raise Invalid([_problem(file, f"cannot be read: {error.strerror}", hint)]) from None
    except json.JSONDecodeError as error:
        source = Source(file=str(file), line=error.lineno, column=error.colno)
        raise Invalid([Diagnostic(message=f"broken JSON: {error.msg}", source=source)]) from None
    except (UnicodeDecodeError, RecursionError):
        raise Invalid([_problem(file, "not JSON text in UTF-8", "`netaudit lab up` writes one")]) from None


def _problem(file: Path, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(message=message, source=Source(file=str(file), line=1), hint=hint)


def _missing(file: Path, name: str, rows: Mapping[str, object]) -> Diagnostic:
    near = difflib.get_close_matches(name, rows, n=1)
    hint = f"the file has `{near[0]}`" if near else f"the file has {len(rows)} other devices"
    return _problem(file, f"no target for device `{name}`", hint)


def _mapping(
    value: object, keys: tuple[str, ...], where: str, file: Path, problems: list[Diagnostic]
) -> Mapping[str, object]:
    """The object with known keys only; whatever else is a problem."""
    prefix = f"`{where}` " if where else "the file "
    if not isinstance(value, dict):
        problems.append(_problem(file, f"{prefix}is no object", f"its keys are {', '.join(keys)}"))
        return {}
    problems.extend(_unknown(value, keys, where, file))
    return value


def _unknown(value: Mapping[str, object], keys: tuple[str, ...], where: str, file: Path) -> Iterator[Diagnostic]:
    for key in value:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, n=1)
            name = f"{where}.{key}" if where else key
            hint = f"did you mean `{near[0]}`?" if near else f"its keys are {', '.join(keys)}"
            yield _problem(file, f"unknown key `{name}`", hint)


def _address(value: object, where: str, file: Path, problems: list[Diagnostic]) -> str:
    if isinstance(value, str) and value and not any(c.isspace() or c == "/" for c in value):
        return value
    problems.append(_problem(file, f"`{where}` is no host name or address", "for example 198.51.100.7"))
    return ""


def _port(value: object, where: str, file: Path, problems: list[Diagnostic]) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 65536:
        return value
    problems.append(_problem(file, f"`{where}` is no port number", "a number from 1 to 65535"))
    return 0


def _path(value: object, where: str, file: Path, problems: list[Diagnostic]) -> Path | None:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        path = file.parent / value
        try:
            path = file.parent / Path(value).expanduser()
            if path.is_file():
                return path
        except (OSError, RuntimeError):  # a name too long for the system, the home of nobody
            pass
        problems.append(_problem(file, f"`{where}`: there is no file {path}", "paths are relative to this file"))
    else:
        problems.append(_problem(file, f"`{where}` is no path", "write it as text"))
    return None


def _user(value: object, file: Path, problems: list[Diagnostic]) -> str | Secret:
    if not isinstance(value, str):
        problems.append(_problem(file, "`credentials.user` is no text", "a name, or env:NAME"))
        return ""
    return secret(value, file.parent) if is_reference(value) and value.partition(":")[2] else value


def _password(value: object, file: Path, problems: list[Diagnostic]) -> Secret | None:
    if value is None:
        return None
    try:
        return secret(value if isinstance(value, str) else "", file.parent)
    except ValueError as error:
        problems.append(_problem(file, "`credentials.password` is no reference", str(error)))
        return None
