"""Reads a small file that is for one user alone: token, people, counts of wrong PINs."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

#: No such file comes near to this.
BYTES_MAX: Final = 1_000_000


def read_private(path: Path) -> tuple[bytes, int]:
    """The bytes of a file and its mode. Raises `OSError`, for what is no such file, too.

    A pipe in its place would be waited for, and a device be read without an end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"{path} is no regular file")
        content = os.read(descriptor, BYTES_MAX + 1)
    finally:
        os.close(descriptor)
    if len(content) > BYTES_MAX:
        raise OSError(f"{path} has more than {BYTES_MAX} bytes")
    return content, mode
