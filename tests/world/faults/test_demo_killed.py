"""Whatever of a demo is killed, its record stays, and what can be started again is."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.record.reading.verify import verify
from tests.support.patience import PATIENCE_S
from tests.support.processes.town import LineProcess, free_pair


class Demo:
    """A demo as a user starts it: at a folder of its own making, which is below `temporary`."""

    def __init__(self, temporary: Path) -> None:
        command = [sys.executable, "-m", "controller", "demo", "--port", str(free_pair())]
        self.process = LineProcess(
            [*command, "--seats", "3", "--speed", "20"], TMPDIR=str(temporary)
        )
        line = self.process.until(lambda each: "Dealer:" in each)
        self.address = re.findall(r"http://127.0.0.1:\d+", line)[0]
        (self.folder,) = temporary.glob("tablectl-*")

    def pid(self, *words: str) -> int:
        """The process of the demo whose command line has these words."""
        parent = self.process.process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        for child in map(int, children):
            command = Path(f"/proc/{child}/cmdline").read_text().split("\0")
            if set(words) <= set(command):
                return child
        raise AssertionError(f"no process of the demo runs {words}")

    def until(self, phase: str) -> dict[str, Any]:
        """The dealer's display, once the table is in that phase."""
        end = time.monotonic() + PATIENCE_S
        with httpx.Client(timeout=PATIENCE_S, trust_env=False, verify=False) as web:
            while True:
                scene: dict[str, Any] = web.get(f"{self.address}/api/v1/scene").json()
                if scene["phase"] == phase and not scene["holds"]:
                    return scene
                assert time.monotonic() < end, f"it never came to {phase}: {scene['headline']}"
                time.sleep(0.05)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    found = Demo(tmp_path)
    try:
        yield found
    finally:
        found.process.close()


@pytest.mark.long
def test_a_service_that_is_killed_is_started_again_and_goes_on_from_its_record(demo: Demo) -> None:
    before = demo.until("round")
    for _ in range(2):
        os.kill(demo.pid("controller", "run"), signal.SIGKILL)
        demo.process.until(lambda line: "service ended by signal 9, and was started again" in line)
    os.kill(demo.pid("drivers.panel.guard"), signal.SIGKILL)
    demo.process.until(lambda line: "lights ended by signal 9, and was started again" in line)
    assert demo.until("round")["seq"] > before["seq"]
    os.kill(demo.process.process.pid, signal.SIGINT)
    assert demo.process.finish() == 0
    record = demo.folder / "record"
    assert demo.process.lines[-1] == f"  The record stays in {record}."
    found: Any = verify(record)
    assert found.good, found.problems


@pytest.mark.long
def test_a_world_that_is_killed_ends_the_demo_and_leaves_the_record(demo: Demo) -> None:
    demo.until("round")
    os.kill(demo.pid("sim_hw"), signal.SIGKILL)
    assert demo.process.finish() != 0
    assert any("simulated world was ended by signal 9" in line for line in demo.process.lines)
    found: Any = verify(demo.folder / "record")
    assert found.good, found.problems


@pytest.mark.long
def test_a_terminal_that_is_closed_leaves_no_process_and_the_record(demo: Demo) -> None:
    demo.until("betting")
    children = [demo.pid("controller", "run"), demo.pid("sim_hw"), demo.pid("drivers.panel.guard")]
    os.kill(demo.process.process.pid, signal.SIGHUP)
    assert demo.process.finish() == 0
    assert not [each for each in children if Path(f"/proc/{each}").exists()]
    assert (demo.folder / "record").is_dir()
