"""A small text file that is there whole or not at all, and on the disk once it is written."""

from __future__ import annotations

import os
from pathlib import Path

from controller.record.files.head_anchor import sync_folder


def write_whole(path: Path, text: str, mode: int) -> None:
    """Write it with the rights `mode`, in place of one that is there. Raises `OSError`."""
    part = path.with_name(f".{path.name}.new")
    part.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(part, flags, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    sync_folder(path.parent)
