"""`schedule`: the weekly audit as a systemd timer, or as a line for cron."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from netaudit.cli.common import Intent, Targets, following, out, style, verdict, write_file
from netaudit.cli.fabrics import all_of
from netaudit.diag import Unusable
from netaudit.terminal import Role

app = typer.Typer(no_args_is_help=True, help="The weekly audit as a timer.")

MARK: Final = "# Written by `netaudit schedule install`; sha256 of the rest: "
"""First line of our files. With the hash, so that a file somebody has changed by hand is known as theirs."""
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WHEN: Final = re.compile(r"(?:(?P<days>[A-Z][a-z]{2}(?:,[A-Z][a-z]{2})*|daily) )?(?P<hour>\d\d):(?P<minute>\d\d)")

_SANDBOX: Final = """\
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
CapabilityBoundingSet=
"""
"""These need no privilege in the system's manager. A user's one sets up a user namespace for them, which some kernels
forbid (systemd.exec(5)), so a user's unit has only what works everywhere."""

At = Annotated[
    str, typer.Option("--at", envvar="NETAUDIT_AT", help="Day and time: 'Mon 06:00', 'Mon,Thu 06:00', 'daily 06:00'.")
]
System = Annotated[
    bool,
    typer.Option("--system/--user", envvar="NETAUDIT_SYSTEM", help="For the machine, else for the user who types it."),
]
Options = Annotated[
    str, typer.Option("--options", envvar="NETAUDIT_OPTIONS", help="More options of `audit`, as they are typed.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What shall run, where and when."""

    name: str
    """Of the units: `netaudit-audit-two-plane`."""
    command: tuple[str, ...]
    folder: Path
    """Where it runs: the history and the reports are below it."""
    when: When
    system: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """`days` is empty for every day."""

    days: tuple[str, ...]
    hour: int
    minute: int

    @property
    def calendar(self) -> str:
        """systemd.time(7): `Mon 06:00`, and `*-*-* 06:00` for every day."""
        return f"{','.join(self.days) or '*-*-*'} {self.hour:02d}:{self.minute:02d}"

    @property
    def cron(self) -> str:
        """crontab(5): minute, hour, day of the month, month, day of the week (0 and 7 are Sunday)."""
        days = ",".join(str(_DAYS.index(day) + 1) for day in self.days) or "*"
        return f"{self.minute} {self.hour} * * {days}"


@app.command("print")
def schedule_print(
    intent: Intent,
    at: At = "Mon 06:00",
    system: System = False,
    targets: Targets = None,
    options: Options = "",
) -> None:
    """The two units and the line for cron, without writing anything."""
    job = _job(intent, at, system, targets, options)
    for file, text in units(job).items():
        out(f"# {file}\n{text}")
    out(f"# crontab -e\n{cron_line(job)}")


@app.command("install")
def schedule_install(
    intent: Intent,
    at: At = "Mon 06:00",
    system: System = False,
    targets: Targets = None,
    options: Options = "",
    folder: Annotated[
        Path | None,
        typer.Option("--dir", envvar="NETAUDIT_UNIT_DIR", help="Where units go, in place of systemd's own folder."),
    ] = None,
) -> None:
    """Write service and timer; one more command starts them. Files of others are never overwritten."""
    job = _job(intent, at, system, targets, options)
    place = folder or _unit_folder(system)
    texts = {place / file: text for file, text in units(job).items()}
    for file in texts:
        check_ours(file)
    for file, text in texts.items():
        write_file(file, text.encode())
    shown = style()
    out(verdict("✔", Role.GOOD, shown.show(f"the audit of {intent} is ready to run: {job.when.calendar}")))
    out("\n")
    for file in texts:
        out(f"  written    {shown.show(str(file))}")
    out(f"  runs in    {shown.show(str(job.folder))}")
    out(f"  with cron  {shown.show(cron_line(job))}\n")
    if not system:
        out("  only while you are logged in, unless  loginctl enable-linger  is set for you\n")
    out("\n")
    scope = "" if system else "--user "
    out(following(f"systemctl {scope}daemon-reload && systemctl {scope}enable --now {job.name}.timer"))


def _job(intent: Path, at: str, system: bool, targets: Path | None, options: str) -> Job:
    """The job. Raises `Invalid` for an intent that cannot be read: a timer for it would only fail."""
    when = parse_when(at)
    known = all_of(intent)
    fabric = known[0].fabric if len(known) == 1 else intent.resolve().name
    command = [*_program(), "audit", str(intent.absolute())]
    if targets is not None:
        command += ["--targets", str(targets.absolute())]
    try:
        command += shlex.split(options)
    except ValueError as error:
        raise typer.BadParameter(f"`{options}` cannot be read: {error}", param_hint="--options") from None
    if any(not text.isprintable() for text in (*command, str(Path.cwd()))):
        raise typer.BadParameter("a path or option has characters that no unit can hold", param_hint="INTENT")
    name = "netaudit-audit-" + re.sub(r"[^A-Za-z0-9_.-]", "-", fabric)
    return Job(name=name, command=tuple(command), folder=Path.cwd(), when=when, system=system)


def parse_when(text: str) -> When:
    """`Mon 06:00` → what it means. Raises `typer.BadParameter`."""
    found = _WHEN.fullmatch(text.strip())
    days = () if not found or found["days"] in (None, "daily") else tuple(found["days"].split(","))
    if not found or int(found["hour"]) > 23 or int(found["minute"]) > 59 or not {*days} <= {*_DAYS}:
        hint = "a day or `daily` and a time of 24 hours: Mon 06:00"
        raise typer.BadParameter(f"`{text}` is no such time: {hint}", param_hint="--at")
    ordered = tuple(day for day in _DAYS if day in days)
    return When(days=ordered, hour=int(found["hour"]), minute=int(found["minute"]))


def _program() -> tuple[str, ...]:
    """How this very netaudit is started, by absolute names: a timer has no PATH of the user."""
    beside = Path(sys.executable).with_name("netaudit")
    found = str(beside) if beside.is_file() else shutil.which("netaudit")
    return (found,) if found else (sys.executable, "-c", "from netaudit.cli import main; main()")


def _unit_folder(system: bool) -> Path:
    """systemd.unit(5), «Unit File Load Path»."""
    if system:
        return Path("/etc/systemd/system")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd/user"


def check_ours(file: Path) -> None:
    """Raise `Unusable` unless nothing is there, or what we wrote and nobody has changed."""
    if not file.exists() and not file.is_symlink():
        return
    try:
        head, _, rest = file.read_text(encoding="utf-8", errors="surrogateescape").partition("\n")
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}", "look at the path and permissions") from None
    if not head.startswith(MARK):
        raise Unusable(f"{file} is not ours: not overwritten", "move it away, or write elsewhere with --dir")
    if head.removeprefix(MARK) != _hash(rest):
        hint = f"move it away; changes of yours live best beside it: systemctl edit {file.name}"
        raise Unusable(f"{file} was changed by hand: not overwritten", hint)


def units(job: Job) -> Mapping[str, str]:
    """File name → text, of the service and the timer."""
    made = {f"{job.name}.service": _service(job), f"{job.name}.timer": _timer(job)}
    return {name: f"{MARK}{_hash(text)}\n{text}" for name, text in made.items()}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _service(job: Job) -> str:
    folder = _value(str(job.folder))
    sandbox = _SANDBOX + f"ReadWritePaths={_quoted(str(job.folder))}\n" if job.system else ""
    # A user's manager has no such target.
    network = "Wants=network-online.target\nAfter=network-online.target\n" if job.system else ""
    return f"""\
[Unit]
Description=netaudit: is the fabric as intended? ({_value(job.name)})
{network}
[Service]
Type=oneshot
WorkingDirectory={folder}
# References to secrets of the intent (env:NAME) are set here, readable by the owner alone.
EnvironmentFile=-%E/netaudit/environment
ExecStart={" ".join(map(_argument, job.command))}
# 2 (findings) and 3 (incomplete) leave the unit failed: that is what OnFailure= and monitoring look at.
TimeoutStartSec=2h
UMask=0027
NoNewPrivileges=yes
{sandbox}RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
"""


def _timer(job: Job) -> str:
    return f"""\
[Unit]
Description=When netaudit looks at the fabric ({_value(job.name)})

[Timer]
OnCalendar={job.when.calendar}
RandomizedDelaySec=10min
Persistent=true

[Install]
WantedBy=timers.target
"""


def cron_line(job: Job) -> str:
    """The line for `crontab -e`; cron takes a bare % for the end of the line."""
    command = f"cd {shlex.quote(str(job.folder))} && {shlex.join(job.command)}"
    return f"{job.when.cron} {command}".replace("%", r"\%")


def _value(text: str) -> str:
    """A setting's plain text: `%` starts a specifier (systemd.unit(5))."""
    return text.replace("%", "%%")


def _quoted(text: str) -> str:
    escaped = _value(text).replace("\\", "\\\\").replace('"', '\\"')
    return escaped if re.fullmatch(r"[\w./:@%+=,-]+", escaped, re.ASCII) else f'"{escaped}"'


def _argument(text: str) -> str:
    """One word of a command line: `$` starts a variable there (systemd.service(5), «Command lines»)."""
    return _quoted(text).replace("$", "$$") or '""'
