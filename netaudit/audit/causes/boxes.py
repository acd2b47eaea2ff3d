"""Switches at whose address another switch of the fabric answers, each once; nothing else is known of them (MGT-08)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id


def mixed_up_boxes(context: Context) -> Iterator[Cause]:
    """One cause for each. Routes are not touched: the switch is as unread as one that does not answer."""
    rule = by_id("MGT-08")
    for audit in context.audits.values():
        if audit.poses_as:
            yield Cause(
                finding=Finding(
                    rule=rule.id,
                    severity=rule.severity,
                    device=audit.name,
                    object=audit.name,
                    title=f"{audit.poses_as} answers at the address of {audit.name}",
                    effect=f"nothing is known of {audit.name}, and a push to it would reach another switch",
                    fix=f"netaudit doctor INTENT --where {audit.name}",
                    devices=(audit.name, audit.poses_as),
                    objects=(audit.name,),
                    comparisons=context.take(audit.name, tuple(audit.merged)),
                    instruction="look for a management address that two switches have, or for swapped console records",
                )
            )
