"""The service with a camera as a process: resident memory after it has read the cards of a day."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.table import BenchLine

ROUNDS = 3
#: How often the service's memory is looked at.
EVERY_S = 0.5
AT_MOST_MB = 130


def lines() -> list[BenchLine]:
    """The row of this part: the whole demo, whose shoe camera is rendered by another process."""
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder:
        resident = _of_a_day(Path(folder))
    return [
        BenchLine(
            "service with a camera, resident, a day by camera",
            f"{resident:.0f} MB",
            "",
            f"at most {AT_MOST_MB} MB",
            resident <= AT_MOST_MB,
        )
    ]


def _of_a_day(folder: Path) -> float:
    with subprocess.Popen(
        [
            sys.executable, "-m", "controller", "demo", "--reader", "camera", "--headless",
            "--game", "finnish-27", "--seats", "2", "--seed", "5", "--rounds", str(ROUNDS),
            "--dir", str(folder / "demo"),
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as demo:  # fmt: skip
        most = 0.0
        while demo.poll() is None:
            most = max([most, *map(_resident_mb, _services(demo.pid))])
            time.sleep(EVERY_S)
    if demo.returncode or not most:
        raise RuntimeError(f"the demo ended with {demo.returncode}: run it alone to see why")
    return most


def _services(demo: int) -> list[int]:
    """The processes that the demo started which run a table."""
    found = []
    for task in Path(f"/proc/{demo}/task").glob("*/children"):
        for child in task.read_text().split():
            try:
                said = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue  # it has ended
            if b"run" in said:
                found.append(int(child))
    return found


def _resident_mb(process: int) -> float:
    """Resident MB of a process; 0 once it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    return int(sizes[0]) / 1024 if sizes else 0.0
