"""A push is a patch: tried against the simulated box, which reads it with a parser of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from netaudit.hardware import switch
from netaudit.lab.factory import factory_files
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos import nvue as simulated
from netaudit.lab.sim.nos.nvue import document
from netaudit.lab.sim.nos.nvue.box import Nvue
from netaudit.lab.sim.nos.nvue.cli import NvueCli
from netaudit.platforms import Impact, Step, Steps
from netaudit.platforms.nvue.config import FILE
from netaudit.platforms.nvue.patch import difference, written
from netaudit.platforms.nvue.ranges import names_of
from netaudit.platforms.nvue.steps import steps

HASH = "$6$lab$simulated.hash.of.no.password"
HEAD = """- header:
    model: SN5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.17.0
"""
OLD = (
    HEAD
    + """- set:
    interface:
      swp1-4:
        description: was here
        link:
          mtu: 9000
          state:
            up: {}
        type: swp
    system:
      aaa:
        user:
          cumulus:
            hashed-password: '*'
            role: system-admin
      api:
        state: enabled
      hostname: leaf1
"""
)
NEW = (
    HEAD
    + """- set:
    interface:
      swp1:
        link:
          mtu: 9216
          state:
            down: {}
        type: swp
      swp2:
        description: was here
        link:
          mtu: 9000
          state:
            up: {}
        type: swp
      swp3:
        description: 'on'
        link:
          breakout:
            2x: {}
    qos:
      congestion-control:
        default-global:
          traffic-class:
            '3':
              ecn: enable
              min-threshold: 150000
    system:
      aaa:
        user:
          cumulus:
            hashed-password: '*'
            role: system-admin
      api:
        state: enabled
      hostname: leaf1
"""
)


@pytest.fixture
def box(tmp_path: Path) -> Nvue:
    files = factory_files(
        "nvue", switch("nvidia-sn5600"), "ACS-SN5600", hostname="leaf1", serial="S1", mac="02:00:00:00:00:01"
    )
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    made = simulated.boot("leaf1", tmp_path)
    (made.folder / "tmp/old.yaml").write_text(OLD.replace("'*'", HASH))
    cli = NvueCli(Fabric(name="f", switches={"leaf1": made}, cables=()), made, {})
    assert cli.run("nv config replace /tmp/old.yaml").code == 0
    assert cli.run("nv config apply -y").code == 0
    return made


def run(box: Nvue, made: tuple[Step, ...]) -> None:
    """Carry steps out as a push does: by upload and command, each in a login of its own."""
    fabric = Fabric(name="f", switches={"leaf1": box}, cables=())
    for step in made:
        if step.path:
            (box.folder / step.path.lstrip("/")).write_text(step.content)
        elif "--confirm -y" in step.command:  # the timer needs a loop, which a unit test has not
            assert NvueCli(fabric, box, {}).run(step.command.replace(" --confirm", "")).code == 0
        elif "--confirm-yes" not in step.command:
            done = NvueCli(fabric, box, {}).run(step.command)
            assert done.code in step.ok, (step.command, done)


def tree(text: str) -> document.Tree:
    return document.read(text, modern=True)[1]


def planned() -> Steps:
    return steps({FILE: OLD}, {FILE: NEW}, "r1")


def test_a_push_leaves_the_candidate_and_an_undo_the_old_and_secrets_stay_as_they_were(box: Nvue) -> None:
    before, saved = box.applied, (box.folder / "etc/nvue.d/startup.yaml").read_text()
    made = planned()
    run(box, (*made.prepare, *made.apply, *made.save))
    assert document.masked(box.applied) == tree(NEW)
    assert HASH in (box.folder / "etc/nvue.d/startup.yaml").read_text()
    run(box, (*made.undo, *made.clean))
    assert box.applied == before
    assert (box.folder / "etc/nvue.d/startup.yaml").read_text() == saved
    assert [path.name for path in (box.folder / "tmp").iterdir()] == ["old.yaml"]


@pytest.mark.parametrize("done", range(6))
def test_an_undo_leads_back_from_any_half_done_state(box: Nvue, done: int) -> None:
    before = box.applied
    made = planned()
    run(box, (*made.prepare, *made.apply)[: 2 + done])
    run(box, made.undo)
    assert box.applied == before
    assert box.pending is None


def test_what_is_equal_is_in_no_patch() -> None:
    patches = [step.content for step in planned().prepare if step.content]
    assert len(patches) == 2
    assert not any("cumulus" in text or "swp2" in text or "hostname" in text for text in patches)


def test_equal_configurations_need_no_steps_however_they_are_spelled() -> None:
    spelled = OLD.replace("swp1-4:", "swp1-3,4:").replace("was here", "'was here'")
    assert steps({FILE: OLD}, {FILE: spelled}, "r1") == Steps()


def test_a_secret_that_could_not_be_put_back_is_not_removed() -> None:
    with pytest.raises(ValueError, match="hashed-password: a secret that a push would remove"):
        steps({FILE: OLD}, {FILE: OLD.replace("            hashed-password: '*'\n", "")}, "r1")


@pytest.mark.parametrize(
    ("old", "new", "impact"),
    [
        ("description: was here", "description: is here", Impact.NONE),
        ("mtu: 9000", "mtu: 9216", Impact.NONE),
        ("mtu: 9000", "speed: 400G", Impact.FLAP),
        ("      hostname: leaf1", "      hostname: leaf2", Impact.NONE),
        ("- set:\n", "- set:\n    router:\n      bgp:\n        state: enabled\n", Impact.RESET),
        ("- set:\n", "- set:\n    router:\n      adaptive-routing:\n        state: enabled\n", Impact.DRAIN),
        ("- set:\n", "- set:\n    qos:\n      roce:\n        mode: lossless\n", Impact.FLAP),
    ],
)
def test_the_impact_is_that_of_the_worst_change(old: str, new: str, impact: Impact) -> None:
    assert steps({FILE: OLD}, {FILE: OLD.replace(old, new)}, "r1").impact is impact


WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x17F), min_size=1, max_size=8).filter(
    lambda text: text.strip() == text and not (text.isdecimal() and text[0] == "0" and text != "0")
)
TREES = st.recursive(
    st.one_of(WORDS, st.integers(0, 10**12)), lambda below: st.dictionaries(WORDS, below, max_size=3), max_leaves=8
)


@given(st.dictionaries(WORDS, TREES, max_size=4), st.dictionaries(WORDS, TREES, max_size=4))
def test_the_two_files_lead_from_any_tree_to_any_other(old: dict[str, object], new: dict[str, object]) -> None:
    gone, more = difference(old, new)  # type: ignore[arg-type]
    unset = yaml.safe_load(written("unset", gone))[0]["unset"] or {}
    more_read = yaml.safe_load(written("set", more))[0]["set"] or {}
    assert _texts(_put(_taken(old, unset), more_read)) == _texts(new)


def _taken(tree: object, gone: object) -> object:
    """What NVUE leaves of a tree, written down for this test alone."""
    if not isinstance(tree, dict) or not isinstance(gone, dict):
        return tree
    kept = {}
    for key, value in tree.items():
        name = str(key)
        if name not in gone:
            kept[key] = value
        elif gone[name]:
            kept[key] = _taken(value, gone[name])
    return kept


def _put(tree: object, more: object) -> object:
    if not isinstance(tree, dict) or not isinstance(more, dict):
        return more
    return {**tree, **{key: _put(tree.get(key), value) for key, value in more.items()}}


def _texts(value: object) -> object:
    """Numbers as text, and a name without more the same as nothing."""
    if isinstance(value, dict):
        return {str(key): _texts(one) for key, one in value.items()}
    return "" if value is None else str(value)


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("swp1-3,5", ("swp1", "swp2", "swp3", "swp5")),
        ("swp1,swp5-6", ("swp1", "swp5", "swp6")),
        ("10,20-22", ("10", "20", "21", "22")),
        ("swp1s0-1", ("swp1s0-1",)),
        ("eth0", ("eth0",)),
        ("swp1-99999", ("swp1-99999",)),
        ("swp3-1", ("swp3-1",)),
        ("br_default", ("br_default",)),
        ("swp1,bond2", ("swp1,bond2",)),
    ],
)
def test_a_range_stands_for_its_names(key: str, names: tuple[str, ...]) -> None:
    assert names_of(key) == names
