"""The demo's processes end with it, also where it was killed and could stop none of them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from controller.commands.demo import processes
from controller.commands.demo.order import DemoError
from tests.support.patience import PATIENCE_S

_STARTER = """\
import sys
from controller.commands.demo.processes import Child
going = "import time; print('ready', flush=True); time.sleep(3600)"
child = Child([sys.executable, "-c", going])
child.wait_until_ready()
print("up", flush=True)
child._process.wait()
"""


@pytest.mark.skipif(not shutil.which("setpriv"), reason="setpriv (util-linux) is not here")
def test_who_is_killed_leaves_no_process() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _STARTER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == "up\n"
        starter.kill()
        # Its child holds the same standard error: the end is there when both are gone.
        starter.communicate(timeout=PATIENCE_S)


_STARTING = """\
import sys
from contextlib import suppress
from pathlib import Path
from controller.commands.demo.restarted import Restarted
never_ready = "import time; print('begun', flush=True); time.sleep(3600)"
with Restarted("the service", [sys.executable, "-c", never_ready], Path(sys.argv[1])):
    pass
"""


def test_who_is_stopped_while_a_process_starts_ends_it_and_ends(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _STARTING, tmp_path / "service.log"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as starter:  # fmt: skip
        assert starter.stdout is not None
        assert starter.stdout.readline() == "begun\n"
        starter.send_signal(signal.SIGINT)
        try:
            said = starter.communicate(timeout=PATIENCE_S)[1]
        finally:
            starter.kill()
    assert said.rstrip().endswith("KeyboardInterrupt")


_LEAVES = """\
import subprocess, sys
left = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=0)
print("ready", flush=True)
"""


def test_a_process_that_left_another_behind_is_waited_for_in_bounded_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it left holds its standard output for as long as it likes: here, while we hold its own
    input.
    """
    monkeypatch.setattr(processes, "STOP_TIMEOUT_S", 0.1)
    theirs, ours = os.pipe()
    kept = os.dup(0)
    os.dup2(theirs, 0)
    try:
        child = processes.Child([sys.executable, "-c", _LEAVES])
        with suppress(DemoError):  # it has ended as it should
            child.wait_until_ready()
        child.close()
    finally:
        os.dup2(kept, 0)
        for each in (theirs, ours, kept):
            os.close(each)  # and it goes
    monkeypatch.undo()
    child.close()
