"""The page of all rules: names and reasons from their tables, what a check prints from its code."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType

from netaudit import checks, lint, pipeline_check
from netaudit.audit.rules import RULES, Rule
from netaudit.diag import Severity
from netaudit.docs.markdown import codes, page, plain, sentence
from netaudit.equivalence import text as equivalence_text

ID = re.compile(r"[A-Z]{2,4}-\d\d")
OF_FILES = {"OWN-01": "a rendered file would not work on the switch, which is a fault of netaudit"}
"""Rules of `check` that look at rendered files, and are therefore in no table of the design rules."""
_MANY = re.compile("…[… ]*…")
_SEVERITIES = {str(s): str(s) for s in Severity} | {s.name: str(s) for s in Severity}
"""How the code names a severity: as a method of the design, or as the constant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One way in which the code of a check gives a rule."""

    id: str
    severities: tuple[str, ...]
    messages: tuple[str, ...]
    """`…` stands for names and numbers."""


def rules_page() -> str:
    """Every rule: of the audit with severity, reason and remedy, of the check with what it prints."""
    audit = {rule.id: rule for rule in RULES}
    check = {**checks.RULES, **OF_FILES}
    said = tuple(said_by_checks())
    entries = (
        _entry(name, audit.get(name), check.get(name), tuple(s for s in said if s.id == name))
        for name in dict.fromkeys((*audit, *check))
    )
    return page(
        "# Rules",
        "An **audit** rule names a difference between expected and observed state. A **check** rule looks at the "
        "intent before any change; its message carries the place in the file, the numbers and a hint that can be "
        "typed. One id may be both: the same trouble, seen before and after. Rules of `lint-tables` look at headroom "
        "tables of vendors. `…` stands for a name or a number.",
        "`netaudit rules` prints the audit rules. A difference that no rule names is [GEN-01](#gen-01), so nothing "
        "in an owned area goes unsaid. *Leaves* are the parts of the state whose differences become the rule; a rule "
        "without leaves is found by looking at several devices together.",
        *entries,
        *(f"## {name}\n\n**lint-tables:** {sentence(text)}" for name, text in lint.RULES.items()),
    )


def _entry(name: str, audit: Rule | None, check: str | None, said: tuple[Said, ...]) -> str:
    blocks = [f"## {name}"]
    if audit is not None:
        blocks.append(f"**audit, {audit.severity}:** {sentence(audit.name.format(object='…'))}")
        lines = [f"- why: {sentence(audit.why)}", f"- fix: {sentence(audit.fix)}"]
        blocks.append("\n".join((*lines, *([f"- leaves: {codes(audit.leaves)}"] if audit.leaves else []))))
    if check is not None:
        found = {severity for one in said for severity in one.severities}
        severities = " or ".join(str(s) for s in Severity if str(s) in found)
        blocks.append(f"**check, {severities}:** {sentence(check)}")
        messages = dict.fromkeys(message for one in said for message in one.messages)
        blocks.append("\n".join(f"- says: {_MANY.sub('…', plain(message))}" for message in messages))
    return "\n\n".join(block for block in blocks if block)


def said_by_checks() -> Iterator[Said]:
    """Every place in the code of the checks that gives a rule."""
    names = sorted(f"{checks.__name__}.{module.name}" for module in pkgutil.iter_modules(checks.__path__))
    for module in (*(sys.modules[name] for name in names if name in sys.modules), pipeline_check, equivalence_text):
        yield from _said_in(module)


def _said_in(module: ModuleType) -> Iterator[Said]:
    functions = [n for n in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(n, ast.FunctionDef)]
    everywhere = _severities(functions)
    for function in functions:
        of_function = _severities([function])
        for rule, own, messages in _given(function):
            severities = (own,) if own else of_function or everywhere
            yield Said(id=rule, severities=severities, messages=messages)


def _severities(functions: Iterable[ast.FunctionDef]) -> tuple[str, ...]:
    names = (n.attr for f in functions for n in ast.walk(f) if isinstance(n, ast.Attribute))
    return tuple(dict.fromkeys(_SEVERITIES[n] for n in names if n in _SEVERITIES))


def _given(function: ast.FunctionDef) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(rule id, severity if the call names it, messages): the text behind id and place, else what `message` was."""
    pending: list[str] = []
    nodes = [n for n in ast.walk(function) if isinstance(n, ast.Assign | ast.Call | ast.Tuple)]
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset)):
        if isinstance(node, ast.Assign):
            pending += _messages(node)
            continue
        parts = node.elts if isinstance(node, ast.Tuple) else [*node.args, *(k.value for k in node.keywords)]
        called = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        for place, part in enumerate(parts):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and ID.fullmatch(part.value):
                beside = [_skeleton(p) for p in parts[place + 2 : place + 3] if isinstance(p, ast.JoinedStr)]
                yield part.value, _SEVERITIES.get(called, ""), tuple(filter(_tells, beside or pending))
                pending = []


def _messages(assigned: ast.Assign) -> list[str]:
    named = any(isinstance(target, ast.Name) and target.id == "message" for target in assigned.targets)
    return [_skeleton(assigned.value)] if named else []


def _skeleton(value: ast.expr) -> str:
    """The text of a message, `…` where something is filled in."""
    if isinstance(value, ast.BinOp):
        return _skeleton(value.left) + _skeleton(value.right)
    if isinstance(value, ast.JoinedStr):
        return "".join(
            p.value if isinstance(p, ast.Constant) and isinstance(p.value, str) else "…" for p in value.values
        )
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return "…"


def _tells(message: str) -> bool:
    return any(character.isalpha() for character in message)
