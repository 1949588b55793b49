"""Who has the folder of a record: one service at a time."""

from __future__ import annotations

import fcntl
import logging
import os
from pathlib import Path

from controller.record.files.database import JournalBusy, JournalError, not_a_folder

log = logging.getLogger(__name__)


class FolderLock:
    """An advisory lock of a record's folder, until it is closed.

    It is of the file `lock` and of the folder itself: whoever removes the file, taking it for what
    a crash left behind, lets no second service in.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptors: list[int] = []
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._descriptors.append(os.open(folder / "lock", flags, 0o600))
            fcntl.flock(self._descriptors[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
            self._descriptors.append(os.open(folder, flags))
            _lock_folder(self._descriptors[1])
        except OSError:
            self.close()
            raise

    def is_of(self, folder: Path) -> bool:
        """Whether the folder of that name is still the one that is locked.

        A disk that was taken away, or put in, makes another of it.
        """
        try:
            return os.path.samestat(os.fstat(self._descriptors[1]), folder.stat())
        except OSError:
            return False

    def close(self) -> None:
        """Let go of the folder."""
        while self._descriptors:
            os.close(self._descriptors.pop())


def _lock_folder(descriptor: int) -> None:
    """Lock an open folder too, where its file system can. Raises `BlockingIOError`."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        log.info("the folder of a record cannot be locked itself (%s): its file is", error.strerror)


def lock(folder: Path) -> FolderLock:
    """Lock the folder of a record, which is made where it is not there.

    Raises `JournalBusy` if another service has it, `JournalError` if it cannot be made.
    """
    try:
        if folder.is_file():
            raise JournalError(not_a_folder(folder))
        folder.mkdir(parents=True, exist_ok=True, mode=0o750)
        return FolderLock(folder)
    except BlockingIOError:
        raise JournalBusy(
            f"another service has the record {folder}: stop that one, or name another folder"
        ) from None
    except OSError as error:
        raise JournalError(
            f"the record {folder} cannot be used ({error}): check the disk, and who may write there"
        ) from error
