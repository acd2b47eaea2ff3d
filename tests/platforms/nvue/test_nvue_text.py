"""The reader of NVUE's YAML: as a YAML library reads it, and no text makes it grow, hang or raise anything else."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from netaudit.platforms import nvue
from netaudit.platforms.nvue.candidate import written
from netaudit.platforms.nvue.text import Node, Unreadable, parse, spelled
from netaudit.render import render
from platforms.nvue.fabrics import examples


def plain(node: Node) -> object:
    if node.items:
        return [plain(item) for item in node.items]
    return node.text if node.text is not None else {name: plain(child) for name, child in node.children.items()}


def as_text(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): as_text(below) for key, below in value.items()}
    if isinstance(value, list):
        return [as_text(one) for one in value]
    return "" if value is None else str(value)


def test_our_own_files_are_read_as_a_yaml_library_reads_them() -> None:
    for device in examples():
        text = render(device)["nvue.yaml"]
        assert plain(parse(text)) == as_text(yaml.safe_load(text))


def test_the_vendors_example_is_read_as_a_yaml_library_reads_it(shared: Path) -> None:
    text = (shared / "data" / "vendor-examples" / "nvue-5.17-leaf.yaml").read_text()
    assert plain(parse(text)) == as_text(yaml.safe_load(text))


WRITTEN = """\
# a comment
- header:
    version: Cumulus Linux 5.17.0   # what runs
- set:
    system:
      message:
        pre-login: "two\\nlines \\"quoted\\" \\u00e9"
        post-login: |
          a banner: with a colon
            and an indented line
      hostname: 'it''s'
      description: a long text
        that goes on
    bridge:
      domain: {}
      list:
      - one
      - two
    'on': 'off'
    "10":
    interface:
        swp1:
            type: swp
"""


def test_quotes_blocks_lists_and_comments_are_read_as_a_yaml_library_reads_them() -> None:
    found, wanted = plain(parse(WRITTEN)), as_text(yaml.safe_load(WRITTEN))
    assert isinstance(found, list)
    assert isinstance(wanted, list)
    banner = found[1]["set"]["system"]["message"].pop("post-login")
    assert "a banner: with a colon" in banner
    wanted[1]["set"]["system"]["message"].pop("post-login")
    assert found == wanted


_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\n:#'\"-{}[]&*!%@` "), max_size=12)
_TREES = st.recursive(
    _TEXTS | st.integers(0, 10**6),
    lambda below: st.dictionaries(_TEXTS.filter(lambda key: "\n" not in key), below, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["a", "10", "on", "swp1", "fd00::/8", "::/0"]), _TREES, min_size=1))
def test_whatever_is_written_is_read_back_by_us_and_by_a_yaml_library(tree: dict[str, object]) -> None:
    text = "\n".join(row for key, value in tree.items() for row in written(key, value, 0)) + "\n"  # type: ignore[arg-type]
    wanted = as_text(tree)
    assert as_text(yaml.safe_load(text)) == wanted
    assert plain(parse(text)) == wanted


@given(_TEXTS)
def test_a_scalar_is_text_to_every_yaml(text: str) -> None:
    assert yaml.safe_load(f"k: {spelled(text)}") == {"k": text}


BOMB = "- set:\n    a: &a [x, x]\n    b: &b [*a, *a]\n    c: [*b, *b]\n"


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "- set:\n    a: *b\n",
        "- set:\n    a: !!python/object/apply:os.system [id]\n",
        "- set:\n    a: {b: c}\n",
        "- set:\n    <<: *a\n    x: [1]\n",
        "- set:\n\ta: b\n",
        "- set:\n    a: b\n    a: c\n",
        "- set:\n    a: 'open\n",
        "- set:\n    a:\n   b: c\n",
        "- set:\n" + "".join(f"{'  ' * n}k:\n" for n in range(2, 100)),
        "",
        "just text",
        "- header:\n    model: SN5600\n",
        "\x00\x01",
        "- set:\n    qos:\n      mapping:\n        m:\n          dscp:\n            x: {switch-priority: 3}\n",
        "- set:\n    vrf:\n      default:\n        router:\n          bgp:\n            timers: {}\n            a: &b",
        "- set:\n    interface:\n      swp1:\n        ipv4:\n          address:\n            10.0.0.300/24: {}\n",
        "- set:\n    interface:\n      swp1:\n        link:\n          mtu: -9\n          speed: fast\n",
        "- set:\n    router:\n      bgp:\n        state: perhaps\n",
    ],
)
def test_a_text_that_is_no_configuration_is_refused_and_nothing_else_is_raised(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        nvue.read_config({"nvue.yaml": text}, "leaf1")
    assert nvue.problems({"nvue.yaml": text})


@pytest.mark.parametrize(
    "text",
    ["a" + " " * 300_000 + "b", "'" * 200_000, "- " * 20_000, "k: " + "\\" * 200_000, "a:\n" * 3000, "x" * 17_000_000],
)
def test_no_text_takes_long(text: str) -> None:
    before = time.process_time()
    with suppress(Unreadable):
        parse(text)
    assert time.process_time() - before < 5


_LINES = st.lists(
    st.tuples(
        st.integers(0, 6), st.sampled_from(["a:", "- a:", "b: c", "'d': {}", "- e", "f: |", "g: 'h", "# i", "x"])
    ),
    max_size=12,
)


@given(_LINES)
def test_no_lines_make_it_raise_anything_but_unreadable(lines: list[tuple[int, str]]) -> None:
    with suppress(Unreadable):
        parse("\n".join(f"{'  ' * indent}{line}" for indent, line in lines))
