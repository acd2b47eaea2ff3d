"""A small NX-OS command line, written without looking at what makes the commands: it takes them line by line, knows the
modes by what a block may hold, and refuses what a switch refuses: to unbind what is not there, to define twice, to take
away what is still named, one address on two interfaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_interface

OPENS = (
    *("class-map ", "policy-map ", "system qos", "route-map ", "interface ", "router bgp ", "vrf context ", "vlan "),
    *("class ", "neighbor ", "address-family ", "vrf ", "template "),
)
SINGLE = (
    *(
        "description",
        "mtu",
        "speed",
        "fec",
        "router-id",
        "maximum-paths",
        "timers bgp",
        "remote-as",
        "allowas-in",
        "match dscp",
    ),
    *("set qos-group", "bandwidth remaining percent", "random-detect", "priority-flow-control mode", "pause pfc-cos"),
    *(
        "pause buffer-size",
        "switchport access vlan",
        "priority-flow-control watch-dog-interval",
        "local-as",
        "hostname",
    ),
    *("priority-flow-control watch-dog interval", "priority-flow-control fixed-restore multiplier", "ip load-sharing"),
    *("switchport trunk allowed vlan", "switchport trunk native vlan", "vrf member"),
)


KEPT_NO = ("no switchport", "no shutdown", "no ip redirects", "no ipv6 redirects")
"""Settings that are spelled with `no`."""


class Refused(Exception):
    """The switch says no."""


@dataclass(slots=True)
class Node:
    """A block, or a line."""

    below: dict[str, Node] = field(default_factory=dict)


@dataclass(slots=True)
class Switch:
    """A switch with a configuration."""

    root: Node = field(default_factory=Node)
    stack: list[tuple[str, Node]] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Switch:
        """One that has this configuration; of a range of VLANs each."""
        switch = cls()
        levels: list[tuple[int, Node]] = [(-1, switch.root)]
        for row in text.splitlines():
            if not row.strip() or row.lstrip().startswith("!"):
                continue
            depth = len(row) - len(row.lstrip())
            while levels[-1][0] >= depth:
                levels.pop()
            node = levels[-1][1].below.setdefault(" ".join(row.split()), Node())
            levels.append((depth, node))
        return switch

    def type(self, commands: tuple[str, ...]) -> None:
        """Everything, line by line, as if the indentation were not there: a switch does not see it."""
        self.stack = [("", self.root)]
        for command in commands:
            self._command(" ".join(command.split()), (len(command) - len(command.lstrip())) // 2)

    def _command(self, line: str, depth: int) -> None:
        del self.stack[depth + 1 :]
        if len(self.stack) <= depth:
            raise Refused(f"{line!r} is indented below nothing")
        node = self.stack[depth][1]
        if line.startswith("default interface "):
            self.root.below.pop(line.removeprefix("default "), None)
        elif line.startswith("no ") and line[3:] in ("description",):
            self._drop_begin(node, "description")
        elif line.startswith("no ") and line not in KEPT_NO:
            self._remove(node, line[3:])
        else:
            self._add(node, line)

    def _drop_begin(self, node: Node, begin: str) -> None:
        found = [text for text in node.below if text.startswith(f"{begin} ")]
        if not found:
            raise Refused(f"no {begin} is there")
        for text in found:
            del node.below[text]

    def _remove(self, node: Node, line: str) -> None:
        if line not in node.below:
            raise Refused(f"{line!r} is not there to be taken away")
        if node is self.root and (user := self._user(line)):
            raise Refused(f"{line!r} is named by {user!r}")
        del node.below[line]
        if line.startswith("interface breakout "):
            cage = re.search(r"port (\d+) ", line)
            assert cage is not None
            self._vanish(cage[1])

    def _vanish(self, cage: str) -> None:
        for text in [t for t in self.root.below if re.fullmatch(rf"interface Ethernet1/{cage}(/\d+)?", t)]:
            del self.root.below[text]

    def _user(self, line: str) -> str:
        """Who names a definition; prefix-lists and route-maps by whole name, entries only when they are the last."""
        words = line.split(" ")
        kinds = {
            "class-map": r"class {}",
            "policy-map": r"service-policy .* {}",
            "route-map": r"route-map {} (?:in|out)",
        }
        kinds |= {"ip": r"match ip address prefix-list {}", "ipv6": r"match ipv6 address prefix-list {}"}
        kinds |= {"vrf": r"vrf(?: member)? {}", "vlan": r"switchport access vlan {}"}
        pattern = kinds.get(words[0])
        if pattern is None or (words[0] in ("ip", "ipv6") and words[1] != "prefix-list"):
            return ""
        name = (
            words[2]
            if words[0] in ("ip", "ipv6", "vrf")
            else words[1]
            if words[0] in ("route-map", "vlan")
            else words[-1]
        )
        same = [
            t for t in self.root.below if t != line and t.split(" ")[:3] == words[:3] and words[0] in ("ip", "ipv6")
        ]
        same += [
            t for t in self.root.below if t != line and words[0] == "route-map" and t.startswith(f"route-map {name} ")
        ]
        found = re.compile(pattern.format(re.escape(name)))
        return "" if same else next((t for t in _lines(self.root) if found.fullmatch(t)), "")

    def _add(self, node: Node, line: str) -> None:
        for begin in SINGLE:
            if line.startswith(f"{begin} "):
                for old in [t for t in node.below if t.startswith(f"{begin} ") and t != line]:
                    del node.below[old]
        if line in ("shutdown", "no shutdown"):
            node.below.pop("shutdown", None)
            node.below.pop("no shutdown", None)
        if line in ("switchport", "no switchport"):
            self._change_layer(node, line)
            return
        if line.startswith("vrf member "):
            for text in [t for t in node.below if t.startswith(("ip address ", "ipv6 address "))]:
                del node.below[text]
        if line.startswith(("ip address ", "ipv6 address ")):
            self._address(node, line)
        if line.startswith("service-policy "):
            kind = line.rpartition(" ")[0]
            if any(t.rpartition(" ")[0] == kind and t != line for t in node.below):
                raise Refused(f"{line!r}: another policy is bound")
        if line.startswith("interface breakout ") and line not in node.below:
            self._break_out(line)
        if (
            node is self.root
            and line.startswith("router bgp ")
            and any(t.startswith("router bgp ") and t != line for t in node.below)
        ):
            raise Refused("BGP runs already with another number")
        self._entry(node, line)
        made = node.below.setdefault(line, Node())
        if line.startswith(OPENS):
            self.stack.append((line, made))

    def _entry(self, node: Node, line: str) -> None:
        words = line.split(" ")
        if line.startswith("route-map ") and len(words) == 4 and words[2] in ("permit", "deny"):
            taken = (t for t in node.below if t.split(" ")[:2] == words[:2] and t.split(" ")[-1] == words[-1])
            if any(t != line for t in taken):
                raise Refused(f"{line!r}: the entry is there with another word")
        if words[1:2] == ["prefix-list"] and any(t.split(" ")[:5] == words[:5] and t != line for t in node.below):
            raise Refused(f"{line!r}: the entry is there with another prefix")

    def _change_layer(self, node: Node, line: str) -> None:
        for text in list(node.below):
            if text.startswith(("ip ", "ipv6 ", "vrf member ", "switchport")):
                del node.below[text]
        node.below.pop("no switchport", None)
        if line == "no switchport":
            node.below[line] = Node()

    def _address(self, node: Node, line: str) -> None:
        if "no switchport" not in node.below and any(n is node for t, n in self.root.below.items() if "Ethernet" in t):
            raise Refused(f"{line!r}: the port is a switched one")
        word = line.split(" ")[2]
        if "/" not in word:
            return
        network = ip_interface(word).network
        for text, other in self.root.below.items():
            apart = not text.startswith("interface ") or other is node or _vrf(other) != _vrf(node)
            for inside in () if apart else other.below:
                known = inside.startswith(("ip address ", "ipv6 address ")) and "/" in inside
                if known and network.overlaps(ip_interface(inside.split(" ")[2]).network):
                    raise Refused(f"{line!r} overlaps with {inside!r} of {text}")
        if line.startswith("ip address ") and not line.endswith(" secondary"):
            for text in [t for t in node.below if t.startswith("ip address ") and not t.endswith(" secondary")]:
                del node.below[text]

    def _break_out(self, line: str) -> None:
        words = line.split(" ")
        if any(t.split(" ")[:6] == words[:6] for t in self.root.below if t.startswith("interface breakout ")):
            raise Refused(f"{line!r}: the cage is broken out otherwise")
        self._vanish(words[5])

    def lines(self) -> frozenset[str]:
        """Every line with those it stands below."""
        return frozenset(_paths(self.root, "")) - {"system qos"}  # the block is there always


def _vrf(node: Node) -> str:
    return next((t for t in node.below if t.startswith("vrf member ")), "")


def _lines(node: Node) -> list[str]:
    return [text for line, below in node.below.items() for text in (line, *_lines(below))]


def _paths(node: Node, above: str) -> list[str]:
    return [
        path for line, below in node.below.items() for path in (f"{above}{line}", *_paths(below, f"{above}{line} > "))
    ]
