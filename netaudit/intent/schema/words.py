"""What each key of a section means: the text that stands below its field in the source.

Read from there when somebody asks (the JSON Schema, the reference, an editor's hint). Pydantic can do it too, for every
class as it is made, and then each command pays for parsing the source of the schema: a tenth of the time of `check`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise


@cache
def words(section: type) -> Mapping[str, str]:
    """Name of a field → what it is, those of base classes too; nothing where there is no source to read."""
    found: dict[str, str] = {}
    for owner in reversed(section.__mro__):
        found.update(_of_module(owner.__module__).get(owner.__qualname__, {}))
    return found


@cache
def _of_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """Class → field → the text below it."""
    if not name.startswith(__package__):
        return {}
    try:
        tree = ast.parse(inspect.getsource(sys.modules[name]))
    except OSError:  # installed without source
        return {}
    return {node.name: _below(node.body) for node in tree.body if isinstance(node, ast.ClassDef)}


def _below(body: list[ast.stmt]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for field, text in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
            found[field.target.id] = inspect.cleandoc(text.value.value)
    return found
