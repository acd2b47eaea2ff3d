"""The audit as one HTML page that loads nothing: what a person reads first, and every value behind it.

All text of devices and files passes `finalize`, which spells out control and direction characters, and then Jinja's
escaping; neither is left to a line of the template. The policy allows exactly our style and our script, by hash.
"""

from __future__ import annotations

import base64
import hashlib

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Undefined
from markupsafe import Markup

from netaudit.audit.findings import AuditResult
from netaudit.audit.report.fabric_map import WORDS
from netaudit.audit.report.page import page
from netaudit.resources import template_dir
from netaudit.terminal import duration, number, safe


def render(result: AuditResult) -> str:
    """Return the page. Raises `Unusable` where this installation has no templates."""
    environment = Environment(
        loader=FileSystemLoader(template_dir() / "report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    css, script = _inline(environment, "audit.css"), _inline(environment, "audit.js")
    return environment.get_template("audit.html.j2").render(
        page=page(result),
        policy=_policy(css, script),
        css=Markup(css),
        script=Markup(script),
        words=WORDS,
        settle=duration(result.settle_s),
    )


def _inline(environment: Environment, name: str) -> str:
    """Our own style or script, as it stands in its file; the hash is of these characters."""
    if environment.loader is None:
        raise AssertionError("the environment was made with a loader")
    return environment.loader.get_source(environment, name)[0]


def _policy(css: str, script: str) -> str:
    # Content Security Policy Level 3, 2.3.1: the hash is of the element's text in UTF-8.
    return (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def finalize(value: object) -> object:
    """What the template may print: text made visible, whole numbers, and what is markup already; never `None`."""
    if isinstance(value, Markup | Undefined):  # an undefined value raises by itself, and says its name
        return value
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value)
    raise TypeError(f"the report's template prints {value!r}, which is neither text nor a whole number")
