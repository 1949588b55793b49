"""Prompts: the one next thing that the table waits for, why, and who has to do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from controller.devices.displays import Tone
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Outcome
from controller.rules.messages import Amount, Message, Seat, message
from controller.rules.money import Odds
from controller.rules.script.felt import Hand, Result
from controller.rules.script.steps import AddWager, Ask, Deal, Peek, Reveal, Settle, Vie
from controller.rules.totals import total_message
from controller.table.irregularities.holds import Hold, Reason
from controller.table.queries.hold_prompts import asked_at, settled_by_dealer, to_do
from controller.table.queries.wagers import bonus_value, pays_value, wager_value
from controller.table.state.phases import Phase
from controller.table.state.state import State

#: What takes chips: nobody does it in a round without bets.
_WITH_CHIPS: Final = (Action.DOUBLE, Action.SPLIT, Action.SURRENDER, Action.INSURANCE)

DEALER: Final = message("who-dealer")
FLOOR: Final = message("who-floor")
PIT_BOSS: Final = message("who-pit-boss")
PLAYERS: Final = message("who-players")


Detail: TypeAlias = Amount | Odds | Message


class Prompt(NamedTuple):
    """The one next thing, why, who has to do it, and the seat it is about (0: the dealer's).

    It leads with `lead`; `detail`, or what there is to choose from, stands out after it. `bonus`
    is announced.
    """

    tone: Tone
    lead: Message
    why: Message | None = None
    who: Message = DEALER
    seat: int | None = None
    detail: Detail | None = None
    choices: tuple[Action | Message, ...] = ()
    bonus: Message | None = None

    @property
    def headline(self) -> Message:
        """Lead and detail, or choices, in one line."""
        if self.choices:
            return message("lead-and-choices", lead=self.lead, choices=self.choices)
        if self.detail is not None:
            return message("lead-and-detail", lead=self.lead, detail=self.detail)
        return self.lead


def prompt(state: State) -> Prompt:
    """What the table waits for now."""
    if state.holds:
        hold = state.holds[0]
        title = state.procedures.rows[hold.reason].title
        who = who_clears(state, hold)
        return Prompt(
            Tone.HELD, title, hold.message, who, asked_at(hold), detail=to_do(state, hold)
        )
    if state.phase is Phase.ROUND:
        step = state.step
        if step is None:
            raise AssertionError("a round in play always waits for something")
        found: Prompt = _STEPS[type(step)](step)
        if state.kept and isinstance(step, Deal):
            dealt = touch(message("key-kept-card-dealt"))
            take = message("deal-the-kept-card", then=dealt)
            return found._replace(why=_and(found.why, take))
        return found
    return _between(state)


def _and(first: Message | None, second: Message) -> Message:
    return second if first is None else message("sentences", first=first, second=second)


def touch(key: Message) -> Message:
    """The instruction to touch the key of that label, which must be there."""
    return message("touch-key", key=key)


def who_clears(state: State, hold: Hold) -> Message:
    """Who must act on a hold: the floor, unless the dealer alone may settle it."""
    if hold.reason is Reason.FLOOR or not (settled_by_dealer(state, hold) or not state.setup.roles):
        return FLOOR
    return DEALER


def _between(state: State) -> Prompt:
    found = _between_rounds(state)
    lies = _lies_ready(state)
    return found if lies is None else found._replace(why=_and(found.why, lies))


def _lies_ready(state: State) -> Message | None:
    """What becomes of cards that were kept before the next round; None where none was."""
    cards = len(state.kept)
    if not cards or state.phase is Phase.BURN:
        return None
    if state.phase is Phase.SHUFFLE:
        return message("kept-cards-go-away", cards=cards)
    return message("kept-cards-lie-ready", cards=cards)


def _between_rounds(state: State) -> Prompt:
    if state.ledger.scanning or state.must_close:
        return _close(state)
    if state.phase is Phase.SHUFFLE:
        return _shuffle(state)
    if state.phase is Phase.CUT:
        then = touch(message("key-cut-made"))
        cut = message("cut-card-goes-in", cards=state.options.cut_after)
        why = then if state.game.vying else _and(cut, then)
        return Prompt(Tone.SHUFFLE, message("cut-the-pack"), why)
    if state.phase is Phase.BURN and state.kept:
        aside = message("put-the-kept-card-aside-then", then=touch(message("key-kept-card-burned")))
        return Prompt(Tone.SHUFFLE, message("burn-the-kept-card"), aside)
    if state.phase is Phase.BURN:
        cards = state.shoe.to_burn
        headline = message("burn-a-card") if cards == 1 else message("burn-cards", cards=cards)
        return Prompt(Tone.SHUFFLE, headline, message("draw-and-put-aside"))
    vying = state.game.vying
    headline = message("place-antes") if vying else message("place-bets")
    number = len(state.betting.wagers)
    if not number:
        return Prompt(Tone.CALM, headline, limits(state), PLAYERS)
    placed = message("antes-placed", antes=number) if vying else message("bets-placed", bets=number)
    more = state.game.seats.start - number
    then = message("more-to-play", more=more) if more > 0 else touch(message("key-no-more-bets"))
    return Prompt(Tone.CALM, headline, _and(placed, then), PLAYERS)


def _shuffle(state: State) -> Prompt:
    shoe = state.shoe
    load = message("load-a-shuffled-pack", cards=shoe.pack.size)
    if not shoe.number:
        return Prompt(Tone.SHUFFLE, message("load-the-shoe"), load)
    if state.game.vying:
        return Prompt(Tone.SHUFFLE, message("shuffle-for-the-next-round"), load)
    if shoe.due:
        gone = message("cards-are-gone", gone=shoe.gone, cards=shoe.pack.size)
        return _shuffling(_and(gone, load), message("cut-reached"))
    return _shuffling(load, message("new-pack"))


def _shuffling(why: Message, detail: Message) -> Prompt:
    return Prompt(Tone.SHUFFLE, message("shuffle"), why, detail=detail)


def _close(state: State) -> Prompt:
    scanned = len(state.ledger.rest)
    if state.ledger.scans_pack:
        gone = message("pack-went-through", scanned=scanned, cards=state.shoe.pack.size)
        return Prompt(Tone.SHUFFLE, message("scan-the-pack"), gone)
    blind = state.setup.blind_counts
    expected = None if blind else message("cards-should-be-left", left=state.shoe.left)
    if state.ledger.scanning:
        gone = message("rest-went-through", scanned=scanned)
        why = gone if expected is None else _and(gone, expected)
        return Prompt(Tone.SHUFFLE, message("scan-the-rest"), why)
    if state.setup.reconcile == "scan" and not state.blind:
        scan = touch(message("key-run-the-rest-through"))
        why = scan if expected is None else _and(scan, expected)
        return Prompt(Tone.SHUFFLE, message("shoe-is-over"), why)
    count = message("count-the-rest")
    why = message("count-and-type-what-is-left") if expected is None else expected
    return Prompt(Tone.SHUFFLE, message("shoe-is-over"), why, detail=count)


def waits(state: State) -> Message:
    """The refusal of something that is not in turn: what the table waits for instead."""
    now = prompt(state)
    if now.why is None:
        return message("not-now", next=now.headline)
    return message("not-now-because", next=now.headline, why=now.why)


def limits(state: State) -> Message:
    """The table's limits, for displays."""
    return message("table-limits", limits=state.options.limits, currency=state.setup.currency)


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
    why = doubled if step.hand.doubled else message("hit-on", total=total_message(play.total.parts))
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
        why = _and(why, message("bet-from-to", action=last, low=low, high=high))
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
