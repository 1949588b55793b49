"""A program on a terminal of its own, typed at and read as by somebody who sits there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from tests.support.patience import PATIENCE_S

ROWS: Final = 40
COLUMNS: Final = 100
ESCAPES: Final = re.compile(r"\x1b(?:\[[0-9;?>=]*[A-Za-z]|\][^\x07]*\x07|[=>]|\([A-Z0-9])")


class Terminal:
    """A program whose standard streams are a terminal. `text` is all that it wrote so far."""

    def __init__(
        self, command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] = {}
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.text = ""
        self._read_to = 0
        self._process = subprocess.Popen(
            # Its controlling terminal too: a shell asks for one.
            ["setsid", "--ctty", *command], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color", **environment},
        )  # fmt: skip
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    @property
    def plain(self) -> str:
        """What it wrote, without what moves the cursor or sets a colour."""
        return ESCAPES.sub("", self.text).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        """Press these keys."""
        os.write(self._ours, text.encode())

    def answer(self, question: str, line: str) -> None:
        """Wait for a question, then type a line."""
        self.expect(question)
        self.type(line + "\n")

    def expect(self, wanted: str) -> None:
        """Wait until it has written this, after whatever was expected before."""
        end = time.monotonic() + PATIENCE_S
        while (at := self.plain.find(wanted, self._read_to)) < 0:
            left = end - time.monotonic()
            assert left > 0, f"{wanted!r} did not come:\n{self.plain}"
            assert self._more(left), f"{wanted!r} did not come before its end:\n{self.plain}"
        self._read_to = at + len(wanted)

    def end(self) -> int:
        """Read to its end; the exit status."""
        end = time.monotonic() + PATIENCE_S
        while self._more(max(end - time.monotonic(), 0)):
            assert time.monotonic() < end, f"it does not end:\n{self.plain}"
        return self._process.wait(PATIENCE_S)

    def _more(self, patience_s: float) -> bool:
        """Read what there is, waiting for it; False at its end."""
        if not select.select([self._ours], [], [], patience_s)[0]:
            return True
        try:
            data = os.read(self._ours, 65_536)
        except OSError:  # the last of the other side's ends was closed
            return False
        self.text += data.decode(errors="replace")
        return bool(data)
