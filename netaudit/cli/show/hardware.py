"""`show hardware`: the switch models, NICs and media that a fabric is built of, each figure with its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from netaudit import hardware
from netaudit.cli.show import hardware_catalogue as pages
from netaudit.cli.show.page import Json, Table, View, facts, page, table
from netaudit.cli.show.target import Target, target
from netaudit.cli.show.values import plain, speed
from netaudit.diag import Diagnostic, Invalid
from netaudit.expect import Expected
from netaudit.hardware import Hwsku, Medium, NicModel, SwitchModel
from netaudit.terminal import Symbol, counted, exact_bytes


def is_model(text: str) -> bool:
    """Whether an argument names a model of the catalogue, and no file of that name is there."""
    return (text in hardware.switch_names() or text in hardware.nic_names()) and not Path(text).exists()


def misspelt(text: str) -> Invalid | None:
    """What to say of an argument that is neither a file nor a model, and looks like a model."""
    known = (*hardware.switch_names(), *hardware.nic_names())
    near = get_close_matches(text, known, 1)
    if not near or is_model(text) or Path(text).exists():
        return None
    message = f"there is neither a file nor a model `{text}`"
    return Invalid([Diagnostic(message=message, hint=f"did you mean `{near[0]}`? `netaudit show hardware` has all")])


def named_page(name: str, view: View) -> str:
    """The catalogue, or one model of it."""
    if not name:
        return pages.catalogue_page(view)
    if name in hardware.switch_names():
        return pages.model_page(hardware.switch(name), view)
    return pages.nic_page(hardware.nic(name), view)


def named_data(name: str) -> Mapping[str, Json]:
    """The same in JSON."""
    if not name:
        return pages.catalogue_data()
    if name in hardware.switch_names():
        return pages.model_data(hardware.switch(name))
    return pages.nic_data(hardware.nic(name))


def of_intent_page(expected: Expected, text: str, view: View) -> str:
    """What the fabric, or one device of it, is built of; or one model, which may be the intent's own."""
    entry = _entry(expected, text)
    if isinstance(entry, SwitchModel):
        return pages.model_page(entry, view)
    if isinstance(entry, NicModel):
        return pages.nic_page(entry, view)
    return hardware_page(expected, target(expected, text) if text else None, view)


def of_intent_data(expected: Expected, text: str) -> Mapping[str, Json]:
    """The same in JSON."""
    entry = _entry(expected, text)
    if isinstance(entry, SwitchModel):
        return pages.model_data(entry)
    if isinstance(entry, NicModel):
        return pages.nic_data(entry)
    return hardware_data(expected, target(expected, text) if text else None)


def _entry(expected: Expected, text: str) -> SwitchModel | NicModel | None:
    """The model that is meant, if no device has that name."""
    if not text or text in expected.built.devices:
        return None
    own = expected.built.intent.hardware.get(text)
    return own or (hardware.switch(text) if text in hardware.switch_names() else nic(text))


def used(expected: Expected, at: Target | None) -> Mapping[str, tuple[SwitchModel, Mapping[str, int]]]:
    """Model name → (model, HWSKU → how many devices run it)."""
    devices = [expected.built.devices[at.device]] if at else list(expected.built.devices.values())
    skus: dict[str, Counter[str]] = {}
    for device in devices:
        skus.setdefault(device.model.name, Counter())[device.hwsku] += 1
    return {name: (hardware.switch(name), counts) for name, counts in skus.items()}


def hardware_page(expected: Expected, at: Target | None, view: View) -> str:
    """The page: a block for each model, then the NIC and the media."""
    models = used(expected, at)
    names = ", ".join(models)
    place = at.device if at else expected.fabric
    blocks = [facts(view.style, tuple(_switch(model, counts)), label=14) for model, counts in models.values()]
    for model, counts in models.values():
        blocks += [_rows(view, model, model.hwskus[name]) for name in counts if name]
    blocks.append(facts(view.style, tuple(_nic(expected)), label=14))
    blocks.append(facts(view.style, tuple(_media(expected)), label=14))
    if view.everything:
        blocks += [facts(view.style, tuple(_sources(model.sources)), label=20) for model, _ in models.values()]
    others = len([name for name in hardware.switch_names() if name not in models])
    head = f"{place} is built of {names}; {counted(others, 'other model')}: netaudit show hardware"
    then = view.command("show hardware", *([at.device] if at else []))
    then = view.command("show platform") if view.everything else f"{then} --all        (the source of every figure)"
    return page(view, (Symbol.INFO, head), *blocks, then=then)


def _switch(model: SwitchModel, counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    yield model.name, f"{model.vendor} {model.asic}, {counted(sum(counts.values()), 'device')} here"
    first, last = model.fabric_cages[0], model.fabric_cages[-1]
    modes = ", ".join(first.breakouts)
    service = len(model.cages) - len(model.fabric_cages)
    more = f"; {counted(service, 'service cage')} besides" if service else ""
    fastest = speed(first.max_speed_mbps)
    yield "cages", f"{first.number} to {last.number}, {len(first.lanes)} lanes, {fastest}, split as {modes}{more}"
    yield "buffer", f"{exact_bytes(model.buffer_bytes)}, {model.buffer_class}, cells of {exact_bytes(model.cell_bytes)}"
    parts = "one for all ports" if model.itms == 1 else f"{model.itms} parts, a port can use its own only"
    yield "", f"{parts}; source: {model.sources.get('buffer_bytes', '–')}"
    source = "headroom.pipeline_kib" if model.headroom.method == "formula" else "headroom.method"
    yield "headroom", f"{pages.method(model)}; source: {model.sources.get(source, '–')}"
    estimated = ", ".join(f"{field} ±{margin} %" for field, margin in model.estimates.items())
    yield "estimates", f"{estimated}: nobody published them" if estimated else ""
    for platform, reason in {**model.barred, **model.partial}.items():
        yield f"not on {platform}", reason
    for name, count in counts.items():
        sku = model.hwskus[name]
        default = ", the default" if name == model.default_hwsku else ""
        shown = f"{name} on {counted(count, 'device')}{default}; {sku.platform}"
        yield "HWSKU", shown if name else "none: SONiC has no hardware profile of it"
    others = [name for name in model.hwskus if name not in counts]
    yield "", f"known as well: {', '.join(others)}" if others else ""


def _rows(view: View, model: SwitchModel, sku: Hwsku) -> tuple[str, ...]:
    """The headroom table of a HWSKU."""
    rows = tuple(
        (speed(rate), f"{length} m", f"{row.xoff_bytes:,}", f"{row.xon_bytes:,}", f"{row.size_bytes:,}")
        for (rate, length), row in sorted(sku.pg.items(), reverse=True)
    )
    source = sku.sources.get("pg", "–")
    head = (f"{sku.name}", "length", "xoff bytes", "xon bytes", "size bytes")
    lines = table(view, Table(head=head, rows=rows, right=frozenset({1, 2, 3, 4})))
    return (*lines, *facts(view.style, (("source", source),), label=14))


def _nic(expected: Expected) -> Iterator[tuple[str, str]]:
    intent = expected.built.intent.model
    found = nic(intent.hosts.nic)
    if found is None:
        yield "NIC", f"{intent.hosts.nic} is not in the catalogue"
        return
    used_mbps = len(intent.planes) * intent.hosts.speed
    yield f"NIC {found.name}", f"{found.title}: {counted(found.max_ports, 'port')}, {speed(found.total_mbps)} together"
    lanes = f"PCIe {found.pcie_generation}.0 x{found.pcie_lanes}, {found.pcie_mbps / 1000:g} Gb/s after line coding"
    yield "", f"{lanes}; here {len(intent.planes)} × {speed(intent.hosts.speed)} = {speed(used_mbps)}"
    yield "", f"source: {found.sources.get('total_mbps', '–')}"


def nic(name: str) -> NicModel | None:
    """The NIC of that name, if the catalogue or the intent has it."""
    return hardware.nic(name) if hardware.known_nic(name) else None


def media(expected: Expected) -> tuple[Medium, ...]:
    """The media of the cables, as far as the catalogue has them."""
    cables = expected.built.intent.model.cables
    names = dict.fromkeys((cables.host_leaf.medium, cables.leaf_spine.medium))
    return tuple(hardware.medium(name) for name in names if name in hardware.media_names())


def _media(expected: Expected) -> Iterator[tuple[str, str]]:
    for item in media(expected):
        reach = ", ".join(f"{speed(rate)} {length} m" for rate, length in sorted(item.reaches_m.items()))
        yield item.name, f"{item.title}; reach{' by the speed of a lane' if item.by_lane else ''}: {reach}"
        yield "", f"source: {item.source}"


def _sources(sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from sources.items()


def hardware_data(expected: Expected, at: Target | None) -> Mapping[str, Json]:
    """The same in JSON."""
    found = nic(expected.built.intent.model.hosts.nic)
    return {
        "show": "hardware",
        "switches": [_switch_data(model, counts) for model, counts in used(expected, at).values()],
        "nic": plain(found),
        "media": [plain(item) for item in media(expected)],
        "catalogue": {
            "switches": list(hardware.switch_names()),
            "nics": list(hardware.nic_names()),
            "media": list(hardware.media_names()),
        },
    }


def _switch_data(model: SwitchModel, counts: Mapping[str, int]) -> Json:
    return {
        "name": model.name,
        "vendor": model.vendor,
        "asic": model.asic,
        "cages": len(model.fabric_cages),
        "buffer_bytes": model.buffer_bytes,
        "cell_bytes": model.cell_bytes,
        "buffer_class": model.buffer_class,
        "hwskus": dict(counts),
        "headroom_rows": [
            {
                "hwsku": name,
                "speed_mbps": rate,
                "length_m": length,
                "xoff_bytes": row.xoff_bytes,
                "xon_bytes": row.xon_bytes,
                "size_bytes": row.size_bytes,
            }
            for name in counts
            for (rate, length), row in sorted(model.hwskus[name].pg.items())
        ],
        "sources": dict(model.sources),
    }
