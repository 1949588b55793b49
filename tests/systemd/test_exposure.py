"""Whatever drivers a table has, in every combination of what they need, its units are closed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from controller.assembly.wiring import load
from controller.commands.drivers import units
from drivers.driver import SystemNeeds
from tests.support.forms import quick_first
from tests.systemd.staged import EXPOSURE_MAX_TENTHS, HARDENED
from tests.systemd.test_driver_units import ALL_NEEDS, OFF_THE_HEADER

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("/dev/video0", "csi", "http://127.0.0.1:1/x")
#: So many units in one call.
AT_ONCE = 200


def distinct(tmp_path: Path) -> tuple[list[SystemNeeds], list[SystemNeeds]]:
    """Every need that a driver of ours can have, once: the table's and the guard's."""
    path = tmp_path / "table.toml"
    table: list[SystemNeeds] = []
    guard: list[SystemNeeds] = []
    for text in (*(ALL_NEEDS.format(source=each) for each in SOURCES), OFF_THE_HEADER):
        path.write_text(text)
        for found, needs in zip((table, guard), units.needed(load(path)), strict=True):
            found += [each for each in needs if each not in found]
    return table, guard


def judged(files: Iterable[Path], threshold: int) -> bool:
    """Whether systemd finds every one of these units exposed to no more than that."""
    tool = shutil.which("systemd-analyze")
    if tool is None and not os.environ.get("CI"):
        pytest.skip("systemd-analyze is not installed: `make setup` installs it")
    assert tool is not None, "systemd-analyze is missing: install the Debian package systemd"
    waiting, good = list(files), True
    while waiting:
        some, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        said = subprocess.run(
            [tool, "security", "--offline=yes", "--no-pager", f"--threshold={threshold}", *some],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert said.stderr == ""
        good = good and said.returncode == 0
    return good


@pytest.mark.parametrize("sizes", quick_first(("pairs", "all"), ("pairs",)))
@pytest.mark.parametrize("name", HARDENED)
def test_every_combination_of_drivers_exposes_the_table_to_little(
    name: str, sizes: str, tmp_path: Path
) -> None:
    """Two needs at a time and all at once in the quick form, every combination in the long one."""
    needs = distinct(tmp_path)[HARDENED.index(name)]
    assert len(needs) > 4
    counts = range(len(needs) + 1) if sizes == "all" else (0, 1, 2, len(needs))
    texts = {
        units.drop_ins(some, some)[f"{units.UNITS}/{name}.d/{units.DROP_IN}"]
        for count in counts
        for some in combinations(needs, count)
    }
    unit = (ROOT / "systemd/units" / name).read_text()
    files = []
    for number, text in enumerate(sorted(texts)):
        files.append(tmp_path / f"combination{number}.service")
        files[-1].write_text(f"{unit}\n{text}")
    assert judged(files, EXPOSURE_MAX_TENTHS)


@pytest.mark.parametrize("name", HARDENED)
def test_one_unit_among_many_that_is_open_would_be_found(name: str, tmp_path: Path) -> None:
    unit = (ROOT / "systemd/units" / name).read_text()
    files = [tmp_path / f"unit{number}.service" for number in range(3)]
    for number, each in enumerate(files):
        each.write_text(
            unit
            + (
                "\n[Service]\nUser=root\nNoNewPrivileges=no\nSystemCallFilter=\n"
                "DevicePolicy=auto\nProtectSystem=no\n"
            )
            * (number == 1)
        )
    assert not judged(files, EXPOSURE_MAX_TENTHS)
