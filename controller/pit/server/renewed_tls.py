"""The pages' certificate as its files have it now: a renewed one is used by the connections that
come after it, and nothing has to be started again.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.pit.server.settings import PitWebSection

log: Final = logging.getLogger(__name__)

#: The files are looked at this often.
LOOK_S: Final = 10.0
_Written = tuple[tuple[int, int, int], ...]


class RenewedTls:
    """Looks whether the files of `web`, whose paths begin at `base`, were replaced; `use` takes
    what is made of the new ones.

    What was read last stays in use while the new files cannot be used: one of the two is written
    before the other.
    """

    def __init__(
        self, web: PitWebSection, base: Path, use: Callable[[ssl.SSLContext], None]
    ) -> None:
        self._web = web
        self._base = base
        self._use = use
        self._used = self._written()
        self._refused: _Written = ()

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            if (made := await asyncio.to_thread(self._made_anew)) is not None:
                self._use(made)
                log.info("the pages' certificate was renewed: it is used from now on")

    def _made_anew(self) -> ssl.SSLContext | None:
        """With what is encrypted from now on; None: as before."""
        written = self._written()
        if written == self._used:
            return None
        try:
            made = self._web.context(self._base)
        except OSError as error:
            if written != self._refused:
                log.warning("web.cert_file and web.key_file are new and cannot be used: %s", error)
            self._refused = written
            return None
        self._used = written
        return made

    def _written(self) -> _Written:
        """What tells files that were written anew, or replaced, from those before."""
        found = []
        for name in (self._web.cert_file, self._web.key_file):
            try:
                of = (self._base / (name or "")).stat()
            except OSError:
                continue  # reading it says why
            found.append((of.st_ino, of.st_mtime_ns, of.st_size))
        return tuple(found)
