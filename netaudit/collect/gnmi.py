"""A gNMI client of one device: capabilities, and Gets whose every path ends as an answer."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, TypeVar

# gRPC's C core writes handshake errors to stderr by itself; ours are reported as data. Read once, at import.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from netaudit import gnmi
from netaudit.collect.answered import Update, Updates, answers_of, keyed, of_sonic, updates_of
from netaudit.collect.failure import Failure, Kind, ReachStep, one_line
from netaudit.collect.reach import tls_service_failure
from netaudit.collect.secrets import reveal
from netaudit.collect.targets import Target
from netaudit.diag import Unusable
from netaudit.platforms import Answer, Miss, Query

MESSAGE_LIMIT_BYTES: Final = 64 * 1024 * 1024
"""Largest answer that is read. gRPC's default of 4 MiB cuts large tables (sonic.md 8); a route table is about 5 MB."""
LIMIT_VARIABLE: Final = "NETAUDIT_GNMI_LIMIT_MIB"
"""Environment variable that sets another limit, in MiB."""
_MOST_MIB: Final = 2047
"""gRPC counts a message's bytes in 31 bits."""
SYNC_GRACE_S: Final = 1.0
"""How long a stream may be still after it said that all was sent. Judgement: a pause of a busy agent, no more."""
_MOST_GRACES: Final = 5
"""After so many graces a stream that is never still has been heard enough."""
SAMPLE_S: Final = 30.0
"""Interval of a sampling stream, which is left before the second sample. Judgement: above any server's minimum."""
CONNECT_TIMEOUT_S: Final = 10.0
"""design/terminal.md: "no answer in 10 s"."""
_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),  # channels to one address would share a connection (lab.md 6)
    ("grpc.enable_http_proxy", 0),  # management traffic never leaves by a proxy of the environment
    ("grpc.enable_retries", 0),
    ("grpc.min_reconnect_backoff_ms", int(CONNECT_TIMEOUT_S * 1000)),  # also gRPC's limit for one connect
)
_log = logging.getLogger(__name__)
Request = TypeVar("Request")
Response = TypeVar("Response")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a gNMI server says of itself."""

    version: str
    encodings: tuple[str, ...]
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """Everything a Subscribe of mode ONCE brought."""

    updates: tuple[tuple[str, Answer], ...]
    """(path, with slashes; value), in the order in which they came."""
    synced: bool
    """The device said that this is all. Without it, only that it ended the stream well says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed:
    """The same, with paths as elements, and what was deleted again."""

    updates: Updates
    synced: bool


class GnmiClient:
    """One TLS channel to one device; close it, or use it in a `with`. `timeout_s` holds for each request."""

    def __init__(self, target: Target, timeout_s: float = 60.0) -> None:
        self._target = target
        self._timeout_s = timeout_s
        roots = None if target.ca is None else _roots(target.ca)
        named = (("grpc.ssl_target_name_override", target.tls_name),) if target.tls_name else ()
        limit = ("grpc.max_receive_message_length", message_limit_bytes())
        host = f"[{target.address}]" if ":" in target.address else target.address
        self._channel = grpc.secure_channel(
            f"{host}:{target.gnmi_port}", grpc.ssl_channel_credentials(roots), options=(*_OPTIONS, limit, *named)
        )
        self._get: grpc.UnaryUnaryMultiCallable[gnmi.GetRequest, gnmi.GetResponse] = self._channel.unary_unary(
            gnmi.GET, gnmi.GetRequest.SerializeToString, gnmi.GetResponse.FromString
        )
        self._capabilities: grpc.UnaryUnaryMultiCallable[gnmi.CapabilityRequest, gnmi.CapabilityResponse] = (
            self._channel.unary_unary(
                gnmi.CAPABILITIES, gnmi.CapabilityRequest.SerializeToString, gnmi.CapabilityResponse.FromString
            )
        )
        self._subscribe: grpc.StreamStreamMultiCallable[gnmi.SubscribeRequest, gnmi.SubscribeResponse] = (
            self._channel.stream_stream(
                gnmi.SUBSCRIBE, gnmi.SubscribeRequest.SerializeToString, gnmi.SubscribeResponse.FromString
            )
        )
        self._offered: frozenset[int] | None = None
        self._metadata: tuple[tuple[str, str | bytes], ...] = ()
        if target.password is not None:
            self._metadata = (("username", reveal(target.user)), ("password", target.password.reveal()))

    def __enter__(self) -> GnmiClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; running calls are cancelled."""
        self._channel.close()

    def capabilities(self) -> Capabilities | Failure:
        """Version, encodings and models, or why there is no answer."""
        response = self._call(self._capabilities, gnmi.CapabilityRequest(), self._timeout_s)
        if isinstance(response, grpc.RpcError):
            return self._failure(response, self._timeout_s)
        known = {e.value: e.name for e in gnmi.Encoding}
        return Capabilities(
            version=response.gNMI_version,
            encodings=tuple(known.get(e, str(e)) for e in response.supported_encodings),
            models=tuple(m.name for m in response.supported_models),
        )

    def get(self, queries: Iterable[Query]) -> Mapping[str, Answer] | Failure:
        """The answer to each query, by its id; a Failure where the device as a whole gave none.

        Queries of one target go in one request, optional ones in a request each. Where a common one fails for a
        reason that may be one path's, each path is asked alone: what is missing becomes `ABSENT`, nothing else is lost.
        The answer to a path without list keys is the value as it came; else, and of a stream, one tree from the root.
        """
        groups: dict[tuple[str, str, str, bool], list[Query]] = {}
        for query in queries:
            alone = query.id if query.optional else ""
            groups.setdefault((query.origin, query.target, alone, query.stream), []).append(query)
        answers: dict[str, Answer] = {}
        for group in groups.values():
            found = self._get_group(group)
            if isinstance(found, Failure) and found.kind is Kind.TIMED_OUT and answers:
                rest = (query for one in groups.values() for query in one if query.id not in answers)
                return {**answers, **{query.id: Answer(miss=Miss.FAILED, reason=str(found)) for query in rest}}
            if isinstance(found, Failure):
                return found
            answers.update(found)
        return answers

    def subscribe_once(self, paths: Iterable[gnmi.Path], grace_s: float = SYNC_GRACE_S) -> Once | Failure:
        """All values below some paths, or why they cannot be had; for targets without Get (nvue.md) or large answers.

        A sync_response ends it `grace_s` after the last message, not at once: some targets send one after each update,
        and some never close the stream.
        """
        wanted = [gnmi.Subscription(path=path) for path in paths]
        once = gnmi.SubscriptionList(subscription=wanted, mode=gnmi.ListMode.ONCE, encoding=gnmi.Encoding.JSON_IETF)
        found = self._stream(once, self._timeout_s, grace_s)
        if isinstance(found, Failure):
            return found
        if isinstance(found, grpc.RpcError):
            return self._failure(found, self._timeout_s)
        return Once(updates=tuple(("/".join(u.path), u.answer) for u in found.updates), synced=found.synced)

    def _stream(
        self, wanted: gnmi.SubscriptionList, timeout_s: float, grace_s: float
    ) -> Streamed | grpc.RpcError | Failure:
        """What a subscription brings up to its sync_response, and what comes within `grace_s` of the last message."""
        call = self._subscribe(
            iter([gnmi.SubscribeRequest(subscribe=wanted)]), timeout=timeout_s, metadata=self._metadata
        )
        updates: list[Update] = []
        synced_at, size, timer = 0.0, 0, threading.Timer(0, call.cancel)
        try:
            for response in call:
                timer.cancel()
                size += response.ByteSize()
                if size > message_limit_bytes():
                    return Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause=_too_much())
                updates += updates_of([response.update])
                if response.sync_response and not synced_at:
                    synced_at = time.monotonic()
                if synced_at:
                    if time.monotonic() - synced_at > _MOST_GRACES * grace_s:
                        break  # it follows what changes, and something always does
                    timer = threading.Timer(grace_s, call.cancel)
                    timer.daemon = True
                    timer.start()
        except grpc.RpcError as error:
            if not synced_at:
                return error
        finally:
            timer.cancel()
            call.cancel()  # type: ignore[no-untyped-call]  # the stub of a stream has no type for it
        return Streamed(updates=tuple(updates), synced=bool(synced_at))

    def _get_group(self, group: Sequence[Query]) -> Mapping[str, Answer] | Failure:
        response = self._ask(group, self._timeout_s)
        if not isinstance(response, grpc.RpcError | Failure):
            values = answers_of(group, response)
            if values is not None:
                return {query.id: value for query, value in zip(group, values, strict=True)}
        elif failure := self._of_device(response):
            return failure
        if len(group) == 1:
            return {group[0].id: self._single(group[0], response, self._timeout_s)}
        # One slow or missing path may not cost the others. All of them together get one more timeout.
        share_s = max(1.0, self._timeout_s / len(group))
        answers = {}
        for query in group:
            alone = self._ask([query], share_s)
            if isinstance(alone, grpc.RpcError | Failure) and (failure := self._of_device(alone)):
                return failure
            values = None if isinstance(alone, grpc.RpcError | Failure) else answers_of([query], alone)
            answers[query.id] = values[0] if values else self._single(query, alone, share_s)
        return answers

    def _ask(self, group: Sequence[Query], timeout_s: float) -> Updates | grpc.RpcError | Failure:
        """What a Get or a stream for some queries of one kind brought."""
        encoding = self._encoding(group)
        if isinstance(encoding, grpc.RpcError):
            return encoding
        if not group[0].stream:
            response = self._call(self._get, _request(group, encoding), timeout_s)
            return response if isinstance(response, grpc.RpcError) else updates_of(response.notification)
        wanted = [
            gnmi.Subscription(
                path=gnmi.path(*query.path, origin=query.origin),
                mode=gnmi.SubscriptionMode.SAMPLE,
                sample_interval=int(SAMPLE_S * 1e9),
            )
            for query in group
        ]
        subscribe = gnmi.SubscriptionList(subscription=wanted, mode=gnmi.ListMode.STREAM, encoding=encoding)
        if group[0].target:
            subscribe.prefix.target = group[0].target
        found = self._stream(subscribe, timeout_s, SYNC_GRACE_S)
        return found if isinstance(found, grpc.RpcError | Failure) else found.updates

    def _encoding(self, group: Sequence[Query]) -> gnmi.Encoding | grpc.RpcError:
        """JSON_IETF, or JSON where a device offers only that. SONiC is not asked: it takes JSON_IETF (sonic.md 8)."""
        if any(map(of_sonic, group)):
            return gnmi.Encoding.JSON_IETF
        if self._offered is None:
            response = self._call(self._capabilities, gnmi.CapabilityRequest(), self._timeout_s)
            if isinstance(response, grpc.RpcError):
                return response
            self._offered = frozenset(response.supported_encodings)
        plain = gnmi.Encoding.JSON in self._offered and gnmi.Encoding.JSON_IETF not in self._offered
        return gnmi.Encoding.JSON if plain else gnmi.Encoding.JSON_IETF

    def _single(self, query: Query, response: Updates | grpc.RpcError | Failure, timeout_s: float) -> Answer:
        """The answer to a request for one path that brought no value."""
        if isinstance(response, Failure):
            return Answer(miss=Miss.FAILED, reason=str(response))
        if not isinstance(response, grpc.RpcError):
            if not response and (keyed(query) or query.stream):
                return Answer(miss=Miss.ABSENT)
            return Answer(miss=Miss.FAILED, reason=f"{ReachStep.PATH}: the answer is for another path")
        if response.code() is grpc.StatusCode.NOT_FOUND:
            return Answer(miss=Miss.ABSENT)
        return Answer(miss=Miss.FAILED, reason=str(self._failure(response, timeout_s)))

    def _of_device(self, error: grpc.RpcError | Failure) -> Failure | None:
        """The failure, where asking for another path would not help."""
        if isinstance(error, Failure):
            return None
        whole = error.code() in (grpc.StatusCode.UNAVAILABLE, *_AUTH)
        if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
            whole = self._hangs()
        return self._failure(error, self._timeout_s) if whole else None

    def _hangs(self) -> bool:
        """Does the device not even say what it can do? Then it would let every other path wait as long."""
        asked = self._call(self._capabilities, gnmi.CapabilityRequest(), min(self._timeout_s, CONNECT_TIMEOUT_S))
        return isinstance(asked, grpc.RpcError) and asked.code() is grpc.StatusCode.DEADLINE_EXCEEDED

    def _call(
        self, rpc: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request, timeout_s: float
    ) -> Response | grpc.RpcError:
        started = time.monotonic()
        try:
            return rpc(request, timeout=timeout_s, metadata=self._metadata)
        except grpc.RpcError as error:
            _log.debug("%s gNMI %s after %.1f s", self._target.name, error.code(), time.monotonic() - started)
            return error

    def _failure(self, error: grpc.RpcError, timeout_s: float) -> Failure:
        code, details = error.code(), one_line(error.details() or "")
        if code in _AUTH:
            return Failure(kind=Kind.AUTH_REFUSED, step=ReachStep.AUTH, cause=details)
        if code is grpc.StatusCode.UNAVAILABLE:
            found = tls_service_failure(self._target, self._target.gnmi_port, CONNECT_TIMEOUT_S)
            return found or Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause=f"connection cut: {details}")
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return Failure(kind=Kind.TIMED_OUT, step=ReachStep.PATH, cause=f"no answer in {timeout_s:g} s")
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            return Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause=_too_large(details))
        name = code.name if isinstance(code, grpc.StatusCode) else "UNKNOWN"
        return Failure(kind=Kind.REFUSED, step=ReachStep.PATH, cause=f"{name}: {details}")


_AUTH: Final = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


def message_limit_bytes() -> int:
    """Largest answer that is read, as the environment says. Raises Unusable for what is no number of MiB."""
    text = os.environ.get(LIMIT_VARIABLE, "").strip()
    if not text:
        return MESSAGE_LIMIT_BYTES
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _MOST_MIB):
        hint = f"a whole number of MiB, 1 to {_MOST_MIB}; without it, {MESSAGE_LIMIT_BYTES // 2**20}"
        raise Unusable(f"{LIMIT_VARIABLE} is {text[:40]!r}, not a limit", hint)
    return int(text) * 2**20


def _too_large(details: str) -> str:
    """gRPC's words for a message above a limit, with both sizes readable, whose limit it is and how it is set."""
    found = re.search(r"([Ss]en[dt]|Received|send) .*larger than max \((\d+) vs\. (\d+)\)", details)
    if found is None:
        return details
    size, limit = (f"{int(number) / 2**20:.1f} MiB" for number in found.groups()[1:])
    if found[1] == "Received":
        return f"the answer has {size}, larger than max {limit}; {LIMIT_VARIABLE} sets another limit"
    return f"the answer has {size}, larger than max {limit}, the device's grpc.max_send_message_length"


def _roots(ca: Path) -> bytes:
    try:
        return ca.read_bytes()
    except OSError as error:
        hint = "the targets file or the intent's management names it"
        raise Unusable(f"the CA file {ca} cannot be read: {error.strerror}", hint) from None


def _too_much() -> str:
    limit = f"{message_limit_bytes() / 2**20:.1f} MiB"
    return f"the stream has more than {limit}; {LIMIT_VARIABLE} sets another limit"


def _request(group: Sequence[Query], encoding: gnmi.Encoding) -> gnmi.GetRequest:
    """One Get for queries of one target. `type` stays ALL: SONiC refuses the others (sonic.md 8)."""
    return gnmi.GetRequest(
        prefix=gnmi.path(target=group[0].target),
        path=[gnmi.path(*query.path, origin=query.origin) for query in group],
        encoding=encoding,
    )
