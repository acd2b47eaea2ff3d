"""Routing that does not come up or does not settle: two masters of FRR, sessions without policy, lines FRR drops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_interface, ip_network

from netaudit.platforms.sonic.system import OWN_FILES, ROUTING_TABLES
from netaudit.platforms.sonic.tables import Tables
from netaudit.platforms.sonic.validate_ports import LAYER_3
from netaudit.platforms.sonic.validate_problem import Problem, word

DATACENTER_DEFAULTS = (
    "bgp log-neighbor-changes",
    "timers bgp 3 9",
    "no bgp ebgp-requires-policy",
    "bgp network import-check",
    "bgp deterministic-med",
    "maximum-paths 514",
)
"""Lines that FRR does not show under `frr defaults datacenter`, so that a reload adds them for ever (lab.md section 2;
514 is the most paths of SONiC's build)."""
FPM_LINES = ("no fpm use-next-hop-groups", "fpm address 127.0.0.1")
"""docker_init.sh adds them in the split modes where they are missing (sonic.md section 6)."""
FILE = "frr.conf"


def rows(tables: Tables) -> Iterator[Problem]:
    """Rows that a daemon puts into FRR on top of the file that is ours."""
    if word(_metadata(tables), "docker_routing_config_mode") == OWN_FILES:
        for table in ROUTING_TABLES:
            for key in tables.get(table, {}):
                yield Problem(table, key, "", f"a second master of FRR beside frr.conf ({OWN_FILES}): take the row out")


def _metadata(tables: Tables) -> dict[str, str | list[str]]:
    return tables.get("DEVICE_METADATA", {}).get("localhost", {})


@dataclass(slots=True)
class _Speaker:
    """What a neighbor or a peer-group is told."""

    group: str = ""
    remote: str = ""
    port: bool = False
    families: set[str] = field(default_factory=set)
    policies: dict[tuple[str, str], str] = field(default_factory=dict)
    """(family, `in` or `out`) → route-map."""


@dataclass(slots=True)
class _Text:
    """What a walk over frr.conf has gathered."""

    profile: str = "traditional"
    lines: list[str] = field(default_factory=list)
    asn: str = ""
    requires_policy: bool | None = None
    speakers: dict[tuple[str, str], _Speaker] = field(default_factory=dict)
    """(VRF, name): each VRF has neighbors and peer-groups of its own."""
    networks: list[str] = field(default_factory=list)
    statics: set[str] = field(default_factory=set)
    maps: set[str] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)
    used_lists: set[str] = field(default_factory=set)


def frr(text: str, tables: Tables | None) -> Iterator[Problem]:
    """What is wrong with frr.conf, also beside the database it goes with (`None`: there is none to compare)."""
    found = _read(text)
    yield from _lines(found)
    yield from _policies(found)
    yield from _names(found)
    if tables is not None:
        yield from _mode(found, tables)
    if tables is not None and any(table in tables for table in LAYER_3):  # else addressing is not in this file
        yield from _unnumbered(found, tables)
        yield from _networks(found, tables)


def _read(text: str) -> _Text:
    found = _Text()
    family = vrf = ""
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith("!"):
            continue
        found.lines.append(line)
        words = line.split()
        if line.startswith("address-family "):
            family = words[1]
        elif words[0] in ("exit-address-family", "exit", "router", "route-map"):
            family = ""
        if words[:2] == ["router", "bgp"]:
            vrf = words[4] if len(words) == 5 else ""
        _take(found, words, family, vrf)
    return found


def _take(found: _Text, words: list[str], family: str, vrf: str) -> None:
    match words:
        case ["frr", "defaults", profile]:
            found.profile = profile
        case ["router", "bgp", asn, *_]:
            found.asn = asn
        case ["bgp", "ebgp-requires-policy"]:
            found.requires_policy = True
        case ["no", "bgp", "ebgp-requires-policy"]:
            found.requires_policy = False
        case ["network", prefix, *_] if family:
            found.networks.append(prefix)
        case ["ip" | "ipv6", "route", prefix, *_]:
            found.statics.add(_network(prefix))
        case ["route-map", name, "permit" | "deny", *_]:
            found.maps.add(name)
        case ["ip" | "ipv6", "prefix-list", name, *_]:
            found.lists.add(f"{words[0]} {name}")
        case ["match", "ip" | "ipv6", "address", "prefix-list", name]:
            found.used_lists.add(f"{words[1]} {name}")
        case ["neighbor", name, *rest]:
            _neighbor(found.speakers.setdefault((vrf, name), _Speaker()), rest, family)


def _neighbor(speaker: _Speaker, rest: list[str], family: str) -> None:
    match rest:
        case ["interface", *more]:
            speaker.port = True
            _neighbor(speaker, [word for word in more if word != "v6only"], family)
        case ["peer-group", group]:
            speaker.group = group
        case ["remote-as", remote]:
            speaker.remote = remote
        case ["activate"]:
            speaker.families.add(family or "ipv4")
        case ["route-map", name, "in" | "out" as way]:
            speaker.policies[family or "ipv4", way] = name


def _network(text: str) -> str:
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        return text


def _lines(found: _Text) -> Iterator[Problem]:
    if found.profile == "datacenter":
        for line in found.lines:
            if line in DATACENTER_DEFAULTS:
                text = "a default of `frr defaults datacenter`: FRR does not show it, and each reload adds it again"
                yield Problem(FILE, "", f"`{line}`", text)
    for line in FPM_LINES:
        if line not in found.lines:
            yield Problem(FILE, "", f"`{line}`", "missing: SONiC adds it at start, and the file never equals FRR")


def _policies(found: _Text) -> Iterator[Problem]:
    """eBGP without a route-map in each direction of each family (RFC 8212)."""
    requires = found.requires_policy if found.requires_policy is not None else found.profile != "datacenter"
    effect = "nothing passes (RFC 8212)" if requires else "everything passes"
    for (vrf, name), speaker in found.speakers.items():
        group = found.speakers.get((vrf, speaker.group), _Speaker())
        remote = speaker.remote or group.remote
        if remote in ("internal", found.asn):
            continue
        for family in sorted(speaker.families):
            for way in ("in", "out"):
                if (family, way) not in speaker.policies and (family, way) not in group.policies:
                    text = f"eBGP in {family} without a route-map {way}: {effect}"
                    yield Problem(FILE, "", f"`neighbor {name} activate`", text)


def _names(found: _Text) -> Iterator[Problem]:
    """Route-maps, prefix-lists and peer-groups that are used and not there."""
    for (_, name), speaker in found.speakers.items():
        for (_, way), wanted in speaker.policies.items():
            if wanted not in found.maps:
                yield Problem(FILE, "", f"`neighbor {name} route-map {wanted} {way}`", "there is no such route-map")
        if not speaker.group and not speaker.remote and not _is_group(found, name):
            yield Problem(FILE, "", f"`neighbor {name}`", "neither remote-as nor peer-group: there is no session")
    for name in sorted(found.used_lists - found.lists):
        family, _, wanted = name.partition(" ")
        yield Problem(FILE, "", f"`match {family} address prefix-list {wanted}`", "there is no such prefix-list")


def _is_group(found: _Text, name: str) -> bool:
    return f"neighbor {name} peer-group" in found.lines


def _mode(found: _Text, tables: Tables) -> Iterator[Problem]:
    metadata = _metadata(tables)
    mode = word(metadata, "docker_routing_config_mode")
    if mode != OWN_FILES:
        text = f"`{mode or 'separated, the default'}` does not keep frr.conf: {OWN_FILES} does"
        yield Problem("DEVICE_METADATA", "localhost", "docker_routing_config_mode", text)
    asn = word(metadata, "bgp_asn")
    if found.asn and asn and asn != found.asn:
        yield Problem("DEVICE_METADATA", "localhost", "bgp_asn", f"{asn}, and frr.conf says {found.asn}")
    daemon = word(metadata, "frr_mgmt_framework_config") == "true"
    if not daemon and any(line.split()[-1] == "bfd" or " bfd " in line for line in found.lines):
        text = "bfdd does not run without frr_mgmt_framework_config: there is no BFD session"
        yield Problem(FILE, "", "`bfd`", text)


def _unnumbered(found: _Text, tables: Tables) -> Iterator[Problem]:
    """Sessions over a port that has no link-local address for SONiC (sonic.md section 6)."""
    tables_of = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE")
    interfaces = {name: row for table in tables_of for name, row in tables.get(table, {}).items()}
    for (vrf, name), speaker in found.speakers.items():
        if not speaker.port:
            continue
        bound = word(interfaces.get(name, {}), "vrf_name")
        if bound != vrf:
            text = f"`{bound or 'default'}`, and frr.conf has the session in {vrf or 'the default VRF'}: it stays Idle"
            yield Problem("INTERFACE", name, "vrf_name", text)
        if name.startswith("Ethernet") and "PORT" in tables and name not in tables["PORT"]:
            yield Problem(FILE, "", f"`neighbor {name} interface`", f"there is no PORT|{name}")
        elif word(interfaces.get(name, {}), "ipv6_use_link_local_only") != "enable":
            text = "not `enable`, and frr.conf has an unnumbered session here: its next hop never reaches the chip"
            yield Problem("INTERFACE", name, "ipv6_use_link_local_only", text)


def _networks(found: _Text, tables: Tables) -> Iterator[Problem]:
    """A prefix that is announced only where exactly that route exists, and does not (`bgp network import-check`)."""
    known = set(found.statics)
    for table in LAYER_3:
        for key in tables.get(table, {}):
            _, _, prefix = key.partition("|")
            try:
                known.add(str(ip_interface(prefix).network))
            except ValueError:
                continue
    for prefix in found.networks:
        if _network(prefix) not in known:
            text = "no static route and no interface has exactly this prefix: it is never announced"
            yield Problem(FILE, "", f"`network {prefix}`", text)
