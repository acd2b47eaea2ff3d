"""From the rendering to what one switch shall hold: its set lines, with those of our areas replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netaudit.platforms import Files
from netaudit.platforms.junos import text
from netaudit.platforms.junos.inherit import APPLY
from netaudit.platforms.junos.owned import AREAS, area_of
from netaudit.platforms.junos.raw import GROUP
from netaudit.platforms.junos.text import Entry, Tree, Words

FILE = "junos.conf"


def candidate(rendered: Files, running: Files, owns: Iterable[str]) -> Files:
    """Our statements where the area is owned, every other line of the running configuration byte for byte.

    Of curly text every statement becomes a set line. A statement that both have stays in its place.
    """
    areas = _areas(owns)
    ours = {entry.words: entry for entry in text.entries(rendered[FILE]) if is_owned(entry.words, areas)}
    held = _lines(running[FILE])
    anew = _rewritten([e.words for _, entries in held for e in entries if e.verb == "set"], list(ours))
    kept: list[str] = []
    seen: set[Words] = set()
    for line, entries in held:
        mine = [entry for entry in entries if is_owned(entry.words, areas)]
        if not mine:
            kept.append(line)
            continue
        stays = [e for e in mine if e.verb == "set" and e.words in ours and e.words not in seen]
        stays = [entry for entry in stays if not _within(entry.words, anew)]
        seen |= {entry.words for entry in stays}
        foreign = [entry for entry in entries if not is_owned(entry.words, areas)]
        if len(stays) + len(foreign) == len(entries):
            kept.append(line)
        else:
            kept.extend(entry.line for entry in (*foreign, *stays))
    new = [entry.line for words, entry in ours.items() if words not in seen]
    return {FILE: "".join(f"{line}\n" for line in (*kept, *new))}


def _areas(owns: Iterable[str]) -> frozenset[str]:
    named = frozenset(owns)
    return frozenset(AREAS) if "all" in named else named


def is_owned(words: Words, areas: frozenset[str]) -> bool:
    """Is a statement ours? The group with the site's own statements always is, whose presence is audited."""
    if words[:2] in (("groups", GROUP), (APPLY, GROUP)):
        return True
    area = area_of(words)
    return area is not None and area in areas


def _lines(configuration: str) -> list[tuple[str, tuple[Entry, ...]]]:
    """Each line as it is, with the statements in it; of curly text, one line for each statement."""
    if not text.has_set_lines(configuration):
        return [(entry.line, (entry,)) for entry in text.entries(configuration)]
    bare = text.lines_of(text.without_comments(configuration))
    return [
        (line, tuple(text.set_entries(blank, number)))
        for number, (line, blank) in enumerate(zip(text.lines_of(configuration), bare, strict=True), start=1)
    ]


def kept(running: Files, rendered: Files, owns: Iterable[str]) -> Files:
    """The part of the running configuration that `candidate` replaces: nothing of others, and no secret."""
    areas = _areas(owns)
    owned = [entry for entry in text.entries(running[FILE]) if is_owned(entry.words, areas)]
    lines = [entry.line for entry in owned if text.shown(entry.words) == text.spelled(entry.words)]
    return {FILE: "".join(f"{line}\n" for line in lines)}


def _meaning(configuration: str) -> tuple[frozenset[Words], tuple[Words, ...]]:
    """Statements in force, whatever their order; but that of the terms of policies, which counts."""
    statements = text.active(text.entries(configuration))
    ordered: dict[Words, None] = {}
    for words in statements:
        if words[:2] == ("policy-options", "policy-statement") and words[3:4] == ("term",):
            ordered[words[:5]] = None
    return frozenset(statements), tuple(sorted(ordered, key=lambda words: words[2]))


def equal(one: Files, other: Files) -> bool:
    """Do both mean the same? Neither order nor form of statements counts, but for the terms of a policy."""
    return _meaning(one[FILE]) == _meaning(other[FILE])


def diff(running: Files, candidate: Files) -> tuple[str, ...]:
    """`delete` and `set` lines, as a person reads them: without secrets; empty if nothing changes."""
    return tuple(f"{verb} {text.shown(words)}" for verb, words in _changed(running, candidate))


_WHOLE = (
    (("policy-options", "policy-statement"), 3),
    (("policy-options", "as-list"), 3),
    (("class-of-service", "drop-profiles"), 3),
)
"""Lists of which an entry is replaced as a whole, for the order within it counts, and `set` only adds at the end."""
_NAMED = frozenset(
    {
        *("unit", "address", "interface", "group", "neighbor", "dynamic-neighbor", "route", "rib", "term"),
        *("policy-statement", "as-list", "prefix-list", "community", "as-path", "class", "code-point"),
        *("buffer-partition", "forwarding-class", "loss-priority", "dscp", "dscp-ipv6", "ieee-802.1"),
    }
)
"""Lists of which each entry is deleted by its name: nothing says that a switch takes the word of a list alone."""
_REPLACED = frozenset({"import", "export"})
"""Lists of policies: taken away and set anew."""
_SCALARS = frozenset(
    {
        *("host-name", "number-of-sub-ports", "speed", "mtu", "description", "fec", "native-vlan-id", "interface-mode"),
        *("maximum-ecmp", "router-id", "autonomous-system", "hold-time", "type", "peer-as", "peer-as-list", "loops"),
        *("receive", "advertise", "queue-num", "pfc-priority", "percent", "dynamic-threshold", "poll-interval"),
        *("detection", "recovery", "watchdog-action", "cable-length", "shaping-rate", "priority", "drop-profile"),
        *("scheduler", "congestion-notification-profile", "scheduler-map", "dscp", "vlan-id", "l3-interface"),
        *("instance-type", "port-id-subtype", "forwarding-class", "dscp-code-point"),
    }
)
"""Settings with one value, which `set` puts in the place of the old one. `forwarding-class` and `dscp` are lists, too:
then their entries are told apart by having something below."""


def changes(running: Files, candidate: Files) -> tuple[str, ...]:
    """The lines that lead from one to the other: deletes, then what comes into force again, then sets.

    A merge of these lines into the running configuration gives the candidate, and touches nothing else.
    """
    return tuple(f"{verb} {text.spelled(words)}" for verb, words in _changed(running, candidate))


def _changed(running: Files, candidate: Files) -> Iterator[tuple[str, Words]]:
    old, new = text.entries(running[FILE]), text.entries(candidate[FILE])
    before, after = _by_words(old), _by_words(new)
    was, will = text.tree(before), text.tree(after)
    deleted = list(dict.fromkeys(_deleted(was, will, ())))
    replaced = _rewritten(before, after)
    deleted = [*replaced, *(words for words in deleted if not _within(words, replaced))]
    gone = set(deleted)
    off = {entry.words for entry in old if entry.verb == "deactivate"}
    off_after = {entry.words for entry in new if entry.verb == "deactivate"}
    yield from (("delete", words) for words in deleted)
    yield from (("activate", w) for w in sorted(off - off_after) if text.has(will, *w) and not _within(w, gone))
    yield from (("set", words) for words in after if words not in before or _within(words, gone))
    yield from (("deactivate", words) for words in sorted(off_after - off))


def _by_words(entries: Iterable[Entry]) -> dict[Words, None]:
    return dict.fromkeys(entry.words for entry in entries if entry.verb == "set")


def _within(words: Words, places: Iterable[Words]) -> bool:
    found = places if isinstance(places, set) else set(places)
    return any(words[:length] in found for length in range(1, len(words) + 1))


def _rewritten(before: Iterable[Words], after: Iterable[Words]) -> list[Words]:
    """Entries of _WHOLE that both have and that differ, in content or in an order that counts."""
    old, new = _wholes(before), _wholes(after)
    return [place for place in old if place in new and _meant(old[place]) != _meant(new[place])]


def _meant(statements: list[Words]) -> object:
    """What an entry says: all in order, of a policy that of its terms alone, as a switch sorts what is in one."""
    if statements[0][:2] != ("policy-options", "policy-statement"):
        return statements
    terms = dict.fromkeys(words[3:5] for words in statements if words[3:4] == ("term",))
    return list(terms), frozenset(statements)


def _wholes(statements: Iterable[Words]) -> dict[Words, list[Words]]:
    found: dict[Words, list[Words]] = {}
    for words in statements:
        for head, length in _WHOLE:
            if words[: len(head)] == head and len(words) > length - 1:
                found.setdefault(words[:length], []).append(words)
    return found


def _deleted(was: Tree, will: Tree, at: Words) -> Iterator[Words]:
    """The highest places that are no longer there."""
    for word, below in was.items():
        here = (*at, word)
        if word not in will:
            last = at[-1] if at else ""
            if not below and last in _REPLACED:
                yield at
            elif below and word in _NAMED:
                yield from ((*here, name) for name in below)
            elif below or last not in _SCALARS or not will:
                yield here
        elif below:
            yield from _deleted(below, will[word], here)
