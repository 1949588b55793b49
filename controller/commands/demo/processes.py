"""The processes of the demo, each stopped with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import Final

from controller.commands.demo.order import DemoError

READY_TIMEOUT_S: Final = 20.0
STOP_TIMEOUT_S: Final = 10.0
#: The world's line where a fault cuts the service's power: it is killed and started again.
POWER_CUT: Final = "power cut\n"


def free_port() -> int:
    """A port of this machine that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Child:
    """A process of the demo, stopped with it; passes its lines on and waits for its `ready`."""

    def __init__(
        self, command: list[str | Path], log: Path | None = None, **environment: str
    ) -> None:
        """Start it; what it says on standard error goes to `log`, or to ours."""
        self._name = str(command[2])
        self._log = log.open("a", encoding="utf-8") if log else None
        self._process = subprocess.Popen(
            [str(part) for part in command],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
        )
        self._ready = threading.Event()
        self.power_cut = threading.Event()
        self._lines = threading.Thread(target=self._pass_on, name=self._name)
        self._lines.start()

    def _pass_on(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("ready"):
                self._ready.set()
            elif line == POWER_CUT:
                self.power_cut.set()
            else:
                print(line, end="", flush=True)
        self._ready.set()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *unused: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._lines.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._log is not None:
            self._log.close()

    def wait_until_ready(self) -> None:
        """Returns once the process said `ready`. Raises `DemoError`."""
        if not self._ready.wait(READY_TIMEOUT_S):
            raise DemoError(f"{self._name} was not ready within {READY_TIMEOUT_S:g} s")
        if self._process.poll() is not None:
            raise DemoError(f"{self._name} stopped at once (status {self._process.poll()})")

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._process.wait()

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._process.poll()
