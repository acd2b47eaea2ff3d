"""What the page of SONiC has beside that of every NOS: its two files, its tables, and what a change costs."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.docs.markdown import code, codes, table
from netaudit.platforms.sonic import FILES
from netaudit.platforms.sonic.dynamic import PARAMETER, PATTERN
from netaudit.platforms.sonic.steps import FLAPPING, FREE_PROFILE_FIELDS, QUIET_AT_MOST
from netaudit.platforms.sonic.write import METADATA, MODELLED, OWNS


def begin() -> str:
    """How a switch is configured and read."""
    return (
        f"A switch is configured by {codes(FILES)}, in routing mode `split-unified`: CONFIG_DB for everything but "
        "routing, FRR's own file for routing. It is read by gNMI (TLS) and SSH."
    )


def stores() -> Iterator[str]:
    """What the stores show of a switch that computes headroom."""
    yield (
        "Where the switch computes headroom (`headroom: dynamic`), CONFIG_DB has no lossless profile and no size of "
        "most pools: those are compared in `applied` alone. Two more tables are asked for: "
        f"{codes((PARAMETER, PATTERN))}. A group bound to `NULL` reads as the profile that the switch makes of speed, "
        "MTU, lanes and cable length of its port."
    )


def owned() -> Iterator[str]:
    """Which tables and fields are ours."""
    yield (
        "An area of `owns` maps to whole tables. In them a row that the intent does not have is removed; outside of "
        "them the switch keeps every value it holds. A row of ours keeps fields that no leaf stands for, in "
        f"{codes(MODELLED)}."
    )
    rows = ((code(area), codes(tables), codes(METADATA.get(area, ()))) for area, tables in OWNS.items())
    yield table(("area", "tables", "fields of DEVICE_METADATA"), rows)
    yield (
        "`bgp` takes `frr.conf` as a whole; its tables stay empty. Hostname, HWSKU, platform and MAC are read and "
        "never changed. Management ports are not touched."
    )


def changed() -> Iterator[str]:
    """How a change gets to the switch, and what it does to traffic."""
    yield "## How a change gets there, and what it costs"
    yield (
        "netaudit chooses the mildest way that the switch takes. A change that the patching of a running switch "
        f"refuses, or of more than {QUIET_AT_MOST} values, is a reload of the whole configuration."
    )
    rows = (
        ("none", "a patch that interrupts nothing"),
        ("reset", "`frr.conf` changes: `frr-reload.py` applies the difference, sessions that it touches restart"),
        (
            "flap",
            f"a patch of {codes(FLAPPING)}, or of speed, FEC, autonegotiation or admin state of a port; or one that "
            "takes a port out of its VLAN, or the gateway away",
        ),
        ("drain", "`config reload`: all services restart, and traffic is lost until they are back"),
    )
    yield table(("impact", "when"), rows)
    yield (
        "A reload is needed for buffer pools, breakout, the PFC watchdog's poll interval, lanes and names of ports, "
        "the loopback's address going away, routing mode, device type, buffer model, "
        "what headroom is computed for, whole tables that come or go, "
        f"and for any field of an existing buffer profile but {codes(FREE_PROFILE_FIELDS)}."
    )
