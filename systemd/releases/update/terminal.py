"""Says how far the program is, to whoever may not listen any more."""

from __future__ import annotations

import io
import select
import sys
from contextlib import suppress
from typing import Final, TextIO

#: How long a line waits for a terminal that stands still (Ctrl-S); then it is left out.
_LISTEN_S: Final = 1.0


def say(text: str) -> None:
    """Print a line at once; nobody may be listening any more, or a terminal may stand still."""
    with suppress(OSError):
        if _takes_more(sys.stdout):
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()


def _takes_more(stream: TextIO) -> bool:
    """Whether a line can be written now: one that waits would keep a table on trial."""
    try:
        descriptor = stream.fileno()
    except io.UnsupportedOperation:
        return True
    return bool(select.select([], [descriptor], [], _LISTEN_S)[1])
