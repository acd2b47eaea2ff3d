"""One running switch: how it is entered, and its CONFIG_DB in Redis."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from netaudit.diag import Unusable
from netaudit.lab.frr.redis import Redis, Rows
from netaudit.lab.sim.database import Config, Row, hash_of
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.switch import Switch


@dataclass(slots=True, kw_only=True)
class Node:
    """A switch of the lab while it runs."""

    name: str
    namespace: str
    switch: Switch
    """Its files and, as last read from Redis, its CONFIG_DB: what the simulator's commands work on."""
    process: subprocess.Popen[bytes]
    """`unshare`, a child of ours; with it all of the switch ends."""
    pid: int
    """Its first process, seen from outside."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    applied: dict[str, Rows] = field(default_factory=dict)
    """Table of APPL_DB → rows as last derived from CONFIG_DB. One that somebody changes since stays changed."""
    named: str = ""
    """Host name as last set."""

    @property
    def root(self) -> Path:
        """The switch's file system, seen from outside."""
        return Path(f"/proc/{self.pid}/root")

    @property
    def fabric(self) -> Fabric:
        """The simulator's commands want a fabric: this switch alone, without a cable."""
        return Fabric(name=self.name, switches={self.name: self.switch}, cables=())

    def redis(self) -> Redis:
        """A new connection to the databases."""
        return Redis(self.root / "run/redis/redis.sock")

    def run(self, *command: str, check: bool = True) -> str:
        """What a command prints, run as on the device. Raises `Unusable` where it fails."""
        done = subprocess.run((*self.entered(), *command), capture_output=True, text=True, check=False)
        if check and done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise Unusable(f"{self.name}: `{' '.join(command)[:80]}`: {said[:200]}", "netaudit lab status")
        return done.stdout

    def entered(self) -> tuple[str, ...]:
        """The words before a command that is to run inside."""
        return ("nsenter", "-t", str(self.pid), "-m", "-n", "-u", "-p")

    def vtysh(self, *lines: str, check: bool = True) -> str:
        """The output of vtysh commands."""
        return self.run("vtysh", *(word for line in lines for word in ("-c", line)), check=check)

    def told(self, command: str) -> Mapping[str, object]:
        """FRR's JSON answer; empty where it gives none."""
        try:
            answer = json.loads(self.vtysh(command, check=False) or "{}")
        except ValueError:
            return {}
        return answer if isinstance(answer, dict) else {}

    def alive(self) -> bool:
        """Does it still run?"""
        return self.process.poll() is None


def read_database(redis: Redis) -> Config:
    """CONFIG_DB as config_db.json would have it."""
    config: Config = {}
    for key, fields in redis.rows("CONFIG_DB", "*|*").items():
        table, _, name = key.partition("|")
        config.setdefault(table, {})[name] = _row(fields)
    return config


def _row(fields: Mapping[str, str]) -> Row:
    return {
        name.removesuffix("@"): (value.split(",") if name.endswith("@") else value)
        for name, value in fields.items()
        if name != "NULL"
    }


def write_database(redis: Redis, old: Config, new: Config) -> None:
    """Make CONFIG_DB what `new` says; rows that are equal are left alone."""
    changed: dict[str, Mapping[str, str] | None] = {}
    for table in old.keys() | new.keys():
        before, after = old.get(table, {}), new.get(table, {})
        for key in before.keys() | after.keys():
            if key not in after:
                changed[f"{table}|{key}"] = None
            elif before.get(key) != after[key]:
                changed[f"{table}|{key}"] = hash_of(after[key])
    if changed:
        redis.write("CONFIG_DB", changed)
