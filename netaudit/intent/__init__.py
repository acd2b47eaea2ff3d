"""The intent: one file that says what a fabric shall be, read strictly, each value with its place in the file."""

from netaudit.intent.jsonschema import json_schema
from netaudit.intent.load import Intent, load
from netaudit.intent.schema import IntentModel
from netaudit.intent.tables import CableRow, DeviceRow

__all__ = ["CableRow", "DeviceRow", "Intent", "IntentModel", "json_schema", "load"]
