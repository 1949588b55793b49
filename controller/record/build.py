"""The name of this build: its version and a digest of what it is made of, `0.3.1+4f2c9a01`.

Every start on record carries it, so a record tells by which rules it was written, down to a file
that somebody changed on one table. It is computed from the files that are there, once a process.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from controller import __version__

ROOT: Final = Path(__file__).parents[2]
#: What runs a table. Drawing and training of cards and the conformance kit stay out: no table has
#: them.
PACKAGES: Final = ("controller", "drivers", "calibration")
LEFT_OUT: Final = ("calibration/draw", "calibration/train", "drivers/conformance")
#: What is read or shown by a running table. Nothing that Python or an editor leaves behind.
SUFFIXES: Final = (".py", ".js", ".css", ".html", ".svg", ".json", ".onnx", ".po")
_SHOWN: Final = 8


@cache
def build() -> str:
    """The name of this build."""
    return f"{__version__}+{digest(ROOT)[:_SHOWN]}"


def digest(root: Path) -> str:
    """The digest, in hexadecimal, of paths and contents of the sources below `root`."""
    whole = hashlib.sha256()
    for name in sorted(_sources(root)):
        # More than a thousand files at each start: a path and a buffer for each double the time.
        with open(f"{root}/{name}", "rb", buffering=0) as file:
            content = file.read()
        # Lengths first, so that no two different trees make the same bytes.
        whole.update(f"{len(name.encode())} {len(content)} {name}".encode())
        whole.update(content)
    return whole.hexdigest()


def _sources(root: Path) -> Iterator[str]:
    """The sources by their paths from `root`, with slashes, in any order."""
    waiting = list(PACKAGES)
    while waiting:
        folder = waiting.pop()
        with os.scandir(root / folder) as entries:
            for entry in entries:
                name = f"{folder}/{entry.name}"
                if entry.is_dir():
                    if name not in LEFT_OUT and not entry.name.startswith((".", "__pycache__")):
                        waiting.append(name)
                elif name.endswith(SUFFIXES) and not entry.name.startswith("."):
                    yield name
