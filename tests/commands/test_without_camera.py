"""An installation without the extra `camera`: what needs it is refused with the remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from controller.commands.terminal.status import EXIT_CONFIG

#: Command lines in a Python that finds none of these modules; the statuses of all as the last line.
WITHOUT = """
import sys
sys.modules.update(cv2=None, numpy=None, pyzbar=None)
from controller.__main__ import main
statuses = []
for line in sys.argv[1:]:
    try:
        statuses.append(main(line.split()))
    except SystemExit as ended:  # a help
        statuses.append(ended.code)
print(*statuses)
"""


def tablectl(*lines: str, folder: Path) -> tuple[list[int], str]:
    """Run them one after the other; their statuses, and what they said on standard error."""
    command = [sys.executable, "-P", "-c", WITHOUT, *lines]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [int(each) for each in done.stdout.splitlines()[-1].split()], done.stderr


@pytest.mark.long
def test_a_command_for_a_camera_says_what_to_install(tmp_path: Path) -> None:
    lines = (
        "read card.jpg", "read --deck deck card.jpg", "calibrate camera table.toml",
        "calibrate board board.pdf",
    )  # fmt: skip
    statuses, errors = tablectl(*lines, folder=tmp_path)
    assert statuses == [EXIT_CONFIG] * len(lines)
    said = (
        "tablectl: cv2, numpy, pyzbar cannot be found: install the extra `camera`"
        " (pip install 'tablectl[camera]')"
    )
    assert errors.splitlines() == [said] * len(lines)
    assert list(tmp_path.iterdir()) == []


def test_the_others_do_without(tmp_path: Path) -> None:
    lines = (
        "rules blackjack", "read --help", "calibrate --help", "doctor --help", "run --help",
        "verify --help",
    )  # fmt: skip
    assert tablectl(*lines, folder=tmp_path) == ([0] * len(lines), "")
