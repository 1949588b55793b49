"""Facts and states carry messages; every message has words, and no fact carries a sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import chain
from pathlib import Path

import pytest

from controller.rules.english import RULES, write
from controller.rules.games.registry import GAMES
from controller.rules.messages import Catalogue, Language, Message
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.facts import Fact
from controller.table.views.english import ENGLISH
from controller.table.views.english.device_failures import DEVICE_FAILURES
from controller.table.views.english.holds import HOLDS
from controller.table.views.english.ledger import LEDGER
from controller.table.views.english.logbook import LOGBOOK
from controller.table.views.english.prompts import PROMPTS
from controller.table.views.english.record import RECORD
from controller.table.views.english.refusals import REFUSALS
from controller.table.views.english.requests import REQUESTS
from controller.table.views.english.shift_sheet import SHIFT_SHEET
from controller.table.views.english.training import TRAINING
from controller.table.views.english.views import VIEWS
from tests.support.forms import quick_first
from tests.support.message_codes import made_in, problems
from tests.support.pit import Pit, setup
from tests.table.any_moment.test_irregularities_at_random import TroubledCroupier

ROOT = Path(__file__).parents[2]
ROOMS = (
    "access", "assembly", "bus", "table", "record", "service", "web", "commands/printed",
    "commands/day", "training",
)  # fmt: skip
HERE = tuple(ROOT / "controller" / each for each in ROOMS)
CATALOGUES: tuple[Catalogue, ...] = (
    REFUSALS,
    HOLDS,
    PROMPTS,
    LEDGER,
    VIEWS,
    RECORD,
    DEVICE_FAILURES,
    LOGBOOK,
    REQUESTS,
    SHIFT_SHEET,
    TRAINING,
)
#: What people type, and what names something: the only text that a fact may carry.
TYPED = {
    (f.RoundCorrected, "reason"),
    (f.HoldReleased, "reason"),
    (f.RoundVoided, "reason"),
    (f.SettledRoundVoided, "reason"),
    (f.ResolutionChosen, "reason"),
    (f.ResolutionUndone, "reason"),
}


def test_every_message_of_the_table_has_words_with_its_parameters_and_none_is_left_over() -> None:
    own = dict(chain.from_iterable(each.items() for each in CATALOGUES))
    made = [each for each in made_in(*HERE) if each.code not in RULES]
    assert problems(made, own) == []
    assert len(own) == sum(map(len, CATALOGUES)), "one place for each code"


def test_another_language_takes_a_catalogue_and_nothing_else() -> None:
    finnish = Language(write, {"no-more-bets": "panokset ovat kiinni"})
    assert finnish.say(Message("no-more-bets")) == "panokset ovat kiinni"


def texts(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside a value, with where it stands; what is sealed has none."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Enum):
        yield path, str(value.value)
    elif isinstance(value, Sealed):
        return
    elif isinstance(value, Message):
        yield f"{path}.code", value.code
        for name, param in value.params:
            yield from texts(param, f"{path}.{value.code}.{name}")
    elif isinstance(value, tuple):
        names = getattr(value, "_fields", [""] * len(value))
        for name, each in zip(names, value, strict=True):
            yield from texts(each, f"{path}.{name}" if name else path)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from texts(getattr(value, each.name), f"{path}.{each.name}")


def sentences(fact: Fact) -> list[str]:
    """The texts of a fact that are neither a name, a code, nor typed by people."""
    found = []
    for each in fields(fact):
        if (type(fact), each.name) in TYPED:
            continue
        for path, text in texts(getattr(fact, each.name), f"{type(fact).__name__}.{each.name}"):
            if " " in text:
                found.append(f"{path}: {text!r}")
    return found


def _day(name: str, seed: str) -> TroubledCroupier:
    """A few rounds in which things happen that people call, and a device that fails."""
    mixed = random.Random(seed)
    table = TroubledCroupier(Pit(setup(3, name)), mixed)
    for _ in range(4):
        table.play({1: 1_000, 2: 1_000, 3: 1_000})
        table.pit.scanner_down()
        table.pit.scanner_up()
        while table.pit.state.holds:
            table.choose()
    return table


@pytest.mark.parametrize("name", quick_first(GAMES, ["blackjack", "seven-twenty-seven"]))
def test_no_fact_carries_a_sentence(name: str) -> None:
    """Random days of every game, with whatever people call and choose."""
    kinds: set[type[Fact]] = set()
    for seed in range(3):
        table = _day(name, f"{name} {seed}")
        for fact in table.pit.facts:
            assert sentences(fact) == []
            kinds.add(type(fact))
        table.pit.give(i.PlaceWager(60, 5))
        assert sentences(table.pit.facts[-1]) == []
        kinds.add(type(table.pit.facts[-1]))
    assert {f.Refused, f.HoldRaised, f.HoldReleased} <= kinds


@pytest.mark.parametrize("name", quick_first(GAMES, ["finnish-27", "seven-twenty-seven"]))
def test_what_a_table_records_can_be_said(name: str) -> None:
    """No record of a day falls back on the bare code."""
    table = _day(name, name)
    words = table.pit.state.words
    for fact in table.pit.facts:
        for each in fields(fact):
            value = getattr(fact, each.name)
            if isinstance(value, Message):
                known = value.code in ENGLISH.catalogue or value.code in words.reasons
                assert known, value
                assert ENGLISH.say(value, words)
