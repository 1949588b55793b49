"""When a busy machine kept a table's service waiting while a test ran, as it was measured."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

#: It is looked so often, and whoever looks much later was stopped in between.
LOOK_S: Final = 0.1
#: A thread that waited for a core for so long since the last look was stopped: a simulated card
#: takes a few ms from its code to the beam.
STOP_MS: Final = 10


class MachineStop(NamedTuple):
    """From when to when a process stood, or one of its threads did; monotonic."""

    from_s: float
    to_s: float


class Stops:
    """The stops of processes while it watches, to a tenth of a second.

    A thread's wait for a core is the kernel's figure (`schedstat`); without that file they are
    what this process sees of a machine that stands still.
    """

    def __init__(self, processes: Callable[[], Iterable[int]]) -> None:
        self.seen: list[MachineStop] = []
        self._processes = processes
        self._waited_ns: dict[Path, int] = {}
        self._over = threading.Event()

    @contextmanager
    def watched(self) -> Iterator[Stops]:
        """Look for them until it is left."""
        looking = threading.Thread(target=self._look, daemon=True)
        looking.start()
        try:
            yield self
        finally:
            self._over.set()
            looking.join()

    def _look(self) -> None:
        looked_s = time.monotonic()
        while not self._over.wait(LOOK_S):
            now_s = time.monotonic()
            if self._longest_ms() >= STOP_MS or now_s - looked_s > 2 * LOOK_S:
                self.seen.append(MachineStop(looked_s, now_s))
            looked_s = now_s

    def between(self, from_s: float, to_s: float) -> bool:
        """Whether one was seen then."""
        return any(each.from_s <= to_s and from_s <= each.to_s for each in self.seen)

    def _longest_ms(self) -> float:
        """The longest that a thread has waited for a core since the last look."""
        before, self._waited_ns = self._waited_ns, dict(self._waits())
        since = (ns - before[path] for path, ns in self._waited_ns.items() if path in before)
        return max(since, default=0) / 1e6

    def _waits(self) -> Iterator[tuple[Path, int]]:
        for process in self._processes():
            for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
                try:
                    yield path, int(path.read_text().split()[1])
                except OSError:
                    continue  # it has ended


def services() -> Iterator[int]:
    """The services of tables that this process has started, and the programs that it started."""
    to_ask = [os.getpid()]
    while to_ask:
        process = to_ask.pop()
        try:
            said = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            tasks = Path(f"/proc/{process}/task").glob("*/children")
            to_ask += [int(child) for task in tasks for child in task.read_text().split()]
        except OSError:
            continue  # it has ended
        if b"controller" in said and b"run" in said:
            yield process
