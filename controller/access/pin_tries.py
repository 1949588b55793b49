"""Wrong PINs, counted before they are judged: who may try, who waits, and what goes on record.

A name is tried one PIN at a time. Wrong tries lock it, each further wrong try for longer, so that
a PIN of four digits takes years to guess. Whoever guesses must not lock a person out: a display at
which that person has proven themselves has a count of its own (OWASP's device cookies), and a
shorter lock at most. Pure: the clock is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

#: So many wrong tries in a row lock a name; from then on every wrong try does.
TRIES: Final = 5
LOCK_FIRST_S: Final = 60.0
#: Each lock is twice as long as the one before, up to these.
LOCK_MOST_S: Final = 3_600.0
LOCK_MOST_KNOWN_S: Final = 300.0
#: Wrong tries are forgotten so long after the last one.
FORGET_S: Final = 86_400.0
#: Wrong tries that led to no lock go on record so long after the first of them.
REPORT_AFTER_S: Final = 60.0
#: So many counts are kept; the one that was idle longest goes.
COUNTS_MAX: Final = 1_024

Source = tuple[str, str]
"""Whose PIN is tried (a name), and the display that knows that person; "" for any other."""


@dataclass(frozen=True, slots=True)
class TriesReport:
    """Wrong tries of one name since the last report; `locked_s` of the lock they led to, or 0."""

    name: str
    wrong: int
    locked_s: int = 0


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    locks: int = 0
    locked_until_s: float = 0.0
    last_s: float = 0.0
    judging: bool = False


@dataclass(slots=True)
class _Unreported:
    wrong: int = 0
    since_s: float = 0.0


@dataclass(slots=True)
class PinTries:
    """The counts of every name and display, and totals since the start for the metrics."""

    wrong_total: int = 0
    locks_total: int = 0
    _counts: dict[Source, _Count] = field(default_factory=dict)
    _unreported: dict[str, _Unreported] = field(default_factory=dict)

    def wait_s(self, source: Source, now_s: float) -> float:
        """How long a try has to wait; it then counts as a try that was refused."""
        count = self._counts.get(source)
        if count is None:
            return 0.0
        if count.judging:
            return 1.0
        return max(0.0, count.locked_until_s - now_s)

    def refused(self, name: str, now_s: float) -> None:
        """A try came while its name was locked: it is on record with the others."""
        self._note(name, now_s)

    def begin(self, source: Source, now_s: float) -> None:
        """A try is judged from now on. It counts as wrong until it is proven right."""
        count = self._counts.pop(source, None) or _Count()
        if now_s - count.last_s > FORGET_S:
            count.wrong = count.locks = 0
        if len(self._counts) >= COUNTS_MAX:
            del self._counts[next(iter(self._counts))]
        self._counts[source] = count
        count.judging, count.last_s = True, now_s
        count.wrong += 1

    def right(self, source: Source) -> TriesReport | None:
        """The try was right; wrong ones before it are reported now."""
        self._counts.pop(source, None)
        name, _ = source
        before = self._unreported.pop(name, None)
        return TriesReport(name, before.wrong) if before else None

    def wrong(self, source: Source, now_s: float) -> TriesReport | None:
        """The try was wrong; a report where it locks the name."""
        name, display = source
        count = self._counts[source]
        count.judging = False
        self._note(name, now_s)
        if count.wrong < TRIES:
            return None
        most_s = LOCK_MOST_KNOWN_S if display else LOCK_MOST_S
        locked_s = min(most_s, LOCK_FIRST_S * 2**count.locks)
        count.locks += 1
        count.locked_until_s = now_s + locked_s
        self.locks_total += 1
        return TriesReport(name, self._unreported.pop(name).wrong, round(locked_s))

    def gave_up(self, source: Source) -> None:
        """The try was not judged to its end: it stays counted."""
        if (count := self._counts.get(source)) is not None:
            count.judging = False

    def due(self, now_s: float) -> list[TriesReport]:
        """Wrong tries that led to no lock, and have waited long enough to go on record."""
        found = [
            name
            for name, each in self._unreported.items()
            if now_s - each.since_s >= REPORT_AFTER_S and not self._locked(name, now_s)
        ]
        return [TriesReport(name, self._unreported.pop(name).wrong) for name in found]

    def _locked(self, name: str, now_s: float) -> bool:
        return any(
            source[0] == name and each.locked_until_s > now_s
            for source, each in self._counts.items()
        )

    def _note(self, name: str, now_s: float) -> None:
        self.wrong_total += 1
        self._unreported.setdefault(name, _Unreported(since_s=now_s)).wrong += 1
