"""The page of exit codes: what each command ends with, and when."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.docs.markdown import code, page, table

CODES: Mapping[int, str] = {
    0: "complete and as intended",
    1: "netaudit or its surroundings fail: a missing secret, a folder that cannot be written, a bug",
    2: "complete, and something is not as it shall be",
    3: "incomplete or unknown; wins over 2, as what was not seen may be worse than what was",
    4: "bad input or usage: nothing was done",
    130: "interrupted by Ctrl-C or SIGTERM",
}
"""Code → what it means for every command."""

COMMANDS: Mapping[tuple[str, int], str] = {
    ("check", 0): "no rule refuses the fabric; warnings and infos may be there",
    ("check", 2): "a fabric can be built from the intent, and a rule refuses it",
    ("check", 4): "no fabric can be built: syntax, units, references, pools, ports, names",
    ("tune", 0): "every switch was read; whatever would change in the intent, or was written",
    ("tune", 2): "with `--detailed-exitcode`: every switch was read, and the intent has to change",
    ("tune", 3): "a switch was not read; what the others tell is shown, or written",
    ("plan", 0): "every device was read; whatever changes",
    ("plan", 2): "with `--detailed-exitcode`: every device was read, and one changes at least",
    ("plan", 3): "a device was refused or not read; the others are in the plan",
    ("push", 0): "every device is verified: read back equals the plan, and it is saved",
    ("push", 2): "stopped; every device that was touched is verified, new or old",
    ("push", 3): "a device is in an unknown state: look at it before anything else",
    ("push", 4): "the plan is stale, not approved, or of another state of the intent; nothing is touched",
    ("push", 130): "interrupted: what was in hand came to its end, new or old",
    ("rollback", 0): "every device that the run changed holds again what it held before",
    ("rollback", 3): "a device could not be read or must not be touched, or is in an unknown state",
    ("collect", 0): "every device is in the snapshot",
    ("collect", 3): "a device gave no answer at all; the snapshot has the others",
    ("audit", 0): "everything expected was seen, and no finding is at or above `--fail-on`",
    ("audit", 2): "everything expected was seen; a finding is at or above `--fail-on`",
    ("audit", 3): "something expected was NOT AUDITED, or nothing was audited at all; findings may be there as well",
    ("compare", 0): "both snapshots say the same of every device",
    ("compare", 2): "everything was compared, and something differs",
    ("compare", 3): "a device, or a part of one, is missing in one of them; differences may be there as well",
    ("report", 0): "as the audit that it shows; so with 2 and 3",
    ("doctor", 0): "every step to every device works, down to every single query",
    ("doctor", 3): "a step fails",
    ("demo", 0): "each fault was named once, and the fabric was clean before and after",
    ("demo", 2): "it did not come out so",
}
"""(Command, code) → when."""


def codes_page() -> str:
    """What a script may rely on."""
    return page(
        "# Exit codes",
        table(("code", "meaning"), ((str(number), text) for number, text in CODES.items())),
        "1, 4 and 130 can come from every command. The rest:",
        table(
            ("command", "code", "when"),
            ((code(command), str(number), text) for (command, number), text in COMMANDS.items()),
        ),
        "Findings of severity `info`, and those that are waived, never change the code. Declared blind spots and what "
        "is *not verifiable* (a host without LLDP) do not either: the report names them.",
        "For a job that shall only alarm: 2 and 3 are for the network's owner, 1 and 4 for the owner of the job.",
    )
