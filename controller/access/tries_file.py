"""The file in which counts of wrong PINs outlast a restart, for the service alone.

It is written before a PIN is judged: whoever can switch a table off and on tries no more PINs than
anybody else. It holds no names; which count is whose only its own secret tells.
"""

from __future__ import annotations

import logging
import os
import secrets
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from controller.access.private_file import read_private

log = logging.getLogger(__name__)

SECRET_BYTES: Final = 16


class _Content(msgspec.Struct, forbid_unknown_fields=True):
    secret: str
    tries: msgspec.Raw


class TriesFile:
    """The file at `path`; None keeps nothing. `secret` is the key under which names are counted.

    `tries` is what was saved last, None where nothing was, or where it cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = Lock()
        self._saved = 0
        self.secret = secrets.token_bytes(SECRET_BYTES)
        self.tries: bytes | None = None
        if path is None:
            return
        try:
            content = msgspec.json.decode(read_private(path)[0], type=_Content)
            self.secret, self.tries = bytes.fromhex(content.secret), bytes(content.tries)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            log.error("%s cannot be read (%s): wrong PINs are counted anew", path, error)

    def save(self, tries: bytes, number: int) -> None:
        """Write the counts, durable when it returns; `number` rises from one saving to the next.

        May be called on any thread. Raises `OSError`.
        """
        with self._lock:
            if self._path is None or number <= self._saved:
                return  # newer ones are on the disk
            part = self._path.with_name(f".{self._path.name}.new")
            content = msgspec.json.encode(_Content(self.secret.hex(), msgspec.Raw(tries)))
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self._path)
            folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
            self._saved = number
