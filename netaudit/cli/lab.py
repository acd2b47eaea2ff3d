"""`netaudit lab`: a fabric of simulated switches on the loopback, and real faults to put into it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from netaudit.cli.common import LAB_DIR, Intent, following, out, verdict
from netaudit.terminal import Role, counted

app = typer.Typer(help="A fabric of simulated switches on this machine.", no_args_is_help=True, rich_markup_mode=None)

Dir = Annotated[Path, typer.Option("--dir", envvar="NETAUDIT_LAB_DIR", help="Folder of the lab.")]


@app.command()
def up(
    intent: Intent,
    folder: Dir = LAB_DIR,
    sim: Annotated[bool, typer.Option("--sim", envvar="NETAUDIT_SIM", help="Simulated switches (the default).")] = True,
) -> None:
    """Start the switches of an intent as they ship: factory configuration, cables as planned."""
    from netaudit import pipeline
    from netaudit.lab import control
    from netaudit.labdir import write_lab

    expected = pipeline.load_fabric(intent)
    if not control.running(folder):  # if it is, `up` says so, and how to take it down
        write_lab(expected.built, folder)
    targets = control.up(folder)
    out(verdict("✔", Role.GOOD, f"{counted(len(expected.devices), 'switch', 'switches')} up, in factory state"))
    out(f"  targets    {targets}\n")
    out(following(f"netaudit plan {intent} --targets {targets} -o plan.json"))


@app.command()
def status(folder: Dir = LAB_DIR) -> None:
    """What runs, and which faults are in."""
    from netaudit.lab import control

    for key, value in control.status(folder).items():
        out(f"  {key:<10} {value}")


@app.command("break")
def break_(
    kind: Annotated[str, typer.Argument(help="What to break; `netaudit lab faults` lists all kinds.")],
    arguments: Annotated[list[str], typer.Argument(help="Ports as device:cage[/sub], devices, prefixes, numbers.")],
    folder: Dir = LAB_DIR,
) -> None:
    """Put a fault in: link A, swap A B, mtu A BYTES, hang DEVICE, … `netaudit lab faults` lists them all."""
    from netaudit.lab import control

    out(verdict("▸", Role.BOLD, control.break_(folder, kind, arguments)))
    out(following("netaudit lab heal        takes it back"))


@app.command()
def faults() -> None:
    """List every fault that can be put in, with its arguments and what it does."""
    from netaudit.lab.sim.faults import listed

    rows = tuple(listed())
    width = max(len(typed) for typed, _ in rows)
    out("  A and B are ports, device:cage[/sub]; netaudit lab heal takes all faults back.\n")
    for typed, does in rows:
        out(f"  {typed:<{width}}  {does}")
    out(following("netaudit lab break link a-su1-r1-leaf:64"))


@app.command()
def heal(folder: Dir = LAB_DIR) -> None:
    """Take all faults back."""
    from netaudit.lab import control

    out(verdict("✔", Role.GOOD, control.heal(folder)))


@app.command()
def down(folder: Dir = LAB_DIR) -> None:
    """Stop the switches; their files stay."""
    from netaudit.lab import control

    was = control.down(folder)
    out(verdict("✔", Role.GOOD, "the lab is down" if was else "no lab was running"))
