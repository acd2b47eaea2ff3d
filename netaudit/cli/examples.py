"""What stands at the end of `netaudit COMMAND --help`: command lines that somebody may copy, and what each is for."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "init": (
        ("netaudit init tokyo-gpu1", "2 planes, 4 rails, 2 units of 4 hosts"),
        ("netaudit init tokyo-gpu1 --rails 8 --units 4 --hosts 32", "a larger one, without questions"),
    ),
    "check": (
        ("netaudit check fabric.yml", "errors, warnings, and what is computed"),
        ("netaudit check fabric.yml -o json=check.json,text", "for a person and for a program"),
    ),
    "schema": (("netaudit schema > netaudit.schema.json", "an editor completes the intent with it"),),
    "rules": (("netaudit rules -o json", "every rule, for a program"),),
    "export": (
        ("netaudit export fabric.yml cables -o csv=cable-plan.csv", "for the people who pull cables"),
        ("netaudit export fabric.yml cables --where a-spine1 -o markdown", "one switch, for a ticket"),
        ("netaudit export fabric.yml nics -o json=nics.json,markdown=nics.md", "for the people who set up servers"),
        ("netaudit export fabric.yml dot --where plane=a | dot -Tsvg > a.svg", "a picture of one plane"),
    ),
    "diff": (
        ("netaudit diff HEAD fabric.yml", "what the change in this folder does"),
        ("netaudit diff origin/main:fabric.yml fabric.yml -o markdown", "for a merge request"),
        ("netaudit diff old/fabric.yml new/fabric.yml --detailed-exitcode", "exits with 2 if anything changes"),
    ),
    "whatif": (
        ("netaudit whatif fabric.yml", "every single failure, the worst first"),
        ("netaudit whatif fabric.yml --fail a-spine1 --fail a-su1-r1-leaf:64", "these two at once"),
        ("netaudit whatif fabric.yml --require 'any single spine: capacity >= 0.85' -o junit=whatif.xml,text", "in CI"),
    ),
    "render": (
        ("netaudit render fabric.yml -d out", "out/<device>/config_db.json and frr.conf"),
        ("netaudit render fabric.yml -d out --where 'role=leaf unit=su1'", "some of them"),
    ),
    "plan": (
        ("netaudit plan fabric.yml -o plan.json", "read the diffs before you push"),
        ("netaudit plan fabric.yml -o plan.json --where plane=a --full", "one plane, every line"),
    ),
    "push": (
        ("netaudit push plan.json --intent fabric.yml", "asks once, then goes plane by plane"),
        ("netaudit push plan.json --targets targets.json --approve 1a2b3c4d", "in a job, with the plan's approval"),
    ),
    "rollback": (("netaudit rollback 2026-11-29-01 --targets targets.json", "the number stands in the push's report"),),
    "collect": (
        ("netaudit collect fabric.yml -o snapshot", "every answer, to audit later"),
        ("netaudit audit fabric.yml snapshot", "the audit of it, without a device"),
    ),
    "audit": (
        ("netaudit audit fabric.yml", "causes, their consequences, and the fix of each"),
        ("netaudit audit fabric.yml --where plane=a -o json=audit.json,text", "a part, for a person and a program"),
        (
            "netaudit audit fabric.yml --fail-on warning --report weekly.html",
            "in a job: 2 with findings, 3 if incomplete",
        ),
    ),
    "report": (("netaudit report --all", "the last audit once more, with every cause in full"),),
    "history": (("netaudit history fabric.yml", "every audit so far, and what was new in each"),),
    "waive": (
        (
            "netaudit waive fabric.yml INT-03 a-su1-r1-leaf --owner noc --reason TICKET-1 --until 2026-12-31",
            "known and accepted, until a day",
        ),
    ),
    "compare": (
        ("netaudit compare monday friday", "two snapshots of `collect`; no intent is asked"),
        ("netaudit compare before after -o json --all", "around a maintenance, for a program"),
    ),
    "schedule print": (("netaudit schedule print fabric.yml --at 'Mon,Thu 06:00'", "units and the line for cron"),),
    "schedule install": (
        ("netaudit schedule install fabric.yml", "Monday 06:00, as you"),
        ("netaudit schedule install fabric.yml --system --options='--fail-on new'", "for the machine"),
    ),
    "doctor": (("netaudit doctor fabric.yml --where a-spine1", "DNS, TCP, TLS, login, and each path that is asked"),),
    "lint-tables": (
        ("netaudit lint-tables device/", "every table below a folder, as sonic-buildimage has them"),
        ("netaudit lint-tables config_db.json --model nvidia-sn5600", "what runs, held against its ASIC"),
    ),
    "tune": (
        ("netaudit tune fabric.yml", "what the plugs tell, as a patch of cables.csv"),
        ("netaudit tune fabric.yml snapshot --write", "of a recording, and written"),
        ("netaudit tune fabric.yml -o patch | patch -p0", "the same, by hand"),
    ),
    "demo": (("netaudit demo --keep", "leaves the fabric running, to play with"),),
    "lab up": (
        ("netaudit lab up fabric.yml", "the switches of the intent, simulated, as they come from the factory"),
        ("netaudit plan fabric.yml -o plan.json --targets .netaudit/lab/targets.json", "what they need"),
    ),
    "lab status": (("netaudit lab status", "which switches run, and what is broken"),),
    "lab break": (("netaudit lab break link a-su1-r3-leaf:63", "cuts a cable; `netaudit audit` names it"),),
    "lab faults": (("netaudit lab faults", "what `lab break` takes"),),
    "lab heal": (("netaudit lab heal", "takes every fault back"),),
    "lab down": (("netaudit lab down", "ends the lab"),),
    "show explain": (
        ("netaudit show explain fabric.yml a-su1-r1-leaf:64 mtu", "from the intent's line to the device's"),
        ("netaudit show explain fabric.yml a-su1-r1-leaf", "all fields that can be explained"),
    ),
    "show headroom": (("netaudit show headroom fabric.yml a-su1-r1-leaf:64", "each term of the sum"),),
    "show rib": (("netaudit show rib fabric.yml a-su1-r1-leaf", "the routes it must have"),),
    "show ecn": (("netaudit show ecn fabric.yml", "thresholds of each class and speed"),),
    "show links": (("netaudit show links fabric.yml a-spine1", "its cables"),),
    "show addresses": (("netaudit show addresses fabric.yml", "pools, loopbacks, AS numbers"),),
    "show device": (("netaudit show device fabric.yml a-su1-r1-leaf", "at a glance"),),
    "show platform": (("netaudit show platform fabric.yml", "what the NOS can hold, and what stays unseen"),),
    "show hardware": (
        ("netaudit show hardware", "all models there are"),
        ("netaudit show hardware dell-z9864f", "one model, each figure with its source"),
        ("netaudit show hardware fabric.yml", "models in use"),
    ),
    "show fabric": (("netaudit show fabric fabric.yml", "planes, counts, widths"),),
}
"""Command → (command line, what it is for)."""


def epilog(words: str) -> str | None:
    """The examples of a command as its help prints them; `None` where there are none."""
    found = EXAMPLES.get(words)
    if found is None:
        return None
    # A line of \b keeps the lines below it as they are. What a line is for stands under it: both fit in no 80 columns.
    lines = [line for command, what in found for line in (f"  {command}", f"      {what}")]
    return "\n".join(("\b", "Examples:" if len(found) > 1 else "Example:", *lines))
