"""The service's own log: lines for the system's log, and the newest of them to be downloaded.

Every line says in which round and at which seat the table was, and which device it is about. No
card is in it: who logs names kinds of errors and what to do, never what was read.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, TextIO

from controller.host.log_limit import LogLimit

#: Levels of syslog, as systemd reads them at the head of a line (sd-daemon(3)).
_PRIORITIES: Final = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}
#: What a record may say of itself beside its message.
FIELDS: Final = ("table", "round", "seat", "device")

About = Callable[[], Mapping[str, str | int]]
"""Where the table is just now: its name, the round and the seat, where there are any."""


class _Fields(logging.Filter):
    """Adds to a record where the table is; a device names itself (`extra={"device": …}`)."""

    def __init__(self, about: About) -> None:
        super().__init__()
        self._about = about

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in self._about().items():
            record.__dict__.setdefault(name, value)
        return True


def _said(record: logging.LogRecord) -> dict[str, str | int]:
    """The fields that a record has."""
    return {name: record.__dict__[name] for name in FIELDS if record.__dict__.get(name)}


def _at(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Text(logging.Formatter):
    """`WARNING drivers.supervision.supervise: scanner is down: … [round 12, seat 3]`."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {name: value for name, value in _said(record).items() if name != "table"}
        about = ", ".join(f"{name} {value}" for name, value in fields.items())
        said = f"{record.levelname} {record.name}: {super().format(record)}"
        return f"{said} [{about}]" if about else said


class _Json(logging.Formatter):
    """One JSON object a line: time, level, logger, message and the fields of `FIELDS`."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, str | int] = {
            "time": _at(record), "level": record.levelname.lower(), "logger": record.name,
            "message": super().format(record), **_said(record),
        }  # fmt: skip
        return json.dumps(said, ensure_ascii=False)


class _Stream(logging.StreamHandler[TextIO]):
    """Lines to standard error; each with its level for systemd's journal."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._journal = _is_journal(stream)

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        if not self._journal:
            return line
        head = f"<{_PRIORITIES.get(record.levelname, 6)}>"
        return "\n".join(head + each for each in line.splitlines())


def _is_journal(stream: TextIO) -> bool:
    """Whether a stream goes to systemd's journal (systemd.exec(5), $JOURNAL_STREAM)."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


class LogRing(logging.Handler):
    """The newest lines of the log, in memory."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=lines)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line of a record."""
        line = self.format(record)
        # A JSON line has its time; a line of text gets it here, where no journal keeps it.
        self._lines.append(line if line.startswith("{") else f"{_at(record)} {line}")

    def resize(self, lines: int) -> None:
        """Keep that number of lines from here on."""
        self.acquire()
        try:
            self._lines = deque(self._lines, lines)
        finally:
            self.release()

    @property
    def text(self) -> str:
        """All of them, the oldest first."""
        self.acquire()
        try:
            return "".join(f"{line}\n" for line in self._lines)
        finally:
            self.release()


class ServiceLog:
    """The log of a running service. `about` says where the table is, once there is one."""

    def __init__(self, form: str, lines: int, stream: TextIO | None = None) -> None:
        self.about: About = dict
        self.ring = LogRing(lines)
        self._stream = _Stream(stream or sys.stderr)
        fields, limit = _Fields(self._where), LogLimit()
        for handler in (self.ring, self._stream):
            handler.addFilter(fields)
            handler.addFilter(limit)
        self._shape(form)

    def _where(self) -> Mapping[str, str | int]:
        return self.about()

    def start(self) -> None:
        """Take what every part of the program logs, from here on."""
        root = logging.getLogger()
        root.setLevel(logging.INFO)
        root.addHandler(self.ring)
        root.addHandler(self._stream)

    def stop(self) -> None:
        """Take nothing any more."""
        for handler in (self.ring, self._stream):
            logging.getLogger().removeHandler(handler)

    def change(self, form: str, lines: int) -> None:
        """Write that form and keep that number of lines from here on."""
        self._shape(form)
        self.ring.resize(lines)

    def _shape(self, form: str) -> None:
        formatter = _Json() if form == "json" else _Text()
        self.ring.setFormatter(formatter)
        self._stream.setFormatter(formatter)
