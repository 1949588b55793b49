"""What is available now: the open resolutions of a hold, the incidents that people may call.

Pure and total: `decide` judges by it and the views show it, so that what the display offers is
what the table takes.
"""

from __future__ import annotations

from typing import Final

from controller.rules.actions import DEALER_SEAT, Action
from controller.rules.messages import Message, message
from controller.rules.script.steps import Ask, Deal, Settle, Vie
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import (
    KEPT,
    STAYS_OPEN,
    Hold,
    Reason,
    Resolution,
    late_seat,
    left_while_held,
    put_aside_instead,
)
from controller.table.queries.bet_spots import moved
from controller.table.queries.device_failures import no_card_can_be_read
from controller.table.recorded.steps import RecordedStep, StepKind
from controller.table.state.parts import Resolved
from controller.table.state.phases import Phase
from controller.table.state.state import State

#: What is likeliest, by where the table stands; the rest follows in the order of the table.
_FIRST: Final[dict[type, tuple[Reason, ...]]] = {
    Ask: (Reason.TAKEN_BACK, Reason.NOT_ASKED, Reason.MISREAD, Reason.WRONG_SPOT),
    Vie: (Reason.TAKEN_BACK, Reason.EXPOSED, Reason.WRONG_SPOT),
    Deal: (Reason.TAKEN_BACK, Reason.SKIPPED, Reason.WRONG_SPOT, Reason.MISREAD),
    Settle: (Reason.PAYOUT, Reason.MISREAD, Reason.TAKEN_BACK, Reason.MISDEAL),
}
_BETWEEN: Final = (Reason.PAYOUT, Reason.MISREAD, Reason.MISDEAL)
#: They are about a round, the one in play or one before it.
_OF_ANY_ROUND: Final = (Reason.MISREAD, Reason.PAYOUT, Reason.MISDEAL)
#: What cannot be done with a round in play whose rules this build does not carry.
_TAKES_THE_SCRIPT: Final = frozenset(
    {
        Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.TWO, Resolution.KEEP,
        Resolution.TAKE_BACK, Resolution.BURN_LAST, Resolution.KEEP_LAST, Resolution.DEAD_HAND,
        Resolution.CORRECT, Resolution.REFILLED,
    }
)  # fmt: skip
#: Resolutions that put a card into a hand: undone by taking it out of the round again.
TAKEN_OUT: Final = (Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.TWO)
#: Resolutions that may be undone while nothing else has happened: no chips moved, no card of
#: another pack came in, and nobody was shown anything by them.
_UNDONE: Final = (
    Resolution.SET_ASIDE, Resolution.KEEP, Resolution.NO_CARD, Resolution.ONE, Resolution.COUNT,
    Resolution.RELEASE, Resolution.STANDS, Resolution.PLACED, Resolution.SQUARED,
)  # fmt: skip
#: Holds about the pack itself or the chips on the spots: what was said of them stands.
_FINAL_HOLDS: Final = (
    Reason.FOREIGN, Reason.SHOE_OFF, Reason.PACK_SIZE, Reason.REVISION, Reason.BETS_DIFFER,
    Reason.LATE_BET,
)  # fmt: skip
SHOE_INCIDENTS: Final = (Reason.DAMAGED, Reason.KEPT_REFUSED)


def next_lies_down(state: State) -> bool:
    """Whether a card that leaves the shoe now goes face down in the round."""
    step = state.step
    if isinstance(step, Ask):
        return state.setup.draw_means_hit and Action.CARD in step.play.options
    return isinstance(step, Deal) and step.down


def open_resolutions(state: State, hold: Hold) -> tuple[Resolution, ...]:
    """The open resolutions of a hold, likeliest first.

    What cannot be kept now may be put aside, and so may a card that was to lie face down in a round
    which goes on without it, or is void.
    """
    closed = closed_resolutions(state, hold)
    resolutions = state.procedures.rows[hold.reason].resolutions
    instead = put_aside_instead(hold.reason)
    if instead in closed and Resolution.SET_ASIDE not in resolutions:
        resolutions = tuple(
            Resolution.SET_ASIDE if resolution is instead else resolution
            for resolution in resolutions
        )
    return tuple(resolution for resolution in resolutions if resolution not in closed)


def closed_resolutions(state: State, hold: Hold) -> frozenset[Resolution]:
    """The resolutions that make no sense now.

    A card that lies face down is not looked at. Where one deck is shuffled before every round, its
    discards do not come back (V727-A8), and no round is played without chips.
    """
    closed = {Resolution.ENTER_CARD if next_lies_down(state) else Resolution.FACE_DOWN}
    if hold.reason in STAYS_OPEN:
        closed |= _closed_to_counts(state)
    if hold.reason is Reason.FOREIGN:
        closed |= _closed_to_foreign_cards(state, hold)
    in_play = state.in_play
    if not (playable(state, hold.round) if hold.round else in_play):
        closed.add(Resolution.VOID)
    if hold.reason not in STAYS_OPEN and not playable(state, hold.round):
        closed.add(Resolution.CORRECT)
    if state.game.vying:
        closed |= {Resolution.REFILLED, Resolution.DUMMY, Resolution.DEAD_HAND}
    if in_play is None:
        closed.add(Resolution.REFILLED)
    if state.phase is not Phase.BETTING:
        closed.add(Resolution.BETS_RIGHT)
    if in_play is None or len(in_play.wagers) < 2:
        closed.add(Resolution.DEAD_HAND)
    if in_play is not None and state.rounds.script is None:
        # Its rules are another build's: nothing can be dealt or put right in it, only voided.
        closed |= _TAKES_THE_SCRIPT
    if state.phase is Phase.SHUFFLE:
        closed.add(Resolution.KEEP)
    if hold.source == KEPT:
        closed.add(Resolution.NO_CARD)  # it left the shoe when it was kept
    if state.phase is not Phase.BETTING or hold.card is None or len(state.holds) > 1:
        closed.add(Resolution.DUMMY)
    if not decided_last(state):
        closed.add(Resolution.TAKE_BACK)
    if not dealt_last(state):
        closed |= {Resolution.BURN_LAST, Resolution.KEEP_LAST}
    if not state.aftermath.kept_cards:
        closed.add(Resolution.BURN_KEPT)
    if hold.reason is Reason.LATE_BET and moved(state, late_seat(hold)):
        closed.add(Resolution.CHIPS_BACK)
    return frozenset(closed)


def _closed_to_counts(state: State) -> set[Resolution]:
    """What cannot be done while the felt is counted: nothing is entered that is not missing.

    Nobody goes on from a count that does not agree, and what was counted is counted again: seat by
    seat also before a void puts on record that cards left which no reader and no beam has noticed.
    """
    closed: set[Resolution] = set()
    if _counted_once(state) and no_card_can_be_read(state) is None:
        closed.add(Resolution.VOID)
    if not state.missing:
        closed |= {
            Resolution.ENTER_CARD, Resolution.FACE_DOWN, Resolution.SET_ASIDE, Resolution.NO_CARD,
        }  # fmt: skip
    elif not card_wanted(state):
        closed |= {Resolution.ENTER_CARD, Resolution.FACE_DOWN}
    if state.aftermath.recount.felt is None or state.in_play is None:
        closed.add(Resolution.CORRECT)
    if state.missing or (state.aftermath.recount.felt is not None and not count_agrees(state)):
        closed.add(Resolution.RELEASE)
    if not (state.ledger.scanning and state.aftermath.recount.felt is not None):
        closed.add(Resolution.COUNT_AGAIN)
    return closed


def gone_by_void(state: State) -> int:
    """How many cards a void puts on record as gone: those that one count alone knows of are not."""
    return state.aftermath.recount.unread if _counted_once(state) else state.missing


def _counted_once(state: State) -> bool:
    """Whether cards which no reader and no beam noticed are known by one number alone.

    The felt was not counted seat by seat, as the display asks where that number does not agree.
    """
    felt = state.aftermath.recount.felt
    unnoticed = state.missing > state.aftermath.recount.unread
    return felt is not None and unnoticed and not felt.seats and bool(shown_by_seat(state))


def _closed_to_foreign_cards(state: State, hold: Hold) -> set[Resolution]:
    """What cannot be done with a foreign card: nobody looks at one that was to be burned, one that
    left while the table was held goes to no hand, and one that left this shoe before was not put in
    for another.
    """
    closed = {Resolution.ENTER_CARD} if state.phase is Phase.BURN else set()
    if left_while_held(hold):
        closed |= {Resolution.ENTER_CARD, Resolution.FACE_DOWN}
    if hold.card is None or not state.ledger.is_foreign(hold.card.open_serial()):
        closed.add(Resolution.REPLACED)
    return closed


def shown_by_seat(state: State) -> dict[int, int]:
    """How many cards are shown at each seat of the round in play (0: the dealer's)."""
    found: dict[int, int] = {}
    if state.in_play is not None:
        for hand in state.in_play.felt.hands:
            found[hand.status.seat] = found.get(hand.status.seat, 0) + len(hand.cards)
        if not state.game.vying:
            found[DEALER_SEAT] = len(state.in_play.felt.dealer.cards)
    return found


def count_agrees(state: State) -> bool:
    """Whether the felt was counted, seat by seat where that was asked, and no card is missing."""
    felt = state.aftermath.recount.felt
    if felt is None or state.aftermath.recount.unread or felt.cards != state.cards_shown:
        return False
    shown = shown_by_seat(state)
    return all(each.cards == shown.get(each.seat, 0) for each in felt.seats)


def card_wanted(state: State) -> bool:
    """Whether a card that is entered while a hold stays open would have a place to go."""
    step = state.step
    if state.ledger.scanning:
        return True
    if isinstance(step, Ask):
        return state.setup.draw_means_hit and Action.HIT in step.play.options
    return isinstance(step, Deal)


def undoable(state: State) -> Resolved | None:
    """What was chosen last to settle a hold, if that may be undone."""
    done = state.aftermath.resolved
    if done is None or done.hold.reason in _FINAL_HOLDS or state.ledger.scanning:
        return None
    if state.counts.holds != done.holds or state.phase is not done.phase:
        return None
    if done.resolution in TAKEN_OUT:
        played = state.in_play
        return done if played is not None and len(played.steps) > done.steps else None
    still_open = state.hold(done.hold.number) is not None
    if done.resolution is Resolution.COUNT and still_open:
        return None  # it is counted again
    return done if done.resolution in _UNDONE else None


def playable(state: State, number: int) -> bool:
    """Whether the round of that number can still be corrected or voided."""
    return state.recalled(number) is not None


def decided_last(state: State) -> bool:
    """Whether a player's decision was the last thing in the round, and no card left since."""
    last = last_step(state)
    chosen = last is not None and last.kind is StepKind.DECIDE
    return chosen and state.rounds.decided_at == state.shoe.gone


def dealt_last(state: State) -> bool:
    """Whether a card that was dealt face up was the last thing in the round."""
    last = last_step(state)
    return last is not None and last.kind is StepKind.DEAL and last.card is not None


def dealt_to_player(state: State) -> bool:
    """Whether that card lies at a player's hand."""
    last = last_step(state)
    return dealt_last(state) and last is not None and last.seat != DEALER_SEAT


def last_step(state: State) -> RecordedStep | None:
    """The last thing that happened in the round in play."""
    return state.in_play.steps[-1] if state.in_play and state.in_play.steps else None


def latest_round(state: State) -> int:
    """The round in play, or the last one that is not void; 0: none."""
    if state.in_play is not None:
        return state.in_play.number
    return next((each.number for each in reversed(state.rounds.past) if not each.void), 0)


def not_callable(state: State, what: Reason, number: int) -> Message | None:
    """Why this incident cannot be called now; None if it can."""
    if what is Reason.DAMAGED:
        return None if state.shoe.number else message("no-pack-yet")
    if what is Reason.KEPT_REFUSED:
        return None if state.aftermath.kept_cards else message("no-card-lies-ready")
    if what in _OF_ANY_ROUND:
        return None if playable(state, number) else message("round-not-recalled", round=number)
    if state.in_play is None or state.in_play.number != number:
        return message("only-while-in-play")
    if what is Reason.TAKEN_BACK and not decided_last(state):
        return message("decision-stands")
    if what is Reason.NOT_ASKED and not dealt_to_player(state):
        return message("last-was-no-players-card")
    if what is Reason.FACE_UP and not dealt_last(state):
        return message("last-was-no-card")
    return None


def callable_now(state: State) -> tuple[tuple[Reason, int], ...]:
    """What people may call now and about which round, likeliest first."""
    step, number = state.step, latest_round(state)
    first = _FIRST.get(type(step), ()) if step is not None else _BETWEEN
    called = [reason for reason, row in IRREGULARITIES.items() if row.called]
    order = dict.fromkeys((*first, *called))
    return tuple((reason, number) for reason in order if not not_callable(state, reason, number))
