"""The gNMI server of one switch: gRPC with TLS, name and password with every call."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import grpc
import grpc.aio

from netaudit import gnmi
from netaudit.lab.sim import gnmi_answers
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.doors import Keys
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.gnmi_paths import Refused
from netaudit.lab.sim.switch import Switch

_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""gRPC's own limit, which SONiC's server keeps in both directions (sonic.md 8)."""
_SHORTEST_SAMPLE_NS: Final = 1_000_000_000
"""SAMPLE intervals below a second are refused (sonic.md 8)."""

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A server that runs."""

    server: grpc.aio.Server
    port: int

    async def close(self) -> None:
        """Stop listening, and cut what is open."""
        await self.server.stop(grace=None)


async def opened(fabric: Fabric, switch: Switch, keys: Keys, port: int) -> Opened:
    """A server that listens; port 0 asks for a free one."""
    made, at = server(fabric, switch, keys.access, port)
    await made.start()
    return Opened(server=made, port=at)


def server(fabric: Fabric, switch: Switch, access: Access, port: int) -> tuple[grpc.aio.Server, int]:
    """A server that is bound but not started, and its port (0 asks for a free one)."""
    return bound(_Service(fabric=fabric, switch=switch, access=access), access, port)


class Service(Protocol):
    """The four RPCs of a gNMI server."""

    async def capabilities(self, request: gnmi.CapabilityRequest, context: Context) -> gnmi.CapabilityResponse:
        """What the server can do."""

    async def get(self, request: gnmi.GetRequest, context: Context) -> gnmi.GetResponse:
        """Values."""

    async def set(self, request: gnmi.SetRequest, context: Context) -> gnmi.SetResponse:
        """Changes."""

    def subscribe(
        self, requests: AsyncIterator[gnmi.SubscribeRequest], context: Context
    ) -> AsyncIterator[gnmi.SubscribeResponse]:
        """Values, again and again."""


def bound(service: Service, access: Access, port: int) -> tuple[grpc.aio.Server, int]:
    """A server of these RPCs that is bound but not started, and its port."""
    made = grpc.aio.server(
        options=[
            ("grpc.so_reuseport", 0),
            ("grpc.max_send_message_length", -1),  # kept by `get`, so that a fault can lift it
            ("grpc.max_receive_message_length", _MESSAGE_BYTES),
        ]
    )
    made.add_generic_rpc_handlers((_handlers(service),))
    credentials = grpc.ssl_server_credentials([(access.server_key, access.server_certificate)])
    return made, made.add_secure_port(f"127.0.0.1:{port}", credentials)


async def admit(access: Access, context: Context) -> None:
    """End the call where name and password are not the lab's."""
    metadata = dict(context.invocation_metadata() or ())
    given = [str(metadata.get(word, "")).encode() for word in ("username", "password")]
    good = (access.user.encode(), access.password.encode())
    if not all(map(hmac.compare_digest, given, good)):
        await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown user or wrong password")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Service:
    """The four RPCs of one switch."""

    fabric: Fabric
    switch: Switch
    access: Access

    async def _admit(self, context: Context) -> None:
        """End the call where name and password are not ours."""
        await admit(self.access, context)
        await self.fabric.pause(self.switch.name)

    @property
    def _answers(self) -> Switch:
        """Whose answers are given."""
        return self.fabric.answers_for(self.switch)

    async def capabilities(self, request: gnmi.CapabilityRequest, context: Context) -> gnmi.CapabilityResponse:
        """What the server can do."""
        await self._admit(context)
        return gnmi_answers.capabilities()

    async def get(self, request: gnmi.GetRequest, context: Context) -> gnmi.GetResponse:
        """Values."""
        await self._admit(context)
        try:
            response = gnmi_answers.get(self.fabric, self._answers, request)
            size = response.ByteSize()
            if size > _MESSAGE_BYTES and not self.fabric.answering(self.switch.name).padded:
                raise Refused(
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                    f"trying to send message larger than max ({size} vs. {_MESSAGE_BYTES})",
                )
            return response
        except Refused as refusal:
            return await context.abort(refusal.code, refusal.message)

    async def set(self, request: gnmi.SetRequest, context: Context) -> gnmi.SetResponse:
        """Changes."""
        await self._admit(context)
        try:
            return gnmi_answers.set_config(self.fabric, self._answers, request)
        except Refused as refusal:
            return await context.abort(refusal.code, refusal.message)

    async def subscribe(
        self, requests: AsyncIterator[gnmi.SubscribeRequest], context: Context
    ) -> AsyncIterator[gnmi.SubscribeResponse]:
        """Values, again and again."""
        await self._admit(context)
        try:
            async for response in _subscription(self.fabric, self._answers, requests):
                yield response
        except Refused as refusal:
            await context.abort(refusal.code, refusal.message)


def _handlers(service: Service) -> grpc.GenericRpcHandler[object, object]:
    """The RPCs by their names on the wire."""
    unary, stream = grpc.unary_unary_rpc_method_handler, grpc.stream_stream_rpc_method_handler
    return grpc.method_handlers_generic_handler(
        gnmi.SERVICE,
        {
            "Capabilities": unary(
                service.capabilities, gnmi.CapabilityRequest.FromString, gnmi.CapabilityResponse.SerializeToString
            ),
            "Get": unary(service.get, gnmi.GetRequest.FromString, gnmi.GetResponse.SerializeToString),
            "Set": unary(service.set, gnmi.SetRequest.FromString, gnmi.SetResponse.SerializeToString),
            "Subscribe": stream(
                service.subscribe, gnmi.SubscribeRequest.FromString, gnmi.SubscribeResponse.SerializeToString
            ),
        },
    )


async def _subscription(
    fabric: Fabric, switch: Switch, requests: AsyncIterator[gnmi.SubscribeRequest]
) -> AsyncIterator[gnmi.SubscribeResponse]:
    """The answers to one subscription."""
    first = await anext(aiter(requests), None)
    if first is None or first.WhichOneof("request") != "subscribe":
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a subscription list")
    wanted = first.subscribe
    gnmi_answers.check_encoding(wanted.encoding)
    if not wanted.subscription:
        raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "No Subscription")
    if wanted.mode == gnmi.ListMode.STREAM:
        _check_stream(wanted)
    for one in wanted.subscription:
        yield _update(fabric, switch, wanted, one)
    if fabric.answering(switch.name).syncs:
        yield gnmi.SubscribeResponse(sync_response=True)
    if wanted.mode == gnmi.ListMode.POLL:
        async for request in requests:
            if request.WhichOneof("request") != "poll":
                raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "only polls may follow the list")
            for one in wanted.subscription:
                yield _update(fabric, switch, wanted, one)
            yield gnmi.SubscribeResponse(sync_response=True)
    elif wanted.mode == gnmi.ListMode.STREAM:
        async for response in _stream(fabric, switch, wanted):
            yield response


def _check_stream(wanted: gnmi.SubscriptionList) -> None:
    """Refuse what SONiC's database client does not stream."""
    for one in wanted.subscription:
        if one.mode == gnmi.SubscriptionMode.TARGET_DEFINED:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "unsupported subscription mode: TARGET_DEFINED")
        if one.mode == gnmi.SubscriptionMode.SAMPLE and 0 < one.sample_interval < _SHORTEST_SAMPLE_NS:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "the sample interval is below one second")


def _update(
    fabric: Fabric, switch: Switch, wanted: gnmi.SubscriptionList, one: gnmi.Subscription
) -> gnmi.SubscribeResponse:
    """The value of one subscribed path now."""
    return gnmi.SubscribeResponse(update=gnmi_answers.notification(fabric, switch, wanted.prefix, one.path))


async def _stream(
    fabric: Fabric, switch: Switch, wanted: gnmi.SubscriptionList
) -> AsyncIterator[gnmi.SubscribeResponse]:
    """Updates for ever: on their interval, or when the value is another one."""
    loop = asyncio.get_running_loop()
    due = {at: loop.time() + _interval_s(one) for at, one in enumerate(wanted.subscription) if _sampled(one)}
    last = {at: _value(fabric, switch, wanted, one) for at, one in enumerate(wanted.subscription)}
    changed = asyncio.Event()
    fabric.waiters.add(changed)
    try:
        while True:
            wait_s = max(0.0, min(due.values()) - loop.time()) if due else None
            try:
                await asyncio.wait_for(changed.wait(), wait_s)
            except TimeoutError:
                pass
            else:
                changed.clear()
            for at, one in enumerate(wanted.subscription):
                if _sampled(one):
                    if due[at] <= loop.time():
                        due[at] += _interval_s(one)
                        yield _update(fabric, switch, wanted, one)
                    continue
                now = _value(fabric, switch, wanted, one)
                if now != last[at]:
                    last[at] = now
                    yield _update(fabric, switch, wanted, one)
    finally:
        fabric.waiters.discard(changed)


def _sampled(one: gnmi.Subscription) -> bool:
    return one.mode == gnmi.SubscriptionMode.SAMPLE


def _interval_s(one: gnmi.Subscription) -> float:
    """Seconds between two samples; 0 asks for the shortest."""
    return max(one.sample_interval, _SHORTEST_SAMPLE_NS) / 1e9


def _value(fabric: Fabric, switch: Switch, wanted: gnmi.SubscriptionList, one: gnmi.Subscription) -> object:
    """The data of a subscribed path, `None` where it is gone."""
    try:
        return gnmi_answers.value(fabric, switch, wanted.prefix, one.path)
    except Refused:
        return None
