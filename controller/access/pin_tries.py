"""Wrong PINs, counted before they are judged: who may try, who waits, and what goes on record.

A name is tried one PIN at a time. Wrong tries lock it, each further wrong try for longer, so that
a PIN of four digits takes years to guess. Whoever guesses must not lock a person out: displays at
which that person has proven themselves have a count of their own (OWASP's device cookies), and a
shorter lock at most. That count is one for all of them: a further display brings no further tries.
Wrong tries of all names together have a measure, too. Pure: the clock is a parameter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from controller.rules.frozen import frozen

#: This many wrong tries in a row lock a name; from then on every wrong try does.
TRIES: Final = 5
LOCK_FIRST_S: Final = 60.0
#: Each lock is twice as long as the one before, up to these.
LOCK_MOST_S: Final = 3_600.0
LOCK_MOST_KNOWN_S: Final = 300.0
#: This many locks are counted: the longest lasts longer than any is allowed to.
LOCKS_COUNTED: Final = 16
#: Wrong tries are forgotten this long after the last one.
FORGET_S: Final = 86_400.0
#: Wrong tries that led to no lock go on record this long after the first of them.
REPORT_AFTER_S: Final = 60.0
#: Wrong tries at a table, of all names together: this many at once, and then one in this long.
TABLE_TRIES: Final = 100
TABLE_TRY_S: Final = 300.0


class Source(NamedTuple):
    """Whose PIN is tried, and from where: two counts for each name.

    `name` stands for a name (see `Staff`), `known` is whether the display knows that person, `who`
    is the person's id, empty for a name that nobody has.
    """

    name: str
    known: bool
    who: str


@frozen
class TriesReport:
    """Wrong tries for a person (empty: unknown) since the last report.

    `locked_s` is how long the lock that they led to lasts, 0 without one.
    """

    who: str
    wrong: int
    locked_s: int = 0


class _Count(msgspec.Struct, array_like=True):
    """Tries of one name; times on the clock of `PinTries`. On disk they count from the writing."""

    wrong: int = 0
    locks: int = 0
    locked_until_s: float = 0.0
    last_s: float = 0.0


class _Allowance(msgspec.Struct, array_like=True):
    """How many wrong tries a table still has, by when that was counted."""

    left: float = TABLE_TRIES
    at_s: float = 0.0

    def count(self, now_s: float) -> None:
        earned = max(0.0, now_s - self.at_s) / TABLE_TRY_S
        self.left, self.at_s = min(float(TABLE_TRIES), self.left + earned), now_s

    def wait_s(self, now_s: float) -> float:
        self.count(now_s)
        return max(0.0, (1.0 - self.left) * TABLE_TRY_S)


class _Unreported(msgspec.Struct):
    wrong: int = 0
    due_s: float = 0.0


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    """The counts as they outlast a restart; times in seconds from the writing."""

    known: dict[str, _Count]
    others: dict[str, _Count]
    left: tuple[float, float]
    unreported: dict[str, int]


class PinTries:
    """The counts of every name, and totals since the start for the metrics.

    Nothing here tells who is known: whatever is tried is counted in the same way.
    """

    def __init__(self) -> None:
        self.wrong_total = 0
        self.locks_total = 0
        self._counts: dict[tuple[str, bool], _Count] = {}
        self._judging: dict[tuple[str, bool], str] = {}  # whose PIN that is
        self._allowances = (_Allowance(), _Allowance())
        self._unreported: dict[str, _Unreported] = {}

    def saved(self, now_s: float, pending: Iterable[tuple[str, int]] = ()) -> bytes:
        """The counts, to be written to a disk; what is forgotten by now is left out.

        `pending` was handed out and is not on record yet: who, and how many. A try that is being
        judged is saved as a wrong one: if the power fails before it is judged, it stays one.
        """
        found: tuple[dict[str, _Count], dict[str, _Count]] = ({}, {})
        for (name, known), each in self._counts.items():
            if now_s - each.last_s <= FORGET_S:
                found[known][name] = _Count(
                    each.wrong, each.locks, max(0.0, each.locked_until_s - now_s),
                    each.last_s - now_s,
                )  # fmt: skip
        for allowance in self._allowances:
            allowance.count(now_s)
        left = (self._allowances[False].left, self._allowances[True].left)
        unreported = Counter({who: each.wrong for who, each in self._unreported.items()})
        unreported.update(self._judging.values())
        for who, wrong in pending:
            unreported[who] += wrong
        return msgspec.json.encode(_Saved(found[True], found[False], left, unreported))

    def load(self, saved: bytes, now_s: float) -> None:
        """Go on from counts that were saved; a lock lasts as long as it had left then.

        The time in between does not count: it is known to nobody but a clock that may be set.
        Raises `ValueError` for other bytes.
        """
        found = msgspec.json.decode(saved, type=_Saved)
        for known, counts in ((True, found.known), (False, found.others)):
            for name, each in counts.items():
                self._counts[name, known] = _Count(
                    each.wrong,
                    min(each.locks, LOCKS_COUNTED),
                    now_s + each.locked_until_s,
                    now_s + each.last_s,
                )
            self._allowances[known].left = found.left[known]
            self._allowances[known].at_s = now_s
        for who, wrong in found.unreported.items():
            self._unreported[who] = _Unreported(wrong, now_s)

    def wait_s(self, source: Source, now_s: float) -> float:
        """How long a try has to wait; it then counts as a try that was refused."""
        if source[:2] in self._judging:
            return 1.0
        count = self._counts.get(source[:2])
        locked_s = count.locked_until_s - now_s if count else 0.0
        return max(0.0, locked_s, self._allowances[source.known].wait_s(now_s))

    def refused(self, source: Source, now_s: float) -> None:
        """A try came while its name was locked: it is on record with the others."""
        count = self._counts.get(source[:2])
        # What is tried while the name is locked goes on record when the lock is over, as one.
        self._note(source.who, now_s, count.locked_until_s if count else 0.0)

    def begin(self, source: Source, now_s: float) -> None:
        """A try is judged from now on. It is wrong, lock and all, until it is proven right."""
        count = self._counts.setdefault(source[:2], _Count(last_s=now_s))
        if now_s - count.last_s > FORGET_S:
            count.wrong = count.locks = 0
        self._judging[source[:2]] = source.who
        self._allowances[source.known].count(now_s)
        self._allowances[source.known].left -= 1
        count.wrong, count.last_s = count.wrong + 1, now_s
        if count.wrong >= TRIES:
            most_s = LOCK_MOST_KNOWN_S if source.known else LOCK_MOST_S
            count.locked_until_s = now_s + min(most_s, LOCK_FIRST_S * 2**count.locks)
            # Longer locks there are none; a count without an end would pass what a float can hold.
            count.locks = min(count.locks + 1, LOCKS_COUNTED)

    def right(self, source: Source) -> TriesReport | None:
        """The try was right; wrong ones before it are reported now."""
        self._judging.pop(source[:2], None)
        self._counts.pop(source[:2], None)
        self._allowances[source.known].left += 1
        before = self._unreported.pop(source.who, None)
        return TriesReport(source.who, before.wrong) if before else None

    def wrong(self, source: Source, now_s: float) -> TriesReport | None:
        """The try was wrong; a report where it locks the name."""
        self._judging.pop(source[:2], None)
        self._note(source.who, now_s)
        count = self._counts[source[:2]]
        if count.wrong < TRIES:
            return None
        self.locks_total += 1
        wrong = self._unreported.pop(source.who).wrong
        return TriesReport(source.who, wrong, round(count.locked_until_s - now_s))

    def gave_up(self, source: Source, now_s: float) -> None:
        """The try was not judged to its end: it stays counted."""
        self._judging.pop(source[:2], None)
        self._note(source.who, now_s)

    def due(self, now_s: float) -> list[TriesReport]:
        """Wrong tries that led to no lock, and have waited long enough to go on record."""
        found = [who for who, each in self._unreported.items() if now_s >= each.due_s]
        return [TriesReport(who, self._unreported.pop(who).wrong) for who in found]

    def _note(self, who: str, now_s: float, until_s: float = 0.0) -> None:
        self.wrong_total += 1
        noted = self._unreported.setdefault(who, _Unreported(0, now_s + REPORT_AFTER_S))
        noted.wrong += 1
        noted.due_s = max(noted.due_s, until_s)
