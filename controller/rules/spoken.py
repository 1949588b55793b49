"""The language in which views are being drawn: English, unless somebody asks for another.

A view is drawn for one reader after the other, and says hundreds of messages: the reader's language
holds for the drawing, and is no parameter of every function on the way. Nothing but words depends
on it; facts, records and decisions have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from controller.rules.messages import Language

#: None: English, in the words of whoever says something.
_SPOKEN: Final[ContextVar[Language | None]] = ContextVar("spoken", default=None)


@contextmanager
def speaking(language: Language | None) -> Iterator[None]:
    """What is said until the block is left, in this thread and task, is said so; None: English."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken(english: Language) -> Language:
    """The language of the reader; `english` where nobody asked for one."""
    return _SPOKEN.get() or english
