"""Notices to the players, every shuffle included."""

from __future__ import annotations

from controller.rules.actions import Outcome
from controller.rules.messages import Amount, Message, message
from controller.rules.script.felt import Hand, Result
from controller.rules.script.steps import Settle
from controller.table.queries.prompt import Prompt
from controller.table.queries.wagers import pays_value
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import say


def dummy(state: State) -> bool:
    """Whether the round in play is played without bets."""
    return state.in_play is not None and state.in_play.dummy


def notice(state: State, now: Prompt) -> str:
    """The notices to the players, every shuffle included ("The player is notified")."""
    if state.holds:
        return say(message("notice-table-is-stopped"))
    if state.phase in (Phase.SHUFFLE, Phase.CUT, Phase.BURN):
        shuffling = message("notice-shuffling") if state.shoe.number else message("notice-opening")
        return say(shuffling)
    said = now.headline
    if isinstance(state.step, Settle):
        said = settled_notice(state.step.hand)
    if dummy(state):
        said = message("notice-without-bets", notice=said)
    elif state.phase is Phase.ROUND and state.shoe.due and not state.game.vying:
        said = message("notice-last-round", notice=said)
    return say(said, state.words)


def settled_notice(hand: Hand) -> Message:
    """How a hand ended, for the players: `Seat 1 wins 20.00`; a bonus is announced."""
    result = hand.result
    if result is None:
        raise AssertionError("a hand is settled by its result")
    said = _settled(hand, result)
    return message("notice-bonus", bonus=result.bonus.name, notice=said) if result.bonus else said


def _settled(hand: Hand, result: Result) -> Message:
    who = hand.place
    if result.outcome is Outcome.PUSH:
        return message("notice-pushes", hand=who)
    if result.outcome is Outcome.WIN:
        return message("notice-wins", hand=who, amount=pays_value(hand))
    lost = message("the-bet") if hand.wager is None else Amount(-result.net(hand.wager))
    if result.outcome is Outcome.SURRENDER:
        return message("notice-surrenders", hand=who, amount=lost)
    return message("notice-loses", hand=who, amount=lost)
