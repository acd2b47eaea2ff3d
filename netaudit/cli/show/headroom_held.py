"""What a device itself is told of the headroom of a port: bytes, a length from which it computes, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from netaudit.cli.show.page import Json
from netaudit.cli.show.spelling import reason
from netaudit.expect import Expected
from netaudit.state import Buffers, Device
from netaudit.terminal import exact_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class OnDevice:
    """What its NOS holds of the headroom of a port with a lossless class."""

    nos: str
    xoff_bytes: int | None = None
    """What is set; `None` where the switch has its own, or nothing is ours."""
    cable_length_m: int | None = None
    """What is set of the cable, for a switch that computes from it."""
    why: str = ""
    """Why it is not just the headroom that is asked for, in the words of the platform."""
    no_alpha: str = ""
    """Why its share of the free buffer is not what is asked for."""

    @property
    def brief(self) -> str:
        """For a headline: empty where the bytes are set."""
        if self.xoff_bytes is not None:
            return ""
        return (
            f"{self.nos} computes its own" if self.cable_length_m is not None else f"nothing of it is set on {self.nos}"
        )

    @property
    def text(self) -> str:
        """One sentence; empty where just what is asked for is set."""
        if not self.why:
            return ""
        if self.xoff_bytes is not None:
            return f"{exact_bytes(self.xoff_bytes)} is set: {self.why}"
        if self.cable_length_m is not None:
            return f"cable length {self.cable_length_m} m is set, the bytes are the switch's own: {self.why}"
        return f"nothing is set: {self.why}"

    @property
    def all_text(self) -> str:
        """The same of all ports of a NOS."""
        if self.xoff_bytes is not None:
            return self.why
        how = "cable lengths are set, the bytes are the switch's own" if self.cable_length_m else "nothing is set"
        return f"{how}: {self.why}"

    @property
    def data(self) -> Json:
        """The same in JSON."""
        return {
            "platform": self.nos,
            "xoff_bytes": self.xoff_bytes,
            "cable_length_m": self.cable_length_m,
            "why": self.why or None,
            "no_alpha": self.no_alpha or None,
        }


def on_device(expected: Expected, name: str, port: str, asked_bytes: int) -> OnDevice:
    """What the NOS of a device holds of `asked_bytes` of headroom at a port."""
    device = expected.device(name)
    nos, buffers = device.platform, device.buffers
    if buffers is None:
        return OnDevice(nos=nos, why="its buffers are not in `owns`: it keeps what it has")
    profile, whole = _profile(buffers, port)
    xoff = buffers.profiles[profile].xoff_bytes if buffers.profiles and profile else None
    if isinstance(xoff, int):
        why = "" if xoff == asked_bytes and not whole else reason(nos, ("buffers", "profiles", "*"))
        return OnDevice(nos=nos, xoff_bytes=xoff, why=why, no_alpha=_no_alpha(device, profile))
    bound = (buffers.ports or {}).get(port)
    length = bound.cable_length_m if bound else None
    if isinstance(length, int):
        return OnDevice(nos=nos, cable_length_m=length, why=reason(nos, ("buffers", "model")))
    return OnDevice(nos=nos, why=reason(nos, ("buffers", "profiles", "*", "xoff_bytes")))


def _profile(buffers: Buffers, port: str) -> tuple[str, bool]:
    """(the profile with headroom of a port, whether it is that of the whole switch); an empty name if there is none."""
    with_xoff = [key for key, profile in (buffers.profiles or {}).items() if isinstance(profile.xoff_bytes, int)]
    bound = (buffers.ports or {}).get(port)
    mine = [name for name in ((bound.groups if bound else None) or {}).values() if name in with_xoff]
    if mine:
        return str(mine[0]), False
    return (with_xoff[0], True) if with_xoff and not buffers.ports else ("", False)


def _no_alpha(device: Device, profile: str) -> str:
    found = device.buffers.profiles[profile] if device.buffers and device.buffers.profiles else None
    if found is None or found.alpha is not None:
        return ""
    return reason(device.platform, ("buffers", "profiles", profile, "alpha"))
