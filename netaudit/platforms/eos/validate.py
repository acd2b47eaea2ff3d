"""What would not work in a configuration, beyond what the CLI itself refuses."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.platforms import Files
from netaudit.platforms.eos.bgp_read import Routing
from netaudit.platforms.eos.ports import keys_of
from netaudit.platforms.eos.qos import COLOUR
from netaudit.platforms.eos.qos_read import read_profile
from netaudit.platforms.eos.read import CONFIG, Config, config_of
from netaudit.platforms.eos.text import Unreadable, parse
from netaudit.state import Wred


def problems(files: Files) -> tuple[str, ...]:
    """One sentence for each; empty if nothing."""
    try:
        config = config_of(parse(files.get(CONFIG, "")))
    except Unreadable as error:
        return (str(error),)
    return (
        *_profiles(config),
        *_thresholds(config),
        *_watchdogs(config),
        *_policies(config.routing),
        *_sessions(config),
    )


def _profiles(config: Config) -> Iterator[str]:
    """A profile that is bound and not there gives a port no queues and no PFC."""
    for stanza in config.stanzas:
        name = read_profile(stanza.rest).name
        if name and name not in config.switch.profiles:
            yield f"interface {stanza.name}: service-profile {name} is not defined"


def _thresholds(config: Config) -> Iterator[str]:
    for name, profile in config.switch.profiles.items():
        for queue, (_, wred) in profile.queues.items():
            curve = (wred or Wred()).colours
            marking = (curve or {}).get(COLOUR)
            if marking is None or not isinstance(marking.kmin_bytes, int) or not isinstance(marking.kmax_bytes, int):
                continue
            if marking.kmin_bytes > marking.kmax_bytes:
                yield f"qos profile {name}, queue {queue}: the minimum threshold is above the maximum one"
        percents = [
            scheduler.weight for scheduler, _ in profile.queues.values() if scheduler and scheduler.kind == "dwrr"
        ]
        total = sum(percent for percent in percents if isinstance(percent, int))
        if total > 100:
            yield f"qos profile {name}: its queues get {total} percent together"


def _watchdogs(config: Config) -> Iterator[str]:
    """A watchdog that looks less than twice in its time sees a storm late or not at all (eos.md section 2)."""
    for name, profile in config.switch.profiles.items():
        poll = (profile.timers[1] if profile.timers else None) or config.switch.poll_ms
        if profile.watchdog and profile.timers and poll and poll * 2 > min(profile.timers[0], profile.timers[2]):
            yield f"qos profile {name}: the watchdog looks every {poll} ms, which is more than half of its shorter time"
        if profile.watchdog and not profile.pfc:
            yield f"qos profile {name}: it has a watchdog and no PFC to watch"


def _policies(routing: Routing) -> Iterator[str]:
    """A route-map that is not there lets everything through, a prefix-list that is not there as well."""
    used = {name for group in routing.groups.values() for name in group.policies.values()}
    used |= {
        name
        for speaker in routing.speakers.values()
        for n in speaker.neighbors.values()
        for name in n.policies.values()
    }
    for name in sorted(used - routing.policies.maps.keys()):
        yield f"route-map {name} is used by a neighbor and not defined"
    for name, lists in routing.policies.maps.items():
        for missing in sorted(lists - routing.policies.lists.keys()):
            yield f"route-map {name} matches the prefix-list {missing}, which is not defined"


def _sessions(config: Config) -> Iterator[str]:
    keys = keys_of(config.stanzas)
    bare = {stanza.name for stanza in config.stanzas if stanza.link_local}
    for speaker in config.routing.speakers.values():
        for name, peer in speaker.neighbors.items():
            if peer.group and peer.group not in config.routing.groups:
                yield f"neighbor {name} is in the peer group {peer.group}, which is not defined"
            if name in keys and name not in bare:
                yield f"neighbor interface {name}: `ipv6 enable` is missing there"
