"""Write docs/reference anew: `python -m netaudit.docs [FOLDER]`, in the checkout."""

from __future__ import annotations

import sys
from pathlib import Path

from netaudit.docs import PAGES


def main(arguments: list[str]) -> None:
    """Write every page below a folder, docs/reference unless one is given."""
    folder = Path(arguments[0]) if arguments else Path("docs/reference")
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8", newline="")


if __name__ == "__main__":
    main(sys.argv[1:])
