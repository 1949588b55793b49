"""A limit on the log: what repeats itself is counted, so that nobody fills a disk with it.

The first lines of a kind are written as they come; further ones within the same time are counted,
and the next one of that kind that is written says how many there were.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

#: This many lines of one kind are written in this many seconds.
LINES: Final = 10
WINDOW_S: Final = 60.0
#: This many kinds are counted separately; beyond that the oldest is forgotten.
KINDS_MAX: Final = 256


@dataclass(slots=True)
class _Kind:
    began_s: float
    written: int = 0
    left_out: int = 0


class LogLimit(logging.Filter):
    """A filter for a handler. Lines of a kind have the same logger, level and unformatted text."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._kinds: dict[tuple[str, int, str], _Kind] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written; says how many like it were left out before.

        Two handlers may share one limit: they write the same lines.
        """
        admitted: bool | None = getattr(record, "admitted", None)
        if admitted is None:
            admitted = record.admitted = self._admits(record)
        return admitted

    def _admits(self, record: logging.LogRecord) -> bool:
        name = (record.name, record.levelno, str(record.msg))
        now_s = self._now_s()
        kind = self._kinds.get(name)
        if kind is None or now_s - kind.began_s >= WINDOW_S:
            left_out = kind.left_out if kind else 0
            self._kinds.pop(name, None)
            if len(self._kinds) >= KINDS_MAX:
                del self._kinds[next(iter(self._kinds))]
            kind = self._kinds[name] = _Kind(now_s)
            if left_out:
                text = record.getMessage()
                record.msg, record.args = "%s (and %d more like it before)", (text, left_out)
        if kind.written >= LINES:
            kind.left_out += 1
            return False
        kind.written += 1
        return True
