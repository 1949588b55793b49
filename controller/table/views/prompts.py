"""What the table says: the one next thing and why, from the state, in the game's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from controller.devices.scene import Tone
from controller.rules.english import ENGLISH
from controller.rules.felt import DEALER_SEAT, SIDE_BET, Action, Bid, Hand, Move, Outcome, Place
from controller.rules.game import Game
from controller.rules.messages import Message
from controller.rules.money import amount_text
from controller.rules.steps import AddWager, Ask, Deal, Peek, Reveal, Settle, Vie
from controller.table.irregularities.holds import Hold
from controller.table.phases import Phase
from controller.table.roles import Needs
from controller.table.state import State

ACTION_WORDS: Final[dict[Action, str]] = {
    Action.STAND: "Stand",
    Action.HIT: "Hit",
    Action.DOUBLE: "Double",
    Action.SPLIT: "Split",
    Action.SURRENDER: "Surrender",
    Action.STAY_LOW: "Stay low",
    Action.STAY_HIGH: "Stay high",
    Action.INSURANCE: "Insurance",
    Action.NO_INSURANCE: "No insurance",
    Action.PASS: "Pass",
    Action.BET: "Bet",
    Action.CALL: "Call",
    Action.RAISE: "Raise",
    Action.FOLD: "Fold",
    Action.CARD: "Card",
    Action.NO_CARD: "No card",
}
#: Keys of a keyboard; `c` calls the floor, whatever the game.
ACTION_KEYS: Final[dict[Action, str]] = {
    Action.STAND: "s",
    Action.HIT: "h",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "r",
    Action.STAY_LOW: "l",
    Action.STAY_HIGH: "s",
    Action.INSURANCE: "i",
    Action.NO_INSURANCE: "n",
    Action.PASS: "p",
    Action.BET: "b",
    Action.CALL: "a",
    Action.RAISE: "r",
    Action.FOLD: "f",
    Action.CARD: "d",
    Action.NO_CARD: "n",
}
#: How a hand that its player completed stands there.
ENDED_WORDS: Final[dict[Action, str]] = {
    Action.STAND: "stands",
    Action.STAY_LOW: "stays low",
    Action.STAY_HIGH: "stays high",
    Action.SURRENDER: "surrenders",
    Action.FOLD: "folded",
}
_RESULTS: Final = {
    Outcome.WIN: "Wins",
    Outcome.LOSE: "Loses",
    Outcome.PUSH: "Pushes",
    Outcome.SURRENDER: "Surrenders",
}
_FURTHER: Final = {
    Action.DOUBLE: "doubles",
    Action.SPLIT: "splits",
    Action.INSURANCE: "insures",
}


#: What takes chips: nobody does it in a round without bets.
_WITH_CHIPS: Final = (Action.DOUBLE, Action.SPLIT, Action.SURRENDER, Action.INSURANCE)
KEPT_READY: Final = "Take the card that lies ready."


class Sentence(NamedTuple):
    """The one next thing, why, who has to do it, and the seat it is about (0: the dealer's).

    It leads with `lead`; `detail`, or what there is to choose from, stands out after it. `bonus`
    is announced.
    """

    tone: Tone
    lead: str
    why: str
    who: str = "dealer"
    seat: int | None = None
    detail: str = ""
    choices: tuple[str, ...] = ()
    bonus: str = ""

    @property
    def headline(self) -> str:
        """Lead and detail in one line."""
        if self.choices:
            *others, last = self.choices
            asked = f"{', '.join(others)} or {last}" if others else last
            return f"{self.lead}: {asked}?"
        return f"{self.lead}: {self.detail}" if self.detail else self.lead


def sentence(state: State) -> Sentence:
    """What the table waits for now."""
    if state.holds:
        hold = state.holds[0]
        title = state.procedures.rows[hold.reason].title
        return Sentence(Tone.HELD, title, hold.text, who_clears(state, hold))
    if state.phase is Phase.ROUND:
        step = state.step
        if step is None:
            raise AssertionError("a round in play always waits for something")
        said = _STEPS[type(step)](state.game, step)
        ready = bool(state.kept) and isinstance(step, Deal)
        return said._replace(why=f"{said.why} {KEPT_READY}".lstrip()) if ready else said
    return _between(state)


def who_clears(state: State, hold: Hold) -> str:
    """Who must act on a hold: the dealer, unless every resolution takes the floor."""
    alone = Needs.DEALER in state.procedures.rows[hold.reason].who.values()
    return "dealer" if alone or not state.setup.roles else "floor"


def _between(state: State) -> Sentence:
    shoe = state.shoe
    if state.ledger.scanning or state.must_close:
        return _close(state)
    if state.phase is Phase.SHUFFLE:
        load = f"Load a shuffled pack of {shoe.pack.size} cards. Tell the players."
        if not shoe.number:
            return Sentence(Tone.SHUFFLE, "Load the shoe", load)
        if state.game.vying:
            return Sentence(Tone.SHUFFLE, "Shuffle for the next round", load)
        if shoe.due:
            reached = f"{shoe.gone} of {shoe.pack.size} cards are gone."
            return Sentence(Tone.SHUFFLE, "Shuffle", f"{reached} {load}", detail="cut reached")
        return Sentence(Tone.SHUFFLE, "Shuffle", load, detail="new pack")
    if state.phase is Phase.CUT:
        cut = f"The cut card goes in after {state.options.cut_after} cards."
        return Sentence(Tone.SHUFFLE, "Cut the pack", "" if state.game.vying else cut)
    if state.phase is Phase.BURN:
        cards = "a card" if shoe.to_burn == 1 else f"{shoe.to_burn} cards"
        return Sentence(Tone.SHUFFLE, f"Burn {cards}", "Draw and put aside, face down.")
    headline = "Place your antes" if state.game.vying else "Place your bets"
    if not state.wagers:
        return Sentence(Tone.CALM, headline, limits(state), "players")
    number, word = len(state.wagers), "ante" if state.game.vying else "bet"
    spots = f"1 {word} is" if number == 1 else f"{number} {word}s are"
    more = max(0, state.game.seats.start - number)
    then = f"{more} more to play." if more else "Press Next for no more bets."
    return Sentence(Tone.CALM, headline, f"{spots} placed. {then}", "players")


def _close(state: State) -> Sentence:
    if state.ledger.scans_pack:
        told = f"{len(state.ledger.rest)} of {state.shoe.pack.size} cards went through."
        return Sentence(Tone.SHUFFLE, "Run the pack through the reader", told)
    expected = f"{state.shoe.left} cards should be left."
    if state.ledger.scanning:
        told = f"{len(state.ledger.rest)} went through. {expected}"
        return Sentence(Tone.SHUFFLE, "Run the rest through the reader", told)
    if state.setup.reconcile == "scan" and not state.blind:
        told = f"Then run the rest of the shoe through the reader. {expected}"
        return Sentence(Tone.SHUFFLE, "The shoe is over", told, detail="press Next")
    return Sentence(Tone.SHUFFLE, "The shoe is over", expected, detail="count the rest")


def waits(state: State) -> str:
    """The refusal of something that is not in turn: what the table waits for instead."""
    said = sentence(state)
    why = f" ({said.why.rstrip('.')})" if said.why else ""
    return f"Not now. {said.headline}{why}"


def limits(state: State) -> str:
    """The table's limits, for displays."""
    return f"{ENGLISH.say(state.options.limits, state.game.words)} {state.setup.currency}."


def where(game: Game, place: Place) -> str:
    """A hand in the game's words: `seat 3`, `box 3, hand 2`, `the dealer`."""
    if place.seat == DEALER_SEAT:
        return f"the {game.words.dealer}"
    if place.hand == SIDE_BET:
        return f"insurance, {game.words.seat} {place.seat}"
    which = f", hand {place.hand}" if place.hand > 1 else ""
    return f"{game.words.seat} {place.seat}{which}"


def capital(text: str) -> str:
    """`text` with its first letter large."""
    return text[:1].upper() + text[1:]


def _reason(game: Game, why: Message) -> str:
    return ENGLISH.say(why, game.words)


def _deal(game: Game, step: Deal) -> Sentence:
    play, place = step.play, step.hand.place
    to = where(game, place)
    if step.down:
        why = "Takes a card. Nobody looks at it but the player." if play else ""
        return Sentence(Tone.ACT, f"Card to {to}, face down", why, seat=place.seat)
    if play is None:
        return Sentence(Tone.ACT, f"Card to {to}", "", seat=place.seat)
    if place.seat == DEALER_SEAT:
        draws = f"{capital(game.words.dealer)} draws"
        return Sentence(Tone.FORCED, draws, "", seat=place.seat, detail=_reason(game, play.why))
    if play.forced:
        word = ACTION_WORDS[play.forced].lower()
        must = f"{capital(to)} must {word}"
        return Sentence(Tone.FORCED, must, "", seat=place.seat, detail=_reason(game, play.why))
    doubled = "Doubled: one card, then it stands."
    why = doubled if step.hand.doubled else f"Hit on {play.total}."
    return Sentence(Tone.ACT, f"Card to {to}", why, seat=place.seat)


def _ask(game: Game, step: Ask) -> Sentence:
    play, place = step.play, step.hand.place
    player = f"player at {game.words.seat} {place.seat}"
    if place.hand == SIDE_BET:
        cost = f"It costs {_chips(step.hand.wager, 'half the bet')}."
        seat = f"{capital(game.words.seat)} {place.seat}"
        why = f"{capital(_reason(game, play.why))}. {cost}"
        return Sentence(Tone.ACT, seat, why, player, place.seat, choices=("insurance",))
    words = tuple(ACTION_WORDS[each].lower() for each in choices(step))
    why = _reason(game, play.why)
    if play.offer is not None and play.offer in choices(step):
        why = f"Offer {ACTION_WORDS[play.offer].lower()}: {why}"
    lead = capital(where(game, place))
    return Sentence(Tone.ACT, lead, why, player, place.seat, choices=words)


def choices(step: Ask | Vie) -> tuple[Action, ...]:
    """What a player may choose; without a bet, nothing that takes chips."""
    if step.hand.wager != 0:
        return step.play.options
    return tuple(each for each in step.play.options if each not in _WITH_CHIPS)


def _vie(game: Game, step: Vie) -> Sentence:
    place = step.hand.place
    player = f"player at {game.words.seat} {place.seat}"
    why = f"{capital(_reason(game, step.play.why))}."
    if step.play.options[-1] in (Action.BET, Action.RAISE):
        word = ACTION_WORDS[step.play.options[-1]]
        why = f"{why} {word} {amount_text(step.low)} to {amount_text(step.high)}."
    asked = Sentence(Tone.ACT, capital(where(game, place)), why, player, place.seat)
    if step.to_call:
        return asked._replace(detail=f"{amount_text(step.to_call)} to call")
    return asked._replace(choices=("pass", "bet"))


def _add_wager(game: Game, step: AddWager) -> Sentence:
    place = step.hand.place
    more = _chips(step.amount, "as much again" if place.hand else "half the bet")
    lead = f"{capital(game.words.seat)} {place.seat} {_FURTHER.get(step.action, 'adds')}"
    why = "Confirm when the chips lie there."
    return Sentence(Tone.ACT, lead, why, seat=place.seat, detail=more)


def _chips(amount: int | None, untracked: str) -> str:
    return untracked if amount is None else amount_text(amount)


def _reveal(game: Game, step: Reveal) -> Sentence:
    seat = step.hand.place.seat
    why = "" if step.card.known else "It was not read: turn it and enter it."
    if seat == DEALER_SEAT:
        return Sentence(Tone.ACT, "Turn the hidden card", why, seat=seat)
    return Sentence(Tone.ACT, f"{capital(where(game, step.hand.place))} shows", why, seat=seat)


def _peek(game: Game, step: Peek) -> Sentence:
    why = "The card was not read. Show it to nobody."
    look = "Look at the hidden card"
    return Sentence(Tone.ACT, look, why, seat=DEALER_SEAT, choices=("blackjack",))


def _settle(game: Game, step: Settle) -> Sentence:
    hand, result = step.hand, step.hand.result
    if result is None:
        raise AssertionError("a hand is settled by its result")
    to, seat = where(game, hand.place), hand.place.seat
    why = capital(_reason(game, result.why)) + "."
    if hand.wager == 0:
        detail = "no bet, no chips move"
        return Sentence(Tone.CALM, capital(to), why, seat=seat, detail=detail)
    if result.outcome is Outcome.WIN:
        pot = " from the pot" if result.share is not None else ""
        bonus = ""
        if result.bonus:
            bonus = f"Bonus {_reason(game, result.bonus.name)}: {bonus_text(hand)}."
        lead = f"Pay {to}{pot}"
        return Sentence(Tone.PAY, lead, why, seat=seat, detail=pays_text(hand), bonus=bonus)
    if result.outcome is Outcome.LOSE:
        return Sentence(Tone.TAKE, f"Take {to}", why, seat=seat, detail=wager_text(hand))
    if result.outcome is Outcome.SURRENDER:
        half = "half the bet" if hand.wager is None else amount_text(-result.net(hand.wager))
        return Sentence(Tone.TAKE, f"Take half of {to}", why, seat=seat, detail=half)
    return Sentence(Tone.CALM, f"{capital(to)} pushes", why, seat=seat, detail="bet stays")


_STEPS: Final[dict[type, Callable[[Game, Any], Sentence]]] = {
    Deal: _deal,
    Ask: _ask,
    Vie: _vie,
    AddWager: _add_wager,
    Reveal: _reveal,
    Peek: _peek,
    Settle: _settle,
}


def said_move(move: Move) -> str:
    """A decision in words: `hit`, `raise 10.00`."""
    if isinstance(move, Bid):
        return f"{ACTION_WORDS[move.action].lower()} {amount_text(move.amount)}"
    return ACTION_WORDS[move].lower()


def wager_text(hand: Hand) -> str:
    """The wager of a hand; "the bet" where its amount is not tracked."""
    if hand.wager == 0:
        return "no bet"
    return "the bet" if hand.wager is None else amount_text(hand.wager)


def bonus_text(hand: Hand) -> str:
    """What the bonus of a won hand comes to; odds where the wager is not tracked."""
    bonus = hand.result.bonus if hand.result else None
    if bonus is None:
        return ""
    if hand.wager is None and bonus.odds:
        return str(bonus.odds)
    return amount_text(bonus.on(hand.wager or 0))


def pays_text(hand: Hand) -> str:
    """What a won hand is paid: the exact amount, or the odds where the wager is not tracked."""
    result = hand.result
    if result is None:
        return ""
    if result.share is not None:
        return amount_text(result.share)
    if hand.wager == 0:
        return "nothing"
    if hand.wager is None:
        return f"{result.odds} and {bonus_text(hand)}" if result.bonus else str(result.odds)
    return amount_text(result.net(hand.wager))


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
    return _RESULTS[hand.result.outcome] if hand.result else ""


def note_text(hand: Hand) -> str:
    """How a hand stands that has no result yet, in a word or two."""
    if hand.place.hand == SIDE_BET:
        return "insurance"
    if hand.ended is Action.FOLD:
        return ENDED_WORDS[hand.ended]
    words = ["doubled"] if hand.doubled else []
    if hand.down and not all(each.known for each in hand.down.values()):
        words.append("hidden card not certain")
    if hand.ended and not hand.result:
        words.append(ENDED_WORDS[hand.ended])
    return ", ".join(words)
