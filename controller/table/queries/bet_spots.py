"""What the sensors of bet spots say against the wagers: what differs, and which bet came late.

Where players play for a pot, chips move with every bet: their spots are looked at only when bets
are closed.
"""

from __future__ import annotations

from typing import Final

from controller.rules.actions import Action
from controller.rules.messages import Amount, Message, Seat, message
from controller.rules.script.steps import AddWager, Ask, Settle
from controller.table.state.parts import SensedSpot
from controller.table.state.phases import Phase
from controller.table.state.state import State

#: With these a player puts further chips down, and may do so before the dealer has entered it.
_FURTHER_CHIPS: Final = frozenset({Action.DOUBLE, Action.SPLIT, Action.INSURANCE})


def sensed_spots(state: State) -> dict[int, SensedSpot]:
    """The spots of this table whose sensors work now, by seat."""
    return {
        seat: spot
        for seat, spot in sorted(state.betting.spots.items())
        if seat <= state.setup.seats and state.run.devices.get(spot.source, _NOT_YET) is None
    }


def bet_differs(state: State, seat: int, spot: SensedSpot) -> Message | None:
    """What is otherwise on a spot than was entered, while bets are open; None: nothing."""
    wagers, who = state.betting.wagers, Seat(seat)
    if spot.chips.present and seat not in wagers:
        return message("chips-without-bet", who=who)
    if seat in wagers and not spot.chips.present:
        return message("bet-without-chips", who=who)
    wager, lies = wagers.get(seat), spot.chips.amount
    if wager is not None and lies is not None and lies != wager:
        return message("bet-of-another-amount", who=who, chips=Amount(lies), bet=Amount(wager))
    return None


def bets_differ(state: State) -> Message | None:
    """That something else lies on spots than was entered: the first of them, and how many more.

    The display marks each; a sentence that names them all has no room.
    """
    found = [bet_differs(state, seat, spot) for seat, spot in sensed_spots(state).items()]
    differ = [each for each in found if each is not None]
    if not differ:
        return None
    if more := len(differ) - 1:
        return message("bets-differ-more", first=differ[0], more=more)
    return message("bet-differs", place=differ[0])


def came_to_differ(state: State) -> bool:
    """Whether a spot that differs now was not so when the table was held for bets that differ."""
    return any(
        spot.chips != spot.agreed and bet_differs(state, seat, spot) is not None
        for seat, spot in sensed_spots(state).items()
    )


def moved(state: State, seat: int) -> bool:
    """Whether other chips lie on a spot than when bets were closed."""
    spot = state.betting.spots.get(seat)
    if spot is None or spot.agreed is None:
        return False
    return not spot.chips.same_as(spot.agreed)


def late_bet(state: State, seat: int) -> Message | None:
    """Why the chips on that spot stop the table now; None: they lie as they may."""
    if state.phase is not Phase.ROUND or not moved(state, seat) or _may_move(state, seat):
        return None
    spot, who = state.betting.spots[seat], Seat(seat)
    assert spot.agreed is not None
    if not spot.agreed.present:
        return message("late-bet-placed", who=who)
    if not spot.chips.present:
        return message("late-bet-gone", who=who)
    return message("late-bet-changed", who=who)


def _may_move(state: State, seat: int) -> bool:
    """Whether the step that the table waits for moves the chips of that seat.

    What lay there before stays until the hand is settled; more may come with a further wager.
    While hands are settled, the next round's bet may come to a spot that has none.
    """
    step, spot = state.step, state.betting.spots[seat]
    if isinstance(step, Settle):
        return step.hand.place.seat == seat or not _has_hand(state, seat)
    if isinstance(step, Ask):
        further = not _FURTHER_CHIPS.isdisjoint(step.play.options)
    else:
        further = isinstance(step, AddWager)
    if not further or not isinstance(step, Ask | AddWager) or step.hand.place.seat != seat:
        return False
    assert spot.agreed is not None
    return spot.chips.holds(spot.agreed)


def _has_hand(state: State, seat: int) -> bool:
    played = state.in_play
    return played is not None and any(each.status.seat == seat for each in played.felt.hands)


_NOT_YET: Final = message("not-connected-yet")
