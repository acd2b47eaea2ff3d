"""The JSON Schema of an intent file, for editors and for other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from netaudit.intent.schema import IntentModel

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Mapping[str, Json]:
    """The schema (draft 2020-12): what an editor completes and checks. `load` checks more, across keys."""
    made = cast(dict[str, Json], IntentModel.model_json_schema(by_alias=True))
    properties = cast(dict[str, Json], made["properties"])
    properties["units"] = _units(cast(dict[str, Json], properties["units"]), cast(dict[str, Json], made["$defs"]))
    return {"$schema": DIALECT, "title": "netaudit intent", **{k: v for k, v in made.items() if k != "title"}}


def models_schema() -> Mapping[str, Json]:
    """The schema of a file of own models, which an intent names with `hardware`."""
    from netaudit.intent.schema.hardware import OwnModels  # nothing else of an intent's schema has use for it

    made = cast(dict[str, Json], OwnModels.model_json_schema(by_alias=True))
    return {"$schema": DIALECT, "title": "netaudit hardware", **{k: v for k, v in made.items() if k != "title"}}


def _units(named: dict[str, Json], definitions: dict[str, Json]) -> dict[str, Json]:
    """Units by name, or counted: the short form that `load` spells out before the model sees it."""
    unit = cast(dict[str, Json], definitions["Unit"])
    body = cast(dict[str, Json], unit["properties"])
    counted: dict[str, Json] = {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1, "description": "How many units: su1 to su n."},
            **body,
        },
        "required": ["count", "hosts"],
        "additionalProperties": False,
    }
    cast(dict[str, Json], counted["properties"]).pop("id", None)
    by_name = {key: value for key, value in named.items() if key not in ("title", "description")}
    return {"description": named["description"], "anyOf": [counted, by_name]}
