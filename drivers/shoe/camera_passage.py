"""Which card passed the camera: the frames of one passage voted into one reading. Reads no clock.

A passage is the time from something coming into the way of the card (the beam, or the picture at
rest) to its leaving. Only frames of a passage count: the next card may lie in the picture, and
must not be known before it is drawn. Frames that agree are a card; two that differ are none.

When a frame was taken its sensor says, where it does; else it came up to `latency_ms` after that,
and later where the machine is behind (`FrameDelay`). One that may have been taken before the card
began to pass, or when another one was there, belongs to no passage; neither does one that came
after the card had left, also where that is known later: an edge has the time at which it was, and
a busy machine hands it on when it can. Time is a parameter, in ns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import Card
from controller.rules.sealed import Sealed
from drivers.vision.frame_reading import FrameReading

_MS: Final = 1_000_000

#: This many frames of a passage are read; of a card that stays longer more would add nothing.
FRAMES_MAX: Final = 60
#: This many whole frames of a passage are kept, where they are: the first ones.
FRAMES_KEPT_MAX: Final = 12
#: This many frames with a second card in them, or with what is lit as no card is, are no flicker of
#: the image.
SEVERAL_MIN: Final = 2

#: What the doubt of a frame says of its passage. A card half in the frame is the beginning or the
#: end of any passage.
_OF_PASSAGE: Final = {
    Doubt.NO_IMAGE: Doubt.NOT_RECOGNISED,
    Doubt.NO_CARD: Doubt.NOT_SEEN,
    Doubt.CUT_OFF: Doubt.NOT_SEEN,
    Doubt.COVERED: Doubt.NOT_RECOGNISED,
    Doubt.WRONG_SIZE: Doubt.NOT_RECOGNISED,
    Doubt.NOT_PAPER: Doubt.NOT_RECOGNISED,
    Doubt.BLURRED: Doubt.POOR_IMAGE,
    Doubt.OTHER_STYLE: Doubt.FOREIGN_INDEX,
    Doubt.OTHER_DECK: Doubt.FOREIGN_INDEX,
    Doubt.UNSURE: Doubt.NOT_RECOGNISED,
    Doubt.CORNERS_DIFFER: Doubt.NOT_RECOGNISED,
    Doubt.VOTES_DIFFER: Doubt.NOT_RECOGNISED,
    Doubt.INK_COLOUR: Doubt.NOT_RECOGNISED,
    Doubt.CODE_DIFFERS: Doubt.NOT_RECOGNISED,
}


@dataclass(slots=True, repr=False)
class _CardTally:
    """The frames that showed the same card."""

    count: int = 0
    highest: float = 0.0
    second: float = 0.0
    evidence: bytes = b""

    def add(self, reading: FrameReading) -> None:
        self.count += 1
        if self.count == 1 or reading.confidence > self.highest:
            self.second, self.highest = self.highest, reading.confidence
            self.evidence = reading.evidence
        else:
            self.second = max(self.second, reading.confidence)


@dataclass(slots=True, repr=False)
class PassageTally:
    """The votes of one passage's frames: of a frame its vote stays, and its image only where whole
    frames are kept.
    """

    cards: dict[Card, _CardTally] = field(default_factory=dict)
    doubts: Counter[Doubt] = field(default_factory=Counter)
    evidence: bytes = b""
    whole: list[bytes] = field(default_factory=list)

    def add(self, reading: FrameReading) -> None:
        """Count a frame."""
        if reading.frame:
            self.whole.append(reading.frame)
        if reading.card is not None:
            self.cards.setdefault(reading.card, _CardTally()).add(reading)
        elif reading.doubt is not None:
            self.doubts[_OF_PASSAGE.get(reading.doubt, reading.doubt)] += 1
            self.evidence = reading.evidence or self.evidence

    def result(self, frames_min: int) -> FrameReading:
        """What they add up to: a card that `frames_min` frames showed, and none another one."""
        ranked = sorted(self.cards.items(), key=lambda each: -each[1].highest)
        evidence = ranked[0][1].evidence if ranked else self.evidence
        if len(ranked) > 1:
            return FrameReading(None, Doubt.FRAMES_DIFFER, evidence=evidence)
        if self.doubts[Doubt.SEVERAL] >= SEVERAL_MIN:
            return FrameReading(None, Doubt.SEVERAL, evidence=self.evidence or evidence)
        if self.doubts[Doubt.OTHER_LIGHT] >= SEVERAL_MIN:
            return FrameReading(None, Doubt.OTHER_LIGHT, evidence=self.evidence or evidence)
        if ranked and ranked[0][1].count >= frames_min:
            card, tally = ranked[0]
            # The second most certain one: a single frame may be sure and wrong.
            confidence = tally.highest if frames_min == 1 else tally.second
            return FrameReading(card, confidence=confidence, evidence=evidence)
        if ranked or not self.doubts:
            return FrameReading(None, Doubt.NOT_SEEN, evidence=evidence)
        return FrameReading(None, self.doubts.most_common(1)[0][0], evidence=evidence)


class PassageFrame(NamedTuple):
    """A frame that is read for a passage, by its number, and when it came."""

    passage: int
    came_ns: int


@dataclass(slots=True, repr=False)
class _CameraPassage:
    """One passage: open, or over with frames that may still come.

    `votes` has when each frame came, and what it showed: they count once the end is known.
    """

    number: int
    began_ns: int
    close: bool
    ended_ns: int | None = None
    pending: int = 0
    stuck: bool = False
    votes: list[tuple[int, FrameReading]] = field(default_factory=list)

    def vote(self, came_ns: int, reading: FrameReading) -> None:
        """Keep what a frame showed; the pictures themselves are bounded."""
        keeps = len(self.votes) < FRAMES_KEPT_MAX
        vote = replace(reading, rectified=None, frame=reading.frame if keeps else b"")
        self.votes.append((came_ns, vote))

    def counts(self, came_ns: int) -> bool:
        """Whether a frame that came then came before the card had left."""
        return self.ended_ns is None or came_ns <= self.ended_ns

    def tally(self) -> PassageTally:
        """The votes of the frames that came before the card had left."""
        tally = PassageTally()
        for came_ns, reading in self.votes:
            if self.counts(came_ns):
                tally.add(reading)
        return tally


@dataclass(frozen=True, slots=True)
class PassageTiming:
    """The times of a passage, in ms, and how many frames make a card.

    Shorter than `glitch_ms` it was no card; after `stuck_ms` something stays, which is reported as
    `stuck`.
    """

    glitch_ms: int
    stuck_ms: int
    latency_ms: int
    frames_min: int
    stuck: Doubt


class CameraPassages:
    """The passages of one camera: edges and frame readings in, readings of cards out.

    Each method that lets time pass returns the readings that are certain by then, in order.
    """

    def __init__(self, source: str, timing: PassageTiming) -> None:
        self._source = source
        self._timing = timing
        self._passages: list[_CameraPassage] = []
        self._count = 0
        self._cleared_ns: int | None = None
        self._forgotten_ns: int | None = None
        """When the last passage that was forgotten had ended."""

    @property
    def wants_frames(self) -> bool:
        """Whether a frame may belong to a passage now: while a card passes, and a little after."""
        return any(not each.stuck for each in self._passages)

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing waits for time to pass."""
        due = []
        for each in self._passages:
            if each.ended_ns is None:
                if not each.stuck:
                    due.append(each.began_ns + self._timing.stuck_ms * _MS)
            elif not each.pending:
                due.append(self._frames_until(each))
        return min(due, default=None)

    def began(self, at_ns: int) -> None:
        """Something has come into the way of the cards."""
        if self._open() is not None:
            return
        gap_ns = None if self._cleared_ns is None else at_ns - self._cleared_ns
        close = gap_ns is not None and gap_ns < self._timing.glitch_ms * _MS
        self._count += 1
        self._passages.append(_CameraPassage(self._count, at_ns, close))

    def ended(self, at_ns: int) -> list[Reading]:
        """The way is free again."""
        passage = self._open()
        if passage is None:
            return self.tick(at_ns)
        passage.ended_ns = at_ns
        self._cleared_ns = at_ns
        if passage.stuck or at_ns - passage.began_ns < self._timing.glitch_ms * _MS:
            self._forget(passage)  # reported already, or no card
        return self.tick(at_ns)

    def owner(
        self, at_ns: int, late_ns: int = 0, taken_ns: int | None = None
    ) -> PassageFrame | None:
        """Of which passage a frame is that came at `at_ns`; None: the frame is not to be read.

        It was taken at `taken_ns` or later; where that is not known, it may be `late_ns` late. The
        caller owes an `add` for each that is returned here.
        """
        earliest_ns = taken_ns
        if earliest_ns is None:
            earliest_ns = at_ns - late_ns - self._timing.latency_ms * _MS
        if self._forgotten_ns is not None and earliest_ns <= self._forgotten_ns:
            return None
        # It was taken between `earliest_ns` and now: all that time must be one card's own. What lay
        # in the picture before it was drawn may have been another one.
        owners = [each for each in self._passages if self._overlaps(each, earliest_ns, at_ns)]
        if len(owners) != 1 or owners[0].stuck:
            return None
        owner = owners[0]
        if len(owner.votes) + owner.pending >= FRAMES_MAX or earliest_ns < owner.began_ns:
            return None
        # After a pause of the machine the edges are late too: the next card may lie there by then.
        if owner.ended_ns is not None and at_ns > owner.ended_ns:
            return None
        owner.pending += 1
        return PassageFrame(owner.number, at_ns)

    def counts(self, frame: PassageFrame) -> bool:
        """Whether what this frame shows still has a vote, by all that is known of its passage."""
        return any(
            each.number == frame.passage and not each.stuck and each.counts(frame.came_ns)
            for each in self._passages
        )

    def add(self, frame: PassageFrame, reading: FrameReading | None, at_ns: int) -> list[Reading]:
        """What a frame of a passage showed (None: it was not read)."""
        for each in self._passages:
            if each.number == frame.passage:
                each.pending -= 1
                if reading is not None and not each.stuck:
                    each.vote(frame.came_ns, reading)
        return self.tick(at_ns)

    def tick(self, at_ns: int) -> list[Reading]:
        """Time has passed."""
        readings: list[Reading] = []
        current = self._open()
        stuck_ns = self._timing.stuck_ms * _MS
        while self._passages:
            first = self._passages[0]
            if first.ended_ns is None or first.pending or at_ns < self._frames_until(first):
                break
            self._forget(first)
            readings.append(self._reading(first))
        if current is not None and not current.stuck and at_ns >= current.began_ns + stuck_ns:
            current.stuck = True
            current.votes.clear()
            readings.append(Reading(self._source, None, self._timing.stuck))
        return readings

    def flush(self) -> list[Reading]:
        """No frame will come any more: the cards that have left, and were not reported yet."""
        left = [each for each in self._passages if each.ended_ns is not None]
        for each in left:
            self._forget(each)
        return [
            Reading(self._source, None, Doubt.READER_AWAY, apart=True, passed_ns=each.ended_ns)
            for each in left
        ]

    def _open(self) -> _CameraPassage | None:
        last = self._passages[-1] if self._passages else None
        return last if last is not None and last.ended_ns is None else None

    @staticmethod
    def _overlaps(passage: _CameraPassage, from_ns: int, to_ns: int) -> bool:
        ended_ns = passage.ended_ns
        return passage.began_ns <= to_ns and (ended_ns is None or from_ns <= ended_ns)

    def _forget(self, passage: _CameraPassage) -> None:
        self._passages.remove(passage)
        self._forgotten_ns = passage.ended_ns

    def _frames_until(self, passage: _CameraPassage) -> int:
        assert passage.ended_ns is not None
        return passage.ended_ns + self._timing.latency_ms * _MS

    def _reading(self, passage: _CameraPassage) -> Reading:
        tally = passage.tally()
        result = tally.result(self._timing.frames_min)
        if passage.close:
            # The same card with a flutter in the beam, or another one right behind it.
            result = FrameReading(None, Doubt.TOO_CLOSE, evidence=result.evidence)
        return Reading(
            self._source,
            None if result.card is None else Sealed(result.card),
            result.doubt,
            apart=True,
            confidence=None if result.card is None else result.confidence,
            evidence=result.evidence,
            frames=tuple(tally.whole),
            passed_ns=passage.ended_ns,
        )
