"""The manual as data: parts for dealers, floor and engineers, each made of sections."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from controller.command_list import COMMANDS
from controller.config.sections import DEVICES, OPTIONS, SECTIONS
from controller.devices.inputs import Button
from controller.devices.lights import LOOKS, Look
from controller.manual import english as words
from controller.rules.games.registry import game
from controller.rules.messages import Message, message
from controller.rules.options import about
from controller.rules.sheets.sheet import Grid, Section
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Setup
from controller.table.irregularities.catalogue import DEALER, Kind
from controller.table.irregularities.holds import RESOLUTION_LABELS
from controller.table.irregularities.procedures import procedures
from controller.table.queries.hold_prompts import FIRST
from controller.table.views.english import say, show
from controller.table.views.procedures import sections

#: The keys that the round's table names, as the display labels them.
_KEYS = {
    "key-pack-loaded": message("key-pack-loaded"),
    "key-cut-made": message("key-cut-made"),
    "key-no-more-bets": message("key-no-more-bets"),
    "key-done": message("key-done"),
}


@dataclass(frozen=True, slots=True)
class ManualPart:
    """What one role reads: `name` is its place in the page's address."""

    name: str
    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    """The manual of a table: which one it is of, and its parts."""

    table: str
    game: str
    parts: tuple[ManualPart, ...]


def manual(setup: Setup, alarms: AlarmTimes) -> Manual:
    """The manual of the table that is set up so, whose alarms call by those times."""
    return Manual(
        setup.table,
        game(setup.game).title,
        (
            ManualPart("dealer", "For dealers", _dealer(setup)),
            ManualPart("floor", "For the floor", _floor(setup, alarms)),
            ManualPart("engineer", "For engineers", _engineer(setup)),
        ),
    )


def _dealer(setup: Setup) -> tuple[Section, ...]:
    rows = procedures(setup.procedures, setup.own_procedures).rows
    held = tuple(
        (say(row.title), say(FIRST[reason]), _for_the_dealer(row)) for reason, row in rows.items()
    )
    lights = tuple((_colour(look), _rhythm(look), show(look.meaning)) for look in LOOKS.values())
    names = {each.value for each in Button}
    assert names == {name for name, _ in words.BUTTONS}, "every button is in the manual"
    return (
        Section("How to work", words.WORKING),
        Section("A round", (), Grid(words.ROUND_HEAD, tuple(map(_step, words.ROUND)))),
        Section("Buttons and keys", words.KEYBOARD, Grid(words.BUTTONS_HEAD, words.BUTTONS)),
        Section("The lights of a spot", (), Grid(words.LIGHTS_HEAD, lights)),
        Section("When the table is held", words.HELD, Grid(words.HELD_HEAD, held)),
    )


def _step(row: tuple[str, str, str]) -> tuple[str, str, str]:
    when, what, key = row
    return when, what, _label(_KEYS[key]) if key else ""


def _label(key: Message) -> str:
    return f"“{say(key)}”"


def _for_the_dealer(row: Kind) -> str:
    """What a dealer may choose alone at a hold."""
    own = [show(RESOLUTION_LABELS[each].text) for each, needs in row.who.items() if needs is DEALER]
    return "; ".join(own) or "nothing: the floor decides"


def _colour(look: Look) -> str:
    on = tuple(name for name, lit in zip(words.COLOURS, look.colour, strict=True) if lit)
    return words.MIXED[on]


def _rhythm(look: Look) -> str:
    return words.RHYTHMS[look.pattern.name] if any(look.colour) else ""


def _floor(setup: Setup, alarms: AlarmTimes) -> tuple[Section, ...]:
    times = (alarms.dealer_s, alarms.floor_s, alarms.pit_s)
    called = tuple((f"{after} s", who) for after, who in zip(times, words.CALLED, strict=True))
    rules = procedures(setup.procedures, setup.own_procedures)
    return (
        Section("What needs the floor", words.FLOOR),
        Section("Alarms", words.ALARMS, Grid(words.ALARMS_HEAD, called)),
        *sections(rules),
        Section("Corrections", words.CORRECTIONS),
        *((Section("Chips", words.CHIPS),) if setup.chips else ()),
        Section("The gaming day", words.DAY),
    )


def _engineer(setup: Setup) -> tuple[Section, ...]:
    commands = tuple((f"tablectl {name}", what) for name, (_, what) in COMMANDS.items())
    keys = tuple(_section_row(name, kind) for name, kind in (SECTIONS | DEVICES).items())
    options = tuple(about(game(setup.game).options))
    row = (f"[{OPTIONS}]", "the house's options of the game", ", ".join(options))
    return (
        Section("First", words.ENGINEER),
        Section("What is seen, and what to do", (), Grid(words.WRONG_HEAD, words.WRONG)),
        Section("Changing something", words.CHANGING),
        Section("Commands", (), Grid(words.COMMANDS_HEAD, commands)),
        Section("The configuration", (), Grid(words.SECTIONS_HEAD, (*keys, row))),
    )


def _section_row(name: str, kind: Any) -> tuple[str, str, str]:
    """A section of the configuration: what it holds, from its own description, and its keys."""
    names = list(getattr(kind, "model_fields", None) or (each.name for each in fields(kind)))
    described = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    what = described.partition("`: ")[2].partition(". ")[0].rstrip(".")
    return f"[{name}]", what, ", ".join(names)
