"""The message classes that the table describes.

Made in a descriptor pool of their own: other gNMI libraries register the same names in the default pool, and two of
them cannot live in one process (lab.md 6).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory

from netaudit.gnmi.table import ENUMS, EXTENSION_MESSAGES, MESSAGES

_FIELD: Final = re.compile(r"\s*(\d+) (\w+) (\w+)( \*| \|\w+)?\s*")
_Field = descriptor_pb2.FieldDescriptorProto


def _type_of(kind: str) -> tuple[_Field.Type.ValueType, str]:
    """The protobuf type of a word of the table, and the full name where it is a message or an enum."""
    if kind in MESSAGES or kind in EXTENSION_MESSAGES:
        return _Field.TYPE_MESSAGE, f".gnmi_ext.{kind}" if kind in EXTENSION_MESSAGES else f".gnmi.{kind}"
    if any(kind == enum.__name__ for enum in ENUMS):
        return _Field.TYPE_ENUM, f".gnmi.{kind}"
    return _Field.Type.Value(f"TYPE_{kind.upper()}"), ""


def _add_map_entry(to: descriptor_pb2.DescriptorProto, name: str) -> str:
    """Full name of a new nested message that holds one entry of a map of strings, as protoc would name it."""
    entry = to.nested_type.add(name=f"{name.title()}Entry")
    entry.options.map_entry = True
    for number, part in enumerate(("key", "value"), start=1):
        entry.field.add(name=part, number=number, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
    return f".gnmi.{to.name}.{entry.name}"


def _add_message(to: descriptor_pb2.FileDescriptorProto, name: str, fields: str) -> None:
    """Put one line of the table into a file descriptor."""
    made = to.message_type.add(name=name)
    for text in filter(None, fields.split(",")):
        parts = _FIELD.fullmatch(text)
        if parts is None:
            raise ValueError(f"{name}: {text!r} is not a field")
        number, field, kind, mark = parts.groups()
        many = kind == "map" or mark == " *"
        spec = made.field.add(name=field, number=int(number))
        spec.label = _Field.LABEL_REPEATED if many else _Field.LABEL_OPTIONAL
        if kind == "map":
            spec.type, spec.type_name = _Field.TYPE_MESSAGE, _add_map_entry(made, field)
        else:
            spec.type, full_name = _type_of(kind)
            if full_name:  # set but empty is refused
                spec.type_name = full_name
        if mark and mark.startswith(" |"):
            if not made.oneof_decl:
                made.oneof_decl.add(name=mark[2:])
            spec.oneof_index = 0


def _files() -> Iterator[descriptor_pb2.FileDescriptorProto]:
    """Both protocol files, the extensions first because the other needs them."""
    extension = descriptor_pb2.FileDescriptorProto(name="gnmi_ext.proto", package="gnmi_ext", syntax="proto3")
    for name, fields in EXTENSION_MESSAGES.items():
        _add_message(extension, name, fields)
    yield extension
    main = descriptor_pb2.FileDescriptorProto(
        name="gnmi.proto", package="gnmi", syntax="proto3", dependency=["gnmi_ext.proto"]
    )
    for enum in ENUMS:
        made = main.enum_type.add(name=enum.__name__)
        for member in enum:
            made.value.add(name=member.name, number=member.value)
    for name, fields in MESSAGES.items():
        _add_message(main, name, fields)
    yield main


def classes() -> Mapping[str, type[message.Message]]:
    """Name → class of every message."""
    pool = descriptor_pool.DescriptorPool()
    for file in _files():
        pool.AddSerializedFile(file.SerializeToString())
    full_names = {
        **{name: f"gnmi_ext.{name}" for name in EXTENSION_MESSAGES},
        **{name: f"gnmi.{name}" for name in MESSAGES},
    }
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(full_name))
        for name, full_name in full_names.items()
    }
