"""Which lanes there are, and which tests run in which."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.lanes.lane import Lane

ROOT: Final = Path(__file__).resolve().parents[2]
TESTS: Final = ROOT / "tests"

#: What keeps time (real processes, terminals, streams, browsers) waits more than it works, and
#: goes first; so many workers share it. What is not named here only computes, and yields.
TIMED: Final = {
    "processes": ((
        "world", "systemd", "commands/test_completion.py", "commands/test_init.py",
        "commands/test_progress.py",
    ), 2),
    "pages": (("pages",), 2),
    "devices": ((
        "drivers", "sim_hw",
        "calibration/test_calibrate.py", "calibration/test_calibrate_camera.py",
        "contracts/test_input_devices.py", "contracts/test_output_devices.py",
        "contracts/test_hil.py",
    ), 1),
}  # fmt: skip


def files_of(places: Iterable[str]) -> list[str]:
    """The test files at these places below `tests`, relative to the checkout."""
    found: list[Path] = []
    for place in places:
        path = TESTS / place
        assert path.exists(), f"a lane names tests/{place}, which is not there"
        found += [path] if path.is_file() else path.rglob("test_*.py")
    return sorted(str(each.relative_to(ROOT)) for each in found)


def pytest_command(name: str, files: Iterable[str], workers: int, *options: str) -> tuple[str, ...]:
    """Run these files; those of a module stay together, since they share what it made."""
    spread = ("-n", str(workers), "--dist", "loadscope") if workers > 1 else ()
    cache = ("-o", f"cache_dir=.pytest_cache/{name}")
    return (sys.executable, "-m", "pytest", "-q", *cache, *spread, *options, *files)


def lanes(*, long: bool, seed: int) -> list[Lane]:
    """All lanes, those that keep time first. `seed` is that of the long form's properties."""
    options = ("--long", f"--hypothesis-seed={seed}") if long else ()
    found = []
    rest = set(files_of(["."]))
    for name, (places, workers) in TIMED.items():
        files = files_of(places)
        rest -= set(files)
        found.append(Lane(name, pytest_command(name, files, workers, *options)))
    core = pytest_command("core", sorted(rest), os.cpu_count() or 1, *options)
    found.append(Lane("core", core, yields=True))
    checks = ("make", "--no-print-directory", "check")
    found.append(Lane("checks", checks, yields=True, is_tests=False))
    return found
