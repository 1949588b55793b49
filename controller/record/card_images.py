"""The pictures of cards that were read, kept by the hash of their content beside the record.

The record says which picture belongs to which card; a file that is not what its name says is not
shown. As secret as the openings: a picture may be of a card that lies face down. The oldest go
when the room that was given is full. No card waits for a picture to be on the disk.

Where it is asked for, the whole frames of a card's passage lie beside them for some hours, as
`frames/PICTURE/1.jpg` and on, under the name of the picture: for a question about what the camera
saw, on the day on which it is asked.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Final

from controller.rules.messages import Message, message

#: When there is no more room, this much of it is made at once.
KEEP_SHARE: Final = 0.9
#: At most this many pictures wait for a slow disk; further ones are dropped, and reported.
WAITING_MAX: Final = 64
_NAME: Final = re.compile(r"[0-9a-f]{64}")
_MB: Final = 1_000_000
#: This many passages wait for a slow disk; the frames of further ones are dropped, and reported.
FRAMES_WAITING_MAX: Final = 4
#: Whole frames beyond this go before their time, the oldest first.
FRAMES_MB_MAX: Final = 2_000
#: How often it is looked which frames have to go.
EXPIRE_EVERY_S: Final = 600.0


def evidence_folder(record: Path) -> Path:
    """The folder of the pictures that belong to a record."""
    return record.with_name(record.name + ".pictures")


class Evidence:
    """The pictures of one record, at most `max_mb` of them; whole frames for `frames_h` hours.

    0 keeps none.
    """

    def __init__(self, folder: Path, max_mb: int, frames_h: int = 0) -> None:
        self._folder = folder
        self._most = max_mb * _MB
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._lock = Lock()
        self._waiting: dict[str, bytes] = {}
        self._frames_s = frames_h * 3_600
        self._frames_waiting = 0
        self._expire_due_s = 0.0
        self._total: int | None = None
        self._problem: Message | None = None
        #: Of its own: a picture that is written does not say that frames can be.
        self._frames_problem: Message | None = None
        self._writer.submit(self._expire)

    def keep(self, name: str, jpeg: bytes) -> None:
        """Keep a picture under its name; returns at once."""
        if not self._most or not jpeg:
            return
        with self._lock:
            if len(self._waiting) >= WAITING_MAX:
                self._problem = message("pictures-too-many")
                return
            self._waiting[name] = jpeg
        self._writer.submit(self._write, name)

    def keep_frames(self, name: str, frames: tuple[bytes, ...]) -> None:
        """Keep the whole frames of the passage of which the picture `name` is; returns at once."""
        if not self._frames_s or not frames or not _NAME.fullmatch(name):
            return
        with self._lock:
            if self._frames_waiting >= FRAMES_WAITING_MAX:
                self._frames_problem = message("pictures-too-many")
                return
            self._frames_waiting += 1
        self._writer.submit(self._write_frames, name, frames)

    def get(self, name: str) -> bytes | None:
        """The picture of that name; None if it is not kept any more, or is not what it was."""
        if not _NAME.fullmatch(name):
            return None
        with self._lock:
            jpeg = self._waiting.get(name)
        if jpeg is None:
            try:
                jpeg = self._path(name).read_bytes()
            except OSError:
                return None
        return jpeg if hashlib.sha256(jpeg).hexdigest() == name else None

    def problem(self) -> Message | None:
        """What is wrong with keeping pictures, and what to do; None if nothing is."""
        return self._problem or self._frames_problem

    def close(self) -> None:
        """Write what waits and stop."""
        self._writer.shutdown()

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.jpg"

    # On the writer's thread

    def _write(self, name: str) -> None:
        with self._lock:
            jpeg = self._waiting[name]
        try:
            self._put(self._path(name), jpeg)
            self._problem = None
        except OSError as error:
            self._problem = self._cannot(error)
        finally:
            with self._lock:
                del self._waiting[name]
        self._expire()

    def _cannot(self, error: OSError) -> Message:
        return message(
            "pictures-cannot-be-kept", folder=str(self._folder),
            detail=error.strerror or type(error).__name__,
        )  # fmt: skip

    def _put(self, path: Path, jpeg: bytes) -> None:
        if self._total is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._total = sum(size for _, size, _ in self._files())
        if path.exists():
            return
        path.parent.mkdir(mode=0o700, exist_ok=True)
        half = path.with_suffix(".part")
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(jpeg)
        half.replace(path)
        self._total += len(jpeg)
        if self._total > self._most:
            self._make_room()

    def _write_frames(self, name: str, frames: tuple[bytes, ...]) -> None:
        try:
            self._expire_frames()
            folder = self._folder / "frames" / name
            for each in (self._folder, folder.parent, folder):  # `parents` would ignore the mode
                each.mkdir(mode=0o700, parents=True, exist_ok=True)
            for nth, jpeg in enumerate(frames, start=1):
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
                with os.fdopen(os.open(folder / f"{nth}.jpg", flags, 0o600), "wb") as file:
                    file.write(jpeg)
            self._frames_problem = None
        except OSError as error:
            self._frames_problem = self._cannot(error)
        finally:
            with self._lock:
                self._frames_waiting -= 1

    def _expire(self) -> None:
        """Remove old frames also where none are added: what cannot be removed is reported."""
        try:
            self._expire_frames()
        except OSError as error:
            self._frames_problem = self._cannot(error)

    def _expire_frames(self) -> None:
        """Remove the frames whose time is over, and the oldest where there are too many.

        Raises `OSError`; then the next call tries again.
        """
        if time.monotonic() < self._expire_due_s:
            return
        folders = []
        for folder in (self._folder / "frames").glob("*"):
            size = sum(path.stat().st_size for path in folder.iterdir())
            folders.append((folder.stat().st_mtime, size, folder))
        total = sum(size for _, size, _ in folders)
        for written, size, folder in sorted(folders):
            if time.time() - written <= self._frames_s and total <= FRAMES_MB_MAX * _MB:
                break
            shutil.rmtree(folder)
            total -= size
        self._expire_due_s = time.monotonic() + EXPIRE_EVERY_S

    def _make_room(self) -> None:
        """Let the oldest pictures go."""
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        for _, size, path in files:
            if total <= self._most * KEEP_SHARE:
                break
            path.unlink(missing_ok=True)
            total -= size
        self._total = total

    def _files(self) -> list[tuple[int, int, Path]]:
        """When each file was written, its size and its path."""
        found = []
        for path in self._folder.glob("??/*"):
            about = path.stat()
            found.append((about.st_mtime_ns, about.st_size, path))
        return found
