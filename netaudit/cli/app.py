"""Every command in its group. Commands import what they need when they run, so that help stays quick."""

from __future__ import annotations

import typer

from netaudit.cli import change, demo, describe, lab, watch
from netaudit.cli.show import app as show

app = typer.Typer(
    name="netaudit",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

app.command("check")(describe.check)
app.command("schema")(describe.schema)
app.command("rules")(describe.rules)
app.add_typer(show, name="show")
app.command("render")(change.render)
app.command("plan")(change.plan)
app.command("push")(change.push)
app.command("rollback")(change.rollback)
app.command("collect")(watch.collect)
app.command("audit")(watch.audit)
app.command("doctor")(watch.doctor)
app.add_typer(lab.app, name="lab")
app.command("demo")(demo.demo)
