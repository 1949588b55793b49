"""The whole product as processes: the simulated world and the real service, as in `demo`."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from controller.commands.demo.files import write_files
from controller.commands.demo.order import DemoOrder
from controller.commands.demo.processes import free_port, port_or_another
from tests.support.patience import PATIENCE_S


class LineProcess:
    """A child whose lines are collected as they come."""

    def __init__(self, command: list[str], **environment: str) -> None:
        self.lines: list[str] = []
        self._news: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._news.put(line.rstrip("\n"))
        self._news.put(None)

    def until(self, holds: Callable[[str], bool]) -> str:
        """The next line that fits. Fails the test if the process ends or takes too long."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                line = self._news.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError("took too long:\n" + "\n".join(self.lines[-20:])) from None
            if line is None:
                raise AssertionError("ended early:\n" + "\n".join(self.lines[-20:]))
            self.lines.append(line)
            if holds(line):
                return line

    def skip(self) -> None:
        """Collect what has been printed so far."""
        while not self._news.empty():
            line = self._news.get()
            if line is None:
                raise AssertionError("ended early:\n" + "\n".join(self.lines[-20:]))
            self.lines.append(line)

    def finish(self, patience_s: float = PATIENCE_S) -> int:
        """Wait for the end; the exit status."""
        status = self.process.wait(patience_s)
        self._read_to_the_end()
        while (line := self._news.get()) is not None:
            self.lines.append(line)
        return status

    def _read_to_the_end(self) -> None:
        """What it started, and left, may have its end of the line still."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "a process that it left holds its standard output"

    def kill(self) -> None:
        """SIGKILL: what a power cut is to a process, and to those that it started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.close()

    def close(self) -> None:
        """Stop it, if it still runs, and collect it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self._read_to_the_end()
        if self.process.stdout is not None:
            self.process.stdout.close()


class Town:
    """A world and a service on one folder; the service can be killed and started again.

    `rounds`: how many the world plays before it ends, 0: it goes on until it is stopped.
    """

    def __init__(
        self, folder: Path, *, rounds: int, seed: int = 7, seats: int = 5, speed: float = 100,
        game: str = "21-24-27",
    ) -> None:  # fmt: skip
        order = DemoOrder(game, seats, seed, speed, rounds, True, None, 0, folder)
        self.folder = folder
        self.environment: dict[str, str] = {}
        self.program: tuple[str, ...] = ("-m", "controller")
        port = free_port()
        self.config = write_files(order, folder, port)
        self.prepare()
        self.token = (folder / "token").read_text().strip()
        self.web = httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            timeout=PATIENCE_S,
            verify=False,  # nothing here is TLS, and loading the certificates takes 20 ms
        )
        self.world = LineProcess([sys.executable, "-m", "sim_hw", str(folder / "world.json")])
        try:
            self.world.until(lambda line: line == "ready")
            self.service = self.start_service()
        except BaseException:
            self.world.close()
            raise

    def prepare(self) -> None:
        """Change the written set-up before anything is started, where a town is another one."""

    def start_service(self) -> LineProcess:
        """Start the service, and wait until it is ready."""
        self.service = LineProcess(
            [sys.executable, *self.program, "run", "--allow-simulated", str(self.config)],
            GPIOZERO_PIN_FACTORY="tablectl_sim",
            TABLECTL_SIM_PINS=str(self.folder / "pins.sock"),
            **self.environment,
        )
        self.service.until(lambda line: line.startswith("ready "))
        return self.service

    def scene(self) -> dict[str, Any]:
        """The dealer display, as the API tells it."""
        answer = self.web.get("/api/v1/scene")
        answer.raise_for_status()
        scene: dict[str, Any] = json.loads(answer.text)
        return scene

    def until_scene(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first picture that fits."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            scene = self.scene()
            if holds(scene):
                return scene
            assert time.monotonic() < deadline, f"never came: {scene['headline']}"
            time.sleep(0.005)

    def end_after_a_round(self) -> None:
        """Let the world, which plays for ever, end one more round, and then stop it.

        A world that plays a number of rounds may be through them before a busy machine has let
        the test look at one.
        """
        self.world.skip()
        self.world.until(lambda line: line.startswith("round "))
        self.world.process.send_signal(signal.SIGTERM)
        assert self.world.finish() == 0, self.world.lines

    def close(self) -> None:
        """Stop everything."""
        self.web.close()
        self.service.close()
        self.world.close()


def free_pair() -> int:
    """A port that nobody has, and nobody has the one below it."""
    while port_or_another((port := free_port()) - 1) != port - 1:
        pass
    return port
