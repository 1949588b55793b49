"""An installation without the extra `camera`: what needs it is refused with the remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from controller.commands.status import EXIT_CONFIG

#: A command line in a Python that finds none of these modules.
WITHOUT = """
import sys
sys.modules.update(cv2=None, numpy=None, pyzbar=None)
from controller.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def tablectl(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-c", WITHOUT, *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words",
    [
        ("read", "card.jpg"),
        ("read", "--deck", "deck", "card.jpg"),
        ("calibrate", "camera", "table.toml"),
        ("calibrate", "board", "board.pdf"),
    ],
    ids=" ".join,
)
def test_a_command_for_a_camera_says_what_to_install(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = tablectl(*words, folder=tmp_path)
    assert done.returncode == EXIT_CONFIG
    assert done.stderr == (
        "tablectl: cv2, numpy, pyzbar cannot be found: install the extra `camera`"
        " (pip install 'tablectl[camera]')\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [("rules", "blackjack"), ("read", "--help"), ("calibrate", "--help"), ("doctor", "--help"),
     ("run", "--help"), ("verify", "--help")],
    ids=" ".join,
)  # fmt: skip
def test_the_others_do_without(words: tuple[str, ...], tmp_path: Path) -> None:
    done = tablectl(*words, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
