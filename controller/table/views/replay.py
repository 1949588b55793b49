"""A round told step by step, from its answers: what happened, why, and the felt as it was."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, replace
from typing import Final

from controller.devices.scene import HandView
from controller.rules.cards import Card
from controller.rules.english import ENGLISH
from controller.rules.felt import Action, Bid, Outcome
from controller.rules.game import Game
from controller.rules.messages import Message
from controller.rules.money import amount_text
from controller.rules.options import Plain, plain
from controller.rules.round import Run
from controller.rules.steps import (
    DONE,
    AddWager,
    Answer,
    Ask,
    Chips,
    Deal,
    Peek,
    Peeked,
    Reveal,
    Settle,
    Step,
    Vie,
)
from controller.table.card_pictures import Pictured, Pictures
from controller.table.state import PastRound, State
from controller.table.views.english import say
from controller.table.views.prompts import capital, pays_text, said_move, wager_text, where
from controller.table.views.public import current_round
from controller.table.views.scene import hand_views, one_hand_view


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One thing that happened in a round, at `at_ms`, and the hands after it.

    `seat` and `hand` say whom it was about (seat 0: the dealer). `said` is a player's action, or
    `done` and `declined` where a further wager was asked for, empty for cards and chips; `amount`
    is that of a bet or a raise, in minor units. `picture` names what the camera saw of the card
    that was dealt or turned, empty where there is none or where the card has not been seen.
    """

    at_ms: int
    seat: int
    hand: int
    said: str
    amount: int | None
    text: str
    why: str
    hands: tuple[HandView, ...]
    dealer: HandView
    picture: str = ""


@dataclass(frozen=True, slots=True)
class ReplayNote:
    """What stopped the round at `at_ms` beside its steps, in words."""

    at_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A round from its first card to its last chip, and the house options it was played under.

    `void`: every bet went back. `dummy`: it was played without bets. `notes` are its foreign cards.
    """

    number: int
    game: str
    options: dict[str, Plain]
    steps: tuple[ReplayStep, ...]
    void: bool = False
    dummy: bool = False
    notes: tuple[ReplayNote, ...] = ()


def shown_pictures(state: State) -> frozenset[str]:
    """The names of the pictures that may be shown now."""
    dealt = (each.name for each in state.pictures if each.shown)
    held = (each.picture for each in state.holds)
    return frozenset(name for name in (*dealt, *held) if name)


def find_round(state: State, number: int) -> PastRound | None:
    """The round of that number, if it can still be recalled; the one in play included."""
    kept = [*state.past]
    if in_play := current_round(state):
        kept.append(in_play)
    return next((each for each in kept if each.round.number == number), None)


def replay(past: PastRound, pictures: Pictures = ()) -> Replay:
    """The round played again from its answers, each dealt or turned card with its picture."""
    seen = _Seen(past.round.number, pictures)
    game = past.round.game
    run = Run(game, past.round.wagers)
    steps: list[ReplayStep] = []
    for answer, at_ms in zip(past.round.answers, past.times_ms, strict=True):
        step = run.step
        if step is None:
            raise AssertionError("a recorded answer was asked for")
        run.feed(answer)
        told = _told(game, run, step, answer, at_ms)
        steps.append(replace(told, picture=seen.at(step, answer)))
    return Replay(
        past.round.number, game.title, plain(game.options), tuple(steps), past.void,
        past.round.dummy,
        tuple(ReplayNote(each.at_ms, say(each.message)) for each in past.foreign_cards),
    )  # fmt: skip


class _Seen:
    """The pictures of a round's cards, hand by hand, in the order of the deal."""

    def __init__(self, number: int, pictures: Pictures) -> None:
        self._dealt: defaultdict[tuple[int, int], deque[Pictured]] = defaultdict(deque)
        self._down: defaultdict[tuple[int, int], deque[Pictured]] = defaultdict(deque)
        for each in pictures:
            if each.round == number:
                self._dealt[each.seat, each.hand].append(each)

    def at(self, step: Step, answer: Answer) -> str:
        """The name of what may be shown of the card of that step; empty without one."""
        place = step.hand.place
        if isinstance(step, Deal):
            waiting = self._dealt[place]
        elif isinstance(step, Reveal):
            waiting = self._down[place]  # turned in the order in which they were dealt
        else:
            return ""
        if not waiting:
            return ""
        picture = waiting.popleft()
        if not isinstance(answer, Card):
            self._down[place].append(picture)
        return picture.name if picture.shown else ""


def _told(game: Game, run: Run, step: Step, answer: Answer, at_ms: int) -> ReplayStep:
    text, why = _text(game, step, answer)
    said, amount = ("", None) if isinstance(step, Settle) else _said(answer)
    return ReplayStep(
        at_ms,
        *step.hand.place,
        said,
        amount,
        text,
        why,
        hand_views(game, run.felt, run.step),
        one_hand_view(game, run.felt.dealer, run.step),
    )


def _said(answer: Answer) -> tuple[str, int | None]:
    if isinstance(answer, Bid):
        return answer.action.value, answer.amount
    return answer.value if isinstance(answer, Action | Chips) else "", None


def _reason(game: Game, why: Message) -> str:
    return ENGLISH.say(why, game.words)


def _text(game: Game, step: Step, answer: Answer) -> tuple[str, str]:
    who = where(game, step.hand.place)
    if isinstance(step, Deal):
        card = answer.label if isinstance(answer, Card) else "A card, face down,"
        return f"{card} to {who}", _reason(game, step.play.why) if step.play else ""
    if isinstance(step, Ask | Vie) and isinstance(answer, Action | Bid):
        return f"{capital(who)}: {said_move(answer)}", _reason(game, step.play.why)
    if isinstance(step, AddWager):
        more = "half the bet" if step.amount is None else amount_text(step.amount)
        more = "as much again" if step.amount is None and step.hand.place.hand else more
        told = f"{more} more" if answer is DONE else "no further bet, chooses anew"
        return f"{capital(who)}: {told}", f"to {step.action.value}"
    if isinstance(step, Reveal) and isinstance(answer, Card):
        return f"{capital(who)} shows {answer.label}", ""
    if isinstance(step, Peek) and isinstance(answer, Peeked):
        return f"{capital(who)} looks: {'' if answer.natural else 'no '}blackjack", ""
    if isinstance(step, Settle) and step.hand.result is not None:
        result = step.hand.result
        if step.hand.wager == 0:
            return f"{capital(who)}: no bet, no chips move", _reason(game, result.why)
        moved = pays_text(step.hand) if result.outcome is Outcome.WIN else wager_text(step.hand)
        return f"{capital(who)}: {moved} {_MOVED[result.outcome]}", _reason(game, result.why)
    raise AssertionError("a step and its answer belong together")


_MOVED: Final = {
    Outcome.WIN: "paid",
    Outcome.LOSE: "taken",
    Outcome.PUSH: "stays",
    Outcome.SURRENDER: "halved",
}
