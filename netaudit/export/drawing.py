"""The fabric as a picture: tiers above each other, switches of a pod, rail or unit side by side, cables as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from netaudit.fabric import HOST_LEAF, Fabric, FabricDevice

HIGH, GAP, ROW, SPACE, MARGIN = 22, 6, 110, 18, 20
"""Height of a box, what is between two of a group, between tiers, between groups, and around it all, in pixels."""
LETTER = 6.2
"""Width of a letter of the 10-pixel monospaced font."""
FILL = {"leaf": "#cfe3ff", "spine": "#d5f0d3", "superspine": "#f3ddff"}
OTHER, HOSTS = "#ffe7c2", "#eeeeee"
MOST_PAIRS = 4_000
"""Lines of a picture that a browser still shows at once (judgement). Of more, one plane is drawn: all are alike."""


@dataclass(frozen=True, slots=True)
class Box:
    """Something that is drawn, where, and how."""

    name: str
    x: float
    y: float
    width: float
    fill: str
    title: str


def as_svg(fabric: Fabric) -> str:
    """The picture, one plane below the other; links of one pair are one line, as wide as they are many."""
    planes = list(fabric.intent.model.planes)
    pairs = Counter((k.a.device, k.b.device) for k in fabric.links() if k.kind != HOST_LEAF)
    more = "" if len(pairs) <= MOST_PAIRS else f" of {len(planes)}; the others are wired as this one"
    body: list[str] = []
    top, width = float(MARGIN), 0.0
    for plane in planes[: 1 if more else None]:
        boxes, wide, deep = _plane(fabric, plane, top)
        body += [f'<text x="{MARGIN}" y="{top + 12:g}" class="plane">{escape(f"plane {plane}{more}")}</text>']
        body += _lines(boxes, pairs)
        body += [_box(box) for box in boxes.values()]
        top, width = top + deep, max(width, wide)
    size = f"{width + MARGIN:.0f} {top:.0f}"
    style = "text{font:10px monospace;text-anchor:middle}.plane{font-weight:bold;text-anchor:start}line{stroke:#8a8a8a}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img">'
    return "\n".join((head, f"<title>{escape(fabric.name)}</title>", f"<style>{style}</style>", *body, "</svg>", ""))


def _plane(fabric: Fabric, plane: str, top: float) -> tuple[Mapping[str, Box], float, float]:
    """(name → box, width, height) of a plane: superspines above spines above leaves and blocks above hosts."""
    rows = _rows(fabric, plane)
    wide = max(_width(row) for row in rows) + 2 * MARGIN
    boxes: dict[str, Box] = {}
    for number, row in enumerate(rows):
        x, y = (wide - _width(row)) / 2, top + 24 + number * ROW
        for group in row:
            for device in group:
                box = Box(device.name, x, y, _wide(device.name), FILL.get(device.place.role, OTHER), _told(device))
                boxes[device.name] = box
                x += box.width + GAP
            x += SPACE
    below = top + 24 + len(rows) * ROW - ROW / 2
    for unit in fabric.intent.model.units:
        leaves = [b for n, b in boxes.items() if n in fabric.devices and fabric.devices[n].place.unit == unit]
        if leaves:
            count = sum(host.unit == unit for host in fabric.hosts.values())
            left, right = leaves[0].x, leaves[-1].x + leaves[-1].width
            title = f"{unit}: {count} {'host' if count == 1 else 'hosts'}"
            boxes[f"{plane}/{unit}"] = Box(title, left, below, right - left, HOSTS, f"unit {unit}")
    return boxes, wide, len(rows) * ROW + 24


def _rows(fabric: Fabric, plane: str) -> Sequence[Sequence[Sequence[FabricDevice]]]:
    """Tier → groups → devices, the highest tier first; blocks stand beside what is as high as they are."""
    found: list[list[list[FabricDevice]]] = []
    for roles in (("superspine",), ("spine",), ("leaf", *fabric.intent.model.blocks)):
        groups: dict[tuple[str, str | int], list[FabricDevice]] = {}
        for device in fabric.devices.values():
            place = device.place
            if place.plane == plane and place.role in roles:
                groups.setdefault((place.role, place.unit or device.group), []).append(device)
        if groups:
            found.append(list(groups.values()))
    return found


def _wide(name: str) -> float:
    return LETTER * len(name) + 8


def _width(row: Sequence[Sequence[FabricDevice]]) -> float:
    return sum(_wide(d.name) + GAP for group in row for d in group) + SPACE * len(row)


def _told(device: FabricDevice) -> str:
    return f"{device.name}, {device.place}, {device.model.name}, AS {device.asn}"


def _lines(boxes: Mapping[str, Box], pairs: Mapping[tuple[str, str], int]) -> Iterator[str]:
    for (a, b), count in pairs.items():
        if a in boxes and b in boxes:
            low, high = boxes[a], boxes[b]
            ends = f'x1="{low.x + low.width / 2:.0f}" y1="{low.y:.0f}" x2="{high.x + high.width / 2:.0f}"'
            y = high.y + (HIGH if high.y < low.y else 0)
            title = escape(f"{a} to {b}: {count} links" if count > 1 else f"{a} to {b}")
            yield f'<line {ends} y2="{y:.0f}" stroke-width="{min(count, 4)}"><title>{title}</title></line>'


def _box(box: Box) -> str:
    rectangle = f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{HIGH}" rx="3"'
    text = f'<text x="{box.x + box.width / 2:.0f}" y="{box.y + 15:.0f}">{escape(box.name)}</text>'
    return f'<g><title>{escape(box.title)}</title>{rectangle} fill="{box.fill}" stroke="#555555"/>{text}</g>'
