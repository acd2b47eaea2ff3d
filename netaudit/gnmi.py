"""gNMI 0.7.0 on the wire: message classes, enums, method paths. What client and simulator share.

Built from the table below in a descriptor pool of their own: other gNMI libraries register the same names in the
default pool, and two of them cannot live in one process (lab.md 6). Field numbers are those of openconfig/gnmi's
gnmi.proto and gnmi_ext.proto; deprecated fields are left out unless devices still send them, and so is `any_val`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableSequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, dataclass_transform

from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory

VERSION: Final = "0.7.0"
SERVICE: Final = "gnmi.gNMI"
CAPABILITIES: Final = f"/{SERVICE}/Capabilities"
GET: Final = f"/{SERVICE}/Get"
SET: Final = f"/{SERVICE}/Set"
SUBSCRIBE: Final = f"/{SERVICE}/Subscribe"


class Encoding(IntEnum):
    """How values are written."""

    JSON = 0
    BYTES = 1
    PROTO = 2
    ASCII = 3
    JSON_IETF = 4


class DataType(IntEnum):
    """`GetRequest.type`: which part of the tree."""

    ALL = 0
    CONFIG = 1
    STATE = 2
    OPERATIONAL = 3


class SubscriptionMode(IntEnum):
    """`Subscription.mode`: what makes a stream send."""

    TARGET_DEFINED = 0
    ON_CHANGE = 1
    SAMPLE = 2


class ListMode(IntEnum):
    """`SubscriptionList.mode`: how long a subscription lasts."""

    STREAM = 0
    ONCE = 1
    POLL = 2


class Operation(IntEnum):
    """`UpdateResult.op`: what a Set did to a path."""

    INVALID = 0
    DELETE = 1
    REPLACE = 2
    UPDATE = 3


_ENUMS: Final = (Encoding, DataType, SubscriptionMode, ListMode, Operation)

# One message a line: `number name type`; `*` repeated, `|x` member of the oneof x, `map` is string to string.
_EXTENSION_MESSAGES: Final = {
    "RegisteredExtension": "1 id int32, 2 msg bytes",
    "Extension": "1 registered_ext RegisteredExtension |ext",
}
_MESSAGES: Final = {
    "PathElem": "1 name string, 2 key map",
    "Path": "1 element string *, 2 origin string, 3 elem PathElem *, 4 target string",
    "Decimal64": "1 digits int64, 2 precision uint32",
    "ScalarArray": "1 element TypedValue *",
    "TypedValue": "1 string_val string |value, 2 int_val int64 |value, 3 uint_val uint64 |value,"
    " 4 bool_val bool |value, 5 bytes_val bytes |value, 6 float_val float |value, 7 decimal_val Decimal64 |value,"
    " 8 leaflist_val ScalarArray |value, 10 json_val bytes |value, 11 json_ietf_val bytes |value,"
    " 12 ascii_val string |value, 13 proto_bytes bytes |value, 14 double_val double |value",
    "Error": "1 code uint32, 2 message string",
    "Update": "1 path Path, 3 val TypedValue, 4 duplicates uint32",
    "Notification": "1 timestamp int64, 2 prefix Path, 4 update Update *, 5 delete Path *, 6 atomic bool",
    "ModelData": "1 name string, 2 organization string, 3 version string",
    "CapabilityRequest": "1 extension Extension *",
    "CapabilityResponse": "1 supported_models ModelData *, 2 supported_encodings Encoding *, 3 gNMI_version string,"
    " 4 extension Extension *",
    "GetRequest": "1 prefix Path, 2 path Path *, 3 type DataType, 5 encoding Encoding, 6 use_models ModelData *,"
    " 7 extension Extension *",
    "GetResponse": "1 notification Notification *, 2 error Error, 3 extension Extension *",
    "SetRequest": "1 prefix Path, 2 delete Path *, 3 replace Update *, 4 update Update *, 5 extension Extension *",
    "UpdateResult": "1 timestamp int64, 2 path Path, 3 message Error, 4 op Operation",
    "SetResponse": "1 prefix Path, 2 response UpdateResult *, 3 message Error, 4 timestamp int64,"
    " 5 extension Extension *",
    "Subscription": "1 path Path, 2 mode SubscriptionMode, 3 sample_interval uint64, 4 suppress_redundant bool,"
    " 5 heartbeat_interval uint64",
    "QOSMarking": "1 marking uint32",
    "SubscriptionList": "1 prefix Path, 2 subscription Subscription *, 4 qos QOSMarking, 5 mode ListMode,"
    " 6 allow_aggregation bool, 7 use_models ModelData *, 8 encoding Encoding, 9 updates_only bool",
    "Poll": "",
    "SubscribeRequest": "1 subscribe SubscriptionList |request, 3 poll Poll |request, 5 extension Extension *",
    "SubscribeResponse": "1 update Notification |response, 3 sync_response bool |response, 4 error Error |response,"
    " 5 extension Extension *",
}
_FIELD: Final = re.compile(r"\s*(\d+) (\w+) (\w+)( \*| \|\w+)?\s*")
_Field = descriptor_pb2.FieldDescriptorProto


def _type_of(kind: str) -> tuple[_Field.Type.ValueType, str]:
    """The protobuf type of a word of the table, and the full name where it is a message or an enum."""
    if kind in _MESSAGES or kind in _EXTENSION_MESSAGES:
        return _Field.TYPE_MESSAGE, f".gnmi_ext.{kind}" if kind in _EXTENSION_MESSAGES else f".gnmi.{kind}"
    if any(kind == enum.__name__ for enum in _ENUMS):
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
    for name, fields in _EXTENSION_MESSAGES.items():
        _add_message(extension, name, fields)
    yield extension
    main = descriptor_pb2.FileDescriptorProto(
        name="gnmi.proto", package="gnmi", syntax="proto3", dependency=["gnmi_ext.proto"]
    )
    for enum in _ENUMS:
        made = main.enum_type.add(name=enum.__name__)
        for member in enum:
            made.value.add(name=member.name, number=member.value)
    for name, fields in _MESSAGES.items():
        _add_message(main, name, fields)
    yield main


def _classes() -> Mapping[str, type[message.Message]]:
    """Name → class of every message."""
    pool = descriptor_pool.DescriptorPool()
    for file in _files():
        pool.AddSerializedFile(file.SerializeToString())
    full_names = {
        **{name: f"gnmi_ext.{name}" for name in _EXTENSION_MESSAGES},
        **{name: f"gnmi.{name}" for name in _MESSAGES},
    }
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(full_name))
        for name, full_name in full_names.items()
    }


if TYPE_CHECKING:
    # The same table for the type checker; a test holds both against each other.

    @dataclass_transform(kw_only_default=True)
    class _Message(message.Message): ...

    _UNSET: Any = None

    class RegisteredExtension(_Message):
        """An extension by its registered number."""

        id: int = 0
        msg: bytes = b""

    class Extension(_Message):
        """One extension of a request or response."""

        registered_ext: RegisteredExtension = _UNSET

    class PathElem(_Message):
        """One step of a path."""

        name: str = ""
        key: Mapping[str, str] = _UNSET

    class Path(_Message):
        """Where in the tree of a target."""

        element: MutableSequence[str] = _UNSET
        origin: str = ""
        elem: MutableSequence[PathElem] = _UNSET
        target: str = ""

    class Decimal64(_Message):
        """`digits` / 10 ^ `precision`."""

        digits: int = 0
        precision: int = 0

    class ScalarArray(_Message):
        """A leaf-list."""

        element: MutableSequence[TypedValue] = _UNSET

    class TypedValue(_Message):
        """A value; one of its fields is set."""

        string_val: str = ""
        int_val: int = 0
        uint_val: int = 0
        bool_val: bool = False
        bytes_val: bytes = b""
        float_val: float = 0.0
        decimal_val: Decimal64 = _UNSET
        leaflist_val: ScalarArray = _UNSET
        json_val: bytes = b""
        json_ietf_val: bytes = b""
        ascii_val: str = ""
        proto_bytes: bytes = b""
        double_val: float = 0.0

    class Error(_Message):
        """The old form of an error; new targets use the status of the RPC."""

        code: int = 0
        message: str = ""

    class Update(_Message):
        """A path and its value."""

        path: Path = _UNSET
        val: TypedValue = _UNSET
        duplicates: int = 0

    class Notification(_Message):
        """What changed under `prefix` at `timestamp` (ns since 1970)."""

        timestamp: int = 0
        prefix: Path = _UNSET
        update: MutableSequence[Update] = _UNSET
        delete: MutableSequence[Path] = _UNSET
        atomic: bool = False

    class ModelData(_Message):
        """A data model the target knows."""

        name: str = ""
        organization: str = ""
        version: str = ""

    class CapabilityRequest(_Message):
        """What can you do?"""

        extension: MutableSequence[Extension] = _UNSET

    class CapabilityResponse(_Message):
        """Models, encodings and version of the target."""

        supported_models: MutableSequence[ModelData] = _UNSET
        supported_encodings: MutableSequence[int] = _UNSET
        gNMI_version: str = ""
        extension: MutableSequence[Extension] = _UNSET

    class GetRequest(_Message):
        """Values wanted, by path."""

        prefix: Path = _UNSET
        path: MutableSequence[Path] = _UNSET
        type: int = 0
        encoding: int = 0
        use_models: MutableSequence[ModelData] = _UNSET
        extension: MutableSequence[Extension] = _UNSET

    class GetResponse(_Message):
        """One notification for each path."""

        notification: MutableSequence[Notification] = _UNSET
        error: Error = _UNSET
        extension: MutableSequence[Extension] = _UNSET

    class SetRequest(_Message):
        """Deletes, replaces and updates, in this order, all or nothing."""

        prefix: Path = _UNSET
        delete: MutableSequence[Path] = _UNSET
        replace: MutableSequence[Update] = _UNSET
        update: MutableSequence[Update] = _UNSET
        extension: MutableSequence[Extension] = _UNSET

    class UpdateResult(_Message):
        """What became of one path of a Set."""

        timestamp: int = 0
        path: Path = _UNSET
        message: Error = _UNSET
        op: int = 0

    class SetResponse(_Message):
        """What became of a Set."""

        prefix: Path = _UNSET
        response: MutableSequence[UpdateResult] = _UNSET
        message: Error = _UNSET
        timestamp: int = 0
        extension: MutableSequence[Extension] = _UNSET

    class Subscription(_Message):
        """One path to follow; intervals in ns."""

        path: Path = _UNSET
        mode: int = 0
        sample_interval: int = 0
        suppress_redundant: bool = False
        heartbeat_interval: int = 0

    class QOSMarking(_Message):
        """DSCP of the answers."""

        marking: int = 0

    class SubscriptionList(_Message):
        """Paths to follow, and how."""

        prefix: Path = _UNSET
        subscription: MutableSequence[Subscription] = _UNSET
        qos: QOSMarking = _UNSET
        mode: int = 0
        allow_aggregation: bool = False
        use_models: MutableSequence[ModelData] = _UNSET
        encoding: int = 0
        updates_only: bool = False

    class Poll(_Message):
        """Send now, in a POLL subscription."""

    class SubscribeRequest(_Message):
        """The list first, then polls."""

        subscribe: SubscriptionList = _UNSET
        poll: Poll = _UNSET
        extension: MutableSequence[Extension] = _UNSET

    class SubscribeResponse(_Message):
        """An update, or the mark that all was sent once."""

        update: Notification = _UNSET
        sync_response: bool = False
        error: Error = _UNSET
        extension: MutableSequence[Extension] = _UNSET

else:
    globals().update(_classes())


def path(*elems: str, origin: str = "", target: str = "") -> Path:
    """The path of these elements, each verbatim: a key that holds a `/`, as prefixes do, stays one element."""
    return Path(elem=[PathElem(name=name) for name in elems], origin=origin, target=target)


def elems(of: Path) -> tuple[str, ...]:
    """The elements of a path. Keys of an element (`[name=x]`) are left out: SONiC's databases have none."""
    return tuple(element.name for element in of.elem)
