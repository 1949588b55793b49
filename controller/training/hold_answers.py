"""How a hold was answered on record: what was chosen, taken back, and settled it (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from controller.table import facts as f
from controller.table.irregularities.holds import Resolution
from controller.training.answers import BACK
from controller.training.kinds import TroubleKind
from controller.training.moments import Moment

#: What a dealer does about a hold, as far as it is on record.
DOES: Final = (
    f.HoldReleased, f.ResolutionChosen, f.ResolutionUndone, f.CardNamed, f.FeltCounted,
    f.RoundVoided, f.SettledRoundVoided, f.Refused,
)  # fmt: skip
VOIDS: Final = (f.RoundVoided, f.SettledRoundVoided)


def numbers_of(raised: Moment, window: Iterable[Moment]) -> set[int]:
    """The numbers of the hold: open again, as its resolution was undone, it has another."""
    numbers: set[int] = set()
    opens = True
    for each in (raised, *window):
        if isinstance(each.fact, f.ResolutionUndone):
            opens = each.fact.number in numbers
        elif opens and isinstance(each.fact, f.HoldRaised) and each.reason is raised.reason:
            numbers.add(each.fact.number)
            opens = False
    return numbers


def settleable_ms(raised: Moment, window: Iterable[Moment], settled: Moment) -> int:
    """Since when the dealer could settle it: a device that was away is back by then."""
    back = (each for each in window if isinstance(each.fact, BACK) and each.seq < settled.seq)
    return max((each.at_ms for each in back), default=raised.at_ms)


def is_about(moment: Moment, numbers: Collection[int]) -> bool:
    """Whether the dealer did that about the hold, or to all of it."""
    fact = moment.fact
    if isinstance(fact, f.HoldReleased | f.ResolutionChosen | f.ResolutionUndone):
        return fact.number in numbers
    if isinstance(fact, f.CardNamed | f.FeltCounted):
        return fact.hold in numbers
    return isinstance(fact, DOES)


def settled_at(window: Sequence[Moment], numbers: Collection[int]) -> Moment | None:
    """Where the hold was released for good: an undone release does not count."""
    found = None
    for each in window:
        if isinstance(each.fact, f.HoldReleased) and each.fact.number in numbers:
            found = each
        elif isinstance(each.fact, f.ResolutionUndone) and each.fact.number in numbers:
            found = None
        elif isinstance(each.fact, VOIDS):
            found = each
    return found


def standing(done: Sequence[Moment]) -> list[Moment]:
    """What was chosen and not taken back."""
    found: list[Moment] = []
    for each in done:
        fact = each.fact
        if isinstance(fact, f.ResolutionUndone):
            found = [one for one in found if _resolution(one) is not fact.resolution]
        elif isinstance(fact, (f.HoldReleased, f.ResolutionChosen, *VOIDS)):
            found.append(each)
    return found


def _resolution(moment: Moment) -> object:
    fact = moment.fact
    return fact.resolution if isinstance(fact, f.HoldReleased | f.ResolutionChosen) else None


def is_right(moment: Moment, kind: TroubleKind) -> bool:
    """Whether what was chosen is an answer that is right to such a trouble."""
    if isinstance(moment.fact, VOIDS):
        return Resolution.VOID in kind.answers
    return _resolution(moment) in kind.answers
