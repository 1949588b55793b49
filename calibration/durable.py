"""Files that outlast a power cut, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Make a file durable, or the names in a folder. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(folder: Path) -> None:
    """Make everything in a folder durable, and its name. Raises `OSError`."""
    for each in (*folder.rglob("*"), folder, folder.parent):
        sync(each)


def write_durable(path: Path, content: bytes) -> None:
    """Write a file that its owner alone reads, in the place of any other. Raises `OSError`."""
    part = path.with_name(f".{path.name}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync(path.parent)
