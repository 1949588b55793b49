"""The report of a training: in the demo's folder as page and data, at the end as text.

The simulated table serves the page (`/training`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from controller.languages.languages import language
from controller.record.files.database import JournalError
from controller.record.reading.record_tail import CannotGoOn
from controller.rules.spoken import speaking
from controller.training.follow import TrainingFolder
from controller.training.page import page
from controller.training.report import TrainingReport
from controller.training.text import as_text
from controller.training.world_list import TrainingError

PAGE: Final = "training.html"
DATA: Final = "training.json"
#: The report is made anew at most this often.
_EVERY_S: Final = 2.0


class LiveReport:
    """The report of the training in `folder`, in the language `code`.

    `token` opens the replays that its page links to.
    """

    def __init__(
        self,
        folder: Path,
        token: str,
        code: str = "en",
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._token = token
        self._language = language(code)
        self._clock_s = clock_s
        self._training = TrainingFolder(folder)
        self._grown: tuple[int, int] | None = None
        self._next_s = 0.0
        self._said: TrainingReport | None = None

    def look(self) -> None:
        """Make it anew where there is more to read; say it once the training is over."""
        with speaking(self._language):
            self._look()

    def _look(self) -> None:
        now_s = self._clock_s()
        if now_s < self._next_s:
            return
        self._next_s = now_s + _EVERY_S
        grown = self._training.grown
        if grown == self._grown:
            return
        try:
            found = self._training.report()
        except (TrainingError, CannotGoOn, JournalError):
            return  # the record is being begun, or its service started again: later, then
        self._grown = grown
        self._write(found, running=not found.over)
        if found.over and self._said is None:
            self._say(found)
            print("\n  The table stays for the replays. Ctrl-C stops it.\n", flush=True)

    def finish(self) -> None:
        """The last one, once nothing is written any more; said unless it was said already."""
        with speaking(self._language):
            self._finish()

    def _finish(self) -> None:
        try:
            found = self._training.report()
        except (TrainingError, CannotGoOn, JournalError) as error:
            print(f"  There is no report of this training: {error}.", flush=True)
            return
        finally:
            self._training.close()
        self._write(found, running=False)
        if self._said is None:
            self._say(found)

    def _say(self, found: TrainingReport) -> None:
        self._said = found
        print("\n" + "\n".join(as_text(found, self._folder)), flush=True)
        print(f"\n  The report:   {self._folder / PAGE}")
        language_of = f" --lang {self._language.code}" if self._language else ""
        print(f"  Once more:    tablectl training {self._folder}{language_of}", flush=True)

    def _write(self, found: TrainingReport, *, running: bool) -> None:
        _put(self._folder / DATA, msgspec.json.encode(found))
        _put(self._folder / PAGE, page(found, self._token, running=running).encode())


def _put(path: Path, data: bytes) -> None:
    """Write a file whole, or leave the one before; for its owner alone, as a token may be in it."""
    new = path.with_name(f"{path.name}.new")
    new.touch(mode=0o600)
    new.write_bytes(data)
    new.replace(path)
