"""`make bench`: measure, and print one table; below it what the camera took for what.

python -m tests.bench --camera     # the camera only
"""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

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
from tests.bench.table import print_table


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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument(
        "--camera", action="store_true", help="only what its reader makes of pictures"
    )
    only_camera = parser.parse_args().camera
    print(f"Measured on: {machine()}")
    print("The reference is a Raspberry Pi 5 with 4 GB; a PC's figures do not stand for it.\n")
    parts = (
        engine,
        odds,
        exact_odds,
        live_path,
        bus_cost,
        guard_hop,
        process,
        camera_table,
        record,
        breaking,
        archive,
        books,
        catch_up,
        live,
        viewers,
        overlay,
        studio,
        wall_page,
    )
    vision_lines, tables = vision.measured()
    rest = [] if only_camera else [line for part in parts for line in part.lines()]
    print_table(rest + vision_lines)
    print(f"\n{tables}")
