"""Cards on their way at a bench, and the lamps that answered them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from sim_hw.devices.spot_lamps import DARK, EYE_MS, LampColour

#: So many changes of spots before a card tell what each showed.
_BEFORE = 200
_EYE_NS = EYE_MS * 1_000_000


class SpotShown(NamedTuple):
    """A spot began to show a colour."""

    at_ns: int
    seat: int
    colour: LampColour


@dataclass(slots=True)
class Passage:
    """A card on its way: to which seat, and when its way began and ended. Seat 0: something else
    that the dealer did; a press of a button has its `button`, and the time of its contact.

    `done_ns` is when the last of it had happened: its last bit, or the beam that cleared.
    `then_drawn`: the next that the dealer did was to draw another card. `lights`: a press that
    lights another lamp.
    """

    seat: int
    began_ns: int = 0
    done_ns: int = 0
    then_drawn: bool = False
    button: str = ""
    lights: bool = False


class LampAnswer(NamedTuple):
    """A card or a press, and when the lamp that it moved was lit."""

    passage: Passage
    lit_ns: int

    @property
    def ms(self) -> float:
        """From the last of it to the lamp."""
        return (self.lit_ns - self.passage.done_ns) / 1e6


def card_answers(
    passages: Sequence[Passage], shown: Sequence[SpotShown]
) -> tuple[list[LampAnswer], int]:
    """Each card with the lamp that answered it; and how many had none.

    Of cards that go round the players: each moves the light to the next seat, and the dealer
    does nothing before it has.
    """
    timed = [
        (one, after)
        for one, after in pairwise(passages)
        if one.then_drawn and 0 < one.seat != after.seat > 0 and after.began_ns
    ]
    return _answered(timed, shown)


def press_answers(
    passages: Sequence[Passage], shown: Sequence[SpotShown]
) -> tuple[list[LampAnswer], int]:
    """Each press that moves the light with the lamp that answered it; and how many had none.

    Of those after which the rig moved next: what a key of the page did has no time of the rig's.
    """
    timed = [
        (one, after)
        for one, after in pairwise(passages)
        if one.lights and one.done_ns and after.began_ns
    ]
    return _answered(timed, shown)


def _answered(
    timed: Sequence[tuple[Passage, Passage]], shown: Sequence[SpotShown]
) -> tuple[list[LampAnswer], int]:
    lit = [(one, _lit(one, after.began_ns, shown)) for one, after in timed]
    found = [LampAnswer(one, lit_ns) for one, lit_ns in lit if lit_ns is not None]
    return found, len(lit) - len(found)


def _lit(one: Passage, until_ns: int, shown: Sequence[SpotShown]) -> int | None:
    """When a spot began to show a colour that is neither dark nor a blink of the one before."""
    first = bisect_right(shown, one.done_ns, key=lambda each: each.at_ns)
    last = bisect_left(shown, until_ns, key=lambda each: each.at_ns)
    before = {
        each.seat: each.colour
        for each in shown[max(0, first - _BEFORE) : first]
        if each.colour != DARK
    }
    for at in range(first, last):
        each = shown[at]
        # Until it changed, not until the next card: a late lamp is answered at once by a hand.
        later = range(at + 1, len(shown))
        changed = (shown[nth].at_ns for nth in later if shown[nth].seat == each.seat)
        ended_ns = next(changed, None)
        lasts = ended_ns is None or ended_ns - each.at_ns >= _EYE_NS
        if lasts and each.colour not in (DARK, before.get(each.seat)):
            return each.at_ns
    return None
