"""Of a round's pictures its records name those that may be shown: never one of a hidden card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.record.codec import VERSION, Decoder, encode
from controller.record.reading.round_pictures import pictures_shown
from controller.rules.cards import card
from controller.rules.games.registry import GAMES
from controller.table import facts as f
from controller.table.facts import Record
from controller.table.irregularities.holds import Resolution
from controller.table.views.replay import known_rounds, replay
from tests.records import dealing
from tests.support.filmed import CARDS, DRAWN, HIDDEN, FilmedPit, FilmedTable
from tests.support.forms import quick_first

OPEN = [each for each in CARDS if each != HIDDEN]


def public(records: list[Record]) -> list[Record]:
    """Records as they lie on the disk and go over the bus: without an opening of a seal."""
    decode = Decoder(lambda _: None).decode
    return [decode(each.seq, VERSION, encode(each)) for each in records]


def shown(table: FilmedTable, number: int = 1) -> list[str]:
    """The names of the pictures of a round, as its records say now."""
    first = table.first_seq(number)
    found = pictures_shown(public(table.pit.records[first - 1 :]), number)
    seqs = [each.seq for each in found]
    assert seqs == sorted(set(seqs))
    return [each.name for each in found]


def names(table: FilmedTable, codes: list[str]) -> list[str]:
    return [table.name(each) for each in codes]


def test_a_hidden_card_has_no_picture_before_it_is_turned() -> None:
    table = FilmedTable()
    table.begin()
    assert shown(table) == names(table, OPEN)
    table.turn()
    assert shown(table) == names(table, [*OPEN, HIDDEN])
    table.end()
    assert shown(table) == names(table, [*OPEN, HIDDEN, DRAWN])
    turned = next(each for each in table.pit.records if isinstance(each.fact, f.CardTurned))
    found = pictures_shown(public(table.pit.records[table.first_seq(1) - 1 :]), 1)
    assert next(each.seq for each in found if each.name == table.name(HIDDEN)) == turned.seq
    # Of another round there is none, and of this one nothing comes from the next.
    assert pictures_shown(table.pit.records[table.first_seq(1) - 1 :], 2) == ()
    table.begin()
    assert len(shown(table, 1)) == len(CARDS) + 1
    assert shown(table, 2) == names(table, OPEN)


def test_a_round_that_is_made_void_shows_no_card_that_was_never_turned() -> None:
    table = FilmedTable()
    table.begin()
    table.pit.press("call")
    assert table.pit.resolve(Resolution.VOID).refused == ""
    assert any(isinstance(each.fact, f.RoundVoided) for each in table.pit.records)
    assert shown(table) == names(table, OPEN)


def test_a_card_that_stopped_the_table_is_shown_where_it_lies_face_up() -> None:
    table = FilmedTable()
    table.pit.bet(1)
    table.pit.no_more_bets()
    table.deal("?")
    hold = next(each for each in table.pit.records if isinstance(each.fact, f.HoldRaised))
    assert shown(table) == [table.name("?")]
    assert table.pit.resolve(Resolution.ENTER_CARD, "Th").refused == ""
    found = pictures_shown(public(table.pit.records[table.first_seq(1) - 1 :]), 1)
    assert found[0].seq == hold.seq
    assert {each.name for each in found} == {table.name("?")}
    # The next one is waited for by nobody: while the table is held it lies who knows where.
    table.pit.press("call")
    table.deal("9c")
    assert table.name("9c") not in shown(table)


def turned_otherwise(records: list[Record], **changes: Any) -> list[Record]:
    return [
        each._replace(fact=replace(each.fact, **changes))
        if isinstance(each.fact, f.CardTurned) else each
        for each in records
    ]  # fmt: skip


@pytest.mark.parametrize(
    "changes", [{"nonce": ""}, {"nonce": "00" * 16}, {"nonce": "no"}, {"card": card("8s")}]
)
def test_a_turn_that_does_not_open_the_seal_shows_nothing(changes: dict[str, Any]) -> None:
    """A record that nobody's software writes: what it claims is not believed."""
    table = FilmedTable()
    table.whole()
    records = public(table.pit.records[table.first_seq(1) - 1 :])
    assert table.name(HIDDEN) in {each.name for each in pictures_shown(records, 1)}
    found = pictures_shown(turned_otherwise(records, **changes), 1)
    assert {each.name for each in found} == set(names(table, [*OPEN, DRAWN]))


def test_a_picture_of_an_open_card_that_is_of_a_hidden_one_too_is_not_shown() -> None:
    table = FilmedTable()
    table.begin()
    records = public(table.pit.records[table.first_seq(1) - 1 :])
    same = [
        each._replace(fact=replace(each.fact, evidence=table.name(HIDDEN)))
        if isinstance(each.fact, f.CardDealt) else each
        for each in records
    ]  # fmt: skip
    assert pictures_shown(same, 1) == ()


def test_what_happens_after_a_round_is_over_is_none_of_it() -> None:
    table = FilmedTable()
    table.pit.bet(1)
    table.pit.no_more_bets()
    table.deal("?")
    raised = next(each for each in table.pit.records if isinstance(each.fact, f.HoldRaised))
    other = FilmedTable()
    other.whole()
    records = public(other.pit.records[other.first_seq(1) - 1 :])
    after = raised._replace(seq=records[-1].seq + 1)
    assert pictures_shown([*records, after], 1) == pictures_shown(records, 1)


@pytest.mark.parametrize(
    "game", quick_first(sorted(GAMES), ["21-24-27", "blackjack", "seven-twenty-seven"])
)
def test_records_show_what_the_table_itself_shows_and_never_more(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each input of two days with holds, corrections, kept cards and a void round."""
    monkeypatch.setattr(dealing, "CalendarPit", FilmedPit)
    pit = dealing.two_days(game)
    assert isinstance(pit, FilmedPit)
    records = public(pit.records)
    begins = [
        (at, each.fact.number) for at, each in enumerate(records)
        if isinstance(each.fact, f.BetsClosed | f.DummyBegan)
    ]  # fmt: skip
    compared = 0
    for count, by_table in pit.moments:
        begun = [each for each in begins if each[0] < count]
        for at, number in begun[-1:]:
            found = {each.name for each in pictures_shown(records[at:count], number)}
            assert found <= by_table, (count, number)
            compared += len(found)
    assert compared > 50
    corrected = {it.fact.number for it in records if isinstance(it.fact, f.RoundCorrected)}
    for past in known_rounds(pit.state):
        at = next(at for at, number in begins if number == past.number)
        found = {each.name for each in pictures_shown(records[at:], past.number)}
        told = replay(past, pit.state.rounds.pictures)
        by_steps = {each.picture for each in told.steps if each.picture}
        assert by_steps <= found or past.number in corrected
