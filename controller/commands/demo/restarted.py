"""A process of the demo that is started again when it ends, as systemd does with a table's."""

from __future__ import annotations

import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from controller.commands.demo.order import DemoError
from controller.commands.demo.processes import Child
from controller.commands.terminal.status import EXIT_CONFIG

#: After this many starts within this many seconds it is left alone, as by systemd.
STARTS: Final = 5
WITHIN_S: Final = 300.0
#: This much of its log is shown then.
LOG_LINES: Final = 20


class Restarted:
    """A child called `name` that runs `command`; what it says on standard error goes to `log`.

    Whatever ends it, its record lies on the disk and it goes on from there.
    """

    def __init__(self, name: str, command: list[str | Path], log: Path, **environment: str) -> None:
        self._name = name
        self._command = command
        self._log = log
        self._environment = environment
        self._again_s: deque[float] = deque(maxlen=STARTS)
        self._child: Child | None = None

    def __enter__(self) -> Restarted:
        self._start()
        return self

    def __exit__(self, *unused: object) -> None:
        self._close()

    def cut_power(self) -> None:
        """End it as a power cut does, and start it again."""
        if self._child is not None:
            self._child.kill()
        self._close()
        self._start()

    def start_if_ended(self) -> None:
        """Start it again if it has ended. Raises `DemoError` where that would help nobody."""
        status = self._child.poll() if self._child is not None else None
        if status is None:
            return
        self._close()
        by = f"by signal {-status}" if status < 0 else f"with status {status}"
        often = len(self._again_s) == STARTS and time.monotonic() - self._again_s[0] < WITHIN_S
        if often or status == EXIT_CONFIG:
            raise DemoError(f"{self._name} ended {by}:\n{self._said()}")
        self._again_s.append(time.monotonic())
        self._start()
        print(f"  {self._name.capitalize()} ended {by}, and was started again.", flush=True)

    def _start(self) -> None:
        self._child = Child(self._command, self._log, self._environment)
        try:
            # Whatever ends the waiting, Ctrl-C too: nobody else knows of the process yet.
            with ExitStack() as not_ready:
                not_ready.callback(self._close)
                self._child.wait_until_ready()
                not_ready.pop_all()
        except DemoError as error:
            raise DemoError(f"{error}:\n{self._said()}") from None

    def _close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def _said(self) -> str:
        return "".join(self._log.read_text().splitlines(keepends=True)[-LOG_LINES:])
