"""The manual as data: parts for dealers, floor and engineers, each made of sections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from controller.config.device_sections import DEVICES
from controller.config.sections import OPTIONS, SECTIONS
from controller.devices.inputs import Button
from controller.devices.lights import LOOKS, Look
from controller.languages.catalogue import MANUAL
from controller.manual import english as words
from controller.manual.command_list import COMMANDS
from controller.rules.frozen import frozen
from controller.rules.games.registry import game
from controller.rules.messages import Message, Words, message
from controller.rules.options import about
from controller.rules.sheets.sheet import Grid, Section
from controller.rules.spoken import spoken
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Setup
from controller.table.irregularities.catalogue import DEALER, Kind
from controller.table.irregularities.holds import Reason, resolution_text
from controller.table.irregularities.procedures import procedures
from controller.table.queries.hold_prompts import FIRST
from controller.table.views.english import ENGLISH, say, show
from controller.table.views.procedures import sections

#: The keys that the round's table names, as the display labels them.
_KEYS = {
    "key-pack-loaded": message("key-pack-loaded"),
    "key-cut-made": message("key-cut-made"),
    "key-no-more-bets": message("key-no-more-bets"),
    "key-done": message("key-done"),
}


@frozen
class ManualPart:
    """What one role reads: `name` is its place in the page's address."""

    name: str
    title: str
    sections: tuple[Section, ...]


@frozen
class Manual:
    """The manual of a table: which one it is of, and its parts."""

    table: str
    game: str
    parts: tuple[ManualPart, ...]


def manual(setup: Setup, alarms: AlarmTimes) -> Manual:
    """The manual of the table that is set up so, whose alarms call by those times.

    It is made for a reader, in the language that is spoken while it is made.
    """
    return Manual(
        setup.table,
        game(setup.game).title,
        (
            ManualPart("dealer", _translated("For dealers"), _dealer(setup)),
            ManualPart("floor", _translated("For the floor"), _floor(setup, alarms)),
            ManualPart("engineer", _translated("For engineers"), _engineer(setup)),
        ),
    )


def _translated(english: str) -> str:
    """A text of the manual, translated for the reader."""
    return spoken(ENGLISH).text(MANUAL, english) if english else ""


def _section(title: str, lines: Iterable[str] = (), grid: Grid | None = None) -> Section:
    return Section(_translated(title), tuple(map(_translated, lines)), grid)


def _all_translated(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_translated, cells))


def _dealer(setup: Setup) -> tuple[Section, ...]:
    rows = procedures(setup.procedures, setup.own_procedures).rows
    held = tuple(
        (say(row.title), say(FIRST[reason]), _for_the_dealer(reason, row))
        for reason, row in rows.items()
    )
    lights = tuple((_colour(look), _rhythm(look), show(look.meaning)) for look in LOOKS.values())
    names = {each.value for each in Button}
    assert names == {name for name, _ in words.BUTTONS}, "every button is in the manual"
    # A button has the name that stands in the configuration.
    buttons = tuple((name, _translated(what)) for name, what in words.BUTTONS)
    return (
        _section("How to work", words.WORKING),
        _section(
            "A round", (), Grid(_all_translated(words.ROUND_HEAD), tuple(map(_step, words.ROUND)))
        ),
        _section(
            "Buttons and keys", words.KEYBOARD, Grid(_all_translated(words.BUTTONS_HEAD), buttons)
        ),
        _section("The lights of a spot", (), Grid(_all_translated(words.LIGHTS_HEAD), lights)),
        _section(
            "When the table is held", words.HELD, Grid(_all_translated(words.HELD_HEAD), held)
        ),
    )


def _step(row: tuple[str, str, str]) -> tuple[str, str, str]:
    when, what, key = row
    return _translated(when), _translated(what), _label(_KEYS[key]) if key else ""


def _label(key: Message) -> str:
    return spoken(ENGLISH).write(key, "key", Words())


def _for_the_dealer(reason: Reason, row: Kind) -> str:
    """What a dealer may choose alone at a hold."""
    dealers = [each for each, needs in row.who.items() if needs is DEALER]
    own = [show(resolution_text(reason, each)) for each in dealers]
    return "; ".join(own) or _translated("nothing: the floor decides")


def _colour(look: Look) -> str:
    on = tuple(name for name, lit in zip(words.COLOURS, look.colour, strict=True) if lit)
    return _translated(words.MIXED[on])


def _rhythm(look: Look) -> str:
    return _translated(words.RHYTHMS[look.pattern.name]) if any(look.colour) else ""


def _floor(setup: Setup, alarms: AlarmTimes) -> tuple[Section, ...]:
    times = (alarms.dealer_s, alarms.floor_s, alarms.pit_s)
    called = tuple(
        (f"{after} s", _translated(who)) for after, who in zip(times, words.CALLED, strict=True)
    )
    rules = procedures(setup.procedures, setup.own_procedures)
    return (
        _section("What needs the floor", words.FLOOR),
        _section("Alarms", words.ALARMS, Grid(_all_translated(words.ALARMS_HEAD), called)),
        *sections(rules),
        _section("Corrections", words.CORRECTIONS),
        *((_section("Chips", words.CHIPS),) if setup.chips else ()),
        _section("The gaming day", words.DAY),
    )


def _engineer(setup: Setup) -> tuple[Section, ...]:
    commands = tuple(
        (f"tablectl {name}", _translated(what)) for name, (_, what) in COMMANDS.items()
    )
    keys = tuple(_section_row(name, kind) for name, kind in (SECTIONS | DEVICES).items())
    options = tuple(about(game(setup.game).options))
    row = (f"[{OPTIONS}]", _translated("the house's options of the game"), ", ".join(options))
    wrong = tuple(map(_all_translated, words.WRONG))
    return (
        _section("First", words.ENGINEER),
        _section(
            "What is seen, and what to do", (), Grid(_all_translated(words.WRONG_HEAD), wrong)
        ),
        _section("Changing something", words.CHANGING),
        _section("Commands", (), Grid(_all_translated(words.COMMANDS_HEAD), commands)),
        _section("The configuration", (), Grid(_all_translated(words.SECTIONS_HEAD), (*keys, row))),
    )


def _section_row(name: str, kind: Any) -> tuple[str, str, str]:
    """A section of the configuration: what it holds, from its own description, and its keys."""
    names = list(getattr(kind, "model_fields", None) or (each.name for each in fields(kind)))
    described = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    what = described.partition("`: ")[2].partition(". ")[0].rstrip(".")
    return f"[{name}]", _translated(what), ", ".join(names)
