"""When a service is killed: a moment of its work, the how-manieth, and how long after it.

Moments are seen from outside: bytes on the scanner's line, the beam, pins, requests and pictures,
and each write to a file of the journal (by inotify, so that the kill falls into the very write).
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Final, NamedTuple


class KillMoment(Enum):
    """What is seen; the value is its name in reports."""

    PULL = "a card is pulled"
    BYTE = "a code begins on the line"
    CODE = "a code is on the line"
    EDGE = "an edge of the beam"
    PRESS = "a button goes down"
    SEND = "a command is sent"
    ANSWER = "a command is answered"
    SEALS = "a write to the openings"
    WAL = "a write to the log of the journal"
    HEAD = "a write to the head anchor"
    BASE = "a write to the journal itself"
    PIN = "a pin changes"
    PICTURE = "a picture is on the display"
    START = "the service is started"
    CLOCK = "some time"


#: By how the file's name ends.
_OF_FILE: Final = {
    ".day.openings-wal": KillMoment.SEALS,
    ".day-wal": KillMoment.WAL,
    "head": KillMoment.HEAD,
    ".day": KillMoment.BASE,
}
_WEIGHTS: Final = {
    KillMoment.PULL: 2, KillMoment.BYTE: 2, KillMoment.CODE: 5, KillMoment.EDGE: 4,
    KillMoment.PRESS: 3, KillMoment.SEND: 5, KillMoment.ANSWER: 1, KillMoment.SEALS: 2,
    KillMoment.WAL: 6, KillMoment.HEAD: 3, KillMoment.BASE: 1, KillMoment.PIN: 4,
    KillMoment.PICTURE: 2, KillMoment.START: 3, KillMoment.CLOCK: 4,
}  # fmt: skip
#: How long after the moment, at most: a service is done with an input a few milliseconds after it;
#: a press counts once it is debounced.
_AFTER_MS: Final = {KillMoment.PRESS: 45.0, KillMoment.START: 350.0, KillMoment.CLOCK: 300.0}
_AFTER_OTHERS_MS: Final = 3.0
_NTH: Final = 5


class KillPlan(NamedTuple):
    """Kill `after_s` seconds after the `nth` such moment."""

    moment: KillMoment
    nth: int
    after_s: float

    def __str__(self) -> str:
        return f"{self.after_s * 1000:.2f} ms after {self.moment.value} ({self.nth})"


def plan(chance: Random) -> KillPlan:
    """A moment by chance; every third kill falls into it, the others come a little later."""
    moment = chance.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
    once = moment in (KillMoment.START, KillMoment.CLOCK, KillMoment.BASE)
    nth = 1 if once else chance.randint(1, _NTH)
    after_ms = chance.uniform(0, _AFTER_MS.get(moment, _AFTER_OTHERS_MS))
    at_once = moment not in _AFTER_MS and chance.random() < 1 / 3
    return KillPlan(moment, nth, 0.0 if at_once else after_ms / 1000)


@dataclass
class _Armed:
    plan: KillPlan
    kill: Callable[[], None]
    left: int


class Killer:
    """Waits for the moment of a plan and kills then. `notice` is called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._armed: _Armed | None = None
        self._due: SimpleQueue[tuple[float, Callable[[], None]] | None] = SimpleQueue()
        # Where a day fails while it is laid out, nobody closes us: the process ends all the same.
        self._thread = threading.Thread(target=self._run, name="killer", daemon=True)
        self._thread.start()

    def arm(self, plan: KillPlan, kill: Callable[[], None]) -> None:
        """Call `kill` once, when the plan's moment has come."""
        with self._lock:
            self._armed = _Armed(plan, kill, plan.nth)
        if plan.moment is KillMoment.CLOCK:
            self.notice(KillMoment.CLOCK)

    def fire(self) -> None:
        """The moment does not come: kill now, if that has not been done."""
        with self._lock:
            armed, self._armed = self._armed, None
        if armed is not None:
            armed.kill()

    def notice(self, moment: KillMoment) -> None:
        """This has just been seen."""
        with self._lock:
            armed = self._armed
            if armed is None or armed.plan.moment is not moment:
                return
            armed.left -= 1
            if armed.left:
                return
            self._armed = None
        if armed.plan.after_s:
            self._due.put((time.monotonic() + armed.plan.after_s, armed.kill))
        else:
            armed.kill()

    def _run(self) -> None:
        while (due := self._due.get()) is not None:
            at_s, kill = due
            time.sleep(max(0.0, at_s - time.monotonic()))
            kill()

    def close(self) -> None:
        """End the thread."""
        self._due.put(None)
        self._thread.join()


_IN_MODIFY: Final = 0x2
_EVENT: Final = struct.Struct("iIII")


class Files:
    """Tells of every write to the journal's files in `folder`, as it is made."""

    def __init__(self, folder: Path, notice: Callable[[KillMoment], None]) -> None:
        """Raises `OSError`."""
        self._notice = notice
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = libc.inotify_init1(os.O_CLOEXEC)
        if self._events < 0 or libc.inotify_add_watch(self._events, bytes(folder), _IN_MODIFY) < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
        self._end = os.pipe()
        self._thread = threading.Thread(target=self._run, name="files", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._events, self._end[0]], [], [])
            if self._end[0] in ready:
                return
            data = os.read(self._events, 65536)
            at = 0
            while at < len(data):
                length = _EVENT.unpack_from(data, at)[3]
                at += _EVENT.size
                name = data[at : at + length].rstrip(b"\0").decode()
                at += length
                for end, moment in _OF_FILE.items():
                    if name.endswith(end):
                        self._notice(moment)

    def close(self) -> None:
        """Look no more."""
        os.write(self._end[1], b"x")
        self._thread.join()
        for each in (self._events, *self._end):
            os.close(each)
