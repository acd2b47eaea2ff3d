"""Imports run downwards only: the table of the design, as data, against every import in the source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

BASE = "resources terminal diag_text"  # what the layers that print may share
ALL = "*"
BELOW_CHECKS = "expect fabric intent lossless hardware platforms state diag"

# Who may import what of netaudit. The longest name that fits a module is its owner; its own
# package is always open to it.
MAY_IMPORT: Mapping[str, str] = {
    "": "",
    "diag": "",
    "lossless": "",
    "gnmi": "",
    "resources": "diag",
    "whole": "diag",
    "terminal": "diag",
    "diag_text": "diag terminal",
    "hardware": "diag",
    "state": "diag",
    "platforms": "state diag",
    "intent": "hardware platforms state whole diag",  # whole: a waiver is added to the file beside the intent
    "fabric": "intent hardware platforms state diag",  # state: Place and Link are its words for a device and a cable
    "expect": "fabric intent lossless hardware platforms state diag",
    "whatif": "expect fabric intent state diag",
    "deadlock": "whatif expect state",
    "checks": f"deadlock whatif {BELOW_CHECKS}",
    "render": f"platforms state diag {BASE}",
    "audit": "state diag",
    "audit.report": f"audit state diag {BASE}",
    "history": "audit diag",
    "rulebook": "diag",
    "collect": "gnmi platforms state whole diag",
    "push": f"platforms state collect render whole diag {BASE}",
    "nornir": "state diag intent fabric collect push",
    "kv": "fabric diag",
    "lab": "diag",
    "lab.factory": "hardware diag",  # the files that a box of each NOS ships with
    "lab.control": "diag",
    "lab.sim": "diag gnmi",
    "lab.frr": "lab.sim lab.control gnmi whole diag",
    "lint": "lossless hardware diag",
    "labdir_peers": "fabric",
    "labdir_frr": "diag lab.frr expect render platforms state whole",
    "labdir": "labdir_peers fabric hardware lab.factory whole diag",  # what a lab boots from: built, not expected
    "scaffold": "diag",
    "difference": f"expect fabric push render platforms state diag {BASE}",
    "export": "expect fabric intent lossless hardware platforms state diag",  # expect: what the NICs must match
    "lengths": "expect fabric intent state diag",
    "equivalence": "expect fabric intent render platforms state terminal diag",
    "gate": "nornir push collect platforms state diag",
    "pipeline": ALL,
    "pipeline_check": ALL,
    "pipeline_watch": ALL,
    "pipeline_lengths": ALL,
    "pipeline_load": "expect fabric intent diag",
    "cli": ALL,
    "docs": ALL,
}

# Where each library from outside is at home. One that is missing here is at home nowhere.
HOMES: Mapping[str, str] = {
    "asyncssh": "lab",
    "cryptography": "lab",
    "dask": "pipeline",
    "google": "gnmi",  # google.protobuf
    "grpc": "collect lab",
    "jinja2": "render audit.report",
    "jnpr": "push",  # junos-eznc
    "junoscfg": "equivalence",
    "keyring": "collect",
    "markupsafe": "audit.report",  # what jinja2 escapes with
    "napalm": "push",
    "netmiko": "push",
    "networkx": "fabric",
    "nornir": "nornir playbooks",
    "numpy": "fabric expect",
    "nvueschema": "equivalence",
    "oopt_gnpy_libyang": "equivalence",
    "orjson": "collect",
    "paramiko": "collect push",
    "pydantic": "intent",
    "pydantic_core": "intent",
    "pyavd": "equivalence",
    "rich": "audit.report terminal cli",
    "scipy": "kv",
    "sqlite3": "history",  # of the standard library, but one format has one home
    "typer": "cli docs",
    "yaml": "intent lab.sim",  # NVUE is configured in YAML
}

# Numbers, states and text in, the same out: these reach no network and start no process.
PURE = (
    "diag state lossless lint hardware platforms intent fabric "
    "expect whatif deadlock checks lengths render audit terminal diag_text"
)
REACHES_OUT = "asyncio http multiprocessing socket socketserver ssl subprocess urllib.request"


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Yield line and absolute name of all that is imported, inside functions and under `if TYPE_CHECKING` too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                name = node.args[0] if node.args else None
                text = name.value if isinstance(name, ast.Constant) else None
                own = f"{package}.any" if name is not None and _in_own_folder(name) else "a name made at run time"
                yield node.lineno, text if isinstance(text, str) else own


def _in_own_folder(name: ast.expr) -> bool:
    """Whether a name made at run time is `f"{__name__}.…"`, what lies in the folder of the package that asks."""
    parts = [ast.unparse(part) for part in name.values] if isinstance(name, ast.JoinedStr) else []
    return parts[:2] == ["{__name__}", "'.'"]


def owner(module: str) -> str | None:
    """Return the row of the table that a module inside netaudit belongs to, None where there is none."""
    parts = module.split(".")
    fitting = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in fitting if name in MAY_IMPORT), None if module else "")


def complaint(who: str, imported: str) -> str:
    """Say why `who` may not import `imported`; an empty string where it may."""
    top, _, inside = imported.partition(".")
    if top != "netaudit":
        if any(_within(imported, name) for name in REACHES_OUT.split()) and any(_within(who, p) for p in PURE.split()):
            return f"{who} is pure and may not use {imported}"
        if top in HOMES:
            return "" if any(_within(who, home) for home in HOMES[top].split()) else f"{top} is at home in {HOMES[top]}"
        return "" if top in sys.stdlib_module_names else f"{top} is in no row of the table"
    if who == "playbooks" or MAY_IMPORT.get(who) == ALL:
        return ""
    wanted = owner(inside)
    if inside and wanted is None and "." not in inside:
        return "" if inside.startswith("__") else f"netaudit.{inside} is in no row of the table"
    allowed = MAY_IMPORT.get(who, "").split()
    if wanted in ("", who) or wanted in allowed:
        return ""
    return f"{who or 'netaudit'} may import {' '.join(allowed) or 'nothing of netaudit'}"


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def problems(file: str, source: str) -> list[str]:
    """Return what the table forbids in `source`; `file` is its path in the repository."""
    parts = Path(file).with_suffix("").parts
    package = ".".join(parts[:-1])
    inside = ".".join(part for part in parts[1:] if part != "__init__")
    who = "playbooks" if parts[0] == "playbooks" else owner(inside)
    if who is None:
        return [f"{file}: netaudit.{inside} is in no row of the table"]
    found = ((line, name, complaint(who, name)) for line, name in imports(ast.parse(source), package))
    return [f"{file}:{line}: imports {name}, but {why}" for line, name, why in found if why]


def test_every_import_runs_downwards() -> None:
    files = sorted(file for part in ("netaudit", "playbooks") for file in (REPOSITORY / part).rglob("*.py"))
    assert len(files) > 20, "the source was not found"
    found = [p for f in files for p in problems(f.relative_to(REPOSITORY).as_posix(), f.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("netaudit/audit/compare.py", "from netaudit.platforms import sonic"),
        ("netaudit/audit/compare.py", "from netaudit import platforms"),
        ("netaudit/audit/compare.py", "from ..platforms import sonic"),
        ("netaudit/audit/rules/bgp.py", "from netaudit.terminal import safe"),
        ("netaudit/audit/rules/bgp.py", "from netaudit.audit.report import text"),
        ("netaudit/state/walk.py", "def f():\n    import netaudit.fabric"),
        ("netaudit/state/walk.py", "if TYPE_CHECKING:\n    from netaudit.intent import Intent"),
        ("netaudit/platforms/sonic/read.py", "import importlib\nimportlib.import_module('netaudit.collect')"),
        ("netaudit/platforms/sonic/read.py", "import importlib\nimportlib.import_module(NAME)"),
        ("netaudit/platforms/sonic/read.py", "import socket"),
        ("netaudit/fabric/graph.py", "import urllib.request"),
        ("netaudit/lossless/headroom.py", "from netaudit.diag import Invalid"),
        ("netaudit/push/apply.py", "from nornir.core.task import Task"),
        ("netaudit/push/apply.py", "from netaudit.nornir import each_host"),
        ("netaudit/history/store.py", "from netaudit.audit.report import text"),
        ("netaudit/lab/sim/boot.py", "from netaudit.lab.factory import factory_files"),
        ("netaudit/lab/sim/nos/nvue/box.py", "from netaudit.platforms import nvue"),
        ("netaudit/lab/sim/boot.py", "from netaudit.state import Device"),
        ("netaudit/lab/control.py", "from netaudit.gnmi import path"),
        ("netaudit/expect/bgp.py", "import pydantic"),
        ("netaudit/collect/snapshot.py", "import sqlite3"),
        ("netaudit/collect/ssh.py", "import leftpad"),
        ("netaudit/collect/ssh.py", "from netaudit.helpers import thing"),
        ("netaudit/helpers.py", "import os"),
        ("netaudit/fabric/build.py", "import netaudit.kv"),
        ("playbooks/push.py", "import yaml"),
    ],
)
def test_an_import_that_runs_upwards_is_refused(file: str, source: str) -> None:
    assert problems(file, source)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "netaudit/audit/compare.py",
            "from netaudit.state.walk import differences\nfrom netaudit.audit import findings",
        ),
        ("netaudit/audit/report/html.py", "import jinja2\nfrom netaudit.resources import template_dir"),
        (
            "netaudit/audit/report/text.py",
            "from netaudit.audit.findings import Finding\nfrom ..findings import Finding",
        ),
        ("netaudit/lab/factory/sonic.py", "from netaudit.hardware import switch"),
        ("netaudit/history/store.py", "import sqlite3\nfrom netaudit.audit.findings import Finding"),
        ("netaudit/push/plan.py", "from netaudit import __version__\nfrom netaudit import push"),
        ("netaudit/nornir/hosts.py", "from nornir.core import Nornir\nfrom netaudit.nornir import tasks"),
        ("netaudit/cli/main.py", "import typer, importlib\nfrom netaudit.lab import control\nimport netaudit.pipeline"),
        ("playbooks/push.py", "from nornir import InitNornir\nfrom netaudit.nornir import hosts"),
    ],
)
def test_an_import_that_runs_downwards_passes(file: str, source: str) -> None:
    assert problems(file, source) == []


def test_the_table_has_no_loop() -> None:
    """A row that could import a row that could import it back would make "downwards" mean nothing."""
    below = {who: set(names.split()) for who, names in MAY_IMPORT.items() if names != ALL}

    def reach(who: str, seen: tuple[str, ...]) -> None:
        assert who not in seen, " -> ".join((*seen, who))
        for name in sorted(below.get(who, ())):
            reach(name, (*seen, who))

    for who in below:
        reach(who, ())
