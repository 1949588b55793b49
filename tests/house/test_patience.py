"""What is promised within a time is not judged by a machine that stood still."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from controller.record.build import ROOT

STILL_S = 1.5
SAYS = """
import signal, time
from tests.support import patience
from tests.support.patience import PATIENCE_S, Stopwatch
patience._starved_s = lambda: 0.0  # there is a core to spare
began, goes_on = Stopwatch(), []
signal.signal(signal.SIGCONT, lambda *_: goes_on.append(True))
print("begun", flush=True)
while not goes_on and began.elapsed_s() < PATIENCE_S:
    time.sleep(0.01)
while not began.still_s and began.elapsed_s() < PATIENCE_S:
    time.sleep(0.01)
print(began.elapsed_s() - began.passed_s())
"""


def test_a_stopwatch_leaves_out_the_time_in_which_the_process_was_stopped() -> None:
    command = [sys.executable, "-c", SAYS]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as watched:
        assert watched.stdout is not None
        assert watched.stdout.readline() == b"begun\n"
        os.kill(watched.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, watched.pid, os.WSTOPPED | os.WNOWAIT)
        time.sleep(STILL_S)  # so long does it stand still
        os.kill(watched.pid, signal.SIGCONT)
        left_out_s = float(watched.stdout.readline())
    assert left_out_s > STILL_S / 2
