"""Secrets by reference: where a password is, never the password itself, until the moment it is sent."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from netaudit.diag import Unusable

SCHEMES: Final = ("env", "file", "keyring")
_KEYRING_SERVICE: Final = "netaudit"


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A reference to a secret. Printing, logging or storing it shows the reference's name only."""

    scheme: str
    """`env`, `file` or `keyring`."""
    name: str

    def __repr__(self) -> str:
        return f"<secret:{self.name}>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def reveal(self) -> str:
        """The secret. Raises Unusable where the reference leads nowhere; its text holds no secret."""
        text = _READERS[self.scheme](self.name)
        if not text:
            raise Unusable(f"the secret {self.scheme}:{self.name} is empty", "write the password there")
        return text


def secret(reference: str, folder: Path | None = None) -> Secret:
    """The secret that `env:NAME`, `file:PATH` or `keyring:NAME` refers to; PATH is relative to `folder`.

    Raises ValueError for anything else, without repeating the text: it may be a password.
    """
    scheme, colon, name = reference.partition(":")
    if not colon or scheme not in SCHEMES or not name:
        raise ValueError("a secret is given by reference: env:NAME, file:PATH or keyring:NAME")
    if scheme == "file" and folder is not None:
        name = str(folder / Path(name).expanduser())
    return Secret(scheme, name)


def reveal(value: str | Secret) -> str:
    """The text itself, or what the reference refers to."""
    return value.reveal() if isinstance(value, Secret) else value


def reference(value: str | Secret) -> str:
    """What `secret` makes the value from: `env:NAME`; a plain text as it is."""
    return f"{value.scheme}:{value.name}" if isinstance(value, Secret) else value


def is_reference(text: str) -> bool:
    """Does this read as a reference to a secret."""
    return text.partition(":")[0] in SCHEMES and ":" in text


def _from_env(name: str) -> str:
    try:
        return os.environ[name]
    except KeyError:
        raise Unusable(f"the environment variable {name} is not set", f"export {name}=…") from None


def _from_file(name: str) -> str:
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise Unusable(f"the secret file {name} cannot be read: {reason}", "check its name and permissions") from None
    return text.removesuffix("\n").removesuffix("\r")


def _from_keyring(name: str) -> str:
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        hint = "pip install keyring, or use env:NAME or file:PATH"
        raise Unusable(f"keyring:{name} needs the package `keyring`, which is not installed", hint) from None
    try:
        found = keyring.get_password(_KEYRING_SERVICE, name)
    except Exception as error:  # noqa: BLE001 - each backend has exceptions of its own; all mean "no password here"
        hint = "unlock the keyring, or use env:NAME or file:PATH"
        raise Unusable(f"the keyring gave no answer for {name}: {type(error).__name__}", hint) from None
    if not isinstance(found, str):
        raise Unusable(f"the keyring has no secret {name}", f"keyring set {_KEYRING_SERVICE} {name}")
    return found


_READERS: Final = {"env": _from_env, "file": _from_file, "keyring": _from_keyring}
