"""The demo's processes end with it, also where it was killed and could stop none of them."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

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
