"""A gNMI client of one device: capabilities, and Gets whose every path ends as an answer."""

from __future__ import annotations

import json
import logging
import os
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
from netaudit.collect.failure import Failure, Kind, ReachStep, one_line
from netaudit.collect.reach import tls_service_failure
from netaudit.collect.secrets import reveal
from netaudit.collect.targets import Target
from netaudit.diag import Unusable
from netaudit.platforms import Answer, Miss, Query

MESSAGE_LIMIT_BYTES: Final = 64 * 1024 * 1024
"""Largest answer that is read. gRPC's default of 4 MiB cuts large tables (sonic.md 8); a route table is about 5 MB."""
CONNECT_TIMEOUT_S: Final = 10.0
"""design/terminal.md: "no answer in 10 s"."""
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
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


class GnmiClient:
    """One TLS channel to one device; close it, or use it in a `with`. `timeout_s` holds for each request."""

    def __init__(self, target: Target, timeout_s: float = 60.0) -> None:
        self._target = target
        self._timeout_s = timeout_s
        roots = None if target.ca is None else _roots(target.ca)
        named = (("grpc.ssl_target_name_override", target.tls_name),) if target.tls_name else ()
        host = f"[{target.address}]" if ":" in target.address else target.address
        self._channel = grpc.secure_channel(
            f"{host}:{target.gnmi_port}", grpc.ssl_channel_credentials(roots), options=(*_OPTIONS, *named)
        )
        self._get: grpc.UnaryUnaryMultiCallable[gnmi.GetRequest, gnmi.GetResponse] = self._channel.unary_unary(
            gnmi.GET, gnmi.GetRequest.SerializeToString, gnmi.GetResponse.FromString
        )
        self._capabilities: grpc.UnaryUnaryMultiCallable[gnmi.CapabilityRequest, gnmi.CapabilityResponse] = (
            self._channel.unary_unary(
                gnmi.CAPABILITIES, gnmi.CapabilityRequest.SerializeToString, gnmi.CapabilityResponse.FromString
            )
        )
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
        """
        groups: dict[tuple[str, str, str], list[Query]] = {}
        for query in queries:
            alone = query.id if query.optional else ""
            groups.setdefault((query.origin, query.target, alone), []).append(query)
        answers: dict[str, Answer] = {}
        for group in groups.values():
            found = self._get_group(group)
            if isinstance(found, Failure):
                return found
            answers.update(found)
        return answers

    def _get_group(self, group: Sequence[Query]) -> Mapping[str, Answer] | Failure:
        response = self._call(self._get, _request(group), self._timeout_s)
        if not isinstance(response, grpc.RpcError):
            values = _values(group, response)
            if values is not None:
                return {query.id: value for query, value in zip(group, values, strict=True)}
        elif failure := self._of_device(response):
            return failure
        if len(group) == 1:
            return {group[0].id: self._single(response, self._timeout_s)}
        # One slow or missing path may not cost the others. All of them together get one more timeout.
        share_s = max(1.0, self._timeout_s / len(group))
        answers = {}
        for query in group:
            alone = self._call(self._get, _request([query]), share_s)
            if isinstance(alone, grpc.RpcError) and (failure := self._of_device(alone)):
                return failure
            values = None if isinstance(alone, grpc.RpcError) else _values([query], alone)
            answers[query.id] = values[0] if values else self._single(alone, share_s)
        return answers

    def _single(self, response: gnmi.GetResponse | grpc.RpcError, timeout_s: float) -> Answer:
        """The answer to a request for one path that brought no value."""
        if not isinstance(response, grpc.RpcError):
            return Answer(miss=Miss.FAILED, reason=f"{ReachStep.PATH}: the answer is for another path")
        if response.code() is grpc.StatusCode.NOT_FOUND:
            return Answer(miss=Miss.ABSENT)
        return Answer(miss=Miss.FAILED, reason=str(self._failure(response, timeout_s)))

    def _of_device(self, error: grpc.RpcError) -> Failure | None:
        """The failure, where asking for another path would not help."""
        whole = error.code() in (grpc.StatusCode.UNAVAILABLE, *_AUTH)
        return self._failure(error, self._timeout_s) if whole else None

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
            return Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause=details)
        name = code.name if isinstance(code, grpc.StatusCode) else "UNKNOWN"
        return Failure(kind=Kind.REFUSED, step=ReachStep.PATH, cause=f"{name}: {details}")


_AUTH: Final = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


def _roots(ca: Path) -> bytes:
    try:
        return ca.read_bytes()
    except OSError as error:
        hint = "the targets file or the intent's management names it"
        raise Unusable(f"the CA file {ca} cannot be read: {error.strerror}", hint) from None


def _request(group: Sequence[Query]) -> gnmi.GetRequest:
    """One Get for queries of one target. `type` stays ALL: SONiC refuses the others (sonic.md 8)."""
    return gnmi.GetRequest(
        prefix=gnmi.path(target=group[0].target),
        path=[gnmi.path(*query.path, origin=query.origin) for query in group],
        encoding=gnmi.Encoding.JSON_IETF,
    )


def _values(group: Sequence[Query], response: gnmi.GetResponse) -> tuple[Answer, ...] | None:
    """The answers in the order of the queries; None where the response does not hold exactly one for each path."""
    found: dict[tuple[str, ...], gnmi.TypedValue] = {}
    for notification in response.notification:
        prefix = gnmi.elems(notification.prefix)
        for update in notification.update:
            where = (*prefix, *gnmi.elems(update.path))
            if where in found:
                return None
            found[where] = update.val
    if found.keys() != {query.path for query in group}:
        return None
    return tuple(_answer(found[query.path]) for query in group)


def _answer(value: gnmi.TypedValue) -> Answer:
    """A typed value as JSON text."""
    kind = value.WhichOneof("value")
    try:
        if kind in ("json_ietf_val", "json_val"):
            return Answer(text=(value.json_ietf_val or value.json_val).decode("utf-8"))
        if kind in ("string_val", "ascii_val"):
            return Answer(text=json.dumps(value.string_val or value.ascii_val, ensure_ascii=False))
        if kind in ("int_val", "uint_val", "bool_val", "double_val", "float_val"):
            return Answer(text=json.dumps(getattr(value, kind)))
    except UnicodeDecodeError:
        return Answer(miss=Miss.FAILED, reason=f"{ReachStep.PATH}: the value is not UTF-8 text")
    return Answer(miss=Miss.FAILED, reason=f"{ReachStep.PATH}: a value of type {kind or 'none'} is not understood")
