"""The gNMI server of a device that answers from a tree of YANG data. What each NOS cannot do is switched off."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import grpc

from netaudit import gnmi
from netaudit.lab.sim import gnmi_server, gnmi_tree
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Keys
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.gnmi_paths import Refused
from netaudit.lab.sim.gnmi_server import Context, Opened
from netaudit.lab.sim.gnmi_tree import Found, Node

D = TypeVar("D", bound=Device)
_SHORTEST_SAMPLE_NS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a server can do."""

    get: bool = True
    modes: frozenset[int] = frozenset({gnmi.ListMode.ONCE, gnmi.ListMode.POLL, gnmi.ListMode.STREAM})
    encodings: tuple[int, ...] = (gnmi.Encoding.JSON, gnmi.Encoding.JSON_IETF, gnmi.Encoding.PROTO)
    leaves: bool = False
    """Each update is a leaf with a path of its own; else it is the value of the path that was asked for."""
    modules: bool = True
    """Outermost members carry their module in JSON_IETF."""
    origins: frozenset[str] = frozenset({"", "openconfig"})
    models: tuple[tuple[str, str, str], ...] = ()
    """(name, organization, version) of what Capabilities lists."""


def door(
    fabric: Fabric, device: D, tree: Callable[[D], Mapping[str, Node]], abilities: Abilities
) -> Callable[[Keys, int], Awaitable[Opened]]:
    """A door that answers from `tree` as it is when it is asked."""

    async def opened(keys: Keys, port: int) -> Opened:
        service = _Service(fabric=fabric, device=device, tree=tree, abilities=abilities, access=keys.access)
        made, at = gnmi_server.bound(service, keys.access, port)
        await made.start()
        return Opened(server=made, port=at)

    return opened


@dataclass(frozen=True, slots=True, kw_only=True)
class _Service(Generic[D]):
    """The four RPCs of one device."""

    fabric: Fabric
    device: D
    tree: Callable[[D], Mapping[str, Node]]
    abilities: Abilities
    access: Access

    async def _admit(self, context: Context) -> None:
        await gnmi_server.admit(self.access, context)
        await self.fabric.pause(self.device.name)

    async def capabilities(self, request: gnmi.CapabilityRequest, context: Context) -> gnmi.CapabilityResponse:
        """What the server can do."""
        await self._admit(context)
        return gnmi.CapabilityResponse(
            supported_models=[gnmi.ModelData(name=n, organization=o, version=v) for n, o, v in self.abilities.models],
            supported_encodings=list(self.abilities.encodings),
            gNMI_version=gnmi.VERSION,
        )

    async def get(self, request: gnmi.GetRequest, context: Context) -> gnmi.GetResponse:
        """Values: a notification for each path."""
        await self._admit(context)
        try:
            if not self.abilities.get:
                raise Refused(grpc.StatusCode.UNIMPLEMENTED, "Get is not implemented")
            self._check(request.encoding)
            notes = [self._note(request.prefix, path, request.encoding) for path in request.path]
            return gnmi.GetResponse(notification=notes)
        except Refused as refusal:
            return await context.abort(refusal.code, refusal.message)

    async def set(self, request: gnmi.SetRequest, context: Context) -> gnmi.SetResponse:
        """Not here: configurations come over SSH and the NOS's own API."""
        await self._admit(context)
        return await context.abort(grpc.StatusCode.UNIMPLEMENTED, "Set is not implemented")

    async def subscribe(
        self, requests: AsyncIterator[gnmi.SubscribeRequest], context: Context
    ) -> AsyncIterator[gnmi.SubscribeResponse]:
        """Values, again and again."""
        await self._admit(context)
        try:
            async for response in self._subscription(requests):
                yield response
        except Refused as refusal:
            await context.abort(refusal.code, refusal.message)

    def _check(self, encoding: int) -> None:
        if encoding not in self.abilities.encodings:
            raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"unsupported encoding: {encoding}")

    def _found(self, prefix: gnmi.Path, path: gnmi.Path) -> tuple[Found, ...]:
        """What a path names now. Raises `Refused` for an origin that is not there."""
        origin = path.origin or prefix.origin
        if origin not in self.abilities.origins:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"unknown origin {origin}")
        return gnmi_tree.find(self.tree(self.fabric.answers_for(self.device)), prefix, path)

    def _note(self, prefix: gnmi.Path, path: gnmi.Path, encoding: int) -> gnmi.Notification:
        """The answer to one path of a Get."""
        found = self._found(prefix, path)
        if not found:
            raise Refused(grpc.StatusCode.NOT_FOUND, f"no data at /{'/'.join(gnmi.elems(path))}")
        return self._notification(found, encoding)

    def _notification(self, found: tuple[Found, ...], encoding: int) -> gnmi.Notification:
        cut = [leaf for one in found for leaf in gnmi_tree.leaves(one)] if self.abilities.leaves else found
        return gnmi.Notification(
            timestamp=time.time_ns(),
            update=[
                gnmi.Update(
                    path=gnmi.Path(elem=list(one.where)),
                    val=gnmi_tree.typed(one, encoding, modules=self.abilities.modules),
                )
                for one in cut
            ],
        )

    async def _subscription(
        self, requests: AsyncIterator[gnmi.SubscribeRequest]
    ) -> AsyncIterator[gnmi.SubscribeResponse]:
        """The answers to one subscription."""
        first = await anext(aiter(requests), None)
        if first is None or first.WhichOneof("request") != "subscribe":
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a subscription list")
        wanted = first.subscribe
        self._check(wanted.encoding)
        if wanted.mode not in self.abilities.modes:
            raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"no {gnmi.ListMode(wanted.mode).name} subscriptions")
        for response in self._all(wanted):
            yield response
        if self.fabric.answering(self.device.name).syncs:
            yield gnmi.SubscribeResponse(sync_response=True)
        if wanted.mode == gnmi.ListMode.POLL:
            async for _ in requests:
                for response in self._all(wanted):
                    yield response
                yield gnmi.SubscribeResponse(sync_response=True)
        elif wanted.mode == gnmi.ListMode.STREAM:
            async for response in self._stream(wanted):
                yield response

    def _all(self, wanted: gnmi.SubscriptionList) -> Iterator[gnmi.SubscribeResponse]:
        """Everything that is subscribed to; what is not there is not sent."""
        for one in wanted.subscription:
            found = self._found(wanted.prefix, one.path)
            if found:
                yield gnmi.SubscribeResponse(update=self._notification(found, wanted.encoding))

    async def _stream(self, wanted: gnmi.SubscriptionList) -> AsyncIterator[gnmi.SubscribeResponse]:
        """Updates for ever: all of it on the shortest interval of a SAMPLE, what changed when something changes."""
        sampled = [one for one in wanted.subscription if one.mode == gnmi.SubscriptionMode.SAMPLE]
        interval = min((max(one.sample_interval, _SHORTEST_SAMPLE_NS) / 1e9 for one in sampled), default=None)
        last = self._values(wanted)
        changed = asyncio.Event()
        self.fabric.waiters.add(changed)
        try:
            while True:
                try:
                    await asyncio.wait_for(changed.wait(), interval)
                except TimeoutError:
                    for response in self._all(wanted):
                        yield response
                    continue
                changed.clear()
                now = self._values(wanted)
                new = tuple(found for key, found in now.items() if key not in last or last[key].node != found.node)
                gone = [gnmi.Path(elem=list(found.where)) for key, found in last.items() if key not in now]
                last = now
                if new or gone:
                    note = self._notification(new, wanted.encoding)
                    note.delete.extend(gone)
                    yield gnmi.SubscribeResponse(update=note)
        finally:
            self.fabric.waiters.discard(changed)

    def _values(self, wanted: gnmi.SubscriptionList) -> Mapping[tuple[str, ...], Found]:
        """Path → leaf, of everything that is subscribed to."""
        return {
            gnmi.elems(gnmi.Path(elem=list(leaf.where))): leaf
            for one in wanted.subscription
            for found in self._found(wanted.prefix, one.path)
            for leaf in gnmi_tree.leaves(found)
        }
