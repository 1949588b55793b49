"""Which card has left: joins codes and the edges of the exit beam into readings. Reads no clock.

A card counts when the beam clears; pushed back before that, it never left. A code is taken for a
card only where it can be no other card's; otherwise the reading is a doubt.

A code may come before the card reaches the beam, while it covers it, or up to `late_code_ms` after
it has gone. Cards that follow each other within that time share it, and a code in it is then
neither's: else a card could get the code of the one before. Of a reader that reads again what lies
before it, a code that goes on after its card has gone is nobody's, however long that lies there. No
card is dropped because its code equals the last one: in eight decks that is so 1.7 % of the time.
Time is a parameter, in ns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.sealed import Sealed
from drivers.code_book import Code
from drivers.settings.shoe import BeamSettings

_MS: Final = 1_000_000

FRESH_NS: Final = 1_000 * _MS
"""Codes read within this time belong together. A card that waited longer in the exit may have been
exchanged for another, so its code is taken only when the late window has brought no other."""

UNSEEN_MAX: Final = 3
"""A card may be pushed back, and another one: of so many different ones in a row one has left."""

FORGET_NS: Final = 60_000 * _MS
"""A code read longer ago than this, of a card that never came, is forgotten."""


def reading_of_code(
    source: str, code: Code | Doubt, *, apart: bool, passed_ns: int | None = None
) -> Reading:
    """The reading of one code. Raises nothing: an unknown code is a doubt."""
    doubt = code if isinstance(code, Doubt) else None
    if isinstance(code, Code):
        if code.kind is not None:
            card = Sealed(code.kind, code.serial)
            return Reading(source, card, apart=apart, passed_ns=passed_ns)
        doubt = Doubt.CUT_CARD if code.cut else Doubt.UNKNOWN_CODE
    return Reading(source, None, doubt, apart=apart, passed_ns=passed_ns)


def reading_without_beam(source: str, code: Code | Doubt) -> Reading:
    """The reading of a code where there is no beam: every code is a reading at once.

    Only a serial number proves another card. A doubt is a reading too: a card may have left.
    """
    return reading_of_code(source, code, apart=isinstance(code, Code) and bool(code.serial))


@dataclass(slots=True)
class _CodesRead:
    """The codes read of one card, each with when it was read last, and the last doubt."""

    codes: dict[Code, int] = field(default_factory=dict)
    doubt: Doubt | None = None
    doubt_ns: int = 0

    def add(self, code: Code | Doubt, at_ns: int) -> None:
        if isinstance(code, Doubt):
            self.doubt, self.doubt_ns = code, at_ns
            return
        self.codes.pop(code, None)
        self.codes[code] = at_ns
        if len(self.codes) > 2:  # two are a conflict already
            del self.codes[next(iter(self.codes))]

    def forget(self, codes_before_ns: int, doubt_before_ns: int) -> None:
        self.codes = {code: at for code, at in self.codes.items() if at >= codes_before_ns}
        if self.doubt_ns < doubt_before_ns:
            self.doubt = None


@dataclass(slots=True)
class _DepartedCard:
    """A card that has left at `at_ns`. Until `until_ns` its code may still come."""

    at_ns: int
    until_ns: int
    read: _CodesRead
    decided: bool = False
    code: Code | None = None

    def claims(self, code: Code) -> bool:
        """Whether `code` may be this card's, which is already decided: without a code, or by it."""
        return self.decided and (self.code is None or self.code == code)


class BeamPassages:
    """The exit of one shoe. Each method returns the readings that are certain by then, in order."""

    def __init__(self, source: str, settings: BeamSettings, again_ns: int = 0) -> None:
        """`again_ns`: a code that comes again so soon is of the same card; 0: nobody knows."""
        self._source = source
        self._glitch_ns = settings.glitch_ms * _MS
        self._late_ns = settings.late_code_ms * _MS
        self._stuck_ns = settings.stuck_ms * _MS
        self._again_ns = again_ns
        #: Codes of cards that have left, each with when it was read last.
        self._gone: dict[Code, int] = {}
        self._read = _CodesRead()
        self._left: list[_DepartedCard] = []
        self._broke_ns: int | None = None
        self._cleared_ns: int | None = None
        self._stuck = False
        self._unseen: dict[Code, int] = {}

    @property
    def sees_nothing(self) -> bool:
        """Whether so many different codes were read and nothing came into the beam: it is blind."""
        return len(self._unseen) >= UNSEEN_MAX

    @property
    def is_stuck(self) -> bool:
        """Whether the beam has been covered for too long, which was reported."""
        return self._stuck

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing waits for time to pass."""
        due = []
        if waiting := self._waiting():
            due.append(waiting.until_ns)
        if self._broke_ns is not None and not self._stuck:
            due.append(self._broke_ns + (self._glitch_ns if waiting else self._stuck_ns))
        return min(due, default=None)

    def tick(self, at_ns: int) -> list[Reading]:
        """Time has passed."""
        readings: list[Reading] = []
        broke_ns = self._broke_ns
        if broke_ns is not None and at_ns >= broke_ns + self._glitch_ns:
            self._overtake(readings)
        while self._left and at_ns >= self._left[0].until_ns:
            self._decide(self._left.pop(0), readings, overtaken=broke_ns is not None)
        if broke_ns is not None and not self._stuck and at_ns >= broke_ns + self._stuck_ns:
            self._stuck = True
            self._read = _CodesRead()
            readings.append(Reading(self._source, None, Doubt.BEAM_STUCK))
        return readings

    def code(self, code: Code | Doubt, at_ns: int, since_ns: int | None = None) -> list[Reading]:
        """The scanner has read a code, or failed to.

        `since_ns`: nobody looked between then and `at_ns`: it may have come at any time between.
        """
        readings: list[Reading] = []
        waiting = self._waiting()
        if waiting and since_ns is not None and since_ns < waiting.until_ns <= at_ns:
            # It may be the late code of the card that has gone, or one of the card that comes.
            waiting.read.add(code, at_ns)
            self._decide(waiting, readings, overtaken=True)
            readings += self.tick(at_ns)
            self._read.add(Doubt.TOO_CLOSE, at_ns)
            return readings
        readings = self.tick(at_ns)
        if self._stuck:
            return readings  # a code of what covers the exit, which was reported already
        waiting = self._waiting()
        read = waiting.read if waiting else self._read
        if isinstance(code, Code) and self._of_one_that_left(code, at_ns):
            # It proves nothing for this card.
            if waiting or self._broke_ns is not None:
                read.add(Doubt.TOO_CLOSE, at_ns)
            return readings
        if not waiting and self._broke_ns is None:
            read.forget(at_ns - FRESH_NS, at_ns - FRESH_NS)
            if isinstance(code, Code) and code.kind is not None:
                recent = {each: at for each, at in self._unseen.items() if at > at_ns - FORGET_NS}
                self._unseen = recent | {code: at_ns}
        read.add(code, at_ns)
        return readings

    def covered(self, at_ns: int) -> list[Reading]:
        """Something has come into the beam."""
        self._unseen.clear()
        readings = self.tick(at_ns)
        if self._broke_ns is None:
            self._broke_ns = at_ns
            self._read.forget(at_ns - FORGET_NS, at_ns - FRESH_NS)
            if self._cleared_ns is not None and at_ns - self._cleared_ns < self._glitch_ns:
                # The same card with a flutter in the beam, or another one right behind it.
                self._read.add(Doubt.TOO_CLOSE, at_ns)
        return readings

    def cleared(self, at_ns: int) -> list[Reading]:
        """The beam is free again: unless it was a glitch, a card has left."""
        self._unseen.clear()
        readings = self.tick(at_ns)
        broke_ns, self._broke_ns = self._broke_ns, None
        cleared_ns, self._cleared_ns = self._cleared_ns, at_ns
        if broke_ns is None:  # that edge was missed; it cannot have been before the last clear
            broke_ns = at_ns - self._glitch_ns
            if cleared_ns is not None and broke_ns < cleared_ns:
                return readings
        if at_ns - broke_ns < self._glitch_ns:
            return readings
        self._overtake(readings)
        read, self._read = self._read, _CodesRead()
        departed = _DepartedCard(at_ns, at_ns + self._late_ns, read, decided=self._stuck)
        self._left.append(departed)
        self._stuck = False
        fresh = any(code_ns >= broke_ns - FRESH_NS for code_ns in read.codes.values())
        if fresh or len(read.codes) > 1 or not self._late_ns:
            self._decide(departed, readings)
        return readings

    def flush(self) -> list[Reading]:
        """No code will come any more: the cards that have left and still wait for theirs."""
        readings: list[Reading] = []
        for departed in self._left:
            self._decide(departed, readings)
        self._left.clear()
        return readings

    def _of_one_that_left(self, code: Code, at_ns: int) -> bool:
        """Whether this is, or may be, the code of a card that has left and was decided."""
        read_ns = self._gone.get(code)
        again = read_ns is not None and at_ns - read_ns < self._again_ns
        claims = [departed for departed in self._left if departed.claims(code)]
        if again or any(departed.code == code for departed in claims):
            self._gone[code] = at_ns
        return again or bool(claims)

    def _waiting(self) -> _DepartedCard | None:
        """The card that has left and whose code may still come."""
        return self._left[-1] if self._left and not self._left[-1].decided else None

    def _overtake(self, readings: list[Reading]) -> None:
        """Another card is in the exit: what comes now may be of either."""
        if waiting := self._waiting():
            self._decide(waiting, readings, overtaken=True)

    def _decide(
        self, departed: _DepartedCard, readings: list[Reading], *, overtaken: bool = False
    ) -> None:
        """Report a departed card unless that was done; `overtaken`: the next one is in the exit."""
        if departed.decided:
            return
        departed.decided = True
        since_ns = departed.at_ns - self._again_ns
        still = {code: read_ns for code, read_ns in self._gone.items() if read_ns > since_ns}
        self._gone = still | departed.read.codes
        codes = list(departed.read.codes)
        code: Code | Doubt
        if not codes:
            code = departed.read.doubt or Doubt.NO_CODE
        elif overtaken:
            code = Doubt.TOO_CLOSE
        elif len(codes) > 1:
            code = Doubt.CONFLICT
        else:
            code = codes[0]
            departed.code = code if code.kind is not None else None
        readings.append(reading_of_code(self._source, code, apart=True, passed_ns=departed.at_ns))
