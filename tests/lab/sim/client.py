"""A client of a running lab, as anybody could write one: it knows targets.json and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import paramiko

from netaudit import gnmi

TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Speaks to the switches of a running lab as anybody would: by targets.json."""

    labdir: Path
    targets: dict[str, object]

    @property
    def password(self) -> str:
        return Path(str(self.targets["credentials"]["password"]).removeprefix("file:")).read_text(encoding="utf-8")

    def port(self, name: str, kind: str) -> int:
        return int(self.targets["targets"][name][f"{kind}_port"])

    def channel(self, name: str) -> grpc.Channel:
        ca = grpc.ssl_channel_credentials(Path(str(self.targets["ca"])).read_bytes())
        return grpc.secure_channel(f"127.0.0.1:{self.port(name, 'gnmi')}", ca)

    def call(self, name: str, method: str, request: object, answer: type, login: Sequence[str] | None = None) -> object:
        """One unary call."""
        user, password = login if login is not None else ("admin", self.password)
        with self.channel(name) as channel:
            call = channel.unary_unary(
                method, request_serializer=lambda one: one.SerializeToString(), response_deserializer=answer.FromString
            )
            return call(request, timeout=TIMEOUT_S, metadata=[("username", user), ("password", password)])

    def get(self, name: str, target: str, *paths: Sequence[str], **fields: int) -> list[object]:
        """The data at each path."""
        request = gnmi.GetRequest(prefix=gnmi.path(target=target), path=[gnmi.path(*one) for one in paths], **fields)
        answer = self.call(name, gnmi.GET, request, gnmi.GetResponse)
        return [value_of(one) for one in answer.notification]

    def subscribe(self, name: str, requests: Iterable[gnmi.SubscribeRequest]) -> Iterator[gnmi.SubscribeResponse]:
        """The answers to a subscription, until the reader has enough."""
        with self.channel(name) as channel:
            call = channel.stream_stream(
                gnmi.SUBSCRIBE,
                request_serializer=lambda one: one.SerializeToString(),
                response_deserializer=gnmi.SubscribeResponse.FromString,
            )
            stream = call(
                iter(requests), timeout=TIMEOUT_S, metadata=[("username", "admin"), ("password", self.password)]
            )
            yield from stream
            stream.cancel()

    def ssh(self, name: str, password: str | None = None) -> paramiko.SSHClient:
        client = paramiko.SSHClient()
        client.load_host_keys(str(self.targets["known_hosts"]))
        client.connect(
            "127.0.0.1",
            self.port(name, "ssh"),
            "admin",
            password or self.password,
            look_for_keys=False,
            allow_agent=False,
            timeout=TIMEOUT_S,
        )
        return client


def value_of(notification: gnmi.Notification) -> object:
    val = notification.update[0].val
    return val.string_val if val.WhichOneof("value") == "string_val" else json.loads(val.json_ietf_val)


def run(ssh: paramiko.SSHClient, command: str) -> tuple[int, str, str]:
    """(exit code, stdout, stderr)."""
    _, stdout, stderr = ssh.exec_command(command, timeout=TIMEOUT_S)
    out, err = stdout.read().decode(), stderr.read().decode()
    return stdout.channel.recv_exit_status(), out, err


def refusal(call: grpc.RpcError) -> tuple[str, str]:
    return call.code().name, call.details()


def native(*steps: str) -> gnmi.Path:
    """A path below CONFIG_DB that may be written."""
    return gnmi.path("CONFIG_DB", "localhost", *steps, origin="sonic-db")


def set_(running: Client, name: str = "spine2", **fields: object) -> object:
    return running.call(name, gnmi.SET, gnmi.SetRequest(**fields), gnmi.SetResponse)
