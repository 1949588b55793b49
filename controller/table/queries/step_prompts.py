"""Prompts of a round: what each step of its script asks, and of whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.devices.displays import Tone
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Outcome
from controller.rules.messages import Amount, Message, Seat, message
from controller.rules.script.felt import Hand, Result
from controller.rules.script.steps import AddWager, Ask, Deal, Peek, Reveal, Settle, Step, Vie
from controller.rules.totals import summed_message, total_message
from controller.table.queries.prompt import Prompt, both, touch
from controller.table.queries.wagers import bonus_value, pays_value, wager_value

#: What takes chips: nobody does it in a round without bets.
_WITH_CHIPS: Final = (Action.DOUBLE, Action.SPLIT, Action.SURRENDER, Action.INSURANCE)


def step_prompt(step: Step) -> Prompt:
    """What a step of the round in play waits for, as a refusal says it on record."""
    return _STEPS[type(step)](step)


def told(step: Step) -> Prompt:
    """The same as displays say it: other words there are no other decision of the table."""
    found = step_prompt(step)
    if isinstance(step, Reveal) and step.card.known and (left := len(step.hand.down or ())) > 1:
        turned = message("touch-for-each-card", key=message("key-turned"), left=left)
        return found._replace(why=turned)
    if isinstance(step, Deal) and step.play and found.why and found.why.code == "hit-on":
        return found._replace(why=message("hit-on", total=total_message(step.play.total.parts)))
    return found


def _deal(step: Deal) -> Prompt:
    play, place = step.play, step.hand.place
    if step.down:
        why = message("card-is-for-the-player-alone") if play else None
        return Prompt(Tone.ACT, message("card-face-down-to", hand=place), why, seat=place.seat)
    if play is None:
        return Prompt(Tone.ACT, message("card-to", hand=place), seat=place.seat)
    if place.seat == DEALER_SEAT:
        draws = message("dealer-draws", who=Seat(DEALER_SEAT))
        return Prompt(Tone.FORCED, draws, seat=place.seat, detail=play.why)
    if play.forced:
        must = message("hand-must", hand=place, action=play.forced)
        return Prompt(Tone.FORCED, must, seat=place.seat, detail=play.why)
    doubled = message("doubled-one-card")
    why = (
        doubled if step.hand.doubled else message("hit-on", total=summed_message(play.total.parts))
    )
    return Prompt(Tone.ACT, message("card-to", hand=place), why, seat=place.seat)


def _ask(step: Ask) -> Prompt:
    play, place = step.play, step.hand.place
    player = message("who-player", seat=Seat(place.seat))
    if place.hand == SIDE_BET:
        cost = _chips(step.hand.wager, message("half-the-bet"))
        why = message("insurance-costs", why=play.why, cost=cost)
        seat, insurance = message("hand", hand=Seat(place.seat)), (message("insurance"),)
        return Prompt(Tone.ACT, seat, why, player, place.seat, choices=insurance)
    why = play.why
    if play.offer is not None and play.offer in choices(step):
        why = message("offer", action=play.offer, why=why)
    hand = message("hand", hand=place)
    return Prompt(Tone.ACT, hand, why, player, place.seat, choices=choices(step))


def choices(step: Ask | Vie) -> tuple[Action, ...]:
    """What a player may choose; without a bet, nothing that takes chips."""
    if step.hand.wager != 0:
        return step.play.options
    return tuple(each for each in step.play.options if each not in _WITH_CHIPS)


def _vie(step: Vie) -> Prompt:
    place = step.hand.place
    why = message("because", why=step.play.why)
    last = step.play.options[-1]
    if last in (Action.BET, Action.RAISE):
        low, high = Amount(step.low), Amount(step.high)
        why = both(why, message("bet-from-to", action=last, low=low, high=high))
    player = message("who-player", seat=Seat(place.seat))
    asks = Prompt(Tone.ACT, message("hand", hand=place), why, player, place.seat)
    if step.to_call:
        return asks._replace(detail=message("to-call", amount=Amount(step.to_call)))
    return asks._replace(choices=(Action.PASS, Action.BET))


def _add_wager(step: AddWager) -> Prompt:
    place = step.hand.place
    rest = message("as-much-again") if place.hand else message("half-the-bet")
    seat = Seat(place.seat)
    if step.action is Action.DOUBLE:
        adds = message("seat-doubles", seat=seat)
    elif step.action is Action.SPLIT:
        adds = message("seat-splits", seat=seat)
    elif step.action is Action.INSURANCE:
        adds = message("seat-insures", seat=seat)
    else:
        adds = message("seat-adds", seat=seat)
    confirm = message("when-chips-lie-there", then=touch(message("key-bet-placed")))
    amount = _chips(step.amount, rest)
    return Prompt(Tone.ACT, adds, confirm, seat=place.seat, detail=amount)


def _chips(amount: int | None, untracked: Message) -> Amount | Message:
    return untracked if amount is None else Amount(amount)


def _reveal(step: Reveal) -> Prompt:
    place = step.hand.place
    turned = touch(message("key-turned"))
    enter = message("it-was-not-read", then=touch(message("key-enter-the-card")))
    why = turned if step.card.known else enter
    if place.seat == DEALER_SEAT:
        return Prompt(Tone.ACT, message("turn-the-hidden-card"), why, seat=place.seat)
    return Prompt(Tone.ACT, message("hand-shows", hand=place), why, seat=place.seat)


def _peek(step: Peek) -> Prompt:
    look, why = message("look-at-the-hidden-card"), message("show-it-to-nobody")
    choice = (message("blackjack"),)
    return Prompt(Tone.ACT, look, why, seat=DEALER_SEAT, choices=choice)


def _settle(step: Settle) -> Prompt:
    hand, result = step.hand, step.hand.result
    if result is None:
        raise AssertionError("a hand is settled by its result")
    to, why = hand.place, message("because", why=result.why)
    if hand.wager == 0:
        detail = message("no-chips-move")
        return Prompt(Tone.CALM, message("hand", hand=to), why, seat=to.seat, detail=detail)
    if result.outcome is Outcome.WIN:
        return _pay(hand, result)
    if result.outcome is Outcome.LOSE:
        take, wager = message("take-from", hand=to), wager_value(hand)
        return Prompt(Tone.TAKE, take, why, seat=to.seat, detail=wager)
    if result.outcome is Outcome.SURRENDER:
        lost = None if hand.wager is None else -(hand.net or 0)
        half = _chips(lost, message("half-the-bet"))
        return Prompt(Tone.TAKE, message("take-half-of", hand=to), why, seat=to.seat, detail=half)
    pushes, stays = message("hand-pushes", hand=to), message("bet-stays")
    return Prompt(Tone.CALM, pushes, why, seat=to.seat, detail=stays)


def _pay(hand: Hand, result: Result) -> Prompt:
    to = hand.place
    pay = message("pay-hand", hand=to)
    if result.share is not None:
        pay = message("pay-from-the-pot", hand=to)
    bonus = None
    if result.bonus:
        bonus = message("bonus", name=result.bonus.name, amount=bonus_value(hand))
    because = message("because", why=result.why)
    return Prompt(Tone.PAY, pay, because, seat=to.seat, detail=pays_value(hand), bonus=bonus)


_STEPS: Final[dict[type, Callable[[Any], Prompt]]] = {
    Deal: _deal,
    Ask: _ask,
    Vie: _vie,
    AddWager: _add_wager,
    Reveal: _reveal,
    Peek: _peek,
    Settle: _settle,
}
