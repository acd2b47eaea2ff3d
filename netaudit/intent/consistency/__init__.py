"""What is wrong between values that are right each by itself: the checks of the intent, before a fabric is built."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from netaudit.diag import Diagnostic
from netaudit.intent.consistency import blocks, layout, overrides, routing, tiers, traffic
from netaudit.intent.partial import Partial
from netaudit.intent.ports import translator
from netaudit.intent.schema import IntentModel
from netaudit.intent.text import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A check, and the paths it reads; where one of them cannot be read, the check is left out."""

    needs: frozenset[str]
    run: Callable[[IntentModel, Document], Iterator[Diagnostic]]


PLATFORMS = frozenset({"leaf.platform", "spine.platform", "superspine", "blocks", "versions"})
"""What says which NOS is where."""

CHECKS = (
    Check(needs=frozenset({"planes"}), run=layout.planes),
    Check(needs=frozenset({"units.*", "capacity"}), run=layout.units),
    Check(needs=frozenset({"rails", "leaf.rails"}), run=tiers.trays),
    Check(needs=frozenset({"rails", "leaf.rails", "units", "capacity"}), run=layout.size),
    Check(needs=frozenset({"leaf.rails", "spine.per", "superspine"}), run=tiers.counted_in),
    Check(needs=frozenset({"units", "spine.per", "superspine"}), run=tiers.pods),
    Check(needs=frozenset({"units", "capacity", "spine.per"}), run=tiers.slots),
    Check(needs=frozenset({"spine.count", "superspine"}), run=tiers.superspines),
    Check(needs=frozenset({"superspine", "cables.spine_superspine"}), run=tiers.cable),
    Check(needs=frozenset({"superspine", "blocks.*"}), run=tiers.blocks),
    Check(needs=frozenset({"planes", "rails", "leaf.rails", "names.leaf"}), run=layout.leaf_names),
    Check(needs=frozenset({"planes", "rails", "leaf.rails", "names.spine"}), run=layout.spine_names),
    Check(needs=frozenset({"planes", "rails", "leaf.rails", "names.superspine"}), run=layout.superspine_names),
    Check(needs=frozenset({"planes", "rails", "leaf.rails", "names.block"}), run=layout.block_names),
    Check(needs=frozenset({"hosts.nic"}), run=layout.nic),
    Check(needs=frozenset({"hosts.attach", "hosts.vlan"}), run=layout.vlan),
    Check(needs=frozenset({"leaf.model"}), run=layout.leaf_model),
    Check(needs=frozenset({"spine.model"}), run=layout.spine_model),
    Check(needs=frozenset({"cables.host_leaf"}), run=layout.host_leaf_medium),
    Check(needs=frozenset({"cables.leaf_spine"}), run=layout.leaf_spine_medium),
    Check(needs=frozenset({"blocks.*"}), run=blocks.numbers),
    Check(needs=frozenset({"blocks.*"}), run=blocks.catalogue),
    Check(needs=frozenset({"links"}), run=blocks.links),
    Check(needs=frozenset({"external.*"}), run=blocks.neighbors),
    Check(needs=frozenset({"blocks.*", "addressing"}), run=blocks.originates),
    Check(needs=frozenset({"versions"}), run=layout.versions),
    Check(needs=frozenset({"management.dns"}), run=layout.management),
    Check(needs=frozenset({"addressing"}), run=routing.pools),
    Check(needs=PLATFORMS | {"addressing"}, run=routing.forced_pool),
    Check(needs=PLATFORMS | {"addressing", "links"}, run=routing.numbered),
    Check(needs=frozenset({"bgp.keepalive", "bgp.hold"}), run=routing.timers),
    Check(needs=frozenset({"bgp.asn_base", "planes"}), run=routing.asns),
    Check(needs=frozenset({"bgp.allowas_in", "superspine", "blocks"}), run=routing.allowed_loops),
    Check(needs=frozenset({"traffic.*"}), run=traffic.classes),
    Check(needs=frozenset({"traffic"}), run=traffic.shares),
    Check(needs=frozenset({"traffic.*"}), run=traffic.recognition),
    Check(needs=frozenset({"traffic.*"}), run=traffic.queues),
    Check(needs=frozenset({"pfc.watchdog"}), run=traffic.watchdog),
    Check(needs=frozenset({"mtu"}), run=traffic.mtu),
)


def problems(read: Partial, document: Document) -> Iterator[Diagnostic]:
    """What the checks find for which enough could be read."""
    for check in CHECKS:
        if read.has(check.needs):
            yield from check.run(read.model, document)
    yield from overrides.places(document, translator(read))
    yield from overrides.settings(document)
