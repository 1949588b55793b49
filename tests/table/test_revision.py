"""No decision of the table changes unnoticed: `tests/table/decided` has digests of each revision.

What to do when one fails is in that folder's README.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_args

import pytest

from controller.rules.games.registry import GAMES
from controller.rules.messages import message
from controller.table import facts as f
from controller.table.decide import decide
from controller.table.decide.remote_players import windows
from controller.table.evolve import evolve
from controller.table.queries import bet_spots
from controller.table.revision import TABLE_REVISION
from controller.table.state import money
from controller.table.state.money import Money
from tests.support.forms import long_only
from tests.support.pit import Pit
from tests.table import decided

#: Facts that are in none of the days: a pack is doubted after some forty shoes. Whatever fact is
#: added is to be in one.
IN_NO_DAY = {f.PackDoubted}

WHAT_TO_DO = """the table decides otherwise than revision {revision} did: {part}.
Not meant: look for what changed. Meant: raise TABLE_REVISION (controller/table/revision.py), then
`python -m tests.table.decided`; tests/table/decided/README.md has more."""


@lru_cache
def dealt(part: str) -> tuple[Pit, ...]:
    """The tables of a part, dealt once for all tests here."""
    return tuple(decided.parts()[part])


@pytest.mark.parametrize("part", decided.parts())
def test_the_table_decides_as_its_revision_says(part: str) -> None:
    same = decided.digest_of(dealt(part)) == decided.kept()[str(TABLE_REVISION)][part]
    assert same, WHAT_TO_DO.format(revision=TABLE_REVISION, part=part)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_table_decides_as_its_revision_says_at_many_more_tables(name: str) -> None:
    part = f"{decided.LONG}/{name}"
    made = decided.digest_of(decided.long_parts()[part])
    same = made == decided.kept()[str(TABLE_REVISION)][part]
    assert same, WHAT_TO_DO.format(revision=TABLE_REVISION, part=part)


def test_digests_are_kept_of_every_part_and_of_no_revision_to_come() -> None:
    kept = decided.kept()
    assert max(map(int, kept)) == TABLE_REVISION
    assert kept[str(TABLE_REVISION)].keys() == decided.parts().keys() | decided.long_parts().keys()
    digests = [digest for each in kept.values() for digest in each.values()]
    parts = [tuple(sorted(each.items())) for each in kept.values()]
    assert len(set(parts)) == len(parts), "a revision that decides like another is none"
    assert all(len(each) == 32 for each in digests)


def test_every_kind_of_fact_is_in_some_day() -> None:
    found = {
        type(fact) for part in decided.parts() for pit in dealt(part) for fact in pit.facts
    }  # fmt: skip
    assert set(get_args(f.Fact)) - found == IN_NO_DAY


def stands(_: Money, number: int) -> Any:
    return message("slip-is-built-upon", slip=number)


def nobody(*_: Any, **__: Any) -> Any:
    return None


def otherwise(code: str, /, **params: Any) -> Any:
    """The same sentence by another code."""
    return message(f"{code}-too" if code == "no-such-slip" else code, **params)


def forgets(state: Any, fact: Any, at_ms: int) -> Any:
    """A fact that changes nothing: no other fact says so before the day hands on its state."""
    return {}


@pytest.mark.parametrize(
    ("of", "name", "to", "part"),
    [
        (Money, "why_stands", stands, "8-closers"),
        long_only(Money, "why_stands", stands, "restless/blackjack"),
        (windows, "_last_call_ns", nobody, "studio"),
        long_only(decide, "not_theirs", nobody, "restless/casino-7-27"),
        (bet_spots, "bet_differs", nobody, "spots"),
        long_only(money, "message", otherwise, "restless/finnish-27"),
        (evolve, "_EVOLVERS", {**evolve._EVOLVERS, f.NoteRead: forgets}, "restless/blackjack"),
    ],
)
def test_a_changed_decision_is_seen(
    of: Any, name: str, to: Any, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = decided.digest_of(dealt(part))
    monkeypatch.setattr(of, name, to)
    assert decided.digest_of(decided.parts()[part]) != before
