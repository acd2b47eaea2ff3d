"""The file `nvue.yaml`: what a template prints of a device, and the state that such a text describes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.platforms import Files
from netaudit.platforms.nvue.buffers import memory_bytes, model_of, read_buffers, write_buffers
from netaudit.platforms.nvue.interfaces import (
    read_interfaces,
    read_vlans,
    read_vrfs,
    write_interfaces,
    write_vlans,
    write_vrfs,
)
from netaudit.platforms.nvue.ports import read_ports, write_ports
from netaudit.platforms.nvue.qos import write_qos
from netaudit.platforms.nvue.qos_read import read_qos
from netaudit.platforms.nvue.ranges import expanded
from netaudit.platforms.nvue.routing import read_bgp, write_bgp
from netaudit.platforms.nvue.text import Node, Unreadable, parse, spelled
from netaudit.platforms.nvue.tree import Tree, below, number, of, on, put, switch, text
from netaudit.platforms.nvue.words import LLDP_SWITCH, NEW_WORDS, modern, older, release, spelled_version
from netaudit.state import ABSENT, Device, Leaf, Lldp, System

FILE: Final = "nvue.yaml"
SEEDS: Final = 1
"""hash-seed of tier 0; each tier counts one on, so that no two tiers split alike (load-balancing.md section 4)."""


_CHIP: Final = re.compile(r"# pools are percents of the memory of (Spectrum-\d)\n")
"""First line of a rendering whose header has no model; a device always has one."""


def context(device: Device) -> Mapping[str, object]:
    """What the template prints: the header, and the tree below `set` as keys and scalars that are spelled already."""
    hwsku = device.system.hwsku if device.system is not None else None
    model = model_of(hwsku) if isinstance(hwsku, str) else ""
    return {
        "model": spelled(model) if model else "",
        "chip": device.asic if not memory_bytes(model) and memory_bytes(device.asic) else "",
        "version": spelled(spelled_version(device.version)),
        "set": spelled_tree(device_tree(device)),
    }


def device_tree(device: Device) -> Tree:
    """Everything below `set`, in the words of the device's version."""
    tree: Tree = {}
    write_system(device, tree)
    write_ports(device, tree)
    write_vrfs(device, tree)
    write_interfaces(device, tree)
    write_vlans(device, tree)
    write_qos(device, tree)
    write_buffers(device, tree)
    write_bgp(device, tree)
    return tree if release(device.version) >= NEW_WORDS else older(tree)


def spelled_tree(tree: Tree) -> Mapping[str, object]:
    """Keys by their order in NVUE's own text: names, with numbers in them counted as numbers."""
    return {
        spelled(name): spelled_tree(value) if isinstance(value, dict) else spelled(value)
        for name, value in sorted(tree.items(), key=lambda item: natural(item[0]))
    }


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """`swp2` before `swp10`."""
    return tuple(_chunks(name))


def _chunks(name: str) -> Iterator[tuple[int, int, str]]:
    digits, rest = "", ""
    for sign in name:
        if sign.isdigit() and sign.isascii():
            if rest:
                yield 1, 0, rest
                rest = ""
            digits += sign
        else:
            if digits:
                yield 0, int(digits), ""
                digits = ""
            rest += sign
    if digits:
        yield 0, int(digits), ""
    if rest:
        yield 1, 0, rest


def write_system(device: Device, tree: Tree) -> None:
    """Host name, hash seed, LLDP."""
    system, lldp = device.system, device.lldp
    if system is not None and isinstance(system.hostname, str):
        put(tree, ("system", "hostname"), system.hostname)
    if system is not None and isinstance(system.tier, int):
        put(tree, ("system", "forwarding", "hash-seed"), system.tier + SEEDS)
    if lldp is not None and isinstance(lldp.enabled, bool) and release(device.version) >= LLDP_SWITCH:
        put(tree, ("system", "lldp", "state"), switch(lldp.enabled))


def read_config(files: Files, name: str) -> Device:
    """The state that `nvue.yaml` describes. Raises ValueError for text that is none."""
    header, tree = document(files[FILE])
    chip = _CHIP.match(files[FILE])
    try:
        return read_tree(header, tree, name, chip[1] if chip else "")
    except RecursionError:
        raise Unreadable("the text is nested too deeply") from None


def read_tree(header: Tree, tree: Tree, name: str, chip: str = "") -> Device:
    """The state that a tree of new words describes; `chip` is what says of how much memory pools are percents."""
    model = text(header, "model")
    seed = number(tree, "system", "forwarding", "hash-seed")
    hostname = text(tree, "system", "hostname")
    lldp = on(tree, "system", "lldp", "state")
    return Device(
        name=name,
        platform="nvue",
        version=text(header, "version") or "",
        system=System(
            hostname=ABSENT if hostname is None else hostname,
            hwsku=ABSENT if model is None else model_of(model),
            tier=_tier(seed),
        ),
        ports=read_ports(tree),
        vrfs=read_vrfs(tree),
        interfaces=read_interfaces(tree),
        vlans=read_vlans(tree),
        bgp=read_bgp(tree),
        qos=read_qos(tree),
        buffers=read_buffers(tree, model_of(model or chip)),
        lldp=Lldp(enabled=True if lldp is None else lldp),
    )


def _tier(seed: int | None) -> Leaf[int]:
    """A seed below ours is nobody's tier, and reads as what it would be."""
    return ABSENT if seed is None else seed - SEEDS


def document(text_: str) -> tuple[Tree, Tree]:
    """(header, the tree below `set`) in new words. Raises `Unreadable` for a text without `set`."""
    header, tree = nodes(text_)
    return of(header), modern(expanded(of(tree)))


def nodes(text_: str) -> tuple[Node | None, Node]:
    """The same as parts of the text, with their lines."""
    root = parse(text_)
    found = [item for item in (root, *root.items) if "set" in item.children]
    if not found:
        raise Unreadable("there is no `set:` in it: this is no configuration of NVUE")
    header = next((item.children["header"] for item in (root, *root.items) if "header" in item.children), None)
    return header, found[0].children["set"]


def tree_of(text_: str) -> Tree:
    """The tree below `set` in the words of the text itself, ranges expanded. Raises `Unreadable`."""
    return expanded(of(nodes(text_)[1]))


def version_of(text_: str) -> str:
    """The version that a header names; empty without one."""
    header, _ = nodes(text_)
    return text(below(of(header)), "version") or ""
