"""A round that is laid out from its own records is the one that the table replays, step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.record.reading.felts import NotTold, ToldRound, told
from controller.rules.cards import IndexStyle
from controller.rules.games.registry import GAMES
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.facts import Record
from controller.table.views.parts.hands import hand_views, one_hand_view
from controller.table.views.replay import known_rounds, replay
from controller.table.views.scene import game_words, pot_text
from tests.records.dealing import two_days
from tests.support.dealt.days import CalendarPit
from tests.support.forms import quick_first

INDEX = IndexStyle.FINNISH
games = pytest.mark.parametrize(
    "game", quick_first(sorted(GAMES), ["21-24-27", "blackjack", "seven-twenty-seven"])
)


@pytest.fixture(scope="module")
def played() -> dict[str, CalendarPit]:
    """Tables that were played, by their game."""
    return {}


def table_of(played: dict[str, CalendarPit], game: str) -> CalendarPit:
    if game not in played:
        played[game] = two_days(game)
    return played[game]


def told_of(pit: CalendarPit, number: int) -> ToldRound:
    at = next(
        at for at, each in enumerate(pit.records)
        if isinstance(each.fact, f.BetsClosed | f.DummyBegan) and each.fact.number == number
    )  # fmt: skip
    return told(pit.records[at:], number, INDEX)


def corrected_in(records: list[Record]) -> set[int]:
    return {it.fact.number for it in records if isinstance(it.fact, f.RoundCorrected)}


@games
def test_each_step_lies_as_the_table_replays_it(played: dict[str, CalendarPit], game: str) -> None:
    pit = table_of(played, game)
    corrected, compared = corrected_in(pit.records), 0
    for past in known_rounds(pit.state):
        if past.number in corrected:
            continue
        found = told_of(pit, past.number)
        steps = [each for each in found.felts if each.text]
        expected = replay(past, index=INDEX).steps
        for step, other in zip(steps, expected, strict=True):
            assert (step.text, step.why) == (other.text, other.why)
            assert (step.hands, step.dealer) == (other.hands, other.dealer)
            compared += 1
    assert compared > 20


@games
def test_what_a_correction_made_of_a_round_lies_there_last(
    played: dict[str, CalendarPit], game: str
) -> None:
    pit = table_of(played, game)
    corrected = corrected_in(pit.records)
    rounds = [each for each in known_rounds(pit.state) if each.number in corrected]
    assert rounds
    for past in rounds:
        found = told_of(pit, past.number)
        last = found.felts[-1]
        assert last.text == ""
        assert last.hands == hand_views(past.felt, None, INDEX)
        assert last.dealer == one_hand_view(past.felt.dealer, None, INDEX)
        corrections = {each.seq for each in pit.records if isinstance(each.fact, f.RoundCorrected)}
        first = next(at for at, each in enumerate(found.felts) if each.seq in corrections)
        before, after = found.felts[first - 1 : first + 1]
        assert (before.hands, before.dealer) != (after.hands, after.dealer), "as it was paid"


@games
def test_words_and_pot_are_the_tables_own(played: dict[str, CalendarPit], game: str) -> None:
    pit = table_of(played, game)
    assert pit.state.in_play is not None
    found = told_of(pit, pit.state.in_play.number)
    assert found.felts[-1].pot == pot_text(pit.state)
    assert bool(found.felts[-1].pot) == (game == "seven-twenty-seven")
    assert (found.words.dealer, found.words.seat) == (
        game_words(pit.state).dealer, game_words(pit.state).seat,
    )  # fmt: skip


@games
def test_a_card_that_lies_face_down_shows_its_back(
    played: dict[str, CalendarPit], game: str
) -> None:
    pit = table_of(played, game)
    backs = 0
    for past in known_rounds(pit.state):
        down = {each.seq for each in pit.records if isinstance(each.fact, f.CardDealtDown)}
        for each in told_of(pit, past.number).felts:
            if each.seq in down:
                backs += sum(card.code == "" for hand in (*each.hands, each.dealer)
                             for card in hand.cards)  # fmt: skip
        hidden = sum(isinstance(card, Sealed) for hand in past.felt.all for card in hand.cards)
        if past.number not in corrected_in(pit.records):
            last = told_of(pit, past.number).felts[-1]
            shown = sum(
                card.code == "" for hand in (*last.hands, last.dealer) for card in hand.cards
            )
            assert shown == hidden
    if game in ("blackjack", "seven-twenty-seven"):
        assert backs > 0


def test_records_that_are_no_round_are_refused(played: dict[str, CalendarPit]) -> None:
    pit = table_of(played, "21-24-27")
    at = next(at for at, it in enumerate(pit.records) if isinstance(it.fact, f.BetsClosed))
    with pytest.raises(NotTold, match="do not begin with round 2"):
        told(pit.records[at:], 2)
    with pytest.raises(NotTold, match="do not begin"):
        told(pit.records[at + 1 :], 1)
    # A card without its hand: the chain may be whole, and say what no table deals.
    dealt = next(it for it in pit.records[at:] if isinstance(it.fact, f.CardDealt))
    assert isinstance(dealt.fact, f.CardDealt)
    nowhere = dealt._replace(fact=replace(dealt.fact, seat=9))
    with pytest.raises(NotTold):
        told([pit.records[at], nowhere], 1)
