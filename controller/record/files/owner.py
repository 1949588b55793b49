"""Whose a record is: what root makes for it belongs to the service's user, which has to use it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from controller.record.files.folder_lock import FolderLock, lock


class Owner(NamedTuple):
    """A user and a group by their numbers."""

    user: int
    group: int


def owner_of(folder: Path) -> Owner:
    """Whose a record is or would be: its folder's owner; of root's folder, that of the one around.

    Raises `OSError`.
    """
    there = next(each for each in (folder, *folder.parents) if each.exists())
    found = there.stat()
    if there == folder and found.st_uid == 0:
        found = folder.parent.stat()
    return Owner(found.st_uid, found.st_gid)


def give(path: Path, owner: Owner) -> None:
    """Give a file, or a folder with all that is in it, to `owner`, where root made it.

    Of a file system that knows no owners everything is everybody's. Raises `OSError`.
    """
    if os.geteuid() == 0:
        for each in (path, *path.rglob("*")):
            with suppress(PermissionError):
                os.chown(each, owner.user, owner.group, follow_symlinks=False)


def lock_for_owner(folder: Path) -> FolderLock:
    """The lock of a record; what had to be made for it is as its surroundings' owner made it.

    Raises `JournalError`, `OSError`.
    """
    made = [folder / "lock", folder, *folder.parents]
    made = [each for each in made if not each.exists()]
    held = lock(folder)
    for each in reversed(made):
        give(each, owner_of(each.parent))
    return held
