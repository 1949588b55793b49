"""Files that outlast a power cut, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_durable(path: Path, content: bytes) -> None:
    """Write a file that its owner alone reads, in the place of any other. Raises `OSError`."""
    part = path.with_name(f".{path.name}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
