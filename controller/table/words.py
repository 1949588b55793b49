"""What the table says: the one next thing and why, from the state, in the dealer's words."""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.devices.scene import Tone
from controller.rules.felt import DEALER_SEAT, Action, Hand, Outcome, Place
from controller.rules.game import Ask, Deal, Settle
from controller.rules.money import amount_text
from controller.table.holds import HOLDS
from controller.table.phases import Phase
from controller.table.state import State

ACTION_WORDS: Final[dict[Action, str]] = {Action.STAND: "Stand", Action.HIT: "Hit"}
ACTION_KEYS: Final[dict[Action, str]] = {Action.STAND: "s", Action.HIT: "h"}


class Sentence(NamedTuple):
    """The one next thing, why, who has to do it, and the seat it is about (0: the dealer's)."""

    tone: Tone
    headline: str
    why: str
    who: str = "dealer"
    seat: int | None = None


def sentence(state: State) -> Sentence:
    """What the table waits for now."""
    if state.holds:
        hold = state.holds[0]
        return Sentence(Tone.HELD, HOLDS[hold.reason].title, hold.text)
    if state.phase is Phase.ROUND:
        return _round(state)
    return _between(state)


def _between(state: State) -> Sentence:
    shoe, options = state.shoe, state.options
    if state.phase is Phase.SHUFFLE:
        load = f"Load a shuffled pack of {shoe.pack.size} cards. Tell the players."
        if not shoe.number:
            return Sentence(Tone.SHUFFLE, "Load the shoe", load)
        if shoe.due:
            reached = f"{shoe.gone} of {shoe.pack.size} cards are gone."
            return Sentence(Tone.SHUFFLE, "Shuffle: cut reached", f"{reached} {load}")
        return Sentence(Tone.SHUFFLE, "Shuffle: new pack", load)
    if state.phase is Phase.CUT:
        cut = f"The cut card goes in after {options.penetration_cards} cards."
        return Sentence(Tone.SHUFFLE, "Cut the pack", cut)
    if state.phase is Phase.BURN:
        cards = "a card" if shoe.to_burn == 1 else f"{shoe.to_burn} cards"
        return Sentence(Tone.SHUFFLE, f"Burn {cards}", "Draw and put aside, face down.")
    if state.wagers:
        spots = "1 bet is" if len(state.wagers) == 1 else f"{len(state.wagers)} bets are"
        why = f"{spots} placed. Press Next for no more bets."
        return Sentence(Tone.CALM, "Place your bets", why, "players")
    return Sentence(Tone.CALM, "Place your bets", limits(state), "players")


def limits(state: State) -> str:
    """The table's limits, for displays."""
    low, high = amount_text(state.options.min_bet), amount_text(state.options.max_bet)
    return f"Minimum {low}, maximum {high} {state.setup.currency}."


def _round(state: State) -> Sentence:
    step = state.step
    if step is None:
        raise AssertionError("a round in play always waits for something")
    hand = step.hand
    seat = hand.place.seat
    if isinstance(step, Deal):
        return _deal(step, seat)
    if isinstance(step, Ask):
        words = [ACTION_WORDS[each].lower() for each in step.play.options]
        headline = f"Seat {seat}{_which(hand.place)}: {' or '.join(words)}?"
        return Sentence(Tone.ACT, headline, step.play.why, f"player at seat {seat}", seat)
    return _settle(step, seat)


def _which(place: Place) -> str:
    return f", hand {place.hand}" if place.hand > 1 else ""


def _deal(step: Deal, seat: int) -> Sentence:
    play = step.play
    if seat == DEALER_SEAT:
        if play is None:
            return Sentence(Tone.ACT, "Card to the dealer", "", seat=seat)
        return Sentence(Tone.FORCED, f"Dealer draws: {play.why}", "", seat=seat)
    where = f"seat {seat}{_which(step.hand.place)}"
    if play is None:
        return Sentence(Tone.ACT, f"Card to {where}", "", seat=seat)
    if play.forced:
        word = ACTION_WORDS[play.forced].lower()
        return Sentence(Tone.FORCED, f"{where.capitalize()} must {word}: {play.why}", "", seat=seat)
    return Sentence(Tone.ACT, f"Card to {where}", f"Hit on {play.total}.", seat=seat)


def _settle(step: Settle, seat: int) -> Sentence:
    result = step.hand.result
    if result is None:
        raise AssertionError("a hand is settled by its result")
    where = f"seat {seat}{_which(step.hand.place)}"
    why = result.why[0].upper() + result.why[1:] + "."
    if result.outcome is Outcome.WIN:
        return Sentence(Tone.PAY, f"Pay {where}: {pays_text(step.hand)}", why, seat=seat)
    if result.outcome is Outcome.LOSE:
        return Sentence(Tone.TAKE, f"Take {where}: {wager_text(step.hand)}", why, seat=seat)
    return Sentence(Tone.CALM, f"{where.capitalize()} pushes: bet stays", why, seat=seat)


def wager_text(hand: Hand) -> str:
    """The wager of a hand; "the bet" where its amount is not tracked."""
    return "the bet" if hand.wager is None else amount_text(hand.wager)


def pays_text(hand: Hand) -> str:
    """What a won hand is paid: the exact amount, or the odds where the wager is not tracked."""
    if hand.result is None:
        return ""
    if hand.wager is None:
        return str(hand.result.odds)
    return amount_text(hand.result.net(hand.wager))


def net_text(hand: Hand) -> str:
    """The player's gain on a hand with its sign; odds where the wager is not tracked."""
    if hand.result is None:
        return ""
    if hand.wager is None:
        return pays_text(hand) if hand.result.outcome is Outcome.WIN else ""
    net = hand.result.net(hand.wager)
    return f"+{amount_text(net)}" if net > 0 else amount_text(net) if net else ""


def result_text(hand: Hand) -> str:
    """How a hand ended, in a word."""
    return (
        {Outcome.WIN: "Wins", Outcome.LOSE: "Loses", Outcome.PUSH: "Pushes"}[hand.result.outcome]
        if hand.result
        else ""
    )
