"""What `check --equivalence` prints: a line for each device and NOS, what is declared, and each fault as a problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netaudit.diag import Diagnostic, Severity
from netaudit.equivalence.prove import Kind, Proof
from netaudit.terminal import columns, counted, wrapped

HEAD = ("device", "NOS", "same", "other words", "implied", "lacks", "faults", "read by")
SHOWN = 8
"""Faults of one device and NOS that are told; more of one cause hide it."""


def equivalence_table(proofs: Sequence[Proof], everything: bool = False) -> tuple[str, ...]:
    """Lines of the table; with `everything`, what each NOS declares, with the reason."""
    rows = [HEAD, *(_row(proof) for proof in proofs)]
    lines = ["Equivalence: each device as every NOS would have it, read back from its own text.", ""]
    lines += columns(rows, right=frozenset({2, 3, 4, 5, 6}))
    if everything:
        for name in dict.fromkeys(proof.platform for proof in proofs):
            lines += ["", f"  {name} declares", *_declared([p for p in proofs if p.platform == name])]
    else:
        lines += ["", "  -o json has what each NOS declares, and why; so has `netaudit show platform`."]
    return tuple(lines)


def _row(proof: Proof) -> tuple[str, ...]:
    if proof.refused:
        return proof.device, proof.platform, *("–",) * 5, f"cannot be built: {proof.refused}"
    counts = (sum(change.count for change in proof.declared if change.kind is kind) for kind in Kind)
    faults = len(proof.faults) + len(proof.objections)
    return (
        proof.device,
        proof.platform,
        f"{proof.same:,} of {proof.leaves:,}",
        *(f"{count:,}" for count in counts),
        str(faults),
        proof.witness or "self-checked",
    )


def _declared(proofs: Sequence[Proof]) -> Iterator[str]:
    reasons = {change.leaf: change.reason for proof in proofs for change in proof.declared}
    for leaf, reason in reasons.items():
        yield from wrapped(f"{leaf}: {reason}", 100, "    ", "      ")


def equivalence_problems(proofs: Sequence[Proof]) -> Iterator[Diagnostic]:
    """EQV-01: what is neither the same nor declared; EQV-02: what another parser refuses. Both are faults of ours."""
    hint = "this is a fault of netaudit: report it"
    for proof in proofs:
        where = f"{proof.device} as {proof.platform}"
        for fault in proof.faults[:SHOWN]:
            more = f" (and {fault.count - 1:,} like it)" if fault.count > 1 else ""
            message = f"{where}: {fault.leaf}{more}: {fault.reason}"
            yield Diagnostic(message=message, severity=Severity.ERROR, rule="EQV-01", hint=hint)
        if len(proof.faults) > SHOWN:
            more = counted(len(proof.faults) - SHOWN, "more fault")
            yield Diagnostic(message=f"{where}: {more}", severity=Severity.ERROR, rule="EQV-01", hint=hint)
        for said in proof.objections[:SHOWN]:
            message = f"{where}: {proof.witness} refuses it: {said}"
            yield Diagnostic(message=message, severity=Severity.ERROR, rule="EQV-02", hint=hint)


def equivalence_data(proofs: Sequence[Proof]) -> list[dict[str, object]]:
    """The same for a program."""
    return [
        {
            "device": proof.device,
            "platform": proof.platform,
            "leaves": proof.leaves,
            "same": proof.same,
            "declared": [
                {"leaf": c.leaf, "kind": str(c.kind), "count": c.count, "reason": c.reason} for c in proof.declared
            ],
            "faults": [{"leaf": c.leaf, "reason": c.reason} for c in proof.faults],
            "refused": proof.refused or None,
            "witness": proof.witness or None,
            "objections": list(proof.objections),
        }
        for proof in proofs
    ]
