"""Which answer a request of the CLI or of NETCONF is for, and the commands that only look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.junos import shows
from netaudit.lab.sim.nos.junos.box import JunosBox
from netaudit.lab.sim.nos.junos.reply import Element, of
from netaudit.lab.sim.nos.junos.schema import Refusal

Arguments: TypeAlias = Mapping[str, str]
Operation: TypeAlias = Callable[[Fabric, JunosBox, Arguments], Element]

_EVO: Final = "/usr/share/cevo/cevo_version"
"""The file by which PyEZ knows Junos Evolved."""


def _file(fabric: Fabric, box: JunosBox, asked: Arguments) -> Element:
    name = asked.get("filename", "")
    if name != _EVO:
        raise Refusal(f"could not resolve file: {name}")
    return of("file-content", text=f"\n{box.chassis.version}\n")


_PROTOCOLS: Final[Mapping[str, str]] = {
    "bgp": "BGP",
    "direct": "Direct",
    "static": "Static",
    "aggregate": "Aggregate",
    "local": "Local",
}
"""As a request spells them → as answers do."""

RPCS: Final[Mapping[str, Operation]] = {
    "get-software-information": lambda fabric, box, asked: shows.software(box),
    "get-chassis-inventory": lambda fabric, box, asked: shows.inventory(box),
    "get-route-engine-information": lambda fabric, box, asked: shows.engines(),
    "get-system-nodes-information": lambda fabric, box, asked: shows.nodes(),
    "get-system-uptime-information": lambda fabric, box, asked: shows.uptime(),
    "get-commit-information": lambda fabric, box, asked: shows.commits(box),
    "get-commit-revision-information": lambda fabric, box, asked: shows.revision(box),
    "get-instance-information": lambda fabric, box, asked: shows.instances(box),
    "get-interface-information": lambda fabric, box, asked: shows.interfaces(
        fabric, box, asked.get("interface-name", ""), terse="terse" in asked
    ),
    "get-lldp-neighbors-information": lambda fabric, box, asked: shows.neighbors(
        fabric, box, asked.get("interface-device", asked.get("interface-name", "")), detail="detail" in asked
    ),
    "get-lldp-interface-neighbors": lambda fabric, box, asked: shows.neighbors(
        fabric, box, asked.get("interface-device", ""), detail=True
    ),
    "get-bgp-neighbor-information": lambda fabric, box, asked: shows.sessions(fabric, box, asked.get("instance", "")),
    "get-bgp-summary-information": lambda fabric, box, asked: shows.summary(fabric, box, asked.get("instance", "")),
    "get-route-information": lambda fabric, box, asked: shows.routes(
        fabric, box, _PROTOCOLS.get(asked.get("protocol", ""), asked.get("protocol", "")), asked.get("table", "")
    ),
    "file-show": _file,
}
"""Name of an RPC → its answer."""

_COMMANDS: Final[Mapping[tuple[str, ...], tuple[str, Mapping[str, str]]]] = {
    ("show", "version"): ("get-software-information", {}),
    ("show", "chassis", "hardware"): ("get-chassis-inventory", {}),
    ("show", "chassis", "routing-engine"): ("get-route-engine-information", {}),
    ("show", "system", "nodes"): ("get-system-nodes-information", {}),
    ("show", "system", "uptime"): ("get-system-uptime-information", {}),
    ("show", "system", "commit"): ("get-commit-information", {}),
    ("show", "interfaces"): ("get-interface-information", {"terse": "", "*": "interface-name"}),
    ("show", "lldp", "neighbors"): (
        "get-lldp-neighbors-information",
        {"detail": "", "interface": "interface-device"},
    ),
    ("show", "bgp", "neighbor"): ("get-bgp-neighbor-information", {"instance": "instance"}),
    ("show", "bgp", "summary"): ("get-bgp-summary-information", {"instance": "instance"}),
    ("show", "route"): ("get-route-information", {"protocol": "protocol", "table": "table"}),
    ("show", "route", "instance"): ("get-instance-information", {}),
    ("file", "show"): ("file-show", {"*": "filename"}),
}
"""Command → its RPC, and what words behind it become: argument of the next word, or a flag."""


def command(fabric: Fabric, box: JunosBox, words: list[str]) -> Element:
    """The answer to a command that only looks. Raises `Refusal` for another."""
    if words == ["show", "version", "invoke-on", "all-routing-engines"]:
        return shows.software_of_engines(box)
    size = next((size for size in range(len(words), 0, -1) if tuple(words[:size]) in _COMMANDS), 0)
    if not size:
        known = {word for one in _COMMANDS for word in one[:1]}
        raise Refusal("syntax error" if words[0] in known else "unknown command.", words[-1])
    name, arguments = _COMMANDS[tuple(words[:size])]
    asked: dict[str, str] = {}
    rest = words[size:]
    while rest:
        word = rest.pop(0)
        argument = arguments.get(word)
        if argument == "":
            asked[word] = ""
        elif argument is not None and rest:
            asked[argument] = rest.pop(0)
        elif argument is None and "*" in arguments and arguments["*"] not in asked:
            asked[arguments["*"]] = word
        else:
            raise Refusal("syntax error", word)
    return RPCS[name](fabric, box, asked)
