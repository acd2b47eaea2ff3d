"""Which pages of docs/reference there are, and their text, made from the code that they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from netaudit.docs.codes import codes_page
from netaudit.docs.commands import commands_page
from netaudit.docs.intent import intent_page
from netaudit.docs.platform import platform_pages
from netaudit.docs.rules import rules_page
from netaudit.docs.status import status_page

PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "exit-codes.md": codes_page,
    "intent.md": intent_page,
    "rule-status.md": status_page,
    "rules.md": rules_page,
    **platform_pages(),
}
"""File below docs/reference → what makes its text."""

__all__ = ["PAGES"]
