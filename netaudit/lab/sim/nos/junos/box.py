"""A box with Junos: the configuration in force, the candidate, what was committed before, and a commit that waits."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim.device import Eeprom, Facts, Said, read_eeprom
from netaudit.lab.sim.files import write_bytes
from netaudit.lab.sim.nos.junos import checks, text
from netaudit.lab.sim.nos.junos.facts import facts_of
from netaudit.lab.sim.nos.junos.schema import Refusal
from netaudit.lab.sim.nos.junos.tree import Tree

CONFIG_FILE: Final = "config/juniper.conf"
CHASSIS_FILE: Final = "chassis.json"
_KEPT: Final = 49
"""Configurations that are kept beside the one in force: `rollback 1` to `rollback 49`."""
CONFIRM_MINUTES: Final = 10
"""How long a `commit confirmed` without a number waits."""
_LONGEST_MINUTES: Final = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit, with the configuration that it put in force."""

    at_s: int
    """Seconds since 1970."""
    user: str
    client: str
    """`cli`, `netconf`, `other` where the box did it by itself."""
    comment: str
    """What Junos says of it: `commit confirmed, rollback in 10mins`."""
    log: str
    tree: Tree


@dataclass(slots=True, eq=False)
class Login:
    """One user of the box, over the CLI or NETCONF."""

    user: str
    client: str
    own: Tree | None = None
    """The candidate of `configure private`; otherwise all logins share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chassis:
    """What the box is made of."""

    model: str
    version: str
    cages: Mapping[int, tuple[int, int]]
    """Number of a cage → (lanes, Mb/s)."""


@dataclass(slots=True, kw_only=True, eq=False)
class JunosBox:
    """One box."""

    name: str
    folder: Path
    eeprom: Eeprom
    chassis: Chassis
    active: Tree
    """In force; replaced whole, never changed in place."""
    candidate: Tree = field(default_factory=Tree)
    commits: list[Commit] = field(default_factory=list)
    """The newest first."""
    locked_by: Login | None = None
    minute_s: float = 60.0
    changed: Callable[[], None] = lambda: None
    """Tells the lab that something is another."""
    waits: asyncio.TimerHandle | None = None
    """The commit in force goes back by itself when this is over."""
    known: tuple[Tree, Facts] | None = None

    def hostname(self) -> str:
        """The name it gives itself."""
        return self.active.value("system", "host-name") or "Amnesiac"

    def facts(self) -> Facts:
        """What follows from the configuration in force."""
        if self.known is None or self.known[0] is not self.active:
            self.known = (self.active, facts_of(self.active, self.chassis.cages))
        return self.known[1]

    def says(self, native: str) -> Said | None:
        """What a port sends by LLDP: its SNMP index as port id, unless the configuration asks for its name."""
        lldp = self.active.get("protocols", "lldp")
        if lldp is None or ("disable",) in lldp.children:
            return None
        asked = [one for name in (native, "all") if (one := lldp.get("interface", name)) is not None]
        if not asked or ("disable",) in asked[0].children:
            return None
        by_name = lldp.value("port-id-subtype") == "interface-name"
        return Said(
            chassis_id=self.eeprom.mac,
            port_id=native if by_name else str(self.index_of(native)),
            port_subtype=5 if by_name else 7,
            port_description=native,
            system_name=self.hostname(),
            system_description=f"Juniper Networks, Inc. {self.chassis.model} Ethernet Switch, "
            f"kernel JUNOS {self.chassis.version}",
        )

    def index_of(self, native: str) -> int:
        """The SNMP index of a port; those of Junos begin at some 500."""
        return 501 + list(self.facts().position).index(native)

    def routing(self) -> Tree:
        """The configuration in force."""
        return self.active

    def put_routing(self, config: object) -> None:
        """Put a configuration in force; the candidate follows, as no one has touched it."""
        self.active = cast(Tree, config)
        self.candidate = self.active.copy()

    def run_as(self, asn: int) -> None:
        """BGP runs under another number."""
        self.typed(f"set routing-options autonomous-system {asn}")

    def originate(self, prefix: str, *, wanted: bool) -> None:
        """A filter for the prefix more, or less, in the term of an export policy that lets own prefixes out."""
        family = "rib inet6.0 static" if ":" in prefix else "static"
        found = [(policy, term, tree) for policy in self._exports() for term, tree in self._own_terms(policy, prefix)]
        if not found:
            raise Invalid([Diagnostic(message=f"{self.name} runs no BGP", hint="push its configuration first")])
        length = prefix.rpartition("/")[2]
        lines = [f"set routing-options {family} route {prefix} discard"] if wanted else []
        if wanted:
            policy, term, _ = found[0]
            at = f"policy-options policy-statement {policy} term {term} from"
            lines.append(f"set {at} route-filter {prefix} prefix-length-range /{length}-/{length}")
        for policy, term, tree in found if not wanted else ():
            lines += self._without(f"policy-options policy-statement {policy}", term, tree, prefix)
        self.typed("\n".join(lines))

    def _without(self, policy: str, term: str, tree: Tree, prefix: str) -> Iterator[str]:
        """The lines by which a term no longer lets a prefix out: its own filter goes, or a term before says no."""
        filters = [head for head, _ in (tree.get("from") or Tree()).active() if head[0] == "route-filter"]
        mine = [head for head in filters if head[1] == prefix]
        if mine == filters:
            yield f"delete {policy} term {term}"
        elif mine:
            yield from (f"delete {policy} term {term} from {' '.join(head)}" for head in mine)
        elif self.active.get(*policy.split(), "term", "REMOVED") is None:
            first = next(name for name, _ in (self.active.get(*policy.split()) or Tree()).entries("term"))
            yield f"set {policy} term REMOVED from route-filter {prefix} exact"
            yield f"set {policy} term REMOVED then reject"
            yield f"insert {policy} term REMOVED before term {first}"

    def _own_terms(self, policy: str, prefix: str) -> Iterator[tuple[str, Tree]]:
        """The terms of a policy that accept own routes of the prefix's family by filters."""
        tree = self.active.get("policy-options", "policy-statement", policy) or Tree()
        for name, term in tree.entries("term"):
            conditions = term.get("from") or Tree()
            filters = [head[1] for head, _ in conditions.active() if head[0] == "route-filter"]
            own = {"static", "direct"} & set(conditions.values("protocol"))
            if own and filters and (":" in filters[0]) == (":" in prefix):
                yield name, term

    def _exports(self) -> tuple[str, ...]:
        """The policies that go first in each `export` of BGP."""
        bgp = self.active.get("protocols", "bgp") or Tree()
        named = [
            name for level in (bgp, *(group for _, group in bgp.entries("group"))) for name in level.values("export")
        ]
        return tuple(dict.fromkeys(name.strip("( ").split()[0] for name in named))

    def typed(self, text_: str) -> None:
        """Lines that somebody typed and committed. Raises `Invalid`."""
        changed = self.active.copy()
        refused = text.load_set(changed, text_)
        if refused:
            said = (f"{self.name} does not take {one.element}: {one.message}" for one in refused)
            raise Invalid([Diagnostic(message=one) for one in said])
        self.put_routing(changed)

    # ── the configuration database ──

    def edited(self, login: Login) -> Tree:
        """The candidate that a login changes."""
        return self.candidate if login.own is None else login.own

    def put_candidate(self, login: Login, tree: Tree) -> None:
        """Replace it whole."""
        if login.own is None:
            self.candidate = tree
        else:
            login.own = tree

    def is_modified(self) -> bool:
        """Does the shared candidate differ from what is in force?"""
        return not text.same(self.candidate, self.active)

    def check_access(self, login: Login) -> None:
        """Refuse a change while another login has the database. Raises `Refusal`."""
        who = self.locked_by
        if who is not None and who is not login:
            by = f"{who.user} terminal ({who.client})"
            raise Refusal(f"configuration database locked by:\n  {by}\n      exclusive [edit]")

    def lock(self, login: Login) -> None:
        """Give the database to one login. Raises `Refusal`."""
        self.check_access(login)
        if self.is_modified():
            raise Refusal("configuration database modified")
        self.locked_by = login

    def unlock(self, login: Login) -> None:
        """Take it back; what that login changed and did not commit is lost."""
        if self.locked_by is login:
            self.locked_by = None
            self.candidate = self.active.copy()

    def back_to(self, login: Login, number: int) -> None:
        """`rollback NUMBER`: the candidate as it was committed so many commits ago. Raises `Refusal`."""
        if number == 0:
            self.put_candidate(login, self.active.copy())
            return
        if number >= len(self.commits):
            raise Refusal(
                f"could not open configuration file: /config/juniper.conf.{number}.gz: No such file or directory"
            )
        self.put_candidate(login, self.commits[number].tree.copy())

    def problems(self, login: Login) -> tuple[Refusal, ...]:
        """What stops a commit of the candidate."""
        return checks.problems(self.edited(login))

    def commit(self, login: Login, log: str = "", minutes: int = 0) -> None:
        """Put the candidate in force and keep it; for some minutes only, where they are given. Raises `Refusal`."""
        self.check_access(login)
        if not 0 <= minutes <= _LONGEST_MINUTES:
            raise Refusal(f"Value must be a number from 1 to {_LONGEST_MINUTES}", str(minutes))
        if found := self.problems(login):
            raise found[0]
        before = self.active
        comment = f"commit confirmed, rollback in {minutes}mins" if minutes else ""
        if self.waits is not None:  # every commit confirms the one before
            self.waits.cancel()
            self.waits = None
        self._take(self.edited(login).copy(), login.user, login.client, comment, log)
        if login.own is None:
            self.candidate = self.active.copy()
        if minutes:
            self.waits = asyncio.get_running_loop().call_later(minutes * self.minute_s, self._expire, before)

    def _expire(self, before: Tree) -> None:
        """Nobody confirmed: the configuration before is in force again, by a commit of the box's own."""
        self.waits = None
        self._take(before.copy(), "root", "other", "", "")
        if self.locked_by is None:
            self.candidate = self.active.copy()

    def _take(self, tree: Tree, user: str, client: str, comment: str, log: str) -> None:
        self.active = tree
        at_s = int(time.time())
        self.commits.insert(0, Commit(at_s=at_s, user=user, client=client, comment=comment, log=log, tree=tree))
        del self.commits[_KEPT + 1 :]
        self.save()
        self.changed()

    def save(self) -> None:
        """Write the configuration in force to its file."""
        write_bytes(self.folder / CONFIG_FILE, ("\n".join(text.braces(self.active)) + "\n").encode())


def boot(name: str, folder: Path) -> JunosBox:
    """A box as it comes up from its files. Raises `Invalid`."""
    tree = Tree()
    try:
        config = (folder / CONFIG_FILE).read_text(encoding="utf-8")
        made_of = json.loads((folder / CHASSIS_FILE).read_text(encoding="utf-8"))
        cages = {int(number): (int(lanes), int(mbps)) for number, (lanes, mbps) in made_of["cages"].items()}
        chassis = Chassis(model=str(made_of["model"]), version=str(made_of["version"]), cages=cages)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Invalid([Diagnostic(message=f"{name} cannot boot: {error!r}")]) from error
    refused = text.load_braces(tree, config)
    if refused:
        said = (f"{folder / CONFIG_FILE}: {one.message}: {one.element}" for one in refused)
        raise Invalid([Diagnostic(message=one) for one in said])
    box = JunosBox(name=name, folder=folder, eeprom=read_eeprom(folder), chassis=chassis, active=tree)
    box.candidate = tree.copy()
    box.commits = [Commit(at_s=int(time.time()), user="root", client="other", comment="", log="", tree=tree)]
    return box
