"""Tells what cannot be a card or a press from what can: readers that repeat themselves, contacts
that flap. Pure: time is a parameter, in seconds.

Each kind has a measure of how much of it people can do: what goes beyond is counted, not passed
on, and the device is in trouble until it has been quiet. While it is, the same again is never
passed on unless it passed the beam, another card at once, and nothing is earned: a device that
never stops is read to the end of its measures and no further.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from controller.devices.inputs import Press, Reading, Repeats, SpotSensed

#: A device that babbled works again once it has been quiet for this long.
QUIET_S: Final = 5.0


class Measure(NamedTuple):
    """How many at once, and then how many a second."""

    at_once: int
    per_s: float


#: The same code of a card, where nothing proves that it is another card.
SAME: Final = Measure(4, 2.0)
#: Readings without a card: a beam that flaps, a label that cannot be read.
DOUBTS: Final = Measure(16, 2.0)
PRESSES: Final = Measure(24, 8.0)
#: Chips on all spots together: their readers wait until what they find stays the same.
CHIPS: Final = Measure(256, 100.0)
#: Different cards, or cards that passed the beam: a pack of eight decks is run through the reader.
CARDS: Final = Measure(512, 5.0)


@dataclass(slots=True)
class _Bucket:
    measure: Measure
    left: float
    at_s: float = 0.0

    def takes(self, at_s: float, *, earns: bool) -> bool:
        earned = (at_s - self.at_s) * self.measure.per_s if earns else 0.0
        self.left, self.at_s = min(self.measure.at_once, self.left + earned), at_s
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Babble:
    """One input device. `count` is what was not passed on, and not reported yet."""

    def __init__(self, pace: float = 1.0) -> None:
        """`pace`: how many times faster than people it may be; 1 but in a simulated world."""
        self.count = 0
        self._quiet_at_s = 0.0
        self._last: Reading | Press | SpotSensed | None = None
        self._buckets = {
            each: _Bucket(Measure(each.at_once, each.per_s * pace), each.at_once)
            for each in _MEASURES
        }

    def babbles(self, at_s: float) -> bool:
        """Whether the device is in trouble: something was left out, and it is not quiet yet."""
        return bool(self.count) and at_s < self._quiet_at_s

    @property
    def quiet_at_s(self) -> float:
        """When the device works again if nothing more is left out."""
        return self._quiet_at_s

    def reported(self, count: int) -> None:
        """That much of what was left out was reported: it is not counted again."""
        self.count -= count

    def admits(self, event: Reading | Press | SpotSensed | Repeats, at_s: float) -> bool:
        """Whether it can be a card or a press, and is to be passed on."""
        if isinstance(event, Repeats):
            self._leave_out(event.count, at_s)
            return False
        again, self._last = self._is_last(event) and not _passed(event), event
        measure, babbles = _measure(event, again=again), self.babbles(at_s)
        if (again and babbles) or not self._buckets[measure].takes(at_s, earns=not babbles):
            self._leave_out(1, at_s)
            return False
        return True

    def _is_last(self, event: Reading | Press | SpotSensed) -> bool:
        last = self._last
        if not isinstance(event, Reading) or not isinstance(last, Reading):
            return event == last
        if event.card is None or last.card is None:
            return event.doubt is not None and event.doubt is last.doubt
        one, other = event.card, last.card
        return one.open() is other.open() and one.open_serial() == other.open_serial()

    def _leave_out(self, count: int, at_s: float) -> None:
        self.count += count
        self._quiet_at_s = at_s + QUIET_S


_MEASURES: Final = (SAME, DOUBTS, PRESSES, CHIPS, CARDS)


def _passed(event: Reading | Press | SpotSensed) -> bool:
    """Whether a card passed the beam: it is another card, whatever was read."""
    return isinstance(event, Reading) and event.card is not None and event.passed_ns is not None


def _measure(event: Reading | Press | SpotSensed, *, again: bool) -> Measure:
    if isinstance(event, Press):
        return PRESSES
    if isinstance(event, SpotSensed):
        return CHIPS
    if event.card is None:
        return DOUBTS
    return SAME if again else CARDS
