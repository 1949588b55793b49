"""`tablectl deal`: rounds from a file, through the very engine of the live table.

A case gives wagers, cards in the order in which they leave the shoe, and the free decisions; the
answer tells every decision point, every hand and every amount (tests/golden/README.md). What is
not lawful gives a refusal that names the decision at fault, or null for a card or the set-up.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_USAGE, fail
from controller.rules.actions import Action, Bid, Move
from controller.rules.cards import Card, CardError, card
from controller.rules.engine.round import Run, Wagers, known_answer
from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.games.registry import UnknownGame, game
from controller.rules.messages import Message, message
from controller.rules.options import OptionError, without_limits
from controller.rules.script.steps import Ask, Deal, Vie
from controller.rules.sealed import Sealed

Answer = dict[str, Any]


class CaseError(ValueError):
    """A file that holds no list of cases; the text says what is wrong."""


class NotLawful(Exception):
    """A case that the rules do not allow: `at` is the decision at fault, None for a card."""

    def __init__(self, why: str, at: int | None = None) -> None:
        super().__init__(why)
        self.at = at


def add_parsers(commands: Subcommands) -> None:
    """Add `deal`."""
    parser = add_command(
        commands,
        "deal",
        "Play rounds from a file through the engine of the live table and print what"
        " it answers, as JSON (tests/golden/README.md).",
        "tablectl deal tests/golden/blackjack.json",
        "tablectl deal --check tests/golden/blackjack.json   # only what differs",
    )
    parser.add_argument("cases", type=Path, help="JSON list of cases")
    parser.add_argument("--check", action="store_true", help="compare with what each case expects")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Play every case; with `--check` the status is 1 when one differs."""
    try:
        cases = load_cases(arguments.cases)
    except CaseError as error:
        return fail(str(error), EXIT_USAGE)
    answers = [answer(case) for case in cases]
    if not arguments.check:
        print(json.dumps(answers, indent=1))
        return 0
    different = 0
    for case, answered in zip(cases, answers, strict=True):
        if lines := check(case, answered):
            different += 1
            print(f"{case.get('id')}: {case.get('title', '')}")
            print("\n".join(f"  {line}" for line in lines))
    print(f"{len(cases) - different} of {len(cases)} cases as expected")
    return EXIT_BAD if different else 0


def load_cases(path: Path) -> list[Mapping[str, Any]]:
    """The cases of a file. Raises `CaseError`."""
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{path} is not JSON: {error}") from error
    if not isinstance(cases, list) or not all(isinstance(case, dict) for case in cases):
        raise CaseError(f"{path} must hold a JSON list of cases")
    return cases


def answer(case: Mapping[str, Any]) -> Answer:
    """What the engine makes of a case: `id` and `result`, or `id` and `refused`."""
    try:
        return {"id": case.get("id"), "result": play_case(case)}
    except NotLawful as refusal:
        return {"id": case.get("id"), "refused": {"at": refusal.at, "why": str(refusal)}}


def play_case(case: Mapping[str, Any]) -> Answer:
    """Play a case to its end, and tell it in words. Raises `NotLawful`."""
    plays, report = case_report(case)
    return _in_words(report, plays)


def case_report(case: Mapping[str, Any]) -> tuple[Game, Answer]:
    """The game of a case, and its report with reasons as messages. Raises `NotLawful`."""
    try:
        options = case.get("options")
        plays = _game(str(case["game"]), tuple(sorted((options or {}).items())))
        wagers = _wagers(plays, case["seats"])
        cards = [card(str(code)) for code in _list(case, "cards")]
        decisions = _list(case, "decisions")
    except (UnknownGame, OptionError, CardError) as error:
        raise NotLawful(str(error)) from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotLawful(f"the case is not complete: {error!r}") from None
    _check_pack(plays, cards)
    run = Run(plays, wagers)
    used = _feed(plays, run, iter(cards), decisions)
    return plays, {**plays.report(run.felt, plays.options), "used": used}


def _in_words(report: Answer, plays: Game) -> Answer:
    """A report with the reasons of its hands put into words."""
    for hand in report.get("hands", ()):
        for name in FREE:
            if isinstance(why := hand.get(name), Message):
                hand[name] = _words(why, plays)
    return report


@lru_cache(maxsize=4096)
def _words(why: Message, plays: Game) -> str:
    return ENGLISH.say(why, plays.words)


def _list(case: Mapping[str, Any], name: str) -> list[Any]:
    listed = case[name]
    if not isinstance(listed, list):
        raise NotLawful(f"{name} must be a list")
    return listed


@lru_cache(maxsize=64)
def _game(name: str, options: tuple[tuple[str, object], ...]) -> Game:
    """The game with the given options, free of every limit of a table that is not among them."""
    plays = game(name)
    return plays.with_options(without_limits(plays.options, dict(options)))


def _wagers(plays: Game, seats: list[Mapping[str, Any]]) -> Wagers:
    wagers = tuple((_whole(each["seat"]), _whole(each["bet"])) for each in seats)
    numbers = [seat for seat, _ in wagers]
    last = plays.seats.stop - 1
    if numbers != sorted(set(numbers)) or not all(1 <= seat <= last for seat in numbers):
        raise NotLawful(f"seats must be given in order, each once, from 1 to {last}")
    if len(numbers) not in plays.seats:
        raise NotLawful(f"{plays.title} takes {plays.seats.start} to {last} seats in play")
    for seat, bet in wagers:
        if problem := plays.wager_problem(bet):
            raise NotLawful(f"seat {seat}: {ENGLISH.say(problem, plays.words)}")
    if problem := plays.options.wagers_problem([bet for _, bet in wagers]):
        raise NotLawful(ENGLISH.say(problem, plays.words))
    return wagers


def _whole(number: Any) -> int:
    if type(number) is not int:
        raise NotLawful(f"{number!r} is no whole number")
    return number


def _check_pack(plays: Game, cards: list[Card]) -> None:
    pack = plays.pack
    for kind, times in Counter(cards).items():
        if times > pack.times(kind):
            raise NotLawful(f"{kind.name} comes more often than it is in {pack}")


def _feed(plays: Game, run: Run, cards: Iterator[Card], decisions: list[Mapping[str, Any]]) -> int:
    """Feed cards and decisions until the round is over; the number of cards used."""
    used = taken = 0
    while (step := run.step) is not None:
        if isinstance(step, Deal):
            drawn = next(cards, None)
            if drawn is None:
                raise NotLawful("there are too few cards")
            run.feed(Sealed(drawn) if step.down else drawn)
            used += 1
        elif isinstance(step, Ask | Vie):
            run.feed(_decision(plays, step, decisions, taken))
            taken += 1
        else:
            run.feed(known_answer(step))
    if taken < len(decisions):
        raise NotLawful("a decision is left over: nothing more is asked", taken)
    return used


def _no_amount(action: Action, amount: int | None) -> Message | None:
    return None if amount is None else message("action-takes-no-amount", action=action)


_ACTIONS: Final = {each.value: each for each in Action}


def _decision(plays: Game, step: Ask | Vie, decisions: list[Mapping[str, Any]], at: int) -> Move:
    seat = step.hand.place.seat
    if at >= len(decisions):
        raise NotLawful(f"seat {seat} is asked, but no decision is given", at)
    decision = decisions[at]
    if not isinstance(decision, Mapping):
        raise NotLawful('a decision is an object: {"action": "stand"}', at)
    if decision.get("seat") not in (None, seat):
        raise NotLawful(f"it is seat {seat}'s turn", at)
    said = decision.get("action")
    action = _ACTIONS.get(said) if isinstance(said, str) else None
    if action is None or action not in step.play.options:
        allowed = ", ".join(each.value for each in step.play.options)
        why = ENGLISH.say(step.play.why, plays.words)
        raise NotLawful(f"{said!r} is not allowed ({why}): {allowed}", at)
    amount = decision.get("amount")
    if amount is not None and type(amount) is not int:
        raise NotLawful(f"{amount!r} is no whole number", at)
    move = action if amount is None else Bid(action, amount)
    problem = step.problem(move) if isinstance(step, Vie) else _no_amount(action, amount)
    if problem:
        raise NotLawful(ENGLISH.say(problem, plays.words), at)
    return move


#: Words that are free: they tell, but are not compared.
FREE: Final = ("reason", "bonus_name")


def differences(expected: Any, got: Any, where: str = "") -> list[str]:
    """What differs between an expected result and the one that came, by place."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = (expected.keys() | got.keys()) - {*FREE}
        return [
            line
            for key in sorted(keys)
            for line in differences(expected.get(key), got.get(key), f"{where}.{key}")
        ]
    if isinstance(expected, list) and isinstance(got, list):
        if where.endswith(".allowed"):
            expected, got = sorted(expected), sorted(got)
        if len(expected) == len(got) and not where.endswith((".cards", ".allowed")):
            return [
                line
                for number, (one, two) in enumerate(zip(expected, got, strict=True))
                for line in differences(one, two, f"{where}[{number}]")
            ]
    return [] if expected == got else [f"{where.lstrip('.')}: expected {expected}, got {got}"]


def check(case: Mapping[str, Any], answered: Answer) -> list[str]:
    """The differences of an answer from what its case expects."""
    expected = case.get("expected")
    if not isinstance(expected, Mapping):
        return ["the case has nothing to compare with: no `expected`"]
    if "refused" in expected:
        wanted, got = expected["refused"].get("at"), answered.get("refused", {"at": "not refused"})
        return [] if got["at"] == wanted else [f"refused at {wanted}, got {got['at']}"]
    if "refused" in answered:
        return [f"refused at {answered['refused']['at']}: {answered['refused']['why']}"]
    return differences(expected, answered["result"])
