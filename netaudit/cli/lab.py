"""`netaudit lab`: a fabric of simulated switches, or of namespaces with real FRR, and faults to put into it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from netaudit.cli.common import LAB_DIR, Intent, following, out, verdict
from netaudit.cli.fabrics import FabricName, one_of
from netaudit.terminal import Role, counted

app = typer.Typer(
    help="A fabric of switches on this machine, simulated or of real FRR.", no_args_is_help=True, rich_markup_mode=None
)

Dir = Annotated[Path, typer.Option("--dir", envvar="NETAUDIT_LAB_DIR", help="Folder of the lab.")]


@app.command()
def up(
    intent: Intent,
    folder: Dir = LAB_DIR,
    fabric: FabricName = None,
    sim: Annotated[bool, typer.Option("--sim", envvar="NETAUDIT_SIM", help="Simulated switches (the default).")] = True,
    frr: Annotated[
        bool, typer.Option("--frr", envvar="NETAUDIT_FRR", help="Real FRR, lldpd, sshd and Redis. Linux, root.")
    ] = False,
    configured: Annotated[
        bool,
        typer.Option(
            "--configured",
            envvar="NETAUDIT_LAB_CONFIGURED",
            help="With what is rendered already saved on them; with --frr only.",
        ),
    ] = False,
) -> None:
    """Start the switches of an intent as they ship: factory configuration, cables as planned."""
    from netaudit.lab import control
    from netaudit.lab.frr import outside, preflight
    from netaudit.labdir import write_lab
    from netaudit.labdir_frr import refuse_unsupported, write_configured

    if configured and not frr:
        raise typer.BadParameter("simulated switches start as they ship; push to them", param_hint="--configured")
    expected = one_of(intent, fabric, "a lab is of one")
    if frr:
        preflight.check(len(expected.devices))
        refuse_unsupported(expected)
    if not control.running(folder):  # if it is, `up` says so, and how to take it down
        outside.clear(folder)
        write_lab(expected.built, folder)
        if configured:
            write_configured(expected, folder)
    targets = outside.up(folder) if frr else control.up(folder)
    state = "as configured" if configured else "in factory state"
    out(verdict("✔", Role.GOOD, f"{counted(len(expected.devices), 'switch', 'switches')} up, {state}"))
    out(f"  targets    {targets}\n")
    todo = "audit {0} --targets {1}" if configured else "plan {0} --targets {1} -o plan.json"
    out(following(f"netaudit {todo.format(intent, targets)}"))


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
def faults(
    frr: Annotated[bool, typer.Option("--frr", envvar="NETAUDIT_FRR", help="Those of a lab of real FRR.")] = False,
) -> None:
    """List every fault that can be put in, with its arguments and what it does."""
    from netaudit.lab.frr import faults as real
    from netaudit.lab.sim import faults as simulated

    rows = tuple(real.listed() if frr else simulated.listed())
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
    from netaudit.lab.frr import outside

    was = outside.down(folder) if outside.is_here(folder) else control.down(folder)
    out(verdict("✔", Role.GOOD, "the lab is down" if was else "no lab was running"))
