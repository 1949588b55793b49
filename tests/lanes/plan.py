"""Which lanes there are, and which tests run in which."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.lanes.lane import QUICK_LIMIT_S, Lane

ROOT: Final = Path(__file__).resolve().parents[2]
TESTS: Final = ROOT / "tests"

#: What keeps time (real processes, terminals, streams, browsers) waits more than it works, and
#: goes first. Each lane is one process: workers that share the files of a lane import and collect
#: all of them each, and report to one more process, which took some 30 s of CPU. A lane that is
#: named later has what the ones before it left of its places.
TIMED: Final = {
    "pages": ("pages",),
    "faults": ("world/faults", "systemd"),
    "world": (
        "world", "commands/test_completion.py", "commands/test_init.py",
        "commands/test_progress.py",
    ),
    "bench": (
        "hil", "sim_hw", "calibration/test_calibrate.py", "calibration/test_calibrate_codes.py",
        "calibration/camera/test_calibrate_camera.py", "drivers/door",
        "drivers/io", "drivers/panel", "drivers/shoe", "drivers/spots", "drivers/test_babble.py",
        "drivers/test_supervise.py", "contracts/test_input_devices.py",
        "contracts/test_output_devices.py", "contracts/test_hil.py",
    ),
}  # fmt: skip
#: The quick form plays these on a small bench (`hil/test_small.py`).
SUITES: Final = "tests/hil/suites/"
#: The rest only computes, in lanes of one process each. What is not named here is `service`.
COMPUTED: Final = {
    "core": ("rules", "odds", "golden", "table", "contracts", "endurance"),
    # The description of a table's API beside that of a pit's: what tries them (schemathesis) takes
    # three seconds to import.
    "record": ("record", "records", "access", "bus", "pit", "releases", "web/test_description.py"),
}
#: The files that take longest: a lane begins with them, else it would end with one of them alone.
LONGEST: Final = (
    "world/test_twenty_mistakes.py", "world/test_demo_day.py", "world/test_camera_day.py",
    "world/faults/test_crash_points.py", "world/faults/test_rainy_day.py",
    "world/faults/test_outside.py",
    "pages/dealer_display/test_every_picture.py", "pages/rounds/test_corrections.py",
    "pages/documents/test_rules.py",
    "calibration/test_calibrate.py", "calibration/camera/test_calibrate_camera.py",
    "record/files/test_spoilt.py", "contracts/test_games.py", "contracts/test_behaviour.py",
    "record/copies/test_rolled_back.py", "rules/test_sheets_read_back.py",
)  # fmt: skip


def _in_turn(path: Path) -> tuple[int, Path]:
    """The longest first, the others by name."""
    name = str(path.relative_to(TESTS))
    return (LONGEST.index(name) if name in LONGEST else len(LONGEST), path)


def files_of(places: Iterable[str]) -> list[str]:
    """The test files at these places below `tests`, relative to the checkout."""
    found: list[Path] = []
    for place in places:
        path = TESTS / place
        assert path.exists(), f"a lane names tests/{place}, which is not there"
        found += [path] if path.is_file() else path.rglob("test_*.py")
    return [str(each.relative_to(ROOT)) for each in sorted(found, key=_in_turn)]


def pytest_command(name: str, files: Iterable[str], workers: int, *options: str) -> tuple[str, ...]:
    """Run these files; those of a module stay together, since they share what it made."""
    spread = ("-n", str(workers), "--dist", "loadscope", "--no-loadscope-reorder")
    cache = ("-o", f"cache_dir=.pytest_cache/{name}")
    return (
        sys.executable, "-m", "pytest", "-q", *cache, *(spread if workers > 1 else ()), *options,
        *files,
    )  # fmt: skip


#: How long a lane of the long form may take; the longest took 71 minutes beside other work.
LONG_LIMIT_S: Final = 4 * 3600


def lanes(*, long: bool, seed: int) -> list[Lane]:
    """All lanes, those that keep time first. `seed` is that of the long form's properties."""
    limit_s = LONG_LIMIT_S if long else QUICK_LIMIT_S
    options = ("--long", f"--hypothesis-seed={seed}") if long else ()
    found = []
    rest = [each for each in files_of(["."]) if long or not each.startswith(SUITES)]
    # The long form takes so long that what workers cost is little, and its last lane would else be
    # alone on one core for half an hour.
    workers = max(2, (os.cpu_count() or 1) // 2)
    timed, computed = (2, workers) if long else (1, 1)
    for name, places in (*TIMED.items(), *COMPUTED.items(), ("service", (".",))):
        files = [each for each in files_of(places) if each in rest]
        rest = [each for each in rest if each not in files]
        at_once = timed if name in TIMED else computed
        command = pytest_command(name, files, at_once, *options)
        found.append(Lane(name, command, yields=name not in TIMED, limit_s=limit_s))
    checks = ("make", "--no-print-directory", "check")
    found.append(Lane("checks", checks, yields=True, is_tests=False, limit_s=limit_s))
    return found
