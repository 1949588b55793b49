"""The questions of `tablectl init`, at a terminal or from a pipe, one line each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final, TypeVar
from zoneinfo import available_timezones

import click

from controller.commands.init.answers import PANEL, READERS, NewTable, needs_beam
from controller.commands.init.machine import (
    Device,
    cameras,
    is_zone,
    serial_ports,
    typing_scanners,
)
from controller.config.sections import CURRENCY, TABLE_NAME
from controller.rules.games.registry import GAMES, game
from controller.rules.money import amount_of, amount_text
from controller.rules.options import OptionError
from controller.service.timekeeping.calendar import Calendar, CalendarError
from controller.table.gaming_day import Schedule
from drivers.settings.panel import DEFAULT_SPOTS

T = TypeVar("T")

READER_WORDS: Final = {
    "scanner": "reads codes that are printed on the cards",
    "camera": "reads the faces of the cards",
    "both": "a scanner and a camera: they must agree on every card",
}
INDICES: Final = (("finnish", "1 13 12 11"), ("anglo", "A K Q J"))
PANEL_WORDS: Final = {
    "beam": "an exit beam at the shoe",
    "leds": "lights at the spots",
    "strip": "a strip of WS2812 or SK6812 pixels as the lights of the spots",
    "buttons": "buttons for the dealer",
    "buzzer": "a buzzer",
}


def ask(usual: NewTable, answered: frozenset[str], default_people: str) -> NewTable:
    """Ask for everything that is not `answered` by name; `usual` is what an empty line takes."""
    answers = usual
    for names, question in _QUESTIONS:
        if not names <= answered:
            answers = question(answers, answered)
    if "people" not in answered:
        click.echo()
        text = "Do people prove by name and PIN what they may do?"
        known = click.confirm(text + " Without, whoever has the display clears every hold", True)
        answers = replace(answers, people=default_people if known else None)
    return answers


def heading(text: str) -> None:
    """A line above questions that belong together."""
    click.echo()
    click.secho(text, bold=True)


def _value(text: str, default: T, read: Callable[[str], T], shown: str | None = None) -> T:
    """Ask until `read` takes the answer; it raises `click.UsageError` with what is wanted."""

    def taken(typed: Any) -> T:
        return default if typed is default else read(typed)

    found: T = click.prompt(
        f"{text} [{default if shown is None else shown}]", default=default, value_proc=taken,
        show_default=False,
    )  # fmt: skip
    return found


def _choice(text: str, choices: Sequence[tuple[str, str]], default: str) -> str:
    """Ask for one of several, by its number or its name."""
    names = [name for name, _ in choices]
    for number, (name, what) in enumerate(choices, start=1):
        shown = click.style(name.ljust(18), bold=True)
        click.echo(f"  {number}  {shown}  {what}")

    def read(typed: str) -> str:
        if typed.isdecimal() and 1 <= int(typed) <= len(names):
            return names[int(typed) - 1]
        if typed in names:
            return typed
        raise click.UsageError(f"{typed} is none of them: type a number or a name")

    return _value(text, default, read)


def _table(answers: NewTable, answered: frozenset[str]) -> NewTable:
    heading("The table")
    if "name" not in answered:
        answers = replace(answers, name=_value("Its name", answers.name, _name))
    if "game" not in answered:
        click.echo("Its game:")
        games = [(each.name, each.title) for each in GAMES.values()]
        answers = replace(answers, game=_choice("Game", games, answers.game))
    most = game(answers.game).seats.stop - 1
    if "seats" not in answered:
        answers = replace(answers, seats=min(answers.seats, most))
        answers = replace(answers, seats=_value("Seats", answers.seats, _seats(answers.game)))
    if "currency" not in answered:
        answers = replace(answers, currency=_value("Currency", answers.currency, _currency))
    if "index" not in answered:
        click.echo("What its cards print in their corners:")
        answers = replace(answers, index=_choice("Index", INDICES, answers.index))
    return answers


def _bets(answers: NewTable, answered: frozenset[str]) -> NewTable:
    low, high = game(answers.game).options.wager_bounds
    if "min_bet" not in answered:
        least = _value("Least wager", low, amount, amount_text(low))
        answers = replace(answers, min_bet=None if least == low else least)
    if "max_bet" not in answered:
        largest = _value("Largest wager", high, amount, amount_text(high))
        answers = replace(answers, max_bet=None if largest == high else largest)
    if problem := bets_problem(answers):
        click.secho(f"Not so: {problem}", fg="red")
        return _bets(replace(answers, min_bet=None, max_bet=None), answered)
    return answers


def bets_problem(answers: NewTable) -> str:
    """Why the limits make no sense for the game; empty if they do."""
    bets = {"min_bet": answers.min_bet, "max_bet": answers.max_bet}
    try:
        game(answers.game).with_options({k: v for k, v in bets.items() if v is not None})
    except OptionError as error:
        return str(error)
    return ""


def _reader(answers: NewTable, answered: frozenset[str]) -> NewTable:
    heading("What reads the cards")
    if "reader" not in answered:
        readers = [(each, READER_WORDS[each]) for each in READERS]
        chosen: Any = _choice("Reader", readers, answers.reader)
        answers = replace(answers, reader=chosen)
    if answers.reader != "camera" and "scanner" not in answered:
        answers = replace(
            answers,
            scanner=_device(
                "Scanner", serial_ports() + typing_scanners(), answers.scanner, "scanner"
            ),
        )
    if answers.reader != "scanner" and "camera" not in answered:
        answers = replace(answers, camera=_device("Camera", cameras(), answers.camera, "camera"))
    return answers


def _device(text: str, found: Sequence[Device], default: str, what: str) -> str:
    """One of the devices that were found, by number, or a path."""
    if not found:
        click.echo(f"No {what} was found on this machine: name the one that it will be.")
        return _value(text, default, _text)
    for number, device in enumerate(found, start=1):
        click.echo(f"  {number}  {device.path}  {device.what}")

    def read(typed: str) -> str:
        if typed.isdecimal() and 1 <= int(typed) <= len(found):
            return found[int(typed) - 1].path
        return _text(typed)

    return _value(text, default, read)


def _panel(answers: NewTable, answered: frozenset[str]) -> NewTable:
    heading("The panel, on the header's pins as drivers/panel/README.md draws them")
    needed = needs_beam(game(answers.game), answers.reader)
    chosen: set[str] = set()
    for name in PANEL:
        if name == "beam" and needed:
            click.echo(f"Exit beam: yes. {needed}.")
            chosen.add(name)
        elif name == "leds" and answers.seats > len(DEFAULT_SPOTS):
            click.echo(f"The header has pins for the lights of {len(DEFAULT_SPOTS)} spots.")
        elif name == "strip" and "leds" in chosen:
            continue  # one kind of lights
        elif click.confirm(_is_there(name), True):
            chosen.add(name)
    return replace(answers, panel=frozenset(chosen))


def _is_there(name: str) -> str:
    return f"{'Are' if name in ('leds', 'buttons') else 'Is'} there {PANEL_WORDS[name]}?"


def _day(answers: NewTable, answered: frozenset[str]) -> NewTable:
    heading("The gaming day")
    if "zone" not in answered:
        answers = replace(answers, zone=_value("Time zone", answers.zone, zone))
    if "day_ends" not in answered:
        answers = replace(answers, day_ends=_value("It ends at", answers.day_ends, day_ends))
    return answers


def _files(answers: NewTable, answered: frozenset[str]) -> NewTable:
    heading("Files and pages")
    if "record" not in answered:
        answers = replace(answers, record=_value("The record's folder", answers.record, _text))
    if "port" not in answered:
        answers = replace(answers, port=_value("Port of the pages", answers.port, _port))
    return answers


_QUESTIONS: Final[tuple[tuple[frozenset[str], Callable[..., NewTable]], ...]] = (
    (frozenset({"name", "game", "seats", "currency", "index"}), _table),
    (frozenset({"min_bet", "max_bet"}), _bets),
    (frozenset({"reader", "scanner", "camera"}), _reader),
    (frozenset({"panel"}), _panel),
    (frozenset({"zone", "day_ends"}), _day),
    (frozenset({"record", "port"}), _files),
)


def _text(typed: str) -> str:
    if not typed.strip():
        raise click.UsageError("a path is wanted")
    return typed.strip()


def _name(typed: str) -> str:
    if not re.fullmatch(TABLE_NAME, typed):
        raise click.UsageError("1 to 32 letters, digits, dots, - or _")
    return typed


def _currency(typed: str) -> str:
    if not re.fullmatch(CURRENCY, typed.upper()):
        raise click.UsageError("a currency's three letters, as EUR")
    return typed.upper()


def _seats(name: str) -> Callable[[str], int]:
    seats = game(name).seats

    def read(typed: str) -> int:
        if not typed.isdecimal() or int(typed) not in seats:
            raise click.UsageError(f"{name} has {seats.start} to {seats.stop - 1} seats")
        return int(typed)

    return read


def amount(typed: str) -> int:
    """An amount such as `10` or `2.50` in minor units. Raises `click.UsageError`."""
    try:
        return amount_of(typed)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def zone(typed: str) -> str:
    """An IANA time zone. Raises `click.UsageError` with those that are spelt like it."""
    if is_zone(typed):
        return typed
    close = get_close_matches(typed, sorted(available_timezones()), n=3, cutoff=0.5)
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    raise click.UsageError(f"{typed} is no IANA time zone, as Europe/Helsinki.{meant}")


def day_ends(typed: str) -> str:
    """A time of day. Raises `click.UsageError`."""
    try:
        Calendar(Schedule(typed, "UTC"))
    except CalendarError as error:
        raise click.UsageError(str(error)) from None
    return typed


def _port(typed: str) -> int:
    if not typed.isdecimal() or not 0 <= int(typed) <= 65_535:
        raise click.UsageError("a port is wanted, 1 to 65535; 0 for any")
    return int(typed)
