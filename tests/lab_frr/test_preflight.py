"""What a machine lacks for a lab of real FRR is named at once, with what to do."""

from __future__ import annotations

import pytest

from netaudit.diag import Unusable
from netaudit.lab.frr.preflight import KIB_A_SWITCH, Machine, check, problems

GOOD = Machine(linux=True, root=True, available_kib=4 * KIB_A_SWITCH)


def test_a_machine_with_everything_has_no_problem() -> None:
    assert list(problems(GOOD, 4)) == []


def test_everything_that_is_missing_is_named_at_once() -> None:
    here = Machine(linux=True, root=False, missing=("frr", "lldpd"), available_kib=KIB_A_SWITCH)
    found = list(problems(here, 4))
    assert [what.partition(" ")[0] for what, _ in found] == ["it", "not", "4"]
    assert ("not installed: frr, lldpd", "apt install --no-install-recommends frr lldpd") in found


def test_elsewhere_than_on_linux_nothing_else_matters() -> None:
    found = list(problems(Machine(linux=False, root=False, missing=("frr",)), 4))
    assert found == [("it needs Linux", "netaudit lab up --sim runs anywhere")]


def test_memory_that_does_not_suffice_is_told_before_anything_starts() -> None:
    with pytest.raises(Unusable, match=r"10000000 switches need .* MB of memory"):
        check(10_000_000)
