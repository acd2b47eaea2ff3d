"""Where the files that come with netaudit are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from netaudit.diag import Unusable

_PACKAGE = Path(__file__).resolve().parent


def template_dir() -> Path:
    """Return the folder with one folder of Jinja templates a platform.

    Raises Unusable where this installation has none.
    """
    return _shipped(packaged="_templates", checkout="templates")


def example_dir() -> Path:
    """Return the folder with the example fabrics.

    Raises Unusable where this installation has none.
    """
    return _shipped(packaged="_examples", checkout="intent")


def _shipped(*, packaged: str, checkout: str) -> Path:
    # The wheel's name is tried first: beside an installed package stands all of site-packages, where a folder
    # called `templates` may be somebody else's.
    inside = _PACKAGE / packaged
    if inside.is_dir():
        return inside
    beside = _PACKAGE.parent / checkout
    if beside.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return beside
    raise Unusable(
        f"this installation of netaudit lacks its {checkout} (looked for {inside} and {beside})",
        "install it again: `pip install --force-reinstall netaudit`, or `pip install .` in a checkout",
    )
