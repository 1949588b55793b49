"""A device node, opened as the service does it: as the leader of a session without a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
#: Opens a line and prints the number of the terminal that it has then (proc(5): tty_nr).
SERVICE = """
import sys
from pathlib import Path
from drivers.io.device_node import DeviceNode
DeviceNode(sys.argv[1], "pole_display", lambda descriptor: None).open()
print(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[4])
"""


def test_a_line_does_not_become_the_terminal_of_the_service() -> None:
    ours, theirs = os.openpty()
    path = os.ttyname(theirs)
    os.close(theirs)
    try:
        ran = subprocess.run(
            [sys.executable, "-c", SERVICE, path], cwd=ROOT, start_new_session=True,
            capture_output=True, text=True, timeout=PATIENCE_S, check=True,
        )  # fmt: skip
    finally:
        os.close(ours)
    assert ran.stdout.strip() == "0", "a terminal that is pulled sends SIGHUP: reload"
