"""A hand's total: data on record, words for people, parts for pages, in every game."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest

from controller.record.codec import encode
from controller.rules.english import RULES, write
from controller.rules.games import casino_7_27
from controller.rules.games.registry import GAMES, game
from controller.rules.hands import TotalKind, TotalPart, TotalParts
from controller.rules.messages import Language
from controller.rules.totals import HIGH_MOST, LOW_MOST, total_message
from controller.table.recorded.hands import HandStatus
from controller.table.views.texts import total_text, total_views
from tests.rules.tables import cards
from tests.support.pit import Pit, opened

K = TotalKind
Part: TypeAlias = tuple[TotalKind, int | None]
View: TypeAlias = tuple[str, str, bool]
#: What a hand of each game counts: its seat, 0 for the dealer, cards, parts, text, and the parts
#: as pages have them, each with whether it is too many.
HANDS: list[tuple[str, int, str, list[Part], str, list[View]]] = [
    ("21-24-27", 1, "7h 8c", [(K.HARD, 15)], "hard 15", [("hard", "15", False)]),
    ("21-24-27", 1, "Ah 3c", [(K.SOFT, 17)], "soft 17", [("soft", "17", False)]),
    ("21-24-27", 1, "Kh Kc 5d", [(K.BUST, 31)], "bust 31", [("bust", "31", True)]),
    ("finnish-27", 0, "Kh Kc", [(K.HARD, 26)], "hard 26", [("hard", "26", False)]),
    ("finnish-27", 1, "Jo Ac", [(K.SOFT, 27)], "soft 27", [("soft", "27", False)]),
    ("blackjack", 1, "Ah 6c", [(K.SOFT, 17)], "soft 17", [("soft", "17", False)]),
    ("blackjack", 0, "Ah 6c", [(K.ANNOUNCED, 17)], "17", [("", "17", False)]),
    (
        "blackjack", 0, "Kh Qc 2d",
        [(K.ANNOUNCED_BUST, 22)], "bust, 22", [("bust", "22", True)],
    ),
    (
        "casino-7-27", 1, "4h Ac",
        [(K.LOW, 5), (K.HIGH, 15)], "low 5 / high 15", [("low", "5", False), ("high", "15", False)],
    ),
    (
        "casino-7-27", 1, "9h 6c Kd",
        [(K.LOW, 25), (K.HIGH, 25)], "no low / high 25",
        [("no low", "", False), ("high", "25", False)],
    ),
    (
        "casino-7-27", 1, "Ah Tc 9d Ts",
        [(K.LOW, 30), (K.HIGH, 30)], "bust 30", [("bust", "30", True)],
    ),
    (
        "casino-7-27", 0, "3h Tc Kd",
        [(K.LOW, 3), (K.HIGH, 23)], "low 3, high 23", [("low", "3", False), ("high", "23", False)],
    ),
    (
        "casino-7-27", 0, "9h Kc Kd",
        [(K.NO_LOW, None), (K.HIGH_BUST, 29)],
        "no low, too many 29", [("no low", "", False), ("too many", "29", True)],
    ),
    (
        "seven-twenty-seven", 1, "Kh 6c",
        [(K.HALVES, 13)], "6.5", [("", "6.5", False)],
    ),
    (
        "seven-twenty-seven", 1, "Kh 5c Ad",
        [(K.HALVES, 13), (K.HALVES, 33)], "6.5 / 16.5", [("", "6.5", False), ("", "16.5", False)],
    ),
    ("seven-twenty-seven", 0, "", [], "", []),
]  # fmt: skip


def counted(name: str, seat: int, hand: str) -> TotalParts:
    plays = game(name)
    return plays.total(cards(hand)).parts if seat else plays.said(cards(hand))


@pytest.mark.parametrize(
    ("name", "seat", "hand", "parts", "text", "views"), HANDS, ids=[f"{h[0]} {h[4]}" for h in HANDS]
)
def test_a_total_is_data_and_the_view_puts_it_into_words(
    name: str,
    seat: int,
    hand: str,
    parts: list[Part],
    text: str,
    views: list[View],
) -> None:
    found = counted(name, seat, hand)
    assert found == tuple(TotalPart(*each) for each in parts)
    assert total_text(HandStatus(seat, 1, found)) == text
    assert [(each.word, each.number, each.over) for each in total_views(found)] == views


def test_every_game_and_every_kind_of_number_is_above() -> None:
    assert {each[0] for each in HANDS} == set(GAMES)
    assert {kind for each in HANDS for kind, _ in each[3]} == set(TotalKind)


def test_a_low_ends_where_its_game_ends_it() -> None:
    assert (LOW_MOST, HIGH_MOST) == (casino_7_27.LOW, casino_7_27.HIGH)


def test_totals_stand_on_record_as_kinds_and_numbers_and_displays_have_words() -> None:
    pit = opened(3, "casino-7-27")
    pit.bet(1, 1_000)
    pit.no_more_bets()
    pit.deal("4h 9c Ad")
    fact: dict[str, Any] = json.loads(encode(pit.records[-1]))[-1]
    assert [each["total"] for each in _named(fact)] == [[["low", 5], ["high", 15]]]
    (hand,) = pit.display.hands
    assert hand.total == "low 5 / high 15"
    assert [each.word for each in hand.total_parts] == ["low", "high"]
    assert _dealers(pit) == ("no low, high 9", ["no low", "high"])


def _named(fact: dict[str, Any]) -> list[dict[str, Any]]:
    """The hands' states of a fact, by the names of their fields."""
    states = fact["felt"][0]
    return [dict(zip(HandStatus._fields, state, strict=True)) for state in states]


def _dealers(pit: Pit) -> tuple[str, list[str]]:
    dealer = pit.display.dealer
    assert dealer is not None
    return dealer.total, [each.word for each in dealer.total_parts]


def test_a_record_is_put_into_another_language() -> None:
    finnish = {"total-low": "matala", "total-high": "korkea"}
    parts = total_message(counted("casino-7-27", 1, "4h Ac"))
    order = {"total-word-number": "{number} {word}"}
    said = Language(write, {**RULES, **finnish, **order}).say(parts)
    assert said == "5 matala / 15 korkea"
