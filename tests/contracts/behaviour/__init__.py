"""What a game does, as digests: a change of behaviour changes one, a change of words does not.

Four parts, each a SHA-256 over plain data: `options` (what a table may set, and which wagers it
then takes), `golden` (the rounds worked by hand), `sheets` (every answer of the deciding functions
that the rule sheets are made of) and `rounds` (seeded rounds with every house option). Reasons are
in them as codes and parameters, for so they stand on record. `README.md` says when a digest may be
written anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from controller.commands.deal import NotLawful, case_report, load_cases
from controller.rules.actions import Action, Bid
from controller.rules.cards import DECK_52, Card, Suit
from controller.rules.engine.round import Run, Wagers
from controller.rules.game import Game
from controller.rules.messages import Message, to_plain
from controller.rules.money import Odds
from controller.rules.options import OptionError, ShoeOptions, about, plain, plain_value
from controller.rules.script.felt import Bonus, Felt, Play, Result
from controller.rules.script.steps import (
    DECLINED,
    DONE,
    AddWager,
    Answer,
    Ask,
    Deal,
    Peek,
    Peeked,
    Reveal,
    Step,
    Vie,
)
from controller.rules.sealed import Sealed

FOLDER: Final = Path(__file__).parent
GOLDEN: Final = FOLDER.parents[1] / "golden"

#: Rounds of each way to set a table: in the quick digest, and in the long one.
ROUNDS: Final = 40
LONG_ROUNDS: Final = 400

#: What a number or odds are tried as, where an option names no choices.
_NUMBERS: Final = (0, 1, 2, 3, 50, 100)
_ODDS: Final = (Odds(1), Odds(2), Odds(3, 2), Odds(6, 5), Odds(25))
_AMOUNTS: Final = (None, 0, 1, 49, 50, 75, 100, 500, 950, 1_000, 1_025, 1_050, 100_000, 100_050)


PARTS: Final = ("options", "golden", "sheets", "rounds")


def digests(
    plays: Game,
    rounds: int = ROUNDS,
    parts: Iterable[str] = PARTS,
    most: int | None = None,
) -> dict[str, str]:
    """The digest of each part of what `plays` does, with its default options and with others.

    `most`: with the first so many ways to set a table alone.
    """
    tables = list(islice(set_ups(plays), most))
    data: dict[str, Iterator[object]] = {
        "options": option_data(plays),
        "golden": golden_data(plays),
        "sheets": sheet_data(tables),
        "rounds": round_data(tables, rounds),
    }
    return {part: _digest(data[part]) for part in parts}


def _digest(lines: Iterable[object]) -> str:
    made = sha256()
    for line in lines:
        made.update(f"{line}\n".encode())
    return made.hexdigest()


def long_digest(plays: Game) -> str:
    """The digest of many more rounds."""
    return _digest(round_data(list(set_ups(plays)), LONG_ROUNDS))


def committed(name: str) -> dict[str, dict[str, str]]:
    """The digests of a game that are kept, by revision."""
    path = FOLDER / f"{name}.json"
    found: dict[str, dict[str, str]] = json.loads(path.read_text()) if path.exists() else {}
    return found


def write(plays: Game, *, anew: bool = False) -> Path:
    """Write the digests of a game's revision beside those of the revisions before it.

    Raises `AlreadyWritten` for a revision that has them, unless they are to be made `anew`.
    """
    known = committed(plays.name)
    if str(plays.revision) in known and not anew:
        raise AlreadyWritten(plays.identity)
    known[str(plays.revision)] = {**digests(plays), "long": long_digest(plays)}
    path = FOLDER / f"{plays.name}.json"
    path.write_text(json.dumps(known, indent=1) + "\n")
    return path


class AlreadyWritten(Exception):
    """A revision that has its digests: what a game does changes only with its revision."""


# -- options --


def values(plays: Game) -> Iterator[tuple[str, object]]:
    """Each option with every value that it is tried as, as plain values; not all are lawful."""
    for name, option in about(plays.options).items():
        value = getattr(plays.options, name)
        tried: Iterable[object] = option.choices
        if not option.choices:
            tried = _ODDS if isinstance(value, Odds) else (value // 2, value * 2, *_NUMBERS)
        for each in dict.fromkeys(tried):
            yield name, plain_value(each)


def set_ups(plays: Game) -> Iterator[Game]:
    """The game as it stands, with each lawful value of each option alone, and some together."""
    yield plays
    mixed = Random(plays.name)
    together: dict[str, object] = {}
    for name, value in values(plays):
        try:
            alone = plays.with_options({name: value})
        except OptionError:
            continue
        if alone.options != plays.options and about(plays.options)[name].free is None:
            yield alone
            if mixed.random() < 0.5:
                together[name] = value
    for _ in range(4):
        chosen = {name: value for name, value in together.items() if mixed.random() < 0.7}
        try:
            yield plays.with_options(chosen)
        except OptionError:
            continue


def option_data(plays: Game) -> Iterator[object]:
    """What can be set, what is refused, and which wagers are taken."""
    yield plays.seats.start, plays.seats.stop, plays.vying, plays.hides, plain(plays.options)
    for name, each in about(plays.options).items():
        yield name, [plain_value(choice) for choice in each.choices], each.free
    for name, value in values(plays):
        try:
            changed = plays.with_options({name: value})
        except OptionError:
            # Why is not told: options are refused when a table is set up, and never on record.
            yield name, value, "refused"
            continue
        options = changed.options
        burns = [options.burns(dealer_change=each) for each in (False, True)]
        yield name, value, changed.pack, plain(options), options.cut_after, burns
        yield [each.code for each in changed.pays(options)], options.wager_bounds
        for amount in _AMOUNTS:
            problem = changed.wager_problem(amount)
            yield amount, None if problem is None else to_plain(problem)
        unequal = options.wagers_problem([50, 50, 100, 50])
        yield None if unequal is None else to_plain(unequal)


# -- golden rounds --


def golden_data(plays: Game) -> Iterator[object]:
    """Every golden round of the game, with its reasons as codes."""
    path = GOLDEN / f"{plays.name}.json"
    for case in load_cases(path) if path.exists() else ():
        try:
            yield case["id"], _plain(case_report(case)[1])
        except NotLawful as refused:
            yield case["id"], "refused", refused.at


def _plain(data: Any) -> Any:
    if isinstance(data, Message):
        return to_plain(data)
    if isinstance(data, Mapping):
        return {name: _plain(value) for name, value in data.items()}
    return [_plain(each) for each in data] if isinstance(data, list) else data


# -- rule sheets --


def sheet_data(tables: Iterable[Game]) -> Iterator[object]:
    """Every play and result that the sheets of the `tables` ask for, in order: not their words."""
    about_the_shoe = {each.name for each in fields(ShoeOptions)}
    tables = iter(tables)
    first = next(tables)
    standing = plain(first.options).items()
    for plays in (first, *tables):
        changed = dict(plain(plays.options).items() - standing)
        if changed and changed.keys() <= about_the_shoe:
            continue  # the cut and burned cards are no rule of a hand
        asked: list[object] = [plain(plays.options)]
        with _asked_into(asked):
            plays.sheet(plays.options)
        yield asked
        yield [str(plays.total((each,))) for each in plays.pack.kinds()]


@contextmanager
def _asked_into(asked: list[object]) -> Iterator[None]:
    """While sheets are made, what they would put into words goes to `asked` instead."""

    def play_text(play: Play[Any, Any]) -> str:
        asked.append(of_play(play))
        return f"{play.options} {play.offer}"

    def result_text(result: Result) -> str:
        asked.append(of_result(result, 1_000))
        return f"{result.outcome} {result.odds} {result.bonus}"

    def bonus_text(bonus: Bonus) -> str:
        asked.append((to_plain(bonus.name), bonus.odds, bonus.amount))
        return f"{bonus.odds} {bonus.amount}"

    modules = [each for name, each in sys.modules.items() if name.startswith("controller.rules.")]
    patches = [
        patch.object(module, function.__name__, function)
        for module in modules
        for function in (play_text, result_text, bonus_text)
        if hasattr(module, function.__name__)
    ]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


# -- rounds --


def round_data(tables: Iterable[Game], rounds: int) -> Iterator[object]:
    """So many rounds at each of the `tables`: all that was asked, answered, allowed and paid."""
    for number, plays in enumerate(tables):
        yield plain(plays.options)
        for nth in range(rounds):
            yield from one_round(plays, Random(f"{plays.name} {number} {nth}"))


def one_round(plays: Game, mixed: Random) -> Iterator[object]:
    """A random lawful round, step by step, and how it ended."""
    run = Run(plays, wagers_of(plays, mixed))
    shoe = a_shoe(plays, mixed)
    asked: list[object] = [run.felt.dealer.place, [hand.wager for hand in run.felt.hands]]
    while (step := run.step) is not None:
        answer = answer_to(step, shoe, mixed)
        asked.append(of_step(step))
        asked.append(of_answer(answer))
        run.feed(answer)
    yield asked
    yield from of_felt(run.felt)


def wagers_of(plays: Game, mixed: Random) -> Wagers:
    """Seats and wagers: mostly amounts, at times none that is tracked, at times a dummy round."""
    number = pick(list(plays.seats), mixed)
    lawful = lawful_amounts(plays)
    kind = mixed.random()
    if not plays.vying and kind < 0.05:
        return tuple((seat, 0) for seat in range(1, number + 1))
    if not plays.vying and kind < 0.15:
        return tuple((seat, None) for seat in range(1, number + 1))
    amounts = [pick(lawful, mixed) for _ in range(number)]
    if plays.options.wagers_problem(amounts):
        amounts = amounts[:1] * number
    return tuple(enumerate(amounts, 1))


@lru_cache(maxsize=256)
def lawful_amounts(plays: Game) -> list[int]:
    """The smallest wagers that the table takes."""
    tried = list(plays.options.some_wagers())[:200]
    return [amount for amount in tried if plays.wager_problem(amount) is None][:8]


def pick(among: Sequence[Any], mixed: Random) -> Any:
    """One of a list. (`random.choice` may differ between Python's releases; `random` does not.)"""
    return among[int(mixed.random() * len(among))]


def a_shoe(plays: Game, mixed: Random) -> list[Card]:
    """The full pack, or one of a few kinds alone: so that rare hands come often."""
    if mixed.random() < 0.5:
        return plays.pack.cards()
    low, suit = int(mixed.random() * 13), pick([None, *Suit], mixed)
    near = [each for each in plays.pack.kinds() if low <= each.rank <= low + 2]
    few = [each for each in near if suit is None or each.suit in (suit, None)]
    return few * 40


def draw(shoe: list[Card], mixed: Random) -> Card:
    """A card from the shoe."""
    at = int(mixed.random() * len(shoe))
    shoe[at], shoe[-1] = shoe[-1], shoe[at]
    return shoe.pop()


def answer_to(step: Step, shoe: list[Card], mixed: Random) -> Answer:
    """A lawful answer."""
    if isinstance(step, Deal):
        kind = draw(shoe, mixed)
        if not step.down:
            return kind
        return Sealed(kind if mixed.random() < 0.8 else None)
    if isinstance(step, Ask):
        chosen: Action = pick(list(step.play.options), mixed)
        return chosen
    if isinstance(step, Vie):
        action = pick(list(step.play.options), mixed)
        if action not in (Action.BET, Action.RAISE):
            return action  # type: ignore[no-any-return]
        chips = (step.high - step.low) // step.chip
        return Bid(action, step.low + int(mixed.random() * (chips + 1)) * step.chip)
    if isinstance(step, AddWager):
        return DECLINED if mixed.random() < 0.2 else DONE
    if isinstance(step, Peek):
        hidden = step.hand.down
        known = hidden[min(hidden)].open() if hidden else None
        return Peeked(mixed.random() < 0.5 if known is None else step.natural(known))
    if isinstance(step, Reveal):
        return step.card.open() or turned(step, mixed)
    return DONE


def turned(step: Reveal, mixed: Random) -> Card:
    """A card that was not read when it was dealt: any that the rules let it be."""
    while True:
        kind: Card = pick(DECK_52, mixed)
        if step.refuse is None or step.refuse(kind) is None:
            return kind


# -- as text --


@lru_cache(maxsize=100_000)
def of_play(play: Play[Any, Any]) -> str:
    """A play: what may be done, what is offered, by which totals, and why."""
    options = " ".join(each.value for each in play.options)
    offer = play.offer.value if play.offer else ""
    return f"{options}/{offer}/{play.total}/{play.dealer}/{to_plain(play.why)}"


@lru_cache(maxsize=100_000)
def of_result(result: Result, wager: int | None) -> str:
    """How a hand ended, and what that comes to."""
    bonus = result.bonus
    extra = (to_plain(bonus.name), bonus.odds, bonus.amount) if bonus else None
    net = None if wager is None else result.net(wager - wager % 10)
    why = to_plain(result.why)
    return f"{result.outcome.value} {result.odds.code} {extra} {result.share} {net} {why}"


def of_step(step: Step) -> str:
    """What was asked, and of whom."""
    hand = step.hand
    text = f"{type(step).__name__} {hand.place.seat}.{hand.place.hand} {hand.wager} {hand.size}"
    play = getattr(step, "play", None)
    if play is not None:
        text += f" {of_play(play)}"
    if isinstance(step, Deal):
        return f"{text} {step.down}"
    if isinstance(step, Vie):
        return f"{text} {step.to_call} {step.low} {step.high} {step.chip}"
    return f"{text} {step.amount} {step.action.value}" if isinstance(step, AddWager) else text


def of_answer(answer: Answer) -> str:
    """What was answered."""
    if isinstance(answer, Card):
        return answer.code
    if isinstance(answer, Sealed):
        return f"down {answer.open()}"
    if isinstance(answer, Bid):
        return f"{answer.action.value} {answer.amount}"
    return str(answer.natural) if isinstance(answer, Peeked) else answer.value


def of_felt(felt: Felt) -> Iterator[str]:
    """The felt when the round is over: every decision, forced ones too, and every result."""
    for point in felt.points:
        yield f"{tuple(point.place)} {point.cards} {of_play(point.play)} {point.action.value}"
    for hand in (*felt.hands, felt.dealer):
        result = of_result(hand.result, hand.wager) if hand.result else None
        ended = hand.ended.value if hand.ended else None
        yield f"{tuple(hand.place)} {hand.cards} {hand.wager} {ended} {hand.doubled} {result}"
