"""FRR's running configuration as text: read, printed, and changed line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from netaudit.lab.sim.frr_grammar import EXITS, MAXIMUM_PATHS, Rule, rule_of

Block: TypeAlias = tuple[str, ...]
"""Heads of the blocks that a line stands in: `()`, `("router bgp 65001",)`, …"""
FrrText: TypeAlias = Mapping[Block, tuple[str, ...]]
"""Block → its own lines, in order. Never changed in place."""

_DATACENTER_DEFAULTS: Final = frozenset(
    {
        "bgp log-neighbor-changes",
        "no bgp ebgp-requires-policy",
        "bgp network import-check",
        "bgp deterministic-med",
        "bgp default ipv4-unicast",
        "bgp default show-hostname",
        "bgp default show-nexthop-hostname",
        "bgp fast-external-failover",
        "bgp suppress-duplicates",
        "timers bgp 3 9",
        f"maximum-paths {MAXIMUM_PATHS}",
        "neighbor advertisement-interval 0",
    }
)
"""Lines that change nothing under `frr defaults datacenter`, so that FRR does not show them (lab.md 2)."""
_KEPT_NO: Final = re.compile(
    r"no (bgp default \S+|bgp network import-check|bgp fast-external-failover|bgp suppress-duplicates"
    r"|fpm use-next-hop-groups|ipv6 nd suppress-ra|service integrated-vtysh-config|zebra nexthop kernel enable"
    r"|neighbor \S+ activate|(ip|ipv6) forwarding)"
)
"""`no` lines that FRR shows, because the default is on."""
_SINGLE: Final = re.compile(
    r"(?:frr defaults|hostname|bgp router-id|timers bgp|maximum-paths(?! ibgp)|maximum-paths ibgp"
    r"|description|match (?:ip|ipv6) address prefix-list|fpm address|redistribute \S+"
    r"|neighbor \S+ (?:remote-as|description|timers connect|timers|advertisement-interval|password|update-source"
    r"|allowas-in|maximum-prefix|ebgp-multihop|interface)"
    r"|(?:ip|ipv6) prefix-list \S+ (?:seq \d+|description))\b"
)
"""Start of lines of which a block holds one: a second one replaces the first."""
_PREFIX_LIST: Final = re.compile(r"((?:ip|ipv6) prefix-list \S+) (permit|deny) (.+)")
_ROUTE_MAP_SIDE: Final = re.compile(r"(neighbor \S+ route-map) \S+ (in|out)")
_NEIGHBOR: Final = re.compile(r"neighbor (\S+) (.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A line that FRR does not take."""

    line: int
    text: str
    message: str
    semantic: bool = False
    """The line is well formed and still refused; `vtysh -C` does not see these."""

    def __str__(self) -> str:
        return f"line {self.line}: % {self.message}: {self.text}"


def load(text: str, into: FrrText | None = None) -> tuple[FrrText, tuple[Problem, ...]]:
    """The configuration after the lines of a text, and the lines that were not taken.

    As vtysh reads: blanks do not matter, a line that a block does not know ends the block.
    """
    config: FrrText = into if into is not None else {(): ()}
    problems: list[Problem] = []
    stack: list[tuple[str, str]] = []  # (kind of block, head) from the outside in
    for number, raw in enumerate(text.splitlines(), start=1):
        line = " ".join(raw.split())
        if not line or line[0] in "!#" or line.startswith("frr version "):
            continue  # FRR prints its own version, whatever the file says
        if line == "end":
            stack.clear()
        elif line in EXITS:
            del stack[-1:]
        else:
            found = _place(line, stack)
            if found is None:
                problems.append(Problem(line=number, text=line, message="Unknown command"))
                continue
            config, refusal = _put(config, line, stack, found)
            if refusal:
                problems.append(Problem(line=number, text=line, message=refusal, semantic=True))
    return config, tuple(problems)


def _place(line: str, stack: list[tuple[str, str]]) -> Rule | None:
    """The rule a line follows in the innermost block that knows it; blocks further in are closed."""
    for depth in range(len(stack), -1, -1):
        rule = rule_of(line, stack[depth - 1][0] if depth else "")
        if rule is not None:
            del stack[depth:]
            return rule
    return None


def _put(config: FrrText, line: str, stack: list[tuple[str, str]], rule: Rule) -> tuple[FrrText, str]:
    """The configuration with one line taken, and why it was refused (empty: it was not)."""
    block = tuple(head for _, head in stack)
    negative = line.startswith("no ")
    if rule.opens and not negative:
        refusal = _other_asn(config, line)
        stack.append((rule.opens, line))
        inner = (*block, line)
        return (config, refusal) if refusal or inner in config else ({**config, inner: ()}, "")
    if rule.opens:
        gone = line.removeprefix("no ")
        return {at: rest for at, rest in config.items() if at[: len(block) + 1] != (*block, gone)}, ""
    if block not in config:
        return config, "Command returned Warning Config Failed"
    refusal = "" if negative else _unknown_neighbor(config, block, line)
    if refusal:
        return config, refusal
    return {**config, block: _taken(config[block], line, hides_defaults(config))}, ""


def _taken(lines: tuple[str, ...], line: str, datacenter: bool) -> tuple[str, ...]:
    """The lines of a block after one more was typed: it is added, takes another's place, or takes another away."""
    positive = line.removeprefix("no ")
    if datacenter and is_default(line):
        return tuple(one for one in lines if one not in (f"no {line}", positive) and slot(one) != slot(line))
    if positive == line:
        return added(lines, line)
    lines = without(lines, positive)
    return (*lines, line) if _KEPT_NO.fullmatch(line) and line not in lines else lines


def _other_asn(config: FrrText, line: str) -> str:
    """Why a second `router bgp` of a VRF is refused; empty where it is the first or the same."""
    if not line.startswith("router bgp "):
        return ""
    heads = [at[0] for at in config if at and at[0].startswith("router bgp ")]
    running = next((head for head in heads if head.split()[3:] == line.split()[3:]), line)
    return "" if running == line else f"BGP is already running; AS is {running.split()[2]}"


def _unknown_neighbor(config: FrrText, block: Block, line: str) -> str:
    """Why a line about a neighbor is refused; empty where the neighbor is there, or is made by this line."""
    found = _NEIGHBOR.fullmatch(line)
    if found is None:
        return ""
    name, rest = found.groups()
    router = config.get(block[:1], ())
    if rest.startswith(("interface", "remote-as", "peer-group")):
        member_of = re.search(r"peer-group (\S+)", rest)
        missing = member_of is not None and f"neighbor {member_of[1]} peer-group" not in router
        return "Configure the peer-group first" if missing else ""
    if any(one.startswith(f"neighbor {name} ") for one in router):
        return ""
    return "Specify remote-as or peer-group commands first"


def slot(line: str) -> str:
    """What a line is about; two lines of a block about the same thing cannot stand side by side."""
    side = _ROUTE_MAP_SIDE.fullmatch(line)
    if side:
        return f"{side[1]} {side[2]}"
    single = _SINGLE.match(line)
    return single[0] if single else line


def added(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    """The lines of a block with one more, or with one in place of what it replaces."""
    numberless = _PREFIX_LIST.fullmatch(line)
    if numberless:
        name, action, what = numberless.groups()
        if any(re.fullmatch(rf"{re.escape(name)} seq \d+ {action} {re.escape(what)}", one) for one in lines):
            return lines
        taken = [int(one.split()[4]) for one in lines if one.startswith(f"{name} seq ")]
        line = f"{name} seq {max(taken, default=0) // 5 * 5 + 5} {action} {what}"  # FRR numbers by fives
    if line.startswith("ip route ") or line.startswith("ipv6 route "):
        line = line.replace(" Null0", " blackhole")
    mine = slot(line)
    kept = [one for one in lines if one != f"no {line}"]
    for at, one in enumerate(kept):
        if slot(one) == mine:
            return (*kept[:at], line, *kept[at + 1 :])
    return (*kept, line)


def without(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    """The lines of a block without one, which may be given by its start."""
    return tuple(one for one in lines if one != line and not one.startswith(f"{line} "))


def replaced_head(config: FrrText, old: str, new: str) -> FrrText:
    """The configuration with the head of an outermost block changed."""
    return {(new, *at[1:]) if at[:1] == (old,) else at: lines for at, lines in config.items()}


def is_default(line: str) -> bool:
    """Whether the datacenter profile has a line anyway."""
    return re.sub(r"^neighbor \S+ (advertisement-interval)", r"neighbor \1", line) in _DATACENTER_DEFAULTS


def hides_defaults(config: FrrText) -> bool:
    """Whether the configuration runs under the datacenter profile."""
    return "frr defaults datacenter" in config.get((), ())


def printed(config: FrrText) -> str:
    """The configuration as FRR prints it."""
    return "\n".join(_lines(config)) + "\n"


def _lines(config: FrrText) -> Iterator[str]:
    """The lines of `printed`."""
    yield from config.get((), ())
    yield "!"
    for head in [at for at in config if len(at) == 1 and not _is_empty_vrf(config, at)]:
        yield head[0]
        yield from (f" {line}" for line in config[head])
        for inner in [at for at in config if len(at) == 2 and at[0] == head[0]]:
            yield " !"
            yield f" {inner[1]}"
            yield from (f"  {line}" for line in config[inner])
            yield " exit-address-family"
        yield "exit-vrf" if head[0].startswith("vrf ") else "exit"
        yield "!"


def _is_empty_vrf(config: FrrText, head: Block) -> bool:
    """FRR does not print a `vrf` block with nothing in it (8.4.4, as it was seen)."""
    return head[0].startswith("vrf ") and not config[head]
