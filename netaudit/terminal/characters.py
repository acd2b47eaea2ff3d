"""Text of others as it may be printed: nothing hidden in it, and in ASCII where a terminal has no more."""

from __future__ import annotations

import re
import unicodedata

_ASCII = str.maketrans(
    {
        **{"✔": "ok", "✖": "x", "▲": "!", "●": "i", "◌": "w", "▸": ">", "↶": "u", "·": "."},
        **{"≠": "!=", "→": "->", "←": "<-", "│": "|", "×": "x", "÷": "/", "–": "-", "…": "...", "−": "-", "±": "+/-"},
        **{"≤": "<=", "≥": ">=", "µ": "u", "‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ", "—": "-"},
    }
)
_FAMILIAR = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def safe(text: str) -> str:
    r"""Return `text` with control, direction and invisible characters spelled out: `\x1b`, `\u202e`, `\n`.

    Every character of Unicode's categories C* (control, format, surrogate, private, unassigned) and the separators of
    lines and paragraphs is replaced, so that the result is one line, can be encoded, and reads in the order it has.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(c) if _hides(c) else c for c in text)


def _hides(character: str) -> bool:
    category = unicodedata.category(character)
    return category.startswith("C") or category in ("Zl", "Zp")


def _spelled(character: str) -> str:
    if character in _FAMILIAR:
        return _FAMILIAR[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def to_ascii(text: str) -> str:
    """Return `text` in ASCII: our signs in their second form, a separating `·` as `;`, all else spelled out."""
    if text.isascii():
        return text
    text = re.sub(r"(?<=\S) · (?=\S)", "; ", text).translate(_ASCII)
    return "".join(c if c.isascii() else _spelled(c) for c in text)
