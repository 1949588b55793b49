"""Which card passed the camera: joins the looks of one passage into one reading. Reads no clock.

A passage is the time from something coming into the way of the card (the beam, or the picture at
rest) to its leaving. Only frames of a passage are anybody's: the next card may lie in the picture,
and must not be known before it is drawn. Looks that agree are a card; two that do not are none.

A frame comes up to `latency_ms` after it was taken, and later where the machine is behind
(`lateness`). One that may have been taken before the card began to pass, or when another one was
there, is nobody's. Time is a parameter, in ns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import Card
from controller.rules.sealed import Sealed

_MS: Final = 1_000_000

#: So many frames of a passage are looked at; of a card that stays longer more would say no more.
LOOKS_MAX: Final = 60
#: So many frames with a second card in them are no flicker of the picture.
SEVERAL_MIN: Final = 2


@dataclass(frozen=True, slots=True, repr=False)
class Look:
    """What one frame told: a card, or why none. It may tell a hidden card: there is no repr.

    `confidence` from 0 to 1; `evidence` is the JPEG of what was looked at, empty if nothing was.
    """

    card: Card | None
    doubt: Doubt | None = None
    confidence: float = 0.0
    evidence: bytes = b""

    def __post_init__(self) -> None:
        if (self.card is None) is (self.doubt is None):
            raise ValueError("a look has either a card or a doubt")

    def __repr__(self) -> str:
        return "<look>"


@dataclass(slots=True, repr=False)
class _CardTally:
    """The looks that saw the same card."""

    count: int = 0
    surest: float = 0.0
    second: float = 0.0
    evidence: bytes = b""

    def add(self, look: Look) -> None:
        self.count += 1
        if self.count == 1 or look.confidence > self.surest:
            self.second, self.surest = self.surest, look.confidence
            self.evidence = look.evidence
        else:
            self.second = max(self.second, look.confidence)


@dataclass(slots=True, repr=False)
class PassageTally:
    """The looks of one passage, bounded: what they come to needs no more than their tally."""

    cards: dict[Card, _CardTally] = field(default_factory=dict)
    doubts: Counter[Doubt] = field(default_factory=Counter)
    evidence: bytes = b""
    looks: int = 0

    def add(self, look: Look) -> None:
        """Count a look."""
        self.looks += 1
        if look.card is not None:
            self.cards.setdefault(look.card, _CardTally()).add(look)
        elif look.doubt is not None:
            self.doubts[look.doubt] += 1
            self.evidence = look.evidence or self.evidence

    def result(self, frames_min: int) -> Look:
        """What they come to: a card that `frames_min` looks saw and none saw otherwise."""
        ranked = sorted(self.cards.items(), key=lambda each: -each[1].surest)
        evidence = ranked[0][1].evidence if ranked else self.evidence
        if len(ranked) > 1:
            return Look(None, Doubt.FRAMES_DIFFER, evidence=evidence)
        if self.doubts[Doubt.SEVERAL] >= SEVERAL_MIN:
            return Look(None, Doubt.SEVERAL, evidence=self.evidence or evidence)
        if ranked and ranked[0][1].count >= frames_min:
            kind, votes = ranked[0]
            sure = votes.surest if frames_min == 1 else votes.second
            return Look(kind, None, sure, evidence)
        if ranked or not self.doubts:
            return Look(None, Doubt.NOT_SEEN, evidence=evidence)
        return Look(None, self.doubts.most_common(1)[0][0], evidence=evidence)


@dataclass(slots=True, repr=False)
class _CameraPassage:
    """One passage: open, or over with frames that may still come."""

    number: int
    began_ns: int
    close: bool
    ended_ns: int | None = None
    pending: int = 0
    stuck: bool = False
    vote: PassageTally = field(default_factory=PassageTally)


@dataclass(frozen=True, slots=True)
class PassageTiming:
    """The times of a passage, in ms, and how many looks make a card.

    Shorter than `glitch_ms` it was no card; after `stuck_ms` something stays, which is told as
    `stuck`.
    """

    glitch_ms: int
    stuck_ms: int
    latency_ms: int
    frames_min: int
    stuck: Doubt


class CameraPassages:
    """The passages of one camera. Give it every edge, ask whose a frame is, and tell what it saw.

    Each method that lets time pass gives the readings that are certain by then, in order.
    """

    def __init__(self, source: str, pace: PassageTiming) -> None:
        self._source = source
        self._pace = pace
        self._passing: list[_CameraPassage] = []
        self._count = 0
        self._cleared_ns: int | None = None
        self._before_ns: int | None = None
        """When the last passage that is not in the list any more had ended."""

    @property
    def watching(self) -> bool:
        """Whether a frame may be somebody's now: while a card passes, and a little after."""
        return bool(self._passing)

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing waits for time to pass."""
        due = []
        for each in self._passing:
            if each.ended_ns is None:
                if not each.stuck:
                    due.append(each.began_ns + self._pace.stuck_ms * _MS)
            elif not each.pending:
                due.append(self._frames_until(each))
        return min(due, default=None)

    def began(self, at_ns: int) -> None:
        """Something has come into the way."""
        if self._open() is not None:
            return
        gap_ns = None if self._cleared_ns is None else at_ns - self._cleared_ns
        close = gap_ns is not None and gap_ns < self._pace.glitch_ms * _MS
        self._count += 1
        self._passing.append(_CameraPassage(self._count, at_ns, close))

    def ended(self, at_ns: int) -> list[Reading]:
        """The way is free again."""
        passing = self._open()
        if passing is None:
            return self.tick(at_ns)
        passing.ended_ns = at_ns
        self._cleared_ns = at_ns
        if passing.stuck or at_ns - passing.began_ns < self._pace.glitch_ms * _MS:
            self._forget(passing)  # told already, or no card
        return self.tick(at_ns)

    def owner(self, at_ns: int, late_ns: int = 0) -> int | None:
        """The passage that a frame which came at `at_ns` is of; None: it is not to be looked at.

        It may be `late_ns` late. The caller owes a `look` for each number that is given here.
        """
        earliest_ns = at_ns - late_ns - self._pace.latency_ms * _MS
        if self._before_ns is not None and earliest_ns <= self._before_ns:
            return None
        # It was taken between `earliest_ns` and now: all that time must be one card's own. What lay
        # in the picture before it was drawn may have been another one.
        mine = [each for each in self._passing if self._overlaps(each, earliest_ns, at_ns)]
        if len(mine) != 1 or mine[0].stuck or mine[0].vote.looks + mine[0].pending >= LOOKS_MAX:
            return None
        if earliest_ns < mine[0].began_ns:
            return None
        # After a pause of the machine the edges are late too: the next card may lie there by then.
        if mine[0].ended_ns is not None and at_ns > mine[0].ended_ns:
            return None
        mine[0].pending += 1
        return mine[0].number

    def look(self, number: int, look: Look | None, at_ns: int) -> list[Reading]:
        """What the frame told (None: it was dropped for a newer one)."""
        for each in self._passing:
            if each.number == number:
                each.pending -= 1
                if look is not None and not each.stuck:
                    each.vote.add(look)
        return self.tick(at_ns)

    def tick(self, at_ns: int) -> list[Reading]:
        """Time has passed."""
        told: list[Reading] = []
        current = self._open()
        stuck_ns = self._pace.stuck_ms * _MS
        while self._passing:
            first = self._passing[0]
            if first.ended_ns is None or first.pending or at_ns < self._frames_until(first):
                break
            self._forget(first)
            told.append(self._reading(first))
        if current is not None and not current.stuck and at_ns >= current.began_ns + stuck_ns:
            current.stuck = True
            current.vote = PassageTally()
            told.append(Reading(self._source, None, self._pace.stuck))
        return told

    def _open(self) -> _CameraPassage | None:
        last = self._passing[-1] if self._passing else None
        return last if last is not None and last.ended_ns is None else None

    @staticmethod
    def _overlaps(passing: _CameraPassage, from_ns: int, to_ns: int) -> bool:
        ended_ns = passing.ended_ns
        return passing.began_ns <= to_ns and (ended_ns is None or from_ns <= ended_ns)

    def _forget(self, passing: _CameraPassage) -> None:
        self._passing.remove(passing)
        self._before_ns = passing.ended_ns

    def _frames_until(self, passing: _CameraPassage) -> int:
        assert passing.ended_ns is not None
        return passing.ended_ns + self._pace.latency_ms * _MS

    def _reading(self, passing: _CameraPassage) -> Reading:
        seen = passing.vote.result(self._pace.frames_min)
        if passing.close:
            # The same card with a flutter in the beam, or another one at its heels.
            seen = Look(None, Doubt.TOO_CLOSE, evidence=seen.evidence)
        return Reading(
            self._source,
            None if seen.card is None else Sealed(seen.card),
            seen.doubt,
            apart=True,
            confidence=None if seen.card is None else seen.confidence,
            evidence=seen.evidence,
            passed_ns=passing.ended_ns,
        )
