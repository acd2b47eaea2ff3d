"""What faults share: the things they name, looked up, and changes that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim.cabling import Cable, End, by_end
from netaudit.lab.sim.database import Config, Row, Table
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.files import write_bytes
from netaudit.lab.sim.frr_text import FrrText
from netaudit.lab.sim.peers import Outsider
from netaudit.lab.sim.switch import Switch

Fault = Callable[[Fabric, Sequence[str]], str]
"""Breaks something and says what, in one line. The first line of its docstring is what the help says of it."""


def wrong(message: str, hint: str = "") -> Invalid:
    """The error of a word that cannot be used."""
    return Invalid([Diagnostic(message=message, hint=hint)])


def closest(word: str, known: Sequence[str]) -> str:
    """A hint: the nearest names, else the first ones."""
    near = get_close_matches(word, known, n=3)
    return (
        f"did you mean {' or '.join(near)}?"
        if near
        else f"there are {', '.join(known[:8])}{' …' if len(known) > 8 else ''}"
    )


def device_of(fabric: Fabric, name: str) -> Device:
    """The device of that name, of any kind."""
    if name not in fabric.switches:
        if outsider_of(fabric, name) is not None:
            raise wrong(f"{name} is no switch of this lab", "a neighbor or host takes asn, withdraw and announce")
        raise wrong(f"{name} is no switch of this lab", closest(name, list(fabric.switches)))
    return fabric.switches[name]


def switch_of(fabric: Fabric, name: str) -> Switch:
    """The SONiC switch of that name, for faults of SONiC's own tables and files."""
    device = device_of(fabric, name)
    if isinstance(device, Switch):
        return device
    typed = f"netaudit lab break typed {name} LINE... types it in the words of its own NOS, ` \\; ` between lines"
    raise wrong(f"{name} is no SONiC switch, and this fault is put into tables of SONiC's", typed)


def outsider_of(fabric: Fabric, name: str) -> Outsider | None:
    """The neighbor or host that speaks BGP of that name, as it speaks now; `None`: it must be a switch."""
    if name in fabric.switches:
        return None
    return next((one for one in fabric.speakers().values() if name in (one.name, one.device)), None)


def cables(fabric: Fabric) -> tuple[Cable, ...]:
    """The cables as they lie now."""
    return fabric.cables if fabric.faults.cables is None else fabric.faults.cables


def end_of(fabric: Fabric, text: str) -> tuple[End, Cable]:
    """An end that a cable is in, written `device:cage[/sub]`, and the cable."""
    device, _, port = text.partition(":")
    device_of(fabric, device)
    ends = by_end(cables(fabric))
    end = End(device=device, port=port)
    if end not in ends:
        known = [str(one) for one in ends if one.device == device]
        raise wrong(f"no cable is in {text}", closest(text, known))
    return end, ends[end]


def port_of(fabric: Fabric, text: str) -> tuple[Switch, str]:
    """A port of a SONiC switch, written `device:cage[/sub]`: its switch, and its native name."""
    switch = switch_of(fabric, text.partition(":")[0])
    return switch, any_port_of(fabric, text)[1]


def any_port_of(fabric: Fabric, text: str) -> tuple[Device, str]:
    """A port of a device of any kind: its device, and its native name."""
    name, _, port = text.partition(":")
    device = device_of(fabric, name)
    native = device.facts().native
    if port not in native:
        raise wrong(f"{name} has no port {port or '(none given)'}", closest(text, [f"{name}:{one}" for one in native]))
    return device, native[port]


def number_of(text: str, least: int, most: int, what: str) -> int:
    """A whole number within bounds."""
    if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= most:
        raise wrong(f"{text} is no {what}", f"{least} to {most}")
    return int(text)


def row_of(switch: Switch, table: str, key: str) -> Row:
    """A copy of a row of CONFIG_DB that is there."""
    rows: Table = switch.config.get(table, {})
    if key not in rows:
        raise wrong(
            f"{switch.name} has no {table}|{key}", closest(key, list(rows)) if rows else "push its configuration first"
        )
    return dict(rows[key])


def configure(fabric: Fabric, switch: Switch, table: str, key: str, row: Row | None) -> None:
    """Put a row into CONFIG_DB as it runs, or take it out; the daemons add what is theirs. The saved file stays."""
    switch.take(_with_row(_remembered(fabric, switch), table, key, row))
    _remember(fabric, switch)


def overwrite(fabric: Fabric, switch: Switch, table: str, key: str, row: Row | None) -> None:
    """The same behind the back of the daemons, which look at a row when it changes and not again."""
    config = _with_row(_remembered(fabric, switch), table, key, row)
    switch.config = {name: rows for name, rows in config.items() if rows}
    _remember(fabric, switch)


def _with_row(config: Config, table: str, key: str, row: Row | None) -> Config:
    rows = {name: one for name, one in config.get(table, {}).items() if name != key}
    return {**config, table: rows if row is None else {**rows, key: row}}


def _remembered(fabric: Fabric, switch: Switch) -> Config:
    """What runs now; before the first fault of a switch it is kept, to be put back by `heal`."""
    fabric.faults.configs.setdefault(switch.name, (switch.config, switch.config))
    return switch.config


def _remember(fabric: Fabric, switch: Switch) -> None:
    before, _ = fabric.faults.configs[switch.name]
    fabric.faults.configs[switch.name] = (before, switch.config)


def run_frr(fabric: Fabric, switch: Switch, config: FrrText) -> None:
    """Change what FRR runs, and remember what it ran before the first fault."""
    reroute(fabric, switch, lambda: switch.put_routing(config))


def reroute(fabric: Fabric, device: Device, change: Callable[[], None]) -> None:
    """Change the configuration that routing follows, and remember what it was before the first fault."""
    now = device.routing()
    before, _ = fabric.faults.routing.get(device.name, (now, now))
    change()
    fabric.faults.routing[device.name] = (before, device.routing())


def rewrite(fabric: Fabric, path: Path, content: bytes) -> None:
    """Change a file of a box, and remember what it held before the first fault."""
    now = path.read_bytes()
    before, _ = fabric.faults.files.get(path, (now, now))
    fabric.faults.files[path] = (before, content)
    write_bytes(path, content)
