"""What a line typed in does to a configuration, and what NX-OS says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from netaudit.lab.sim.nos.nxos.grammar import Rule, matching, prompt_word, rules
from netaudit.lab.sim.nos.nxos.tree import At, Cage, Tree, block, ports, text, with_block, with_ports

INVALID: Final = "                 ^\n% Invalid command at '^' marker.\n"
_ON_BY_DEFAULT: Final = (
    "switchport",
    "ip redirects",
    "ipv6 redirects",
    "lldp transmit",
    "lldp receive",
    "password strength-check",
    "autostate",
    "negotiate auto",
    "bfd echo",
    "ipv6 nd suppress-ra",
)
_DEFAULTS: Final = ("switchport access vlan 1", "speed auto", "mtu 1500")
"""Values that are in force without a line, and are not shown as one."""
_UNSHOWN: Final = ("no ipv6 nd suppress-ra",)
"""What is taken and not shown (nxos.md section 3)."""
_LAYER_3: Final = re.compile(r"(ip|ipv6) (address|forward|link-local|nd|redirects)|no (ip|ipv6) redirects|vrf member")
_RANGE: Final = re.compile(r"interface (?:Ethernet|Eth|e)(\d+)/(\d+)-(\d+)", re.IGNORECASE)
_SHORT: Final = (
    (re.compile(r"int(?:erface)? (?:ethernet|eth|e) ?(\d\S*)", re.IGNORECASE), r"interface Ethernet\1"),
    (re.compile(r"int(?:erface)? (?:loopback|lo) ?(\d+)", re.IGNORECASE), r"interface loopback\1"),
    (re.compile(r"int(?:erface)? vlan ?(\d+)", re.IGNORECASE), r"interface Vlan\1"),
)


@dataclass(slots=True)
class Editor:
    """Lines typed one after the other in configuration mode."""

    tree: Tree
    cages: Mapping[int, Cage]
    places: tuple[tuple[tuple[At, ...], str], ...] = ((((),), ""),)
    """From the outermost mode to the one that it is in: its blocks (several for a range of ports), and its name."""
    features: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.features = self._features()

    @property
    def word(self) -> str:
        """The mode, as the prompt has it."""
        return prompt_word(self.places[-1][1])

    def run(self, line: str) -> str:
        """What the CLI answers to one line; empty where it took it."""
        typed = _spelled_out(" ".join(line.split()))
        if not typed or typed.startswith("!"):
            return ""
        if typed == "exit":
            self.places = self.places[:-1] or self.places
            return ""
        if found := re.fullmatch(r"default interface (\S+)", typed):
            return self._reset(found[1])
        if found := re.fullmatch(r"(neighbor \S+) (remote-as \S+)", typed):
            return self.run(found[1]) or self.run(found[2])
        heads = tuple(_ranged(typed))
        for depth in range(len(self.places), 0, -1):
            blocks, mode = self.places[depth - 1]
            answer = self._try(blocks, mode, heads, depth)
            if answer is not None:
                return answer
        return INVALID

    def _try(self, blocks: tuple[At, ...], mode: str, heads: tuple[str, ...], depth: int) -> str | None:
        """The answer of one mode; `None` where it does not know the line."""
        if heads[0].startswith("no "):
            answers = [self._negate(blocks, mode, head.removeprefix("no "), depth) for head in heads]
            return None if None in answers else "".join(filter(None, answers))
        opened: list[At] = []
        said, rule = "", None
        for head in heads:
            found = matching(mode, head)
            if found is None or (found[0].feature and found[0].feature not in self.features):
                return None
            rule = found[0]
            for group, least, most in rule.ranges:
                if not least <= int(found[1][group]) <= most:
                    return f"                 ^\n% Invalid number, range is ({least}:{most}) at '^' marker.\n"
            for at in blocks:
                if complaint := self._complaint(mode, at, head):
                    return complaint
            for at in blocks:
                said += self._set(mode, at, head, rule)
                opened.append((*at, head))
        self.places = self.places[:depth]
        if rule is not None and rule.opens:
            self.places = (*self.places, (tuple(opened), rule.opens))
        return said

    def _set(self, mode: str, at: At, line: str, rule: Rule) -> str:
        """Put a line in, in place of the one that says the same setting."""
        lines, said = dict(block(self.tree, at)), ""
        words = line.split()[: rule.same or None]
        if rule.opens:
            lines.setdefault(line, {})
        else:
            old = [one for one in lines if one.split()[: rule.same or None] == words and matching(mode, one)]
            taken: Tree = {} if line in (*_ON_BY_DEFAULT, *_DEFAULTS) else {line: {}}
            before = [one for one in lines if one in old or one == f"no {line}"]
            lines = _replaced(lines, before, taken)
        if line == "switchport":
            lines = {one: below for one, below in lines.items() if not _LAYER_3.match(one) and one != "no shutdown"}
        if line.startswith("vrf member "):
            lines = {one: below for one, below in lines.items() if one == line or not _LAYER_3.match(one)}
            said = f"% Deleted all L3 config on interface {at[-1].split()[1]}\n"
        self._put(at, lines)
        if line.startswith("interface breakout"):
            self.tree = with_ports(self.tree, self.cages)
        self.features = self._features()
        return said

    def _negate(self, blocks: tuple[At, ...], mode: str, line: str, depth: int) -> str | None:
        """Take lines out. What is not there is no error, what nobody could have typed is."""
        words = line.split()
        known = matching(mode, line)
        rule = known[0] if known else None
        gone = {at: self._named(mode, block(self.tree, at), words) for at in blocks}
        if rule is None and not any(gone.values()) and not _begins_a_rule(mode, words):
            return None
        if line.startswith("interface ") and not line.startswith(
            ("interface loopback", "interface Vlan", "interface b")
        ):
            return "ERROR: a physical interface cannot be removed\n"
        self.places = self.places[:depth]
        for at, names in gone.items():
            for name in names:
                if user := self._user(name):
                    return f"ERROR: {name.split()[-1]} is in use by {user}\n"
            lines = {one: below for one, below in block(self.tree, at).items() if one not in names}
            if rule is not None and rule.no:
                lines |= self._negation(mode, line, lines)
            self._put(at, lines)
        if line.startswith("feature "):
            self._without_feature(words[1])
        if line.startswith("interface breakout"):
            self.tree = with_ports(self.tree, self.cages)
        self.features = self._features()
        return ""

    def _negation(self, mode: str, line: str, lines: Tree) -> Tree:
        """The line by which a negation is kept."""
        if line == "shutdown":
            routed = mode == "svi" or (mode == "interface" and "no switchport" in lines)
            return {"no shutdown": {}} if routed else {}
        if f"no {line}" in _UNSHOWN or line not in _ON_BY_DEFAULT:
            return {}
        return {f"no {line}": {}}

    def _named(self, mode: str, lines: Tree, words: list[str]) -> list[str]:
        """The lines that a negation means: as many of its words as say which setting it is, or fewer for many."""
        found = []
        for line in lines:
            known = matching(mode, line)
            same = (known[0].same if known else 0) or len(line.split())
            count = min(len(words), same)
            if line.split()[:count] == words[:count] and not line.startswith("no "):
                found.append(line)
        return found

    def _complaint(self, mode: str, at: At, line: str) -> str:
        """What NX-OS says of a line that is well formed and cannot be; it begins with ERROR."""
        lines = block(self.tree, at)
        if (
            mode == "interface"
            and _LAYER_3.match(line)
            and at[-1] != "interface mgmt0"
            and "no switchport" not in lines
        ):
            return f"ERROR: {at[-1].split()[1]}: requested config change not allowed on a Layer 2 port\n"
        if line.startswith("service-policy type ") and not self._exists(line):
            return f"ERROR: policy-map {_policy_of(line)} does not exist\n"
        if mode == "pmap-qos" and line.split()[1] != "class-default" and not self._class_exists(line.split()[1]):
            return f"ERROR: class-map {line.split()[1]} does not exist\n"
        if line.startswith("inherit peer ") and f"template peer {line.split()[2]}" not in block(self.tree, at[:-1]):
            return f"ERROR: template peer {line.split()[2]} does not exist\n"
        if line.startswith("interface Ethernet") and line.split()[1] not in ports(self.tree, self.cages):
            return "                 ^\n% Invalid range at '^' marker.\n"
        other = next((head for head in self.tree if head.startswith("router bgp ")), line)
        if line.startswith("router bgp ") and other != line:
            return f"ERROR: BGP is already running; AS is {other.split()[2]}\n"
        if mode == "pmap-q-class" and line.startswith("bandwidth"):
            return self._too_much(at, line)
        return ""

    def _too_much(self, at: At, line: str) -> str:
        """Shares of a policy are of one hundred."""
        total = sum(
            int(one.split()[-1])
            for name, below in block(self.tree, at[:-1]).items()
            if name != at[-1]
            for one in below
            if one.startswith("bandwidth")
        )
        return "ERROR: Sum of bandwidth percent exceeds 100\n" if total + int(line.split()[-1]) > 100 else ""

    def _exists(self, line: str) -> bool:
        kind = "network-qos" if "network-qos" in line else "queuing" if "queuing" in line else "qos"
        return f"policy-map type {kind} {_policy_of(line)}" in self.tree

    def _class_exists(self, name: str) -> bool:
        return any(head.startswith("class-map type qos ") and head.split()[-1] == name for head in self.tree)

    def _user(self, line: str) -> str:
        """Who uses a policy or class that is to go; empty where nobody does."""
        if not line.startswith(("policy-map ", "class-map ")):
            return ""
        name = line.split()[-1]
        for head, below in self.tree.items():
            for one in below:
                if one.startswith("service-policy ") and _policy_of(one) == name and line.startswith("policy-map"):
                    return head
                if one == f"class {name}" and line.startswith("class-map"):
                    return head
        return ""

    def _put(self, at: At, lines: Tree) -> None:
        self.tree = with_block(self.tree, at, lines)

    def _features(self) -> frozenset[str]:
        return frozenset(head.split()[1] for head in self.tree if head.startswith("feature "))

    def _without_feature(self, feature: str) -> None:
        """What a feature brought goes with it, in every block."""
        self.tree = _pruned(self.tree, "", feature)

    def _reset(self, name: str) -> str:
        """`default interface Ethernet1/1`."""
        head = _spelled_out(f"interface {name}")
        if head not in self.tree:
            return "                 ^\n% Invalid range at '^' marker.\n"
        self._put((head,), {})
        return ""


def _replaced(lines: Tree, before: list[str], taken: Tree) -> Tree:
    """A line stands where the one stood that it replaces, else at the end."""
    made: Tree = {}
    for one, below in lines.items():
        if one not in before:
            made[one] = below
        elif one == before[0]:
            made |= taken
    return made | taken


def _pruned(lines: Tree, mode: str, feature: str) -> Tree:
    kept: Tree = {}
    for line, below in lines.items():
        found = matching(mode, line.removeprefix("no "))
        if found is None or found[0].feature != feature:
            kept[line] = _pruned(below, found[0].opens, feature) if found is not None and found[0].opens else below
    return kept


def _begins_a_rule(mode: str, words: list[str]) -> bool:
    """Does a line of this mode begin with these words? So `no mtu` is taken where no MTU is set."""
    return any(rule.pattern.pattern.replace(r"\ ", " ").startswith(" ".join(words)) for rule in rules(mode))


def _policy_of(line: str) -> str:
    """The policy that a `service-policy` line names."""
    words = [word for word in line.split() if word != "no-stats"]
    return words[-1]


def _spelled_out(line: str) -> str:
    """Names of interfaces as NX-OS writes them."""
    negated, rest = ("no ", line[3:]) if line.startswith("no ") else ("", line)
    for pattern, whole in _SHORT:
        if pattern.fullmatch(rest):
            return negated + pattern.sub(whole, rest)
    if rest.startswith("neighbor "):
        return negated + re.sub(r"neighbor (?:Ethernet|Eth)(\d)", r"neighbor Ethernet\1", rest)
    return line


def _ranged(line: str) -> Iterable[str]:
    """The lines that a range stands for: of ports, and of cages that are split."""
    if found := _RANGE.fullmatch(line):
        return [f"interface Ethernet{found[1]}/{number}" for number in range(int(found[2]), int(found[3]) + 1)]
    if found := re.fullmatch(r"((?:no )?interface breakout module \d+ port )([\d,-]+)( map \S+)?", line):
        return [f"{found[1]}{number}{found[3] or ''}" for number in _numbers(found[2])]
    return [line]


def _numbers(words: str) -> Iterator[int]:
    for part in words.split(","):
        low, _, high = part.partition("-")
        yield from range(int(low), int(high or low) + 1)


def load(lines: str, cages: Mapping[int, Cage]) -> tuple[Tree, tuple[str, ...]]:
    """The tree of a whole configuration, and the lines that the CLI does not take, each with its answer."""
    editor = Editor(tree=with_ports({}, cages), cages=cages)
    refused: list[str] = []
    for line in lines.splitlines():
        if line and not line.startswith((" ", "!", "version ")):
            editor.places = editor.places[:1]
        if not line.startswith("version "):
            refused += _typed(editor, line)
    return editor.tree, tuple(refused)


def _typed(editor: Editor, line: str) -> list[str]:
    answer = editor.run(line)
    return [f"{line.strip()}: {' '.join(answer.split())}"] if refuses(answer) else []


def refuses(answer: str) -> bool:
    """Does the CLI say no? It may say something and take the line."""
    return "Invalid" in answer or answer.startswith("ERROR")


__all__ = ["INVALID", "At", "Cage", "Editor", "Tree", "block", "load", "ports", "refuses", "text", "with_ports"]
