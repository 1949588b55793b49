"""Moves, wagers and payments of hands, as values that messages hold."""

from __future__ import annotations

from controller.rules.actions import Action, Bid, Move
from controller.rules.messages import Amount, Message, message
from controller.rules.money import Odds
from controller.rules.script.felt import Bonus, Hand
from controller.table.recorded.hands import RecordedHand
from controller.table.state.state import State


def to_repeat(state: State) -> list[tuple[int, int | None]]:
    """The wagers of the last round that can be placed again, by seat: on spots that have none.

    Who plays at a seat for a server bets by it alone, and may be another one by now.
    """
    taken = state.betting.wagers.keys() | state.remote.players.keys()
    return [each for each in state.betting.last_wagers.items() if each[0] not in taken]


def move_message(move: Move) -> Action | Message:
    """A decision: `hit`, `raise 10.00`."""
    if isinstance(move, Bid):
        return message("bid", action=move.action, amount=Amount(move.amount))
    return move


def wager_value(hand: Hand | RecordedHand) -> Amount | Message:
    """The wager of a hand; "the bet" where its amount is not tracked."""
    if hand.wager == 0:
        return message("no-bet")
    return message("the-bet") if hand.wager is None else Amount(hand.wager)


def bonus_value(hand: Hand | RecordedHand) -> Amount | Odds:
    """What the bonus of a won hand comes to; odds where the wager is not tracked."""
    bonus = hand.result.bonus if hand.result else None
    assert bonus is not None
    if hand.wager is None and bonus.odds:
        return bonus.odds
    amount = bonus.on(hand.wager or 0) if isinstance(bonus, Bonus) else bonus.amount
    return Amount(amount or 0)


def pays_value(hand: Hand | RecordedHand) -> Amount | Odds | Message:
    """What a won hand is paid: the exact amount, or the odds where the wager is not tracked."""
    result = hand.result
    assert result is not None
    if result.share is not None:
        return Amount(result.share)
    if hand.wager == 0:
        return message("nothing")
    if hand.wager is None:
        if result.bonus:
            return message("odds-and-bonus", odds=result.odds, bonus=bonus_value(hand))
        return result.odds
    return Amount(hand.net or 0)
