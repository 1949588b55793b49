"""What is at the far end of a line, and answers on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from tests.drivers.outside import ScannerLine


class Speaks(Protocol):
    """What is at the far end of a line, and answers."""

    def hears(self, data: bytes) -> bytes:
        """What it says to these bytes."""
        ...


@contextmanager
def answering(line: ScannerLine, far: Speaks, every_s: float = 0.0005) -> Iterator[None]:
    """Whoever opens the line is answered, also while the loop waits for it."""
    over = threading.Event()

    def answer() -> None:
        while not over.wait(every_s):
            line.answer(far.hears)

    thread = threading.Thread(target=answer, name="far end", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
