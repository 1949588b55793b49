"""Whose sessions are that were looked up lately: a page asks several times a second."""

from __future__ import annotations

import threading
import time
from typing import Final

from controller.pit.accounts.roles import Identity

#: Whoever ends a session elsewhere waits this long until every replica has noticed.
RECOGNIZED_S: Final = 2.0
#: So many are kept; more are looked up again.
_MOST: Final = 5_000


class RecognizedSessions:
    """Sessions by their secrets, each believed for `RECOGNIZED_S`. For any thread."""

    def __init__(self) -> None:
        #: Whose it is, and until when that is believed (monotonic seconds).
        self._known: dict[str, tuple[Identity, float]] = {}
        #: How often all of them were forgotten.
        self._forgotten = 0
        self._changing = threading.Lock()

    def find(self, secret: str) -> Identity | None:
        """Whose session it is, as far as that is believed still."""
        known = self._known.get(secret)
        return known[0] if known is not None and known[1] > time.monotonic() else None

    def look(self) -> tuple[int, float]:
        """Asked before a session is looked up, for `remember`."""
        return self._forgotten, time.monotonic()

    def remember(self, secret: str, who: Identity, looked: tuple[int, float]) -> None:
        """Believe what was looked up then, unless all was forgotten since: the session may have
        ended, and the next request looks again.
        """
        forgotten, at_s = looked
        with self._changing:
            if self._forgotten != forgotten:
                return
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[secret] = (who, at_s + RECOGNIZED_S)

    def forget(self) -> None:
        """Believe nothing of what was looked up until now."""
        with self._changing:
            self._forgotten += 1
            self._known.clear()
