"""Puts a small private file in place of another: whole or not at all, whenever the power goes."""

from __future__ import annotations

import glob
import os
from pathlib import Path


def put_in_place(path: Path, content: bytes) -> None:
    """Write `content` to `path`, for its owner alone; it is on the disk when this returns.

    Written by root it belongs to whom the file belonged, or its folder. Raises `OSError`; what was
    there stays.
    """
    found = (path if path.exists() else path.parent).stat()
    # A name of its own: the command line may write while the service does.
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                # It stays readable for the service, which owns the file or its folder.
                os.fchown(file.fileno(), found.st_uid, found.st_gid)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def forget_unfinished(path: Path) -> None:
    """Delete what a writer that was killed left beside `path`. Raises `OSError`."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
        left.unlink(missing_ok=True)
