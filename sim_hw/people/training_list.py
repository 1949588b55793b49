"""The list of a training, written as it happens: what the world did, and what people said.

`tablectl training` reads it; the form is in controller/training/README.md.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Final

LIST: Final = "training.jsonl"


class TrainingList:
    """The list in `folder`, one JSON object a line, each on the disk before the next thing."""

    def __init__(self, folder: Path) -> None:
        """Begin it. Raises `OSError`."""
        self._file = (folder / LIST).open("w", encoding="utf-8")

    def write(self, what: str, seq: int, **more: Any) -> None:
        """Add a line; `seq` is the record that the display stood on."""
        at_ms = time.time_ns() // 1_000_000
        self._file.write(json.dumps({"what": what, "at_ms": at_ms, "seq": seq, **more}) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
