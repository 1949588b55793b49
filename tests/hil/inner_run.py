"""A run of pytest within a test: ended with all its programs where it does not end by itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
#: A test's own limit is longer: what hangs is ended here, where its programs can be ended with it.
LIMIT_S: Final = 900.0
TAKEN_DOWN_S: Final = 60.0


def inner_run(*arguments: str, limit_s: float = LIMIT_S) -> subprocess.CompletedProcess[str]:
    """Run pytest in the checkout. Raises `TimeoutExpired` after `limit_s`, when it has been ended.

    Interrupted it takes its fixtures down, and with them what they started; killed it would not.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    with subprocess.Popen(
        command, cwd=CHECKOUT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            said, told = process.communicate(timeout=limit_s)
        except BaseException:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=TAKEN_DOWN_S)
            process.kill()
            raise
        return subprocess.CompletedProcess(command, process.returncode, said, told)
