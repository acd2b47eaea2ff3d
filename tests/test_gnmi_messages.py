"""The gNMI messages are those of the protocol, and of the type checker's view of them."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor

from netaudit import gnmi

# Run in a process of its own: pygnmi registers the same file names in the default pool.
DUMP_PYGNMI = """
import json
from pygnmi.spec.v080 import gnmi_pb2
print(json.dumps({
    name: {field.name: [field.number, field.type, bool(field.is_repeated)] for field in message.fields}
    for name, message in gnmi_pb2.DESCRIPTOR.message_types_by_name.items()
}))
"""

LEFT_OUT = {
    ("TypedValue", "any_val"),  # google.protobuf.Any, which no target sends
    ("SetRequest", "union_replace"),  # of gNMI 0.8
    ("Error", "data"),
    ("Update", "value"),  # from here on deprecated before 0.7
    ("Notification", "alias"),
    ("SubscribeRequest", "aliases"),
    ("SubscriptionList", "use_aliases"),
}


def described(name: str) -> dict[str, list[object]]:
    fields = getattr(gnmi, name).DESCRIPTOR.fields
    return {field.name: [field.number, field.type, field.is_repeated] for field in fields}


@pytest.fixture(scope="module")
def pygnmi_messages() -> dict[str, dict[str, list[object]]]:
    done = subprocess.run(
        [sys.executable, "-c", DUMP_PYGNMI], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def message_names() -> list[str]:
    return sorted(
        name
        for name, value in vars(gnmi).items()
        if isinstance(value, type) and hasattr(value, "DESCRIPTOR") and not name.startswith("_")
    )


def test_every_field_has_the_number_and_type_that_another_implementation_gives_it(
    pygnmi_messages: dict[str, dict[str, list[object]]],
) -> None:
    compared = 0
    for name in message_names():
        theirs = pygnmi_messages.get(name, {})
        for field, ours in described(name).items():
            if field in theirs:
                assert ours == theirs[field], f"{name}.{field}"
                compared += 1
    assert compared > 60


def test_no_field_that_devices_send_is_missing(pygnmi_messages: dict[str, dict[str, list[object]]]) -> None:
    missing = {
        (name, field)
        for name in message_names()
        for field in pygnmi_messages.get(name, {})
        if field not in described(name)
    }
    assert missing <= LEFT_OUT


def type_checkers_view() -> dict[str, dict[str, str]]:
    """Message → field → annotation, from the block that only the type checker reads."""
    tree = ast.parse(Path(gnmi.__file__).read_text(encoding="utf-8"))
    block = next(one for one in tree.body if isinstance(one, ast.If))
    return {
        one.name: {
            field.target.id: ast.unparse(field.annotation)
            for field in one.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        }
        for one in block.body
        if isinstance(one, ast.ClassDef) and not one.name.startswith("_")
    }


SCALARS = {
    FieldDescriptor.TYPE_STRING: "str",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_FLOAT: "float",
    FieldDescriptor.TYPE_DOUBLE: "float",
    FieldDescriptor.TYPE_INT32: "int",
    FieldDescriptor.TYPE_INT64: "int",
    FieldDescriptor.TYPE_UINT32: "int",
    FieldDescriptor.TYPE_UINT64: "int",
    FieldDescriptor.TYPE_ENUM: "int",
}


def annotation(field: FieldDescriptor) -> str:
    """What the type checker must be told about a field."""
    if field.message_type and field.message_type.GetOptions().map_entry:
        return "Mapping[str, str]"
    one = field.message_type.name if field.message_type else SCALARS[field.type]
    return f"MutableSequence[{one}]" if field.is_repeated else one


def test_the_type_checker_sees_the_messages_that_exist() -> None:
    real = {
        name: {field.name: annotation(field) for field in getattr(gnmi, name).DESCRIPTOR.fields}
        for name in message_names()
    }
    assert type_checkers_view() == real


def test_a_key_with_a_slash_stays_one_element() -> None:
    path = gnmi.path("INTERFACE", "Ethernet0|10.0.0.0/31", origin="sonic-db", target="CONFIG_DB")
    assert gnmi.elems(gnmi.Path.FromString(path.SerializeToString())) == ("INTERFACE", "Ethernet0|10.0.0.0/31")
    assert (path.origin, path.target) == ("sonic-db", "CONFIG_DB")


@pytest.mark.parametrize(
    "value",
    [
        gnmi.TypedValue(json_ietf_val=b"{}"),
        gnmi.TypedValue(json_val=b"[]"),
        gnmi.TypedValue(string_val=""),
        gnmi.TypedValue(int_val=-1),
        gnmi.TypedValue(uint_val=2**63),
        gnmi.TypedValue(bool_val=False),
        gnmi.TypedValue(bytes_val=b"\x00"),
        gnmi.TypedValue(double_val=0.5),
        gnmi.TypedValue(leaflist_val=gnmi.ScalarArray(element=[gnmi.TypedValue(string_val="a")])),
    ],
    ids=lambda value: str(value.WhichOneof("value")),
)
def test_a_value_says_which_kind_it_is_even_where_it_is_empty(value: gnmi.TypedValue) -> None:
    assert gnmi.TypedValue.FromString(value.SerializeToString()) == value
    assert gnmi.TypedValue.FromString(value.SerializeToString()).WhichOneof("value") == value.WhichOneof("value")


def test_unknown_fields_of_a_newer_target_do_no_harm() -> None:
    newer = gnmi.Path(target="CONFIG_DB").SerializeToString() + b"\xfa\x3f\x01x"  # field 127
    assert gnmi.Path.FromString(newer).target == "CONFIG_DB"


def test_both_schemas_live_in_one_process() -> None:
    """pygnmi beside ours: what a second copy of gnmi.proto in the default pool would break."""
    code = "import netaudit.gnmi, importlib; importlib.import_module('pygnmi.client'); print(netaudit.gnmi.SERVICE)"
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.stdout.strip() == "gnmi.gNMI", done.stderr
