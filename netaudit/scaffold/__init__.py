"""The files of a new fabric: a commented intent that can be built, and the tables beside it."""

from netaudit.scaffold.files import GITIGNORE, Wish, merged_gitignore, scaffold
from netaudit.scaffold.sizes import Sizes, sizes

__all__ = ["GITIGNORE", "Sizes", "Wish", "merged_gitignore", "scaffold", "sizes"]
