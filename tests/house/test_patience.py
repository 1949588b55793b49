"""What is promised within a time is not judged by a machine that stood still."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from controller.record.build import ROOT
from tests.support.patience import PATIENCE_S
from tests.support.processes.stops import Stops

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


def test_stops_are_seen_of_processes_that_have_one_core_between_them() -> None:
    core = min(os.sched_getaffinity(0))
    spins = f"import os\nos.sched_setaffinity(0, [{core}])\nwhile True: pass"
    two = [subprocess.Popen([sys.executable, "-c", spins]) for _ in range(2)]
    stops = Stops(lambda: [each.pid for each in two])
    until_s = time.monotonic() + PATIENCE_S
    try:
        with stops.watched():
            while not stops.seen and time.monotonic() < until_s:
                time.sleep(0.01)
    finally:
        for each in two:
            each.kill()
            each.wait()
    assert stops.seen
