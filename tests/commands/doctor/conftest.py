"""A table's machine as files below a folder, for the doctor."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.access.token import write_token
from tests.drivers.outside import ScannerLine

CONFIG = """\
[table]
name = "T1"
game = "21-24-27"
seats = 2
[record]
folder = "record"
trust_clock = true
[web]
port = 0
token_file = "token"
[scanner]
port = "scanner"
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The configuration of a table that lacks nothing: scanner plugged in, token, disk."""
    folder = tmp_path / "table"
    folder.mkdir()
    path = folder / "table.toml"
    path.write_text(CONFIG)
    write_token(folder / "token")
    return path


@pytest.fixture
def line(table: Path) -> ScannerLine:
    """The scanner's line, plugged in."""
    return ScannerLine(table.parent / "scanner")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root folder of a machine on which nothing is to be complained of."""
    root = tmp_path / "machine"
    put(root, "proc/tty/drivers", Path("/proc/tty/drivers").read_text())
    return root


def put(root: Path, path: str, text: str) -> Path:
    """A file of the machine."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file
