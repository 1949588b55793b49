"""Random rounds of any game: lawful options, wagers and answers, and everything that can be said.

Nothing here knows a game. A seed is a round; hypothesis or a parameter names it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import NamedTuple

from controller.rules.actions import Action, Bid
from controller.rules.cards import Card, IndexStyle, card
from controller.rules.engine.round import Round, Run, Wagers
from controller.rules.game import Game
from controller.rules.money import Odds
from controller.rules.options import OptionError, about, plain_value
from controller.rules.script.felt import Felt, Hand
from controller.rules.script.steps import (
    DECLINED,
    DONE,
    AddWager,
    Answer,
    Ask,
    Deal,
    Misfit,
    Peek,
    Peeked,
    Reveal,
    Step,
    Vie,
)
from controller.rules.sealed import Sealed

#: What a number or odds may be tried as, where an option names no choices.
AMOUNTS = (0, 1, 2, 5, 10, 50, 100)
ODDS = (Odds(1), Odds(2), Odds(3, 2), Odds(6, 5), Odds(25))
#: A player who does not put a further wager down does it sooner or later.
MOST_DECLINES = 4


def random_options(plays: Game, mixed: random.Random) -> Game:
    """The game with random lawful options: each is tried, and kept where the game takes it."""
    for name, option in mixed.sample(list(about(plays.options).items()), len(about(plays.options))):
        value = getattr(plays.options, name)
        choices: tuple[object, ...] = option.choices or (value,)
        if isinstance(value, Odds) and not option.choices:
            choices = ODDS
        elif type(value) is int and not option.choices:
            choices = (value, value // 2, value * 2, *AMOUNTS)
        try:
            changed = plays.with_options({name: plain_value(mixed.choice(choices))})
        except OptionError:
            continue
        # Some options leave no wager that could be paid in chips: nobody could play.
        plays = changed if lawful_amounts(changed) else plays
    return plays


def random_wagers(plays: Game, mixed: random.Random, players: int | None = None) -> Wagers:
    """Seats with gaps, and wagers that the table takes."""
    number = players or mixed.choice(plays.seats)
    seats = sorted(mixed.sample(range(1, plays.seats.stop), number))
    lawful = lawful_amounts(plays)
    amounts = [mixed.choice(lawful) for _ in seats]
    if plays.options.wagers_problem(amounts):
        amounts = amounts[:1] * number
    assert plays.options.wagers_problem(amounts) is None
    return tuple(zip(seats, amounts, strict=True))


def lawful_amounts(plays: Game) -> list[int]:
    """Wagers that the table takes: small ones, and those that its options name."""
    options = plays.options
    amounts = {options.min_bet + options.smallest_chip * nth for nth in range(40)}
    amounts |= {each for name in about(options) if type(each := getattr(options, name)) is int}
    return [amount for amount in sorted(amounts) if plays.wager_problem(amount) is None]


class RandomPlayers:
    """Everybody at the table: gives each step a lawful answer, at random.

    `unread` is how often a card that lies face down could not be read.
    """

    def __init__(self, plays: Game, mixed: random.Random, unread: float = 0.2) -> None:
        self._mixed = mixed
        self._shoe = plays.pack.cards()
        self._kinds = list(plays.pack.kinds())
        self._unread = unread
        self._declined = 0
        self._drawn = 0

    def draw(self) -> Card:
        """A card from the shoe."""
        at = self._mixed.randrange(len(self._shoe))
        self._shoe[at], self._shoe[-1] = self._shoe[-1], self._shoe[at]
        return self._shoe.pop()

    def seal(self) -> Sealed:
        """A card face down: read with its serial number, or not."""
        drawn = self.draw()
        self._drawn += 1
        known = self._mixed.random() >= self._unread
        return Sealed(drawn, f"SN{self._drawn:06d}") if known else Sealed(None)

    def answer(self, step: Step) -> Answer:
        """A lawful answer to `step`."""
        mixed = self._mixed
        if isinstance(step, Deal):
            return self.seal() if step.down else self.draw()
        if isinstance(step, Ask):
            return mixed.choice(step.play.options)
        if isinstance(step, Vie):
            return self._vie(step)
        if isinstance(step, AddWager):
            if self._declined < MOST_DECLINES and mixed.random() < 0.3:
                self._declined += 1
                return DECLINED
            return DONE
        if isinstance(step, Peek):
            kind = first_down(step.hand).open() or mixed.choice(self._kinds)
            return Peeked(step.natural(kind))
        if isinstance(step, Reveal):
            could_be = [kind for kind in self._kinds if fits(step, kind)]
            return step.card.open() or mixed.choice(could_be)
        return DONE

    def _vie(self, step: Vie) -> Action | Bid:
        action = self._mixed.choice(step.play.options)
        if action not in (Action.BET, Action.RAISE):
            return action
        most = min(20, (step.high - step.low) // step.chip)
        return Bid(action, step.low + step.chip * self._mixed.randint(0, most))


class Eager(RandomPlayers):
    """Players who never have enough: every raise, every card, every further wager."""

    def _vie(self, step: Vie) -> Action | Bid:
        last = step.play.options[-1]
        return Bid(last, step.low) if last in (Action.BET, Action.RAISE) else Action.CALL

    def answer(self, step: Step) -> Answer:
        if isinstance(step, Ask):
            for action in (Action.SPLIT, Action.CARD, Action.HIT):
                if action in step.play.options:
                    return action
            return step.play.options[-1]
        return DONE if isinstance(step, AddWager) else super().answer(step)


def first_down(hand: Hand) -> Sealed:
    """The first card of `hand` that lies face down."""
    assert hand.down
    return hand.down[min(hand.down)]


class RoundPlayed(NamedTuple):
    """A round to its end: its answers, and the amounts that were put down by seat."""

    run: Run
    wagers: Wagers
    answers: list[Answer]
    put_down: dict[int, int]


Look = Callable[[Run], object]


def play(
    plays: Game, wagers: Wagers, player: RandomPlayers, bound: int, look: Look = repr
) -> RoundPlayed:
    """Play a round to its end; `look` is called before every answer, and at the end."""
    run, answers = Run(plays, wagers), list[Answer]()
    put_down = {seat: amount or 0 for seat, amount in wagers}
    while (step := run.step) is not None:
        look(run)
        answer = player.answer(step)
        if isinstance(step, AddWager) and answer is DONE:
            put_down[step.hand.place.seat] += step.amount or 0
        elif isinstance(step, Vie) and answer not in (Action.PASS, Action.FOLD):
            more = answer.amount if isinstance(answer, Bid) else 0
            put_down[step.hand.place.seat] += step.to_call + more
        run.feed(answer)
        answers.append(answer)
        assert len(answers) <= bound, f"the round goes on after {bound} answers"
    look(run)
    return RoundPlayed(run, wagers, answers, put_down)


# -- what may be said --

TEN, JACK = card("Th"), card("Jc")


def everything(step: Step | None) -> Iterator[Answer]:
    """Every kind of answer there is, whatever is asked."""
    yield from (DONE, DECLINED, Peeked(natural=True), Peeked(natural=False))
    yield from Action
    yield from (TEN, JACK, Sealed(TEN, "SN9"), Sealed(None))
    amounts = {-50, 0, 1, 50, 10**9}
    if isinstance(step, Vie):
        amounts |= {step.low - 1, step.low, step.low + 1, step.high, step.high + 1}
    for amount in amounts:
        for action in (Action.BET, Action.RAISE, Action.CALL, Action.HIT, Action.FOLD):
            yield Bid(action, amount)


def fits(step: Step | None, answer: Answer) -> bool:
    """Whether `step` asks for `answer`, told once more without the engine's own checks."""
    match step:
        case Deal():
            return type(answer) is (Sealed if step.down else Card)
        case Ask():
            return type(answer) is Action and answer in step.play.options
        case Vie():
            if isinstance(answer, Bid):
                lawful = range(step.low, step.high + 1)
                return (
                    answer.action in step.play.options
                    and answer.action in (Action.BET, Action.RAISE)
                    and answer.amount in lawful
                    and answer.amount % step.chip == 0
                )
            return answer in step.play.options and answer not in (Action.BET, Action.RAISE)
        case Reveal():
            if type(answer) is not Card or step.card.open() not in (None, answer):
                return False
            return step.refuse is None or step.refuse(answer) is None
        case AddWager():
            return answer in (DONE, DECLINED)
        case Peek():
            return isinstance(answer, Peeked)
        case None:
            return False
    return answer is DONE


# -- what is to be seen --


def state_of(run: Run) -> tuple[object, ...]:
    """All that a run holds, to compare: two runs of the same answers are in equal states."""
    felt = run.felt
    hands = (*felt.hands, felt.dealer)
    return (step_of(run.step), tuple(map(hand_of, hands)), tuple(felt.points), run.fed)


def step_of(step: Step | None) -> tuple[object, ...]:
    """A step without the objects that each run has of its own."""
    if step is None:
        return ()
    parts = (getattr(step, each.name) for each in fields(step)[1:])
    return (type(step), step.hand.place, *(each for each in parts if not callable(each)))


def hand_of(hand: Hand) -> tuple[object, ...]:
    """A hand as a value."""
    return (
        hand.place, hand.wager, tuple(hand.lying()), hand.doubled, hand.split, hand.ended,
        hand.result, hand.settled,
    )  # fmt: skip


def as_told(run: Run, value: Round | None = None) -> str:
    """Everything that a run prints of itself, and why it refuses what it was not asked.

    Decision points do not change once they are passed: the last ones are enough at each step.
    """
    felt: Felt = run.felt
    hands = (*felt.hands, felt.dealer)
    things: list[object] = [run, felt, run.step, *hands, *felt.points[-2:], value]
    things += [each for hand in hands for each in hand.lying() if isinstance(each, Sealed)]
    things += [hand.result for hand in hands]
    for answer in (DONE, Sealed(TEN), Action.HIT, Peeked(natural=True)):
        if run.step is not None and not fits(run.step, answer):
            try:
                run.step.accept(answer)
            except Misfit as why:
                things.append(why)
    text = "\n".join(f"{each!r} {each}" for each in things)
    return re.sub(r"0x[0-9a-f]+", "", text)


def hidden(felt: Felt) -> list[Sealed]:
    """The cards that lie face down and were read."""
    hands = (*felt.hands, felt.dealer)
    return [each for hand in hands for each in (hand.down or {}).values() if each.known]


def leaks(felt: Felt, text: str) -> list[str]:
    """The words of `text` that tell a hidden card: its code, label, name or serial number."""
    face_up = {kind for hand in (*felt.hands, felt.dealer) for kind in hand.cards}
    found = []
    for each in hidden(felt):
        kind = each.open()
        words = [each.open_serial()]
        if kind is not None and kind not in face_up:
            words += [kind.code, *map(kind.label, IndexStyle), kind.name]
        found += [word for word in words if word in text and alone(word, text)]
    return found


def alone(word: str, text: str) -> bool:
    """Whether `word` stands in `text` as a word of its own: `As` does not in `Ask`."""
    return any(not re.match(r"\w", text[found.start() - 1 : found.start()])
               for found in re.finditer(rf"{re.escape(word)}(?!\w)", text))  # fmt: skip
