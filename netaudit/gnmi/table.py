"""The messages of gNMI 0.7.0 as data: which fields each has, with which numbers and types.

Field numbers are those of openconfig/gnmi's gnmi.proto and gnmi_ext.proto; deprecated fields are left out unless
devices still send them, and so is `any_val`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


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


ENUMS: Final = (Encoding, DataType, SubscriptionMode, ListMode, Operation)

# One message a line: `number name type`; `*` repeated, `|x` member of the oneof x, `map` is string to string.
EXTENSION_MESSAGES: Final = {
    "RegisteredExtension": "1 id int32, 2 msg bytes",
    "Extension": "1 registered_ext RegisteredExtension |ext",
}
MESSAGES: Final = {
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
