"""What an update writes, made durable step by step: a power cut finds the old or the new, whole.

Every step is announced first, so that tests can cut the power at each of them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: How what is being written is called until it is whole.
_PART: Final = ".part"


def _nothing(step: str) -> None:
    """A listener to the steps that does nothing."""


class DurableFiles:
    """Durable changes of files. `on_step` is called before each step with what it is about to do.

    Everything raises `OSError`.
    """

    def __init__(self, on_step: Callable[[str], None] = _nothing) -> None:
        self._step = on_step

    def write(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        """Give a file that content, or leave it as it was."""
        part = path.with_name(path.name + _PART)
        self._step(f"write {part.name}")
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        self._replace(part, path)

    def link(self, path: Path, target: str) -> None:
        """Make `path` a symbolic link to `target`, or leave it as it was."""
        part = path.with_name(path.name + _PART)
        self._step(f"link {part.name}")
        part.unlink(missing_ok=True)
        part.symlink_to(target)
        self._replace(part, path)

    def _replace(self, part: Path, path: Path) -> None:
        self._step(f"rename {path.name}")
        part.replace(path)
        self.sync(path.parent)

    def remove(self, path: Path) -> None:
        """Remove a file or link; it may be gone already."""
        self._step(f"remove {path.name}")
        path.unlink(missing_ok=True)
        self.sync(path.parent)

    def remove_tree(self, folder: Path) -> None:
        """Remove a folder with all that is in it; it may be gone already."""
        self._step(f"remove all of {folder.name}")
        if folder.is_dir():
            shutil.rmtree(folder)
            self.sync(folder.parent)

    def make_folder(self, folder: Path) -> None:
        """Make a folder and those above it; it may be there already."""
        self._step(f"make folder {folder.name}")
        folder.mkdir(parents=True, exist_ok=True)
        self.sync(folder.parent)

    def sync(self, folder: Path) -> None:
        """Make the names in a folder durable."""
        self._step(f"sync {folder.name}")
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def sync_all(self) -> None:
        """Make everything durable that other programs wrote."""
        self._step("sync all")
        os.sync()
