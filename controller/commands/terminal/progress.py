"""A bar of progress for commands that take their time: on a terminal, and gone when it is done."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from controller.record.files.span import OnProgress

#: The bar is drawn again this often, at most.
REDRAW_S: Final = 0.1
#: Before this long no bar is drawn: what is over at once needs none.
PATIENCE_S: Final = 0.4
BAR_WIDTH: Final = 30
_ERASE: Final = "\r\x1b[K"


class Bar:
    """Draws how far a command is on `stream`. `done` may begin anew: another part of the work."""

    def __init__(self, label: str, stream: TextIO) -> None:
        self._label = label
        self._stream = stream
        self._began_s = self._drawn_s = time.monotonic()
        self._done = 0
        self._shown = False

    def __call__(self, done: int, of: int) -> None:
        """The work is at `done` of `of`."""
        now_s = time.monotonic()
        if done < self._done:
            self._began_s = now_s
        self._done = done
        wait_s = REDRAW_S if self._shown else PATIENCE_S
        if of <= 0 or now_s - self._drawn_s < wait_s:
            return
        self._drawn_s, self._shown = now_s, True
        self._stream.write(_ERASE + self._line(done, of, now_s - self._began_s))
        self._stream.flush()

    def end(self) -> None:
        """Take the bar away."""
        if self._shown:
            self._stream.write(_ERASE)
            self._stream.flush()

    def _line(self, done: int, of: int, took_s: float) -> str:
        filled = BAR_WIDTH * done // of
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        left_s = took_s * (of - done) / done if done else 0
        line = f"{self._label} [{bar}] {100 * done // of:3} %  {_span(left_s)} left"
        return line[: shutil.get_terminal_size().columns - 1]


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def progress(label: str, *, beside_output: bool = False) -> Iterator[OnProgress | None]:
    """What a long work tells how far it is; None where nobody sits at a terminal.

    `beside_output`: lines go to standard output meanwhile, so that no bar is drawn among them.
    """
    if not sys.stderr.isatty() or (beside_output and sys.stdout.isatty()):
        yield None
        return
    bar = Bar(label, sys.stderr)
    try:
        yield bar
    finally:
        bar.end()
