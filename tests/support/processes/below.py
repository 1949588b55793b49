"""Faults below Python: a program's calls of the C library are failed, stalled, logged, misdated.

`below.c` is compiled and put between program and C library. `tests.support.faults.power` makes of
its log what a power cut could have left of the files.
"""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

SOURCE: Final = Path(__file__).with_name("below.c")
_ORDERS: Final = struct.Struct("=iiiiiiiiq")
_ENTRY: Final = struct.Struct("=IIIIQq")


class Op(Enum):
    """What was done to a file; the value stands in the log."""

    OPEN = "O"
    WRITE = "W"
    TRUNCATE = "T"
    ALLOCATE = "A"
    SYNC = "S"
    SYNC_FAILED = "F"
    RENAME = "R"
    UNLINK = "U"
    PICTURE = "P"


class DiskChange(NamedTuple):
    """One change, in order. `at` is an offset, a size or, of a picture, its record.

    A file that was opened to be made anew has `at` 0. `data` of a renaming is the new name.
    """

    op: Op
    inode: int
    at: int
    path: str
    data: bytes


def compiled(folder: Path) -> Path:
    """The library, in `folder`; it is compiled once. Skips the test where there is no compiler."""
    made = folder / "below.so"
    made.write_bytes(_library())
    return made


@cache
def _library() -> bytes:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is here: install gcc and libc6-dev")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "below.so"
        command = [
            compiler, "-std=gnu11", "-Wall", "-Wextra", "-O1", "-shared", "-fPIC",
            "-o", str(made), str(SOURCE), "-ldl", "-lpthread",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return made.read_bytes()


class Below:
    """What lies below one program: give it `environment`, then order what goes wrong.

    `folder` is where the files are that are concerned.
    """

    def __init__(self, library: Path, folder: Path, *, log: bool = False) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="below-", dir=library.parent))
        shared = self._home / "orders"
        shared.write_bytes(bytes(_ORDERS.size))
        with shared.open("r+b") as file:
            self._orders = mmap.mmap(file.fileno(), _ORDERS.size)
        self._log = self._home / "log"
        self.environment = {
            "LD_PRELOAD": str(library),
            "BELOW_ORDERS": str(shared),
            "BELOW_FOLDER": str(folder.resolve()),
        }
        if log:
            self.environment["BELOW_LOG"] = str(self._log)

    def _put(self, at: int, form: str, value: int) -> None:
        struct.pack_into(form, self._orders, at, value)

    def stall(self, ms: int) -> None:
        """Every sync takes so much longer; one that waits is let go when this is less."""
        self._put(0, "=i", ms)

    def fail_syncs(self, number: int) -> None:
        """Every sync fails with this error's number; 0: none does."""
        self._put(4, "=i", number)

    def fail_writes(self, number: int) -> None:
        """Every write fails with this error's number; 0: none does."""
        self._put(8, "=i", number)

    def set_clock(self, off_s: int) -> None:
        """The wall clock is off by so many seconds."""
        self._put(32, "=q", off_s)

    def die_at(self, step: int) -> None:
        """A process kills itself before the n-th change of a file or name from now; 0: never."""
        self._put(24, "=i", 0)
        self._put(20, "=i", step)

    @property
    def steps(self) -> int:
        """How many changes there have been since `die_at`."""
        return int(_ORDERS.unpack(self._orders[: _ORDERS.size])[6])

    @property
    def stalled(self) -> int:
        """How many syncs were stalled, those that still are included."""
        return int(_ORDERS.unpack(self._orders[: _ORDERS.size])[3])

    @property
    def failed(self) -> int:
        """How many calls were failed."""
        return int(_ORDERS.unpack(self._orders[: _ORDERS.size])[4])

    def log(self) -> list[DiskChange]:
        """What was done so far."""
        return list(_entries(self._log.read_bytes()))

    def close(self) -> None:
        """Let go of the orders."""
        self._orders.close()


def _entries(data: bytes) -> Iterator[DiskChange]:
    at = 0
    while at < len(data):
        size, op, path_size, data_size, inode, where = _ENTRY.unpack_from(data, at)
        text = at + _ENTRY.size
        path = data[text : text + path_size].decode()
        text += path_size
        yield DiskChange(Op(chr(op)), inode, where, path, data[text : text + data_size])
        at += size
