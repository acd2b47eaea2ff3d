"""gNMI 0.7.0 on the wire: message classes, enums, method paths. What client and simulator share."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from typing import TYPE_CHECKING, Any, Final, dataclass_transform

from google.protobuf import message

from netaudit.gnmi.paths import parts, spelled
from netaudit.gnmi.table import DataType as DataType
from netaudit.gnmi.table import Encoding as Encoding
from netaudit.gnmi.table import ListMode as ListMode
from netaudit.gnmi.table import Operation as Operation
from netaudit.gnmi.table import SubscriptionMode as SubscriptionMode
from netaudit.gnmi.wire import classes

VERSION: Final = "0.7.0"
SERVICE: Final = "gnmi.gNMI"
CAPABILITIES: Final = f"/{SERVICE}/Capabilities"
GET: Final = f"/{SERVICE}/Get"
SET: Final = f"/{SERVICE}/Set"
SUBSCRIBE: Final = f"/{SERVICE}/Subscribe"

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
    globals().update(classes())


def path(*elems: str, origin: str = "", target: str = "") -> Path:
    """The path of these elements; one that holds a `/`, as prefixes do, stays one element.

    Keys stand in brackets: `interface[name=Ethernet1/1]`, `protocol[identifier=BGP][name=*]`.
    """
    made = [PathElem(name=name, key=dict(keys)) for name, keys in map(parts, elems)]
    return Path(elem=made, origin=origin, target=target)


def elems(of: Path) -> tuple[str, ...]:
    """The elements of a path as text, keys in brackets by name."""
    return tuple(spelled(element.name, element.key) for element in of.elem)
