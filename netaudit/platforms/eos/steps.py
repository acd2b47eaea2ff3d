"""How one switch is taken from its running text to the candidate, and back, in configuration sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.platforms import Files, Impact, Step, Steps
from netaudit.platforms.eos.ask import REFUSAL
from netaudit.platforms.eos.candidate import equal
from netaudit.platforms.eos.read import CONFIG, read_config
from netaudit.state import Device, Port

REVERT_S: Final = 600
"""How long the switch waits for the confirmation until it goes back by itself."""
LOAD_S, COPY_S = 300.0, 60.0
"""How long a session may take to take a whole configuration, and a file to be copied."""
_MAY_FAIL: Final = frozenset({0, 1})


def steps(running: Files, candidate: Files, run: str) -> Steps:
    """Load into a session, commit it with a timer, confirm. Empty `apply` if both mean the same.

    Undo ends the session, which takes back a commit that nobody confirmed, and loads the old text: a rollback of the
    driver's is the startup configuration, in which what somebody changed and did not save is lost
    (vendor-gnmi-and-drivers.md C). Confirming and committing both save what runs, so the file that was saved before
    is put back last.
    """
    if equal(running, candidate):
        return Steps()
    kept = f"flash:netaudit-{run}-startup"
    return Steps(
        prepare=(
            _copied("keep startup-config", "startup-config", kept),
            Step(name="load", driver="load_replace_candidate", content=candidate[CONFIG], timeout_s=LOAD_S),
        ),
        apply=(Step(name="commit", driver="commit_config", revert_s=REVERT_S, timeout_s=LOAD_S),),
        save=(Step(name="confirm and save", driver="confirm_commit", timeout_s=LOAD_S),),
        undo=(
            Step(name="end the session", driver="discard_config", ok=_MAY_FAIL),  # there may be none any more
            Step(name="load the old text", driver="load_replace_candidate", content=running[CONFIG], timeout_s=LOAD_S),
            Step(name="commit the old text", driver="commit_config", timeout_s=LOAD_S),
            _copied("restore startup-config", kept, "startup-config"),
        ),
        clean=(Step(name="remove the copy", command=f"delete {kept}", refusal=REFUSAL),),
        impact=_impact(read_config(running, ""), read_config(candidate, "")),
    )


def _copied(name: str, source: str, target: str) -> Step:
    """A copy of a file. A switch that never saved has none, which is nothing that has to be put back."""
    nothing = f"% Error copying {source} to {target} (No such file or directory)"
    return Step(
        name=name,
        command=f"copy {source} {target}",
        timeout_s=COPY_S,
        ok=_MAY_FAIL,
        refusal=REFUSAL,
        harmless_stderr=(nothing,),
    )


def _impact(old: Device, new: Device) -> Impact:
    """What the change does to traffic: ports that go down, sessions that are reset, or nothing.

    Of PFC and of a queue profile that is applied to the whole switch no source says that traffic goes on meanwhile, so
    they count as if ports went down.
    """
    if _links(old.ports) != _links(new.ports) or old.interfaces != new.interfaces or old.vlans != new.vlans:
        return Impact.FLAP
    if old.buffers != new.buffers or _paused(old) != _paused(new):
        return Impact.FLAP
    return Impact.NONE if (old.bgp, old.vrfs) == (new.bgp, new.vrfs) else Impact.RESET


def _paused(device: Device) -> Mapping[str, object]:
    """The priorities with PFC of each port."""
    ports = device.qos.ports if device.qos is not None else None
    return {key: port.pfc for key, port in (ports or {}).items()}


def _links(ports: Mapping[str, Port] | None) -> Mapping[str, tuple[object, ...]]:
    """What a link is torn down for when it changes."""
    return {key: (p.native, p.enabled, p.speed_mbps, p.lanes, p.fec, p.autoneg) for key, p in (ports or {}).items()}
