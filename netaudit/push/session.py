"""One device during a push: its connections, opened when needed and anew when lost, and what it holds now."""

from __future__ import annotations

from types import TracebackType

from netaudit.collect.failure import Failure
from netaudit.collect.gnmi import GnmiClient
from netaudit.collect.read import collect, silence
from netaudit.collect.ssh import Completed, SshClient, open_ssh
from netaudit.collect.targets import Target
from netaudit.platforms import Miss, Platform, Step
from netaudit.push.driver import Driver
from netaudit.push.plan import Running


class Session:
    """Connections to one device; use it in a `with`. `answer_s` is how long each request may take."""

    def __init__(self, target: Target, answer_s: float) -> None:
        self._target = target
        self._answer_s = answer_s
        self._gnmi = GnmiClient(target, answer_s)
        self._ssh: SshClient | None = None
        self._driver: Driver | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._gnmi.close()
        self._drop()
        if self._driver is not None:
            self._driver.close()

    def connect(self) -> SshClient | Failure:
        """The SSH connection, a new one where the old one is lost."""
        if self._ssh is not None and self._ssh.alive:
            return self._ssh
        self._drop()
        found = open_ssh(self._target)
        if isinstance(found, SshClient):
            self._ssh = found
        return found

    def running(self, platform: Platform) -> Running | str:
        """What the device holds now, or why that cannot be told."""
        answers = collect(platform.PUSH_QUERIES, self._gnmi, self.connect(), self._answer_s)
        if any(answer.miss is Miss.FAILED for answer in answers.values()):
            self._drop()  # a connection that gave no answer is not trusted with the next question
        if (reason := silence(answers)) is not None:
            return reason
        try:
            files, serial = platform.running_files(answers)
        except ValueError as error:
            return str(error)
        return Running(files=files, serial=serial)

    def step(self, step: Step, platform: Platform) -> Completed | Failure | None:
        """What came of one step; None for a file that is uploaded."""
        if step.driver:
            self._driver = self._driver or Driver(self._target, platform.NAPALM)
            return self._driver.call(step)
        client = self.connect()
        if isinstance(client, Failure):
            return client
        if step.path:
            content = step.content.encode("utf-8", "surrogatepass")
            result: Completed | Failure | None = client.put(step.path, content, step.timeout_s)
        else:
            result = client.run(step.command, step.timeout_s, codes=not step.refusal)
        if isinstance(result, Failure):
            self._drop()
        return result

    def _drop(self) -> None:
        if self._ssh is not None:
            self._ssh.close()
            self._ssh = None
