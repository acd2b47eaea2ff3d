"""Configuration files from a device's state: the templates print, nothing is decided here."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from netaudit import platforms
from netaudit.platforms import Files
from netaudit.resources import template_dir
from netaudit.state import Device


def render(device: Device) -> Files:
    """Every configuration file of a device. The same state gives the same bytes."""
    platform = platforms.platform(device.platform)
    context = platform.context(device)
    return {name: _environment().get_template(f"{platform.NAME}/{name}.j2").render(context) for name in platform.FILES}


@cache
def _environment() -> Environment:
    # No autoescape: what comes out is a device's configuration, not HTML.
    return Environment(
        loader=FileSystemLoader(template_dir()),
        undefined=StrictUndefined,
        finalize=_refuse_none,
        trim_blocks=True,
        lstrip_blocks=False,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _refuse_none(value: object) -> object:
    """A `None` in a configuration is a leaf that was not decided."""
    if value is None:
        raise ValueError("a template printed a value that is not set")
    return value
