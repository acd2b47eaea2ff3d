"""What a task gives for each of many devices, as they finish: an answer or an error for every one of them."""

from __future__ import annotations

import logging
import queue
import threading
import traceback
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from nornir.core import Nornir
from nornir.core.configuration import Config
from nornir.core.inventory import Defaults, Groups, Host, Hosts, Inventory
from nornir.core.task import Result, Task
from nornir.plugins.runners import ThreadedRunner

from netaudit.diag import Unusable

WORKERS: Final = 20
"""Devices at a time; the knee of lab.md 6 for CPU-bound work, and SONiC's gNMI server takes 100 connections."""
Item = TypeVar("Item")
Answer = TypeVar("Answer")

# A failed task is a result here; nornir would log its traceback to stderr as well.
logging.getLogger("nornir").addHandler(logging.NullHandler())
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostError:
    """A device whose task raised, or never began. Never a reason to leave the device out."""

    reason: str
    trace: str = ""
    """Traceback of an exception that is a bug; for the log."""

    def __str__(self) -> str:
        return self.reason


def each_host(
    items: Mapping[str, Item],
    task: Callable[[Item], Answer],
    workers: int = WORKERS,
    on_done: Callable[[str, Answer | HostError], None] | None = None,
) -> Generator[tuple[str, Answer | HostError], None, None]:
    """(name, what `task` gave for it) for every item, in the order in which they finish.

    `on_done` is called in the worker's thread before the pair is handed out; it must be thread-safe. When the caller
    stops (Ctrl-C, `close`), tasks that have begun are waited for, no other begins, and no thread is left.
    """
    if not items:
        return
    run = _Run(items, task, on_done)
    thread = threading.Thread(target=run.start, args=(min(workers, len(items)),), name="netaudit-each-host")
    try:
        thread.start()
        while (pair := run.finished.get()) is not None:
            yield pair
    finally:
        run.stop.set()
        if thread.ident is not None:
            _await(run, thread)
    if run.crash is not None:
        raise run.crash


class _Run(Generic[Item, Answer]):
    """One run of nornir over all items; what it gives is in a queue, `None` at its end."""

    def __init__(
        self,
        items: Mapping[str, Item],
        task: Callable[[Item], Answer],
        on_done: Callable[[str, Answer | HostError], None] | None,
    ) -> None:
        self.stop = threading.Event()
        self.ended = threading.Event()
        self.finished: queue.SimpleQueue[tuple[str, Answer | HostError] | None] = queue.SimpleQueue()
        self.crash: BaseException | None = None
        self._items = items
        self._task = task
        self._on_done = on_done
        self._answered: set[str] = set()

    def start(self, workers: int) -> None:
        """Run to the end, and hand out an error for each item that nornir left out."""
        try:
            hosts = Hosts({name: Host(name=name) for name in self._items})
            inventory = Inventory(hosts=hosts, groups=Groups(), defaults=Defaults())
            # A fresh object each time: nornir leaves hosts that failed once out of its later runs (STYLE.md 1.7).
            nornir = Nornir(inventory=inventory, config=Config(), runner=ThreadedRunner(num_workers=workers))
            nornir.run(task=self._one, name="each_host")
            for name in self._items:
                if name not in self._answered:
                    self._hand_out(name, HostError(reason="nornir gave no result for this device"))
        except BaseException as error:  # noqa: BLE001 - raised in the caller's thread, which alone can report it
            self.crash = error
        finally:
            self.finished.put(None)
            self.ended.set()

    def _one(self, task: Task) -> Result:
        name = task.host.name
        answer = HostError(reason="not begun: interrupted") if self.stop.is_set() else self._answer(name)
        self._hand_out(name, answer)
        return Result(host=task.host)  # the answer went through the queue: nornir would keep all of them

    def _answer(self, name: str) -> Answer | HostError:
        try:
            return self._task(self._items[name])
        except Unusable as error:
            return HostError(reason=f"{error.message} ({error.hint})" if error.hint else error.message)
        except Exception as error:  # noqa: BLE001 - a bug in one device's task is that device's result
            _log.debug("%s: task failed", name, exc_info=True)
            return HostError(reason=f"{type(error).__name__}: {error}", trace=traceback.format_exc())

    def _hand_out(self, name: str, answer: Answer | HostError) -> None:
        self._answered.add(name)
        try:
            if self._on_done is not None:
                self._on_done(name, answer)
        except BaseException as error:  # noqa: BLE001 - the caller's own bug, raised in the caller's thread
            self.crash = error
        self.finished.put((name, answer))


def _await(run: _Run[Item, Answer], thread: threading.Thread) -> None:
    """Wait for the end of a run, through any number of Ctrl-C: what has begun on a device must end."""
    interrupted: KeyboardInterrupt | None = None
    while True:
        try:
            run.ended.wait()  # not the thread: CPython 3.11 takes a thread for dead once its join was interrupted
            thread.join()
            break
        except KeyboardInterrupt as error:
            interrupted = error
    if interrupted is not None:
        raise interrupted
