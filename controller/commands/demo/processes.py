"""The processes of the demo, each stopped with it."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.commands.demo.order import DemoError

#: A process that has not used the processor for this long before it was ready will not be.
STILL_S: Final = 20.0
LOOK_S: Final = 0.5
STOP_TIMEOUT_S: Final = 10.0
#: The world's line where a fault cuts the service's power: it is killed and started again.
POWER_CUT: Final = "power cut\n"
#: Below those that the system gives to connections: one of these could take the port in the time
#: between its choice and the start of whoever listens there.
PORTS: Final = range(20_000, 32_000)

#: A process whose starter was killed gets SIGTERM from the system (prctl(2), PR_SET_PDEATHSIG).
_ENDS_WITH_US: Final = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()


def free_port() -> int:
    """A port of this machine that nobody has at the moment, and that no connection takes."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def port_or_another(port: int) -> int:
    """`port` where nobody has it, else any free one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return free_port()
        return port


def show_page(url: str) -> None:
    """Open `url` in a browser where there is a desktop."""
    opener = shutil.which("xdg-open")
    if opener and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        subprocess.Popen(
            [opener, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip


class Child:
    """A process of the demo, stopped with it; passes its lines on and waits for its `ready`."""

    def __init__(
        self,
        command: list[str | Path],
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        """Start it; what it says on standard error goes to `log`, or to ours. So does what it says
        on standard output if it is `quiet`: else its lines are passed on.
        """
        self._name = str(command[2])
        self._log = log.open("a", encoding="utf-8") if log else None
        self._process = subprocess.Popen(
            [*_ENDS_WITH_US, *map(str, command)],
            env={**os.environ, **(environment or {})},
            stdout=self._log if quiet else subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
        )
        self._ready = threading.Event()
        self.power_cut = threading.Event()
        self._lines = threading.Thread(target=self._pass_on, name=self._name, daemon=True)
        self._lines.start()

    def _pass_on(self) -> None:
        for line in self._process.stdout or ():
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
        self.close()

    def close(self) -> None:
        """Stop it, if it still runs, and collect it."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                # With what it started, which may hold its standard output, and us with it.
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self._lines.join(STOP_TIMEOUT_S)
        # Else something that it had started, and left, holds its standard output still.
        if self._process.stdout is not None and not self._lines.is_alive():
            self._process.stdout.close()
        if self._log is not None:
            self._log.close()

    def wait_until_ready(self) -> None:
        """Returns once the process said `ready`; waits while it works. Raises `DemoError`."""
        worked, since_s = self._worked(), time.monotonic()
        while not self._ready.wait(LOOK_S):
            if (now := self._worked()) != worked:
                worked, since_s = now, time.monotonic()
            elif time.monotonic() - since_s > STILL_S:
                raise DemoError(f"{self._name} does nothing, and is not ready: look at its log")
        if self._process.poll() is not None:
            raise DemoError(f"{self._name} stopped at once (status {self._process.poll()})")

    def _worked(self) -> str:
        """The processor time that the process has used, as the kernel says it."""
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
        except OSError:
            return ""
        return " ".join(stat.rpartition(")")[2].split()[11:13])

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._process.wait()

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._process.poll()
