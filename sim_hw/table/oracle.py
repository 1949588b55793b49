"""A round as the felt and the players tell it: the rule book run with the physical cards.

Pure. What the cards do not tell is a list of words: what players said, whether a further wager was
put down. The world knows the robot dealer's players; where a visitor deals, the words are read
from the service's account of the round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from controller.rules.actions import Action, Bid, Place
from controller.rules.engine.round import Run, Wagers, known_answer
from controller.rules.game import Game
from controller.rules.script.steps import (
    DONE,
    AddWager,
    Answer,
    Ask,
    Chips,
    Deal,
    Misfit,
    Peek,
    Reveal,
    Settle,
    Step,
    Vie,
)
from controller.rules.sealed import Sealed
from sim_hw.table.display_reader import Display
from sim_hw.table.felt import Dealt

Choice = Action | Bid | Chips
"""What a player says or does: a move, or a further wager put down (`DONE`) or not."""


Asks = Callable[[Step], bool]
"""Whether a display still asks for a settlement, or for a hidden card."""


class Disagreement(Exception):
    """The display, or the service's account, says something else than the felt."""


class Announcement(NamedTuple):
    """A word and the hand that it was about."""

    place: Place
    choice: Choice


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round as far as cards and words go. `cards_left` lie there, but are not asked for yet."""

    run: Run
    cards_left: int

    @property
    def step(self) -> Step | None:
        """What the rules ask next; None: the round is over."""
        return self.run.step


def nobody(step: Step) -> bool:
    """No display asks for anything."""
    return False


def play_through(
    game: Game,
    wagers: Wagers,
    said: Sequence[Announcement],
    dealt: Sequence[Dealt],
    asks: Asks = nobody,
) -> RoundProgress:
    """Play the cards in the order in which they were dealt, and the words as they were said.

    Chips of settled hands have moved and hidden cards were turned unless `asks` says that it is
    still asked. Raises `Disagreement` if the rules know of no such card or word.
    """
    run = Run(game, wagers)
    words, cards = deque(said), deque(dealt)
    while (step := run.step) is not None:
        answer = _answer(step, words, cards, asks)
        if answer is None:
            return RoundProgress(run, len(cards))
        try:
            run.feed(answer)
        except Misfit as misfit:
            raise Disagreement(f"{who(step.hand.place)}: {misfit}") from misfit
    if words:
        raise Disagreement(f"{who(words[0].place)} was asked, and the rules do not ask")
    if cards:
        raise Disagreement(f"{who(cards[0].to)} got a card that the rules do not know of")
    return RoundProgress(run, 0)


def _answer(
    step: Step, words: deque[Announcement], cards: deque[Dealt], asks: Asks
) -> Answer | None:
    """What was dealt or said at `step`, None where it is still to come."""
    place = step.hand.place
    if isinstance(step, Deal):
        return _card(step, cards) if cards else None
    if isinstance(step, Ask | Vie | AddWager):
        if not words:
            return None
        said = words.popleft()
        if said.place != place:
            raise Disagreement(f"{who(said.place)} was asked where the rules ask {who(place)}")
        return said.choice
    return None if asks(step) else known_answer(step)


def _card(step: Deal, cards: deque[Dealt]) -> Answer:
    lies, place = cards.popleft(), step.hand.place
    if lies.to != place:
        raise Disagreement(
            f"{who(place)} should have got a card next, and did not: it went to {who(lies.to)}"
        )
    if lies.dealt_down is not step.down:
        how = "down" if step.down else "up"
        raise Disagreement(f"{who(place)} should have got this card face {how}")
    return Sealed(lies.card.kind) if step.down else lies.card.kind


def answers(step: Step | None, said: Announcement) -> bool:
    """Whether `said` is a lawful answer to what the rules ask."""
    if step is None or step.hand.place != said.place:
        return False
    choice = said.choice
    if isinstance(step, AddWager):
        return isinstance(choice, Chips)
    if isinstance(choice, Chips):
        return False
    if isinstance(step, Vie):
        return step.problem(choice) is None
    return isinstance(step, Ask) and choice in step.play.options


# What the display asks


def asked_by(display: Display) -> Asks:
    """Whether the display still asks for this settlement, or for this hidden card."""

    def asks(step: Step) -> bool:
        place = step.hand.place
        if isinstance(step, Settle):
            return any(key.do == "settle" and key.place == place for key in display.keys)
        if isinstance(step, Reveal):
            return _backs(display, place) == len(step.hand.down or ())
        return isinstance(step, Peek) and display.key("peek") is not None

    return asks


def _backs(display: Display, place: Place) -> int:
    shown = display.hand(place)
    return shown.cards.count("") if shown else 0


_ASKS: Final = {
    "decide": (Ask, Vie), "confirm_wager": (AddWager,), "settle": (Settle,), "turn": (Reveal,),
    "peek": (Peek,),
}  # fmt: skip


def agrees(display: Display, progress: RoundProgress) -> bool:
    """Whether the display asks for the very thing that the rules ask for by the felt."""
    step = progress.step
    if progress.cards_left:
        return False
    if step is None:
        return display.phase != "round"
    keys = [key for key in display.keys if key.do in _ASKS]
    if isinstance(step, Deal):
        active = display.active
        return not keys and active is not None and active.place == step.hand.place
    if not keys or not isinstance(step, _ASKS[keys[0].do]):
        return False
    if not isinstance(step, Peek) and keys[0].place != step.hand.place:
        return False
    if isinstance(step, Ask | Vie):
        shown = [Action(str(key.command["action"])) for key in keys if key.do == "decide"]
        return sorted(shown, key=str) == sorted(step.play.options, key=str)
    return True


# The service's account of a round

_ACTIONS: Final[Mapping[str, Action]] = {each.value: each for each in Action}
_CHIPS: Final[Mapping[str, Chips]] = {each.value: each for each in Chips}


class AccountStep(NamedTuple):
    """A step of the service's account of a round: whom it was about, and what was said, if any."""

    seat: int
    hand: int
    said: str
    amount: int | None


def announced(account: Iterable[AccountStep]) -> list[Announcement]:
    """The words in the service's account of a round.

    Cards and chips that moved are left out: the felt tells those.
    """
    return [
        Announcement(Place(each.seat, each.hand), choice)
        for each in account
        if (choice := _choice(each)) is not None
    ]


def _choice(step: AccountStep) -> Choice | None:
    action = _ACTIONS.get(step.said)
    if action is not None and step.amount is not None:
        return Bid(action, step.amount)
    return action or _CHIPS.get(step.said)


def as_speech(choice: Choice) -> str:
    """A word as it stands in a bubble."""
    if isinstance(choice, Chips):
        return "here it is" if choice is DONE else "no, wait"
    if isinstance(choice, Bid):
        return f"{choice.action.value} {choice.amount / 100:g}"
    return choice.value.replace("-", " ")


def who(place: Place) -> str:
    """A hand in a message."""
    return f"seat {place.seat} hand {place.hand}" if place.seat else "the dealer"
