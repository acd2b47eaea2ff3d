from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netaudit.diag import Invalid
from netaudit.diag_text import line_of_file, render_diagnostics
from netaudit.intent import Intent, load

from .example import EXAMPLE, SMALL, read, small

TEXT = EXAMPLE.read_bytes()
WITHOUT_TABLES = TEXT.replace(b"devices: two-plane/devices.csv", b"").replace(b"measured: two-plane/cables.csv", b"")
SLOW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(st.permutations(sorted(SMALL)))
@SLOW
def test_the_order_of_keys_means_nothing(tmp_path, order):
    shuffled = "".join(f"{key}: {SMALL[key]}\n" for key in order)
    assert read(tmp_path, shuffled).model == read(tmp_path, small()).model


def _outcome(folder, raw: bytes) -> Intent | str:
    file = folder / "fabric.yml"
    file.write_bytes(raw)
    try:
        return load(file)
    except Invalid as error:
        assert error.diagnostics  # noqa: PT017 - both outcomes are right, none without a reason
        return render_diagnostics(error.diagnostics, line_of_file)


@given(st.binary(max_size=200))
@SLOW
def test_any_bytes_are_an_intent_or_a_reason(tmp_path, raw):
    assert _outcome(tmp_path, raw)


SLIPS = (
    b" ", b"\n", b"\t", b":", b"[", b"}", b'"', b"- ", b"&a ", b"*a", b"<<: ", b"? ", b"| ", b"%", b"!!int ", b"{}",
    b"[]", b"", b"0", b"-1", b"1e9", b"9:9", b"no", b"null", b"99999999999999999999", b"\xff", b"\x00",
)  # fmt: skip


@given(st.integers(0, len(WITHOUT_TABLES) - 1), st.integers(0, 40), st.sampled_from(SLIPS))
@settings(SLOW, max_examples=250)
def test_any_slip_in_the_example_is_an_intent_or_a_reason(tmp_path, start, length, instead):
    assert _outcome(tmp_path, WITHOUT_TABLES[:start] + instead + WITHOUT_TABLES[start + length :])


@given(st.integers())
@SLOW
def test_any_exchange_of_values_in_the_example_is_an_intent_or_a_reason(tmp_path, seed):
    """Whole values in the wrong places get past YAML and reach the checks between sections."""
    chance = random.Random(seed)
    rows = [row.split("#")[0].rstrip() for row in WITHOUT_TABLES.decode().splitlines()]
    keyed = [number for number, row in enumerate(rows) if ": " in row]
    for _ in range(chance.randint(1, 3)):
        one, other = chance.choice(keyed), chance.choice(keyed)
        rows[one] = rows[one].partition(": ")[0] + ": " + rows[other].partition(": ")[2]
    assert _outcome(tmp_path, "\n".join(rows).encode())
