"""gNMI of all switches, by one process: what their Redis, lldpd and kernel hold when they are asked."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn, TypeAlias

import grpc

from netaudit import gnmi
from netaudit.diag import Unusable
from netaudit.lab.frr import lldp, routes
from netaudit.lab.frr.node import Node, read_database
from netaudit.lab.frr.plugs import Cabling
from netaudit.lab.frr.redis import Redis
from netaudit.lab.sim import gnmi_paths
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.database import find
from netaudit.lab.sim.gnmi_answers import capabilities, check_encoding
from netaudit.lab.sim.gnmi_paths import Refused
from netaudit.lab.sim.optics import transceivers
from netaudit.lab.sim.tables import SEPARATORS

_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""gRPC's own limit, which SONiC's server keeps in both directions (sonic.md 8)."""

Context: TypeAlias = grpc.ServicerContext
Rows: TypeAlias = Mapping[str, Mapping[str, str]]

_LIVE: Final[Mapping[tuple[str, str], Callable[[Node, Cabling], Rows]]] = {
    ("APPL_DB", "LLDP_ENTRY_TABLE"): lambda node, _: lldp.neighbors(node),
    ("APPL_DB", "ROUTE_TABLE"): lambda node, _: routes.route_table(node.namespace),
    ("STATE_DB", "TRANSCEIVER_INFO"): lambda node, cabling: _transceivers(node, cabling),
}
"""Tables that are read from where they come from each time; Redis is brought up to date with it."""


def _transceivers(node: Node, cabling: Cabling) -> Rows:
    """What the plugs in a switch tell of themselves."""
    return transceivers(replace(node.fabric, cables=cabling.cables()), node.switch)


def serve(service: Service, pool: ThreadPoolExecutor) -> tuple[grpc.Server, int]:
    """A server that is bound to the loopback and not started, and its port."""
    limits = [
        ("grpc.so_reuseport", 0),
        ("grpc.max_send_message_length", _MESSAGE_BYTES),
        ("grpc.max_receive_message_length", _MESSAGE_BYTES),
    ]
    made = grpc.server(pool, options=limits)
    made.add_generic_rpc_handlers((_handlers(service),))
    credentials = grpc.ssl_server_credentials([(service.access.server_key, service.access.server_certificate)])
    return made, made.add_secure_port("127.0.0.1:0", credentials)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The RPCs of one switch."""

    node: Node
    cabling: Cabling
    access: Access

    def _admit(self, context: Context) -> None:
        """End the call where name and password are not ours."""
        metadata = dict(context.invocation_metadata() or ())
        given = [str(metadata.get(word, "")).encode() for word in ("username", "password")]
        good = (self.access.user.encode(), self.access.password.encode())
        if not all(map(hmac.compare_digest, given, good)):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown user or wrong password")

    def capabilities(self, request: gnmi.CapabilityRequest, context: Context) -> gnmi.CapabilityResponse:
        """What the server can do."""
        self._admit(context)
        return capabilities()

    def get(self, request: gnmi.GetRequest, context: Context) -> gnmi.GetResponse:
        """Values."""
        self._admit(context)
        try:
            if request.type != gnmi.DataType.ALL:
                raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"unsupported request type: {request.type}")
            check_encoding(request.encoding)
            if not request.path:
                raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "no path is asked for")
            with self.node.redis() as redis:
                told = [notification(self, redis, request.prefix, path) for path in request.path]
            return gnmi.GetResponse(notification=told)
        except (Refused, Unusable) as error:
            _refuse(context, error)

    def subscribe(
        self, requests: Iterator[gnmi.SubscribeRequest], context: Context
    ) -> Iterator[gnmi.SubscribeResponse]:
        """Values once, or again at each poll."""
        self._admit(context)
        wanted = next(requests, None)
        if wanted is None or wanted.WhichOneof("request") != "subscribe":
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a subscription list")
        try:
            yield from _subscription(self, wanted.subscribe, requests)
        except (Refused, Unusable) as error:
            _refuse(context, error)


def _refuse(context: Context, error: Refused | Unusable) -> NoReturn:
    code = error.code if isinstance(error, Refused) else grpc.StatusCode.UNAVAILABLE
    context.abort(code, error.message)
    raise AssertionError("abort raises")


def _handlers(service: Service) -> grpc.GenericRpcHandler[Any, Any]:
    """The RPCs by their names on the wire. Set is left out: this lab is changed by SSH, as netaudit does it."""
    unary, stream = grpc.unary_unary_rpc_method_handler, grpc.stream_stream_rpc_method_handler
    return grpc.method_handlers_generic_handler(
        gnmi.SERVICE,
        {
            "Capabilities": unary(
                service.capabilities, gnmi.CapabilityRequest.FromString, gnmi.CapabilityResponse.SerializeToString
            ),
            "Get": unary(service.get, gnmi.GetRequest.FromString, gnmi.GetResponse.SerializeToString),
            "Subscribe": stream(
                service.subscribe, gnmi.SubscribeRequest.FromString, gnmi.SubscribeResponse.SerializeToString
            ),
        },
    )


def _subscription(
    server: Service, wanted: gnmi.SubscriptionList, requests: Iterator[gnmi.SubscribeRequest]
) -> Iterator[gnmi.SubscribeResponse]:
    check_encoding(wanted.encoding)
    if not wanted.subscription:
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "No Subscription")
    if wanted.mode == gnmi.ListMode.STREAM:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, "this lab answers ONCE and POLL")
    while True:
        with server.node.redis() as redis:
            for one in wanted.subscription:
                yield gnmi.SubscribeResponse(update=notification(server, redis, wanted.prefix, one.path))
        yield gnmi.SubscribeResponse(sync_response=True)
        if wanted.mode != gnmi.ListMode.POLL or next(requests, None) is None:
            return


def notification(server: Service, redis: Redis, prefix: gnmi.Path, path: gnmi.Path) -> gnmi.Notification:
    """The value of one path now. Raises `Refused`."""
    data = value(server, redis, prefix, path)
    typed = (
        gnmi.TypedValue(string_val=data)
        if isinstance(data, str)
        else gnmi.TypedValue(json_ietf_val=json.dumps(data).encode())
    )
    return gnmi.Notification(timestamp=time.time_ns(), prefix=prefix, update=[gnmi.Update(path=path, val=typed)])


def value(server: Service, redis: Redis, prefix: gnmi.Path, path: gnmi.Path) -> object:
    """The data at a path, named by target or by the origin sonic-db. Raises `Refused`."""

    def held(database: str, steps: tuple[str, ...]) -> object | None:
        return find(rows(server, redis, database, steps[0]), steps[1:], SEPARATORS[database])

    return gnmi_paths.value(prefix, path, held, lambda: read_database(redis))


def rows(server: Service, redis: Redis, database: str, table: str) -> Rows:
    """The rows of a table."""
    separator = SEPARATORS[database]
    pattern = f"{table}{separator}*"
    found = {key[len(pattern) - 1 :]: fields for key, fields in redis.rows(database, pattern).items()}
    live = _LIVE.get((database, table))
    if live is None:
        return found
    now = live(server.node, server.cabling)
    gone = {f"{table}{separator}{key}": None for key in found.keys() - now.keys()}
    new = {f"{table}{separator}{key}": row for key, row in now.items() if found.get(key) != row}
    redis.write(database, {**gone, **new})
    return now
