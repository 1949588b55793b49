"""A bar for commands that take their time: at a terminal, and nowhere else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forms import quick_first
from tests.support.processes.terminal import Terminal

KEPT = max((Path(__file__).parents[1] / "records" / "sets").glob("*/blackjack"))
#: The command line with a bar that does not wait until something takes long.
AT_ONCE = (
    "import sys\n"
    "import controller.commands.terminal.progress as progress\n"
    "from controller.record.files import chain_store\n"
    "progress.PATIENCE_S = progress.REDRAW_S = 0\n"
    "chain_store.PROGRESS_RECORDS = 1\n"
    "from controller.__main__ import main\n"
    "sys.exit(main(sys.argv[1:]))"
)
COMMANDS = {
    "verify": ["verify", "record"],
    "backup": ["backup", "record", "backup"],
    "restore": ["restore", "record", "anew"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a record in it, of some days."""
    found = next(each for each in (KEPT, *KEPT.rglob("*")) if (each / "key.pub").exists())
    shutil.copytree(found, tmp_path / "record")
    return tmp_path


@pytest.mark.parametrize("name", quick_first(COMMANDS, ["verify"]))
def test_a_bar_is_drawn_at_a_terminal_and_taken_away(name: str, folder: Path) -> None:
    with Terminal([sys.executable, "-c", AT_ONCE, *COMMANDS[name]], folder) as terminal:
        assert terminal.end() == 0
        drawn = re.findall(rf"{name} \[(#*)(\.*)\] +(\d+) %", terminal.text)
        assert len(drawn) > 3
        assert all(len(done) + len(left) == 30 for done, left, _ in drawn)
        assert any(int(percent) == 100 for _, _, percent in drawn)
        last = terminal.text[terminal.text.rindex(" left") :]
        assert last.startswith(" left\r\x1b[K"), "what it said stands alone in the end"


@pytest.mark.long
def test_the_list_of_rounds_has_a_bar_only_where_its_lines_go_elsewhere(folder: Path) -> None:
    command = [sys.executable, "-c", AT_ONCE, "replay", "record"]
    with Terminal(command, folder) as terminal:
        assert terminal.end() == 0
        assert "%" not in terminal.text
    line = " ".join(f"'{each}'" if "\n" not in each else '"$CODE"' for each in command)
    with Terminal(["sh", "-c", f"{line} > rounds"], folder, {"CODE": AT_ONCE}) as terminal:
        assert terminal.end() == 0
        assert "replay [" in terminal.text
    assert "%" not in (folder / "rounds").read_text()


@pytest.mark.parametrize("name", quick_first(COMMANDS, ["backup"]))
def test_nothing_is_drawn_where_nobody_sits_at_a_terminal(name: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE, *COMMANDS[name]],
        cwd=folder, capture_output=True, text=True, check=True, env={**os.environ},
    )  # fmt: skip
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
