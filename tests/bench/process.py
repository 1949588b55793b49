"""The service as a process: start to ready, processor and memory, bytes written per event."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import tty
import urllib.request
from pathlib import Path
from statistics import median
from typing import NamedTuple

from controller.access.token import write_token
from controller.record.journal import Journal
from controller.rules.cards import card
from controller.table.facts import CardDealt, Record
from tests.bench.table import BenchLine

STARTS = 5
EVENTS = 2_000

CONFIG = """\
[table]
name = "bench"
game = "21-24-27"
seats = 7
[record]
folder = "record"
trust_clock = true
[web]
port = 0
token_file = "token"
[scanner]
port = "{port}"
[leds]
spots = [[6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20], [21, 22, 23], \
[24, 25, 27]]
[buttons]
next = 2
stand = 3
call = 4
"""


class StartFigures(NamedTuple):
    """Seconds from the start to ready, those of a processor within them, and resident MB after
    every page was asked for.
    """

    ready_s: float
    processor_s: float
    resident_mb: float


def start_once(folder: Path) -> StartFigures:
    """Start the table in `folder` and stop it; its first start makes the record's key, too."""
    master, slave = os.openpty()
    tty.setraw(slave)
    config = folder / "table.toml"
    config.write_text(CONFIG.format(port=os.ttyname(slave)))
    environment = {**os.environ, "GPIOZERO_PIN_FACTORY": "mock"}
    # An installed table has its bytecode; compiling it at each start takes half a second.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "controller", "run", "--allow-simulated", str(config)],
        env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as service:  # fmt: skip
        assert service.stdout is not None
        url = service.stdout.readline().split()[1]
        took = time.perf_counter() - began
        ticks = Path(f"/proc/{service.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        try:
            for page in ("", "dealer", "api/v1/table", "openapi.json", "metrics"):
                urllib.request.urlopen(url + page, timeout=10).read()
            status = Path(f"/proc/{service.pid}/status").read_text()
        finally:
            service.terminate()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    os.close(master)
    os.close(slave)
    processor_s = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return StartFigures(took, processor_s, int(resident.split()[1]) / 1024)


def bytes_per_event(folder: Path) -> float:
    """Bytes written to files for one event, each a commit of its own, checkpoints included."""
    journal = Journal(folder / "bytes.db")
    before = _written()
    for number in range(1, EVENTS + 1):
        fact = CardDealt(card("Kh"), 1, 1, "scanner", "000123")
        journal.write([Record(number, 1_700_000_000_000, 123_456_789_012, "scanner:1:1", fact)])
    journal.close()
    return (_written() - before) / EVENTS


def _written() -> int:
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("wchar")).split()[1])


def lines() -> list[BenchLine]:
    """The rows of this part."""
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as name:
        folder = Path(name)
        write_token(folder / "token")
        starts = [start_once(folder) for _ in range(STARTS)]
        written = bytes_per_event(folder)
    ready, processor, resident = (list(each) for each in zip(*starts, strict=True))
    return [
        BenchLine(
            "service, start to ready",
            f"{median(ready):.2f} s",
            f"{max(ready):.2f} s",
            "within 1.5 s",
            median(ready) <= 1.5,
        ),
        BenchLine(
            "service, start to ready, of a processor",
            f"{median(processor):.2f} s",
            f"{max(processor):.2f} s",
        ),
        BenchLine(
            "service, resident, pages asked for",
            f"{median(resident):.0f} MB",
            f"{max(resident):.0f} MB",
            "at most 80 MB",
            max(resident) <= 80,
        ),
        BenchLine(
            "journal, bytes written per event",
            f"{written:,.0f}",
            "",
            "at most 1,500",
            written <= 1_500,
        ),
    ]
