"""Which card has left: joins codes and the edges of the exit beam into readings. Reads no clock.

A card counts when the beam clears; pushed back before that, it never left. A code is believed for
a card only where no other card could have said it; otherwise the reading says that it cannot tell.

A code may come before the card reaches the beam, while it covers it, or up to `late_code_ms` after
it has gone. Cards that follow each other within that time share it, and then a code in it is
nobody's: the next card would be told by the last one's code. Time is a parameter, in ns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.sealed import Sealed
from drivers.code_book import Code
from drivers.settings import BeamSettings

_MS: Final = 1_000_000

FRESH_NS: Final = 1_000 * _MS
"""Codes read within this time belong together. A card that waited longer in the exit may have been
exchanged for another, so its code is believed only when the late window has brought no other."""

KEPT_NS: Final = 60_000 * _MS
"""A code read longer ago than this, of a card that never came, is forgotten."""


def reading_of_code(
    source: str, code: Code | Doubt, *, apart: bool, passed_ns: int | None = None
) -> Reading:
    """The reading of one code. Raises nothing: what is not known is a doubt."""
    doubt = code if isinstance(code, Doubt) else None
    if isinstance(code, Code):
        if code.kind is not None:
            card = Sealed(code.kind, code.serial)
            return Reading(source, card, apart=apart, passed_ns=passed_ns)
        doubt = Doubt.CUT_CARD if code.cut else Doubt.UNKNOWN_CODE
    return Reading(source, None, doubt, apart=apart, passed_ns=passed_ns)


def reading_without_beam(source: str, code: Code | Doubt) -> Reading:
    """The reading of a code where no beam tells cards from reads: each read is told at once.

    Only a serial number proves another card. A doubt is told too: a card may have left.
    """
    return reading_of_code(source, code, apart=isinstance(code, Code) and bool(code.serial))


@dataclass(slots=True)
class _CodesRead:
    """What was read of one card: different codes, with when each was read last, or noise."""

    codes: dict[Code, int] = field(default_factory=dict)
    noise: Doubt | None = None
    noise_ns: int = 0

    def add(self, code: Code | Doubt, at_ns: int) -> None:
        if isinstance(code, Doubt):
            self.noise, self.noise_ns = code, at_ns
            return
        self.codes.pop(code, None)
        self.codes[code] = at_ns
        if len(self.codes) > 2:  # two are a conflict already
            del self.codes[next(iter(self.codes))]

    def forget(self, codes_before_ns: int, noise_before_ns: int) -> None:
        self.codes = {code: at for code, at in self.codes.items() if at >= codes_before_ns}
        if self.noise_ns < noise_before_ns:
            self.noise = None


@dataclass(slots=True)
class _DepartedCard:
    """A card that has left at `at_ns`. Until `until_ns` its code may still come."""

    at_ns: int
    until_ns: int
    seen: _CodesRead
    decided: bool = False
    told: Code | None = None

    def claims(self, code: Code) -> bool:
        """Whether `code` may be this card's, which was told without it or by it."""
        return self.decided and (self.told is None or self.told == code)


class BeamPassages:
    """The exit of one shoe. Every method gives the readings that are certain by then, in order."""

    def __init__(self, source: str, settings: BeamSettings) -> None:
        self._source = source
        self._glitch_ns = settings.glitch_ms * _MS
        self._late_ns = settings.late_code_ms * _MS
        self._stuck_ns = settings.stuck_ms * _MS
        self._seen = _CodesRead()
        self._left: list[_DepartedCard] = []
        self._broke_ns: int | None = None
        self._cleared_ns: int | None = None
        self._stuck = False

    @property
    def is_stuck(self) -> bool:
        """Whether the beam has been covered for too long, which was told."""
        return self._stuck

    @property
    def due_ns(self) -> int | None:
        """When to call `tick`; None while nothing waits for time to pass."""
        due = []
        if waits := self._waits():
            due.append(waits.until_ns)
        if self._broke_ns is not None and not self._stuck:
            due.append(self._broke_ns + (self._glitch_ns if waits else self._stuck_ns))
        return min(due, default=None)

    def tick(self, at_ns: int) -> list[Reading]:
        """Time has passed."""
        told: list[Reading] = []
        broke_ns = self._broke_ns
        if broke_ns is not None and at_ns >= broke_ns + self._glitch_ns:
            self._overtake(told)
        while self._left and at_ns >= self._left[0].until_ns:
            self._decide(self._left.pop(0), told, overtaken=broke_ns is not None)
        if broke_ns is not None and not self._stuck and at_ns >= broke_ns + self._stuck_ns:
            self._stuck = True
            self._seen = _CodesRead()
            told.append(Reading(self._source, None, Doubt.BEAM_STUCK))
        return told

    def code(self, code: Code | Doubt, at_ns: int) -> list[Reading]:
        """The scanner has told a code, or that it could not."""
        told = self.tick(at_ns)
        if self._stuck:
            return told  # of the thing in the exit, which was told already
        waits = self._waits()
        seen = waits.seen if waits else self._seen
        if isinstance(code, Code) and any(gone.claims(code) for gone in self._left):
            # A card's code once more, or any card's: it proves nothing for this one.
            if waits or self._broke_ns is not None:
                seen.add(Doubt.TOO_CLOSE, at_ns)
            return told
        if not waits and self._broke_ns is None:
            seen.forget(at_ns - FRESH_NS, at_ns - FRESH_NS)
        seen.add(code, at_ns)
        return told

    def covered(self, at_ns: int) -> list[Reading]:
        """Something has come into the beam."""
        told = self.tick(at_ns)
        if self._broke_ns is None:
            self._broke_ns = at_ns
            self._seen.forget(at_ns - KEPT_NS, at_ns - FRESH_NS)
            if self._cleared_ns is not None and at_ns - self._cleared_ns < self._glitch_ns:
                # The same card with a flutter in the beam, or another one at its heels.
                self._seen.add(Doubt.TOO_CLOSE, at_ns)
        return told

    def cleared(self, at_ns: int) -> list[Reading]:
        """The beam is free again: unless it was a glitch, a card has left."""
        told = self.tick(at_ns)
        broke_ns, self._broke_ns = self._broke_ns, None
        cleared_ns, self._cleared_ns = self._cleared_ns, at_ns
        if broke_ns is None:  # that edge was missed; it cannot have been before the last clear
            broke_ns = at_ns - self._glitch_ns
            if cleared_ns is not None and broke_ns < cleared_ns:
                return told
        if at_ns - broke_ns < self._glitch_ns:
            return told
        self._overtake(told)
        seen, self._seen = self._seen, _CodesRead()
        gone = _DepartedCard(at_ns, at_ns + self._late_ns, seen, decided=self._stuck)
        self._left.append(gone)
        self._stuck = False
        fresh = any(code_ns >= broke_ns - FRESH_NS for code_ns in seen.codes.values())
        if fresh or len(seen.codes) > 1 or not self._late_ns:
            self._decide(gone, told)
        return told

    def _waits(self) -> _DepartedCard | None:
        """The card that has left and whose code may still come."""
        return self._left[-1] if self._left and not self._left[-1].decided else None

    def _overtake(self, told: list[Reading]) -> None:
        """Another card is in the exit: what comes now may be of either."""
        if waits := self._waits():
            self._decide(waits, told, overtaken=True)

    def _decide(self, gone: _DepartedCard, told: list[Reading], *, overtaken: bool = False) -> None:
        """Tell a card that has gone, if that was not done; `overtaken` by the next one."""
        if gone.decided:
            return
        gone.decided = True
        codes = list(gone.seen.codes)
        code: Code | Doubt
        if not codes:
            code = gone.seen.noise or Doubt.NO_CODE
        elif overtaken:
            code = Doubt.TOO_CLOSE
        elif len(codes) > 1:
            code = Doubt.CONFLICT
        else:
            code = codes[0]
            gone.told = code if code.kind is not None else None
        told.append(reading_of_code(self._source, code, apart=True, passed_ns=gone.at_ns))
