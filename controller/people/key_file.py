"""A file with 32 random bytes that one service alone may read: made once, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

KEY_BYTES: Final = 32


def made_file(path: Path) -> bytes:
    """What the file holds; it is made where there is none.

    For its owner, or by root for the group of its folder, as which the service runs. Raises
    `OSError`.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    secret = os.urandom(KEY_BYTES)
    # A file that is there whole, or not at all; of two that make one the first one counts.
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                os.fchown(file.fileno(), -1, path.parent.stat().st_gid)
                os.fchmod(file.fileno(), 0o640)
        try:
            os.link(fresh, path)
        except FileExistsError:
            return path.read_bytes()
    finally:
        fresh.unlink()
    return secret
