"""`check --equivalence`: what every NOS makes of one device, and that a NOS with a fault is found out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from audit.world import two_plane

from netaudit import platforms
from netaudit.diag import Severity
from netaudit.equivalence import Proof, equivalence_data, equivalence_problems, equivalence_table, prove
from netaudit.equivalence.prove import Kind
from netaudit.expect import Expected
from netaudit.fabric import build
from tests.intent.example import read, small


@pytest.fixture
def liar() -> Iterator[None]:
    """One more platform, as long as the test runs."""
    platforms.__path__.append(str(Path(__file__).parent / "platforms"))
    for known in (platforms.names, platforms.platform):
        known.cache_clear()
    try:
        yield
    finally:
        platforms.__path__.pop()
        for known in (platforms.names, platforms.platform):
            known.cache_clear()


def of(proofs: tuple[Proof, ...], nos: str) -> tuple[Proof, ...]:
    return tuple(proof for proof in proofs if proof.platform == nos)


def test_every_nos_means_what_the_intent_means_or_declares_what_it_does_not() -> None:
    proofs = tuple(prove(two_plane()))
    assert {(p.device, p.platform) for p in proofs} == {
        (device, nos) for device in ("a-su1-r1-leaf", "a-spine1") for nos in platforms.names()
    }
    assert [(p.platform, p.faults, p.objections) for p in proofs if not p.holds] == []
    assert list(equivalence_problems(proofs)) == []
    for proof in of(proofs, "sonic"):
        assert (proof.same, proof.declared) == (proof.leaves, ())


def test_leaves_are_the_same_or_declared_and_never_neither() -> None:
    for proof in prove(two_plane()):
        differs = sum(change.count for change in proof.declared)
        assert 0 < proof.same <= proof.leaves
        assert proof.same + differs >= proof.leaves, proof.platform
        assert all(change.kind is not None and change.reason for change in proof.declared)


def test_a_nos_that_drops_a_leaf_in_silence_or_reads_another_value_is_found_out(liar: None) -> None:
    proofs = of(tuple(prove(two_plane())), "liar")
    assert len(proofs) == 2
    for proof in proofs:
        assert not proof.holds
        leaves = {fault.leaf for fault in proof.faults}
        assert "bgp.asn" in leaves
        assert any(leaf.startswith("ports.") and leaf.endswith(".description") for leaf in leaves)
    told = list(equivalence_problems(proofs))
    assert {(d.rule, d.severity) for d in told} == {("EQV-01", Severity.ERROR)}
    assert any("bgp.asn: rendered as 4200000000, read as 4200000001" in d.message for d in told)
    assert any(".description (and " in d.message for d in told), "one cause is told once"


def test_a_nos_with_which_the_fabric_cannot_be_built_says_why(tmp_path: Path) -> None:
    """A link beside the pattern needs a number where a NOS cannot do without addresses."""
    text = small(
        external="{core1: {asn: 64512}}",
        links='[{a: "a-spine1:30", b: "core1:x", speed: 400G, cable: 15m dr4}]',
    )
    proofs = of(tuple(prove(Expected(build(read(tmp_path, text))))), "nxos")
    assert proofs
    assert all(proof.refused.startswith("this link needs addresses, nxos: ") for proof in proofs)
    assert "cannot be built: this link needs addresses" in "\n".join(equivalence_table(proofs))


def test_the_table_and_the_data_say_how_each_nos_differs() -> None:
    proofs = tuple(prove(two_plane()))
    lines = equivalence_table(proofs, everything=True)
    assert lines[2].split() == ["device", "NOS", "same", "other", "words", "implied", "lacks", "faults", "read", "by"]
    assert any("ports.*.native: each NOS has names of its own for ports" in line for line in lines)
    data = equivalence_data(proofs)
    assert {row["kind"] for entry in data for row in entry["declared"]} <= {str(kind) for kind in Kind}  # type: ignore[attr-defined]
