"""`show platform`: what a network operating system can hold, show and be asked, and what it cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from netaudit import platforms
from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.target import Target
from netaudit.expect import Expected
from netaudit.expect.headroom import is_dynamic
from netaudit.platforms import Platform
from netaudit.state import BlindSpot, Device, Store
from netaudit.state.walk import leaves
from netaudit.terminal import Symbol, counted


def used(expected: Expected, at: Target | None) -> Mapping[str, int]:
    """Platform → how many devices run it."""
    devices = [expected.built.devices[at.device]] if at else expected.built.devices.values()
    return Counter(device.platform for device in devices)


def held(platform: Platform, device: Device) -> Mapping[Store, int]:
    """Store → how many leaves of the device it holds."""
    return {store: sum(1 for _ in leaves(device, platform.held(store, device))) for store in Store}


def platform_page(expected: Expected, at: Target | None, view: View) -> str:
    """The page: a block for each platform."""
    found = used(expected, at)
    place = at.device if at else expected.fabric
    spots = sum(len(_blind(expected, name)) for name in found)
    gaps = sum(len(platforms.platform(name).UNSUPPORTED) for name in found)
    doubts = sum(len(platforms.platform(name).UNVERIFIED) for name in found)
    head = f"{place} runs {', '.join(found)}: {counted(gaps, 'field')} unsupported, "
    head += f"{doubts} unverified, {counted(spots, 'blind spot')}"
    blocks: list[tuple[str, ...]] = []
    for name, count in found.items():
        sample = at.device if at else next(d.name for d in expected.built.devices.values() if d.platform == name)
        blocks += _platform(expected, name, count, sample, view)
    then = view.command("show explain", at.device if at else next(iter(expected.built.devices)), "asn")
    return page(view, (Symbol.INFO, head), *blocks, then=then)


def _platform(expected: Expected, name: str, count: int, sample: str, view: View) -> Iterator[tuple[str, ...]]:
    platform, spots = platforms.platform(name), _blind(expected, name)
    versions = expected.built.intent.model.versions.get(name, "not said")
    told = (
        (name, f"{counted(count, 'device')}, version {versions}"),
        ("files", ", ".join(platform.FILES)),
        ("ours", ", ".join(expected.built.intent.model.owns)),
        *_rows("unsupported", _gaps(platform)),
        *_rows("rounded", tuple(platform.ROUNDED.items())),
        *_rows("unverified", tuple(platform.UNVERIFIED.items())),
        *(_rows("no setting", tuple(platform.IMPLIED.items())) if view.everything else ()),
        *(("" if i else "blind spots", f"{s.what} ({s.where}): {s.reason}") for i, s in enumerate(spots)),
    )
    yield facts(view.style, told, label=14)
    queries = Counter((query.store, query.transport) for query in platform.QUERIES)
    rows = tuple(
        (
            str(store),
            f"{number:,}",
            f"{queries[store, 'gnmi']:,}",
            f"{queries[store, 'ssh']:,}",
            _asks(platform, store, view.everything),
        )
        for store, number in held(platform, expected.device(sample)).items()
    )
    head = ("store", f"fields of {sample}", "gNMI", "SSH", "asks")
    yield table(view, Table(head=head, rows=rows, right=frozenset({1, 2, 3})))


def _rows(label: str, found: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    """One line a leaf, the first with what they have in common."""
    for number, (leaf, why) in enumerate(found):
        yield "" if number else label, f"{leaf}: {why}"


def _gaps(platform: Platform) -> tuple[tuple[str, str], ...]:
    return tuple(platform.UNSUPPORTED.items()) or (("none", "every field of the state has its place"),)


def _blind(expected: Expected, name: str) -> tuple[BlindSpot, ...]:
    """What is declared of the platform, and more where a device of it computes headroom by itself."""
    platform = platforms.platform(name)
    own = (device for device in expected.built.devices.values() if device.platform == name)
    return (*platform.BLIND, *(platform.BLIND_COMPUTING if any(is_dynamic(expected.built, d) for d in own) else ()))


def _asks(platform: Platform, store: Store, everything: bool) -> str:
    """Every query; or those of a gNMI target counted, as CONFIG_DB alone has dozens of tables."""
    asked = [query for query in platform.QUERIES if query.store is store]
    counts = Counter(query.target for query in asked if query.transport == "gnmi")
    shown = [
        query.label
        if everything or query.transport != "gnmi"
        else f"gNMI {query.target}, {counted(counts[query.target], 'table')}"
        if query.target
        else f"gNMI, {counted(counts[query.target], 'path')}"
        for query in asked
    ]
    return "; ".join(dict.fromkeys(shown)) or "–"


def platform_data(expected: Expected, at: Target | None) -> Mapping[str, Json]:
    """The same in JSON."""
    return {"show": "platform", "platforms": [_data(expected, *item, at) for item in used(expected, at).items()]}


def _data(expected: Expected, name: str, count: int, at: Target | None) -> Json:
    platform = platforms.platform(name)
    sample = at.device if at else next(d.name for d in expected.built.devices.values() if d.platform == name)
    numbers = held(platform, expected.device(sample))
    return {
        "name": name,
        "devices": count,
        "version": expected.built.intent.model.versions.get(name),
        "files": list(platform.FILES),
        "owns": list(expected.built.intent.model.owns),
        "unsupported": dict(platform.UNSUPPORTED),
        "implied": dict(platform.IMPLIED),
        "rounded": dict(platform.ROUNDED),
        "unverified": dict(platform.UNVERIFIED),
        "blind_spots": [{"what": s.what, "where": s.where, "reason": s.reason} for s in _blind(expected, name)],
        "sample": sample,
        "stores": {
            str(store): {"fields": number, "asks": [q.label for q in platform.QUERIES if q.store is store]}
            for store, number in numbers.items()
        },
    }
