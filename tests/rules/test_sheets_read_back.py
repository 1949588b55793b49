"""The sheets say what is enforced: their tables, read back, agree with the deciding functions."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from controller.rules.actions import Action, Outcome
from controller.rules.cards import Card, card
from controller.rules.engine.round import Run
from controller.rules.english import ENGLISH
from controller.rules.games import (
    blackjack,
    casino_7_27,
    finnish_27,
    seven_27,
    twenty_one_24_27,
)
from controller.rules.games.registry import game
from controller.rules.hands import Total
from controller.rules.printed.rulebook import rule_book
from controller.rules.script.felt import Up
from controller.rules.script.steps import Ask, Settle
from controller.rules.sealed import Sealed
from controller.rules.sheets import grids
from tests.rules.sheet_hands import total_kind
from tests.support.forms import quick_first
from tests.support.sheets import actions, cell, covers, grid, read_back, section

RANKS = [card(f"{rank}c") for rank in "A23456789TJQK"]
WITH_JOKER = [*RANKS, card("Jo")]


def hands_of(cards: list[Card], *sizes: int) -> list[tuple[Card, ...]]:
    return [hand for size in sizes for hand in combinations_with_replacement(cards, size)]


# -- forced play, read back --


def test_21_24_27_forced_play_read_back_is_what_decides() -> None:
    table = grid(game("21-24-27").sheet(game("21-24-27").options), "Your hand")
    two = {twenty_one_24_27.total(hand) for hand in hands_of(WITH_JOKER, 2)}
    dealers = two - {Total(27, True)}
    players = {twenty_one_24_27.total(hand) for hand in hands_of(WITH_JOKER, 2, 3, 4)}
    for player, dealer in product(players, dealers):
        if not player.bust:
            told_there = actions(cell(table, total_kind(player), total_kind(dealer)))
            assert told_there == read_back(twenty_one_24_27.plays(player, dealer)), (player, dealer)


FINNISH_HANDS = {
    "first two cards": (finnish_27.Standing(2), (2,)),
    "a pair": (finnish_27.Standing(2, pair=True), (2,)),
    "one card after a split": (finnish_27.Standing(1, split=True), (1,)),
    "two cards after a split": (finnish_27.Standing(2, split=True), (2,)),
    "three cards or more": (finnish_27.Standing(3), (3, 4)),
}


@pytest.mark.parametrize("title", FINNISH_HANDS)
@pytest.mark.parametrize("reach", quick_first(finnish_27.Forced, [finnish_27.Forced.AFTER_HIT]))
@pytest.mark.parametrize("double_after_split", quick_first([True, False], [True]))
def test_finnish_27_forced_play_read_back_is_what_decides(
    title: str, reach: finnish_27.Forced, double_after_split: bool
) -> None:
    plays = game("finnish-27").with_options(
        {"forced_play": reach.value, "double_after_split": double_after_split}
    )
    table = grid(plays.sheet(plays.options), f"Your hand: {title}")
    standing, sizes = FINNISH_HANDS[title]
    first = [hand for hand in hands_of(WITH_JOKER, 2) if not finnish_27.initial_27(hand)]
    dealers = {finnish_27.total(hand) for hand in first}
    hands = hands_of(WITH_JOKER, *sizes) if standing.split or sizes[0] > 2 else first
    if not standing.split and sizes == (2,):
        hands = [hand for hand in hands if (hand[0] is hand[1]) is standing.pair]
    if standing.split:
        hands = [hand for hand in hands if hand[0] is not card("Jo")]
    players = {finnish_27.total(hand) for hand in hands}
    for player, dealer in product(players, dealers):
        if not player.bust:
            decided = finnish_27.plays(player, dealer, standing, double_after_split, reach)
            told_there = actions(cell(table, total_kind(player), total_kind(dealer)))
            assert told_there == read_back(decided), (player, dealer)


@pytest.mark.parametrize("offers", blackjack.Offers)
@pytest.mark.parametrize("resplit", quick_first([False, True], [True]))
@pytest.mark.parametrize("double_after_split", [False, True])
def test_blackjack_options_read_back_are_what_decides(
    offers: blackjack.Offers, resplit: bool, double_after_split: bool
) -> None:
    plays = game("blackjack").with_options(
        {"offers": offers.value, "resplit": resplit, "double_after_split": double_after_split}
    )
    allowed = blackjack.Allowed(double_after_split, resplit, offers)
    table = grid(plays.sheet(plays.options), "Your hand")
    two = [*product(RANKS, RANKS)]
    for split, cards in product((False, True), (*two, *hands_of(RANKS, 3, 4))):
        hand = grids.laid(cards, split=split)
        mine = blackjack.total(cards)
        if mine.bust or blackjack.is_blackjack(hand):
            continue
        first = blackjack.first_cards(hand)
        name = f"after a split: {first.value}" if split else first.value
        rows = [row for row in table.rows if name in row[0].split("; ")]
        found = [row[2] for row in rows if covers(row[1], total_kind(mine))]
        decided = blackjack.plays(mine, Up(RANKS[0]), first, split, allowed)
        assert [actions(each) for each in found] == [read_back(decided)], cards
        for up in RANKS:
            again = blackjack.plays(mine, Up(up), first, split, allowed)
            assert read_back(again) == read_back(decided), "no rule looks at the operator's card"


def test_casino_7_27_options_read_back_are_what_decides() -> None:
    plays = game("casino-7-27")
    table = grid(plays.sheet(plays.options), "Your hand")
    for cards in hands_of(RANKS, 2, 3, 4, 5):
        mine = casino_7_27.total(cards)
        if casino_7_27.settled_at_once(mine, casino_7_27.CasinoOptions()):
            continue
        kind = ("high", 27) if mine.high == 27 else ("low", mine.low)
        told_there = actions(cell(table, kind, ("any", 0)))
        assert told_there == read_back(casino_7_27.plays(mine, Up(RANKS[0]))), cards


@pytest.mark.parametrize("most", [0, 1, 3, 100])
def test_seven_twenty_seven_betting_read_back_is_what_decides(most: int) -> None:
    plays = game("seven-twenty-seven").with_options({"max_raises_per_round": most})
    rows = grid(plays.sheet(plays.options), "Betting").rows
    assert actions(rows[0][1])[0] == {Action.PASS, Action.BET}
    for raises in range(most + 1):
        found = [
            row[1] for row in rows[1:]
            if covers(f"raises {row[0].partition('so far: ')[2]}", ("raises", raises))
        ]  # fmt: skip
        decided = seven_27.bets(seven_27.Stage("", 1, raises=raises), most)
        assert [actions(each)[0] for each in found] == [set(decided.options)]


# -- the dealer, read back --

DEALERS: list[tuple[str, str, Any, Any, Any]] = [
    ("21-24-27", "The dealer's hand", WITH_JOKER, twenty_one_24_27.total,
     twenty_one_24_27.dealer_draws),
    ("finnish-27", "The dealer's hand", WITH_JOKER, finnish_27.total, finnish_27.dealer_draws),
    ("blackjack", "The operator's hand", RANKS, blackjack.total, blackjack.operator_draws),
    ("casino-7-27", "The dealer's hand", RANKS, casino_7_27.total, casino_7_27.dealer_draws),
]  # fmt: skip


@pytest.mark.parametrize(("name", "title", "cards", "total", "draws"), DEALERS, ids=lambda each: (
    each if isinstance(each, str) else ""
))  # fmt: skip
def test_the_dealers_play_read_back_is_what_decides(
    name: str, title: str, cards: list[Card], total: Any, draws: Any
) -> None:
    table = grid(game(name).sheet(game(name).options), title)
    for hand in hands_of(cards, 2, 3):
        counted = total(hand)
        one_less = total(hand[:-1])
        if len(hand) == 3 and draws(one_less) is None:
            continue
        kind = total_kind(counted) if isinstance(counted, Total) else ("high", counted.high)
        if kind == ("soft", 27) and len(hand) == 2 and name.endswith("27"):
            continue  # an initial 27 ends the round
        if name == "finnish-27" and len(hand) == 2 and finnish_27.initial_27(hand):
            continue
        found = [row[1] for row in table.rows if covers(row[0], kind)]
        over = counted.bust
        says = "must hit" if draws(counted) else "has too many" if over else "must stand"
        assert found == [says], hand


# -- what only a sentence tells --


def test_the_deal_is_described_in_the_order_of_the_script() -> None:
    def deal(name: str, **options: object) -> tuple[str, ...]:
        return section(rule_book(game(name).with_options(options)).sections, "The deal").lines

    assert deal("blackjack") == (
        "Each box in order: one card, face up.", "The operator: one card, face up.",
        "Each box in order: one card, face up.", "The operator: one card, face down.",
    )  # fmt: skip
    assert deal("casino-7-27") == (
        "Each seat in order: one card, face up.", "The dealer: one card, face up.",
        "Each seat in order: one card, face up.",
    )  # fmt: skip
    down_up = ("Each seat in order: one card, face down.", "Each seat in order: one card, face up.")
    assert deal("seven-twenty-seven") == down_up  # V727-A1
    assert deal("seven-twenty-seven", first_card="up") == down_up[::-1]


@pytest.mark.parametrize("up", RANKS, ids=lambda each: each.code)
def test_insurance_is_asked_where_the_sheet_says(up: Card) -> None:
    plays = game("blackjack")
    run = Run(plays, ((1, 1_000),))
    for each in (card("5h"), up, card("6h")):
        run.feed(each)
    run.feed(Sealed(card("9h")))
    asked = run.step
    assert isinstance(asked, Ask)
    lines = section(plays.sheet(plays.options), "Your options").lines
    assert "Insurance: asked of every box when the operator's first card is an ace." in lines
    assert (Action.INSURANCE in asked.play.options) is (up.rank == 1)  # BJ-A6


@pytest.mark.parametrize("up", RANKS, ids=lambda each: each.code)
def test_a_blackjack_is_paid_at_once_where_the_sheet_says(up: Card) -> None:
    plays = game("blackjack")
    run = Run(plays, ((1, 1_000),))
    for each in (card("Ah"), up, card("Kh"), Sealed(card("9h"))):
        run.feed(each)
    lines = section(plays.sheet(plays.options), "Blackjack").lines
    assert "Paid at once, unless the operator's first card is an ace or counts 10." in lines
    assert isinstance(run.step, Settle) is (1 < up.rank < 10)


def test_every_bonus_of_finnish_27_is_described_with_what_it_pays() -> None:
    plays = game("finnish-27").with_options({"bonus_999_suited": 12_300})
    table = grid(plays.sheet(plays.options), "Bonuses, on top of what a winning hand is paid")
    assert {row[0]: row[1] for row in table.rows} == {
        "Finnish 27": "1 to 2", "Jo Jo": "1 to 1", "8-9-10 mixed suits": "1 to 2",
        "8-9-10 hearts, clubs or diamonds": "1 to 1", "8-9-10 spades": "2 to 1",
        "9-9-9 mixed suits": "90.00", "9-9-9 same suit": "123.00",
        "9-9-9 against the dealer's 9-9": "9,990.00",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["21-24-27", "finnish-27"])
def test_first_hands_read_back_are_what_decides(name: str) -> None:
    table = grid(game(name).sheet(game(name).options), "First two cards")

    def sort(hand: tuple[Card, ...]) -> str:
        found = finnish_27.initial_27(hand)
        if found is None or (name == "21-24-27" and found is not finnish_27.Initial.FINNISH_27):
            return "another hand"
        return ENGLISH.say(found.title, finnish_27.WORDS)

    words = {"wins": Outcome.WIN, "loses": Outcome.LOSE, "pushes": Outcome.PUSH}
    for mine, theirs in product(hands_of(WITH_JOKER, 2), repeat=2):
        row = next(row for row in table.rows if row[0] == sort(mine))
        said = row[table.head.index(f"dealer: {sort(theirs)}")]
        if name == "21-24-27":
            result = twenty_one_24_27.initial_27(grids.laid(mine), grids.laid(theirs))
        else:
            result = finnish_27.initial_outcome(
                finnish_27.initial_27(mine), finnish_27.initial_27(theirs)
            )
        assert words.get(said.split(",")[0]) is (result.outcome if result else None)
        assert (" more" in said) is bool(result and result.bonus)


def test_showdowns_are_described_in_the_order_in_which_scores_win() -> None:
    plays = game("seven-twenty-seven").with_options({"showdown": "over-is-bust"})
    assert grid(plays.sheet(plays.options), "Showdown").rows == (
        ("nearest", "7, 6.5 = 7.5, 6 = 8", "27, 26.5 = 27.5, 26 = 28"),
        ("over-is-bust (in force)", "7, 6.5, 6; never 7.5, 8", "27, 26.5, 26; never 27.5, 28"),
        ("under-trumps-over", "7, 6.5, 7.5, 6, 8", "27, 26.5, 27.5, 26, 28"),
    )
