"""Which ways on are open at this moment: those of the procedures that make sense now."""

from __future__ import annotations

from controller.rules.cards import Card
from controller.rules.correction import entries
from controller.rules.felt import DEALER_SEAT, Action, Bid
from controller.rules.steps import Deal
from controller.table.decide.readings import next_lies_down
from controller.table.evolve.correction import NotCorrectable, recalled
from controller.table.irregularities.holds import Hold, Reason, Way
from controller.table.phases import Phase
from controller.table.state import State


def open_ways(state: State, hold: Hold) -> tuple[Way, ...]:
    """The ways on from a hold, likeliest first. What cannot be kept now may be put aside."""
    closed = closed_ways(state, hold)
    ways = state.procedures.rows[hold.reason].ways
    if Way.KEEP in closed and Way.SET_ASIDE not in ways:
        ways = tuple(Way.SET_ASIDE if way is Way.KEEP else way for way in ways)
    return tuple(way for way in ways if way not in closed)


def closed_ways(state: State, hold: Hold) -> frozenset[Way]:
    """The ways on that make no sense now.

    A card that lies face down is not looked at. Where one deck is shuffled before every round, its
    discards do not come back (V727-A8), and no round is played without chips.
    """
    closed = {Way.ENTER_CARD if next_lies_down(state) else Way.FACE_DOWN}
    if hold.reason is Reason.STRAY:
        closed |= _closed_to_strays(state, hold)
    in_play = state.phase is Phase.ROUND
    if not (playable(state, hold.round) if hold.round else in_play):
        closed.add(Way.VOID)
    if not playable(state, hold.round):
        closed.add(Way.CORRECT)
    if state.game.vying:
        closed |= {Way.REFILLED, Way.DUMMY, Way.DEAD_HAND}
    if not in_play or state.round is None or len(state.round.wagers) < 2:
        closed.add(Way.DEAD_HAND)
    if state.phase is Phase.SHUFFLE:
        closed.add(Way.KEEP)
    if state.phase is not Phase.BETTING or hold.card is None or len(state.holds) > 1:
        closed.add(Way.DUMMY)
    if not decided_last(state):
        closed.add(Way.TAKE_BACK)
    if not dealt_last(state):
        closed |= {Way.BURN_LAST, Way.KEEP_LAST}
    if not state.kept:
        closed.add(Way.BURN_KEPT)
    return frozenset(closed)


def _closed_to_strays(state: State, hold: Hold) -> set[Way]:
    """What cannot be done with a foreign card: nobody looks at one that was to be burned, and one
    that left this shoe before was not put in for another.
    """
    closed = {Way.ENTER_CARD} if state.phase is Phase.BURN else set()
    if hold.card is None or not state.ledger.foreign(hold.card.open_serial()):
        closed.add(Way.REPLACED)
    return closed


def playable(state: State, number: int) -> bool:
    """Whether the round of that number can still be corrected or voided."""
    try:
        recalled(state, number)
    except NotCorrectable:
        return False
    return True


def decided_last(state: State) -> bool:
    """Whether a player's decision was the last thing in the round, and no card left since."""
    if state.phase is not Phase.ROUND or state.round is None or not state.round.answers:
        return False
    said = isinstance(state.round.answers[-1], Action | Bid)
    return said and state.decided_at == state.shoe.gone


def dealt_last(state: State) -> bool:
    """Whether a card that was dealt face up was the last thing in the round."""
    if state.phase is not Phase.ROUND or state.round is None or not state.round.answers:
        return False
    if not isinstance(state.round.answers[-1], Card):
        return False
    return entries(state.round, state.times_ms)[-1].kind is Deal


def dealt_to_player(state: State) -> bool:
    """Whether that card lies at a player's hand."""
    if not dealt_last(state) or state.round is None:
        return False
    place = entries(state.round, state.times_ms)[-1].place
    return place is not None and place.seat != DEALER_SEAT
