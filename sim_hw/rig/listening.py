"""Listening to a line: what the table sends there is taken as it comes, with its time."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from .protocol import SAY_MAX, RigError

#: How long the thread waits before it sees that it is to end, or looks for a line that is away.
LOOKS_S: Final = 0.2

OnHeard = Callable[[int, str, bytes], None]
"""Called on a thread: when (ns, monotonic), on which line, what came."""
OnAway = Callable[[int, str], None]
"""Called on a thread: when a line was lost, and which."""


class Listener:
    """Listens to a line by a descriptor of its own, which `opened` gives, until it is closed.

    It dates what came after it has read it: a rig that is held up makes no table look faster. A
    line that was lost is told of once, and opened again when it is there.
    """

    def __init__(
        self, name: str, opened: Callable[[], int], on_heard: OnHeard, on_away: OnAway
    ) -> None:
        self._name = name
        self._opened = opened
        self._on_heard = on_heard
        self._on_away = on_away
        self._fd: int | None = opened()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._listen, name=f"rig-{name}-ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Listen no more."""
        self._closing.set()
        self._thread.join()
        self._let_go()

    def _listen(self) -> None:
        while not self._closing.is_set():
            if self._fd is None:
                self._look_for_it()
            elif select.select([self._fd], [], [], LOOKS_S)[0]:
                self._take(self._fd)

    def _take(self, fd: int) -> None:
        try:
            heard = os.read(fd, SAY_MAX)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        at_ns = time.monotonic_ns()
        if heard:
            self._on_heard(at_ns, self._name, heard)
        else:
            # Where nothing was said a read would wait: an adapter or a board was pulled out.
            self._let_go()
            self._on_away(at_ns, self._name)

    def _look_for_it(self) -> None:
        if not self._closing.wait(LOOKS_S):
            with suppress(RigError):  # it is still away
                self._fd = self._opened()

    def _let_go(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            os.close(fd)
