"""`make bench`: measure, and print one table; below it what the camera took for what.

python -m tests.bench --camera     # the camera only
python -m tests.bench --pit        # a pit of the size that it is made for; most of an hour
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench import (
    breaking,
    camera_table,
    engine,
    exact_odds,
    guard_hop,
    live_path,
    odds,
    overlay,
    process,
    record,
    studio,
    vision,
)
from tests.bench.pit import archive, books, bus_cost, catch_up, live, viewers, wall_page
from tests.bench.table import BenchLine, print_table

#: A pit as large as it is made for, and as long away.
_WHOLE_PIT: Final[tuple[Callable[[], list[BenchLine]], ...]] = (
    bus_cost.lines,
    partial(live.lines, 1_000, 60),
    partial(catch_up.lines, 200, 6_700),
    partial(viewers.lines, 500, 20),
    wall_page.lines,
    partial(books.lines, 10_000_000),
    partial(books.of_postgresql, 10_000_000),
)


def machine() -> str:
    """What this ran on, as far as it can be told."""
    model = Path("/proc/device-tree/model")
    name = model.read_text().strip("\0") if model.exists() else platform.machine()
    cpu = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    return f"{name}, {cpu}, {os.cpu_count()} cores, Python {platform.python_version()}"


PARTS: Final = (
    engine, odds, exact_odds, live_path, bus_cost, guard_hop, process, camera_table, record,
    breaking, archive, books, catch_up, live, viewers, overlay, studio, wall_page,
)  # fmt: skip


def main() -> None:
    """Measure what is asked for, and print it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--camera", action="store_true", help="only what its reader makes of pictures"
    )
    only.add_argument("--pit", action="store_true", help="only a pit, of its full size")
    asked = parser.parse_args()
    print(f"Measured on: {machine()}")
    print("The reference is a Raspberry Pi 5 with 4 GB; a PC's figures do not stand for it.\n")
    if asked.pit:
        for part in _WHOLE_PIT:
            print_table(part())
        return
    vision_lines, tables = vision.measured()
    rest = [] if asked.camera else [line for part in PARTS for line in part.lines()]
    print_table(rest + vision_lines)
    print(f"\n{tables}")


if __name__ == "__main__":
    main()
