"""Answers as they may be kept: what stands behind the words for secrets is taken out, in text and in JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from netaudit.platforms import Answer, Answers

HIDDEN: Final = "<secret>"
_WORDS: Final = (
    r"password|passwd|secret|passphrase|passkey|community|key|key-string|shared-secret|md5|sha\d*|auth\S*|priv"
)
_BEHIND: Final = re.compile(rf"\b(?:{_WORDS})\b:? +(\S.*)", re.IGNORECASE | re.ASCII)
_NAMES: Final = re.compile(
    r"\s*(?:description|remark|hostname|name|interface|vlan|route-map|class-map|policy-map|class|vrf|ip prefix-list|"
    r"ipv6 prefix-list|ssl profile|certificate|set (?:interfaces|policy-options|class-of-service|protocols bgp))\b",
    re.IGNORECASE | re.ASCII,
)
"""Lines in which such a word is a name or free text, which an audit compares."""
_FIELD: Final = re.compile(
    r'("[^"\n]*(?:passwd|password|passkey|passphrase|secret|priv(?:ate)?_?key|auth_?key|community)"\s*:\s*)"(?:[^"\\]|\\.)*"?',
    re.IGNORECASE,
)
"""A field of JSON that is called after a secret, with its value; one that is cut off, too."""
_TABLES: Final = frozenset({"SNMP_COMMUNITY"})
"""Tables of CONFIG_DB whose very keys are secrets."""


def masked(answers: Answers) -> Answers:
    """The same answers without what may be a secret. An answer in which nothing is one is unchanged."""
    return {query: _masked(answer) for query, answer in answers.items()}


def _masked(answer: Answer) -> Answer:
    text = answer.text
    if text[:1] in ("{", "["):
        clean = _json(text)
    else:
        clean = "".join(_line(line) for line in text.splitlines(keepends=True)) if _BEHIND.search(text) else text
    return answer if clean == text else replace(answer, text=clean)


def _line(line: str) -> str:
    found = _BEHIND.search(line)
    if found is None or _NAMES.match(line):
        return line
    end = line[len(line.rstrip("\r\n")) :]
    return f"{line[: found.start(1)]}{HIDDEN}{end}"


def _json(text: str) -> str:
    """Field by field in the text, so that numbers keep their digits; as a whole only where a table has to go."""
    clean = _FIELD.sub(rf'\1"{HIDDEN}"', text)
    if not any(f'"{table}"' in clean for table in _TABLES):
        return clean
    try:
        tree = json.loads(clean)
    except (ValueError, RecursionError):
        return clean
    return json.dumps({k: v for k, v in tree.items() if k not in _TABLES} if isinstance(tree, dict) else tree)
