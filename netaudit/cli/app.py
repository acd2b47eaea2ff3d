"""Every command in its group. Commands import what they need when they run, so that help stays quick."""

from __future__ import annotations

import typer

from netaudit.cli import (
    change,
    compare,
    demo,
    describe,
    diff,
    export,
    history,
    init,
    lab,
    lint_tables,
    report,
    schedule,
    tune,
    waive,
    watch,
    whatif,
)
from netaudit.cli.examples import epilog
from netaudit.cli.show import app as show


def _empty() -> typer.Typer:
    return typer.Typer(
        name="netaudit",
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        add_completion=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


app = _empty()

app.command("init")(init.init)
app.command("check")(describe.check)
app.command("schema")(describe.schema)
app.command("rules")(describe.rules)
app.add_typer(show, name="show")
app.command("export")(export.export)
app.command("diff")(diff.diff)
app.command("whatif")(whatif.whatif)
app.command("render")(change.render)
app.command("plan")(change.plan)
app.command("push")(change.push)
app.command("rollback")(change.rollback)
app.command("collect")(watch.collect)
app.command("audit")(watch.audit)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("history")(history.history)
app.command("waive")(waive.waive)
app.add_typer(schedule.app, name="schedule")
app.command("doctor")(watch.doctor)
app.add_typer(lab.app, name="lab")
app.command("tune")(tune.tune)
app.command("lint-tables")(lint_tables.lint_tables)
app.command("demo")(demo.demo)

# Last, so that every command above gets its examples.
for group, words in ((app, ""), (show, "show "), (lab.app, "lab "), (schedule.app, "schedule ")):
    for command in group.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        command.epilog = epilog(f"{words}{name}")


def program(word: str) -> typer.Typer:
    """The command of that name alone, where there is one: Typer reads every signature, 20 ms for all of them."""
    chosen = [command for command in app.registered_commands if command.name == word]
    if not chosen:
        return app
    alone = _empty()
    alone.registered_commands.extend(chosen)
    alone.callback()(_group)
    return alone


def _group() -> None:
    """Nothing: Typer takes an app of one command and no callback for that command, and its name for an argument."""
