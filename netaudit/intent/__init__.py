"""The intent: one file that says what a fabric shall be, read strictly, each value with its place in the file."""

from netaudit.intent.jsonschema import json_schema, models_schema
from netaudit.intent.load import Intent, fabric_files, load
from netaudit.intent.schema import IntentModel
from netaudit.intent.tables import CableRow, DeviceRow

__all__ = ["CableRow", "DeviceRow", "Intent", "IntentModel", "fabric_files", "json_schema", "load", "models_schema"]
