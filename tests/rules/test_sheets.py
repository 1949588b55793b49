"""The sheets say what is enforced: their tables, read back, agree with the deciding functions."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import Action, Outcome
from controller.rules.cards import Card, card
from controller.rules.engine.round import Run
from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.games import (
    blackjack,
    casino_7_27,
    finnish_27,
    seven_27,
    twenty_one_24_27,
)
from controller.rules.games.registry import GAMES, game
from controller.rules.hands import Total
from controller.rules.messages import message
from controller.rules.money import Odds
from controller.rules.options import about, plain, plain_value
from controller.rules.printed.markdown import WIDTH, all_as_markdown, as_markdown, as_text
from controller.rules.printed.rulebook import RuleBook, rule_book
from controller.rules.script.felt import Play, Up
from controller.rules.script.steps import Ask, Settle
from controller.rules.sealed import Sealed
from controller.rules.sheets import grids
from controller.rules.sheets.sheet import Kind, by_kind, label, spans
from tests.support.forms import examples
from tests.support.sheets import actions, cell, covers, grid, section, told

RANKS = [card(f"{rank}c") for rank in "A23456789TJQK"]
WITH_JOKER = [*RANKS, card("Jo")]
NOT_DEFAULT: dict[str, object] = {
    "min_bet": 500, "max_bet": 50_000, "smallest_chip": 100, "penetration_cards": 200,
    "burn_after_shuffle": 3, "burn_on_dealer_change": 1, "bonus_999_mixed": 100,
    "bonus_999_suited": 200, "bonus_999_jackpot": 300, "low_pays": "2:1", "high_pays": "2:1",
    "seven_27_pays": "20:1", "ante": 2_000, "min_raise": 2_000, "max_raise": 4_000,
    "max_raises_per_round": 3,
}  # fmt: skip
#: The ante bounds what is put in; these two bound the ante only.
#: What an option needs to change anything.
NEEDS: dict[str, dict[str, object]] = {"max_hands": {"resplit": True}}
NOT_IN_THE_RULES = {("seven-twenty-seven", "min_bet"), ("seven-twenty-seven", "max_bet")}


def changed(plays: Game, name: str) -> list[Game]:
    """The game with each other value of one option."""
    each = about(plays.options)[name]
    now = plain(plays.options)[name]
    values: list[object] = [plain_value(choice) for choice in each.choices]
    values = values or [NOT_DEFAULT[name]]
    return [
        plays.with_options({**NEEDS.get(name, {}), name: value}) for value in values if value != now
    ]


EVERY_GAME = [pytest.param(each, id=each.name) for each in GAMES.values()]
OPTIONS = [(plays, name) for plays in GAMES.values() for name in plain(plays.options)]
EVERY_CHANGE = [pytest.param(plays, name, id=f"{plays.name} {name}") for plays, name in OPTIONS]
#: One option in six stands for the others in the quick form.
SOME_CHANGES = [
    pytest.param(plays, name, id=f"{plays.name} {name}", marks=pytest.mark.long if at % 6 else ())
    for at, (plays, name) in enumerate(OPTIONS)
]


def total_kind(total: Total) -> Kind:
    return ("soft" if total.soft else "hard"), total.points


def hands_of(cards: list[Card], *sizes: int) -> list[tuple[Card, ...]]:
    return [hand for size in sizes for hand in combinations_with_replacement(cards, size)]


# -- what is on a sheet --


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_every_option_and_all_odds_are_reported(plays: Game) -> None:
    text = as_text(rule_book(plays))
    for name in plain(plays.options):
        assert name in text
    odds = {*plays.pays(plays.options)}
    odds |= {each for name in plain(plays.options)
             if isinstance(each := getattr(plays.options, name), Odds)}  # fmt: skip
    for each in odds:
        assert str(each) in text


@cache
def described(game: str, options: tuple[tuple[str, object], ...]) -> RuleBook:
    """The rule book of a game with these options, made once."""
    return rule_book(GAMES[game].with_options(dict(options)))


@pytest.mark.parametrize(("plays", "name"), EVERY_CHANGE)
def test_an_option_changes_the_rules_that_are_described(plays: Game, name: str) -> None:
    before = described(plays.name, tuple(NEEDS.get(name, {}).items()))
    for other in changed(plays, name):
        after = rule_book(other)
        value, default = (plain(each.options)[name] for each in (other, plays))
        row = next(row for row in grid(after.sections, "House options").rows if row[0] == name)
        assert row[1] == f"{value} (default: {default})".lower()
        if (plays.name, name) not in NOT_IN_THE_RULES:
            assert [each for each in after.sections if each.title != "House options"] != [
                each for each in before.sections if each.title != "House options"
            ]


@pytest.mark.parametrize(("plays", "name"), SOME_CHANGES)
def test_no_line_is_longer_than_a_terminal_of_a_hundred_columns(plays: Game, name: str) -> None:
    for each in (plays, *changed(plays, name)):
        assert max(map(len, as_text(rule_book(each)).splitlines())) <= WIDTH == 100


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_text_and_markdown_say_the_same_as_the_data(plays: Game) -> None:
    book = rule_book(plays)
    text, markdown = " ".join(as_text(book).split()), as_markdown(book)
    assert [each["title"] for each in book.as_data()["sections"]] == [
        each.title for each in book.sections
    ]
    for part in book.sections:
        assert part.title in text
        assert f"## {part.title}\n" in markdown
        for line in part.lines:
            assert line in text
            assert f"- {line}\n" in markdown
        for row in part.grid.rows if part.grid else ():
            assert f"| {' | '.join(row)} |\n" in markdown


# -- the house's edge --


def test_a_negative_edge_is_the_first_that_is_reported() -> None:
    book = rule_book(game("casino-7-27"))  # C727-A10
    assert book.house_loses
    assert as_text(book).splitlines()[0] == book.edge
    assert book.edge.startswith("THE HOUSE LOSES: THE PLAYERS' EDGE IS 20.93 %")
    assert f"**{book.edge}**" in as_markdown(book).splitlines()[:3]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("blackjack", {"blackjack_pays": "6:5"}, "House edge 2.08 % (exact"),  # BJ-A1
        ("blackjack", {"blackjack_pays": "6:5", "peek": True}, "House edge 1.97 % (exact"),
        ("blackjack", {"penetration_cards": 200}, "House edge 0.72 %"),
        ("blackjack", {"resplit": True}, "House edge 0.68 % (exact"),  # BJ-A3
        ("blackjack", {"max_hands": 3}, "House edge 0.72 %"),
        ("finnish-27", {"double_after_split": False}, "House edge 0.84 %"),  # F27-A1
        ("finnish-27", {"min_bet": 500}, "House edge not computed."),  # F27-A9
        ("casino-7-27", {"low_pays": "1:1"}, "THE HOUSE LOSES: THE PLAYERS' EDGE IS"),
        ("casino-7-27", {"decks": 6}, "THE HOUSE LOSES"),
        ("casino-7-27", {"low_pays": "7:2"}, "THE HOUSE LOSES"),
        ("casino-7-27", {"seven_27_pays": "4:1"}, "THE HOUSE LOSES: THE PLAYERS' EDGE IS 19.75 %"),
        ("casino-7-27", {"high_pays": "9:10"}, "THE HOUSE LOSES: THE PLAYERS' EDGE IS 0.74 %"),
        ("casino-7-27", {"seven_27_pays": "30:1", "decks": 6}, "THE HOUSE LOSES"),
    ],
)
def test_the_edge_is_that_of_the_options_or_not_computed(
    name: str, options: dict[str, object], says: str
) -> None:
    assert rule_book(game(name).with_options(options)).edge.startswith(says)


# -- forced play, read back --


def test_21_24_27_forced_play_read_back_is_what_decides() -> None:
    table = grid(game("21-24-27").sheet(game("21-24-27").options), "Your hand")
    two = {twenty_one_24_27.total(hand) for hand in hands_of(WITH_JOKER, 2)}
    dealers = two - {Total(27, True)}
    players = {twenty_one_24_27.total(hand) for hand in hands_of(WITH_JOKER, 2, 3, 4)}
    for player, dealer in product(players, dealers):
        if not player.bust:
            told_there = actions(cell(table, total_kind(player), total_kind(dealer)))
            assert told_there == told(twenty_one_24_27.plays(player, dealer)), (player, dealer)


FINNISH_HANDS = {
    "first two cards": (finnish_27.Standing(2), (2,)),
    "a pair": (finnish_27.Standing(2, pair=True), (2,)),
    "one card after a split": (finnish_27.Standing(1, split=True), (1,)),
    "two cards after a split": (finnish_27.Standing(2, split=True), (2,)),
    "three cards or more": (finnish_27.Standing(3), (3, 4)),
}


@pytest.mark.parametrize("title", FINNISH_HANDS)
@pytest.mark.parametrize("reach", finnish_27.Forced)
@pytest.mark.parametrize("double_after_split", [True, False])
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
            assert told_there == told(decided), (player, dealer)


@pytest.mark.parametrize("offers", blackjack.Offers)
@pytest.mark.parametrize("resplit", [False, True])
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
        assert [actions(each) for each in found] == [told(decided)], cards
        for up in RANKS:
            again = blackjack.plays(mine, Up(up), first, split, allowed)
            assert told(again) == told(decided), "no rule looks at the operator's card"


def test_casino_7_27_options_read_back_are_what_decides() -> None:
    plays = game("casino-7-27")
    table = grid(plays.sheet(plays.options), "Your hand")
    for cards in hands_of(RANKS, 2, 3, 4, 5):
        mine = casino_7_27.total(cards)
        if casino_7_27.settled_at_once(mine, casino_7_27.CasinoOptions()):
            continue
        kind = ("high", 27) if mine.high == 27 else ("low", mine.low)
        told_there = actions(cell(table, kind, ("any", 0)))
        assert told_there == told(casino_7_27.plays(mine, Up(RANKS[0]))), cards


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


# -- how totals are folded --

PLAYERS = by_kind([*map(Total, range(3, 28)), *(Total(n, True) for n in range(16, 28))])
DEALERS_TWO = by_kind([*map(Total, range(20, 27)), *(Total(n, True) for n in range(20, 27))])
CHOICES = [(Action.HIT,), (Action.STAND,), (Action.STAND, Action.HIT), (Action.HIT, Action.SPLIT)]


@examples(10, long=500)
@given(seed=st.randoms(use_true_random=False), alike=st.booleans())
def test_any_rule_that_is_folded_reads_back_as_itself(seed: Any, alike: bool) -> None:
    """Dealers by ranges, by comparison, and a mixture of both."""
    by_how = {(how, soft): seed.choice(CHOICES) for how, soft in product((-1, 0, 1), (False, True))}
    columns = [
        {player: seed.choice(CHOICES[: 2 + 2 * (player.points > 20)]) for player in PLAYERS}
        for _ in range(2)
    ]
    which = {dealer: seed.randrange(3) for dealer in DEALERS_TWO}

    def plays(player: Total, dealer: Total) -> Play[Total, Total]:
        how = (player.points > dealer.points) - (player.points < dealer.points)
        column = which[dealer]
        options = (
            (Action.STAND,)
            if player.points == 27 and alike
            else by_how[how, player.soft]
            if column == 2
            else columns[column][player]
        )
        return Play(options, message("why"), player, dealer)

    table = grids.play_grid(PLAYERS, DEALERS_TWO, plays, 27)
    for player, dealer in product(PLAYERS, DEALERS_TWO):
        said = actions(cell(table, total_kind(player), total_kind(dealer)))[0]
        assert said == set(plays(player, dealer).options), (player, dealer)


def test_a_rule_that_looks_at_more_than_the_table_shows_is_not_tabled() -> None:
    def plays(player: Total, dealer: Card) -> Play[Total, Card]:
        hearts = dealer.code.endswith("h")
        return Play((Action.HIT,) if hearts else (Action.STAND,), message("why"), player, dealer)

    ups = {card("5h"): ("up", 5), card("5c"): ("up", 5)}
    with pytest.raises(grids.Undecided, match="must stand"):
        grids.play_grid(PLAYERS, ups, plays)


def test_neighbours_are_those_that_come_next_among_all() -> None:
    assert spans([2, 4, 6, 10], [2, 4, 6, 8, 10]) == "2-6, 10"
    assert spans([], [1]) == ""
    every = [("hard", 2), ("hard", 3), ("soft", 14), ("soft", 16)]
    assert label(every[1:], every) == "hard 3, soft 14-16"
    assert label(every, every) == "any"


def test_all_rule_books_make_one_page() -> None:
    books: list[RuleBook] = [rule_book(each) for each in GAMES.values()]
    page = all_as_markdown(books)
    for book in books:
        assert f"\n## {book.title}\n" in page
        assert f"[{book.title}](#{book.title.lower().replace(' ', '-')})" in page


@pytest.mark.parametrize("name", GAMES)
def test_cells_that_leave_no_choice_are_named(name: str) -> None:
    for each in rule_book(game(name), "EUR").sections:
        if each.grid is not None:
            assert set(each.grid.forced) == {
                (row, column)
                for row, cells in enumerate(each.grid.rows)
                for column, text in enumerate(cells)
                if text.split(" ")[0] == "must"
            }


def test_a_forced_play_is_among_them() -> None:
    tables = [each.grid for each in rule_book(game("finnish-27"), "EUR").sections if each.grid]
    assert any(each.forced for each in tables)


def test_a_rank_is_named_by_its_number_or_its_word() -> None:
    named = [card(each).rank_name for each in ("Ah", "2c", "7d", "Th", "Jh", "Kc")]
    assert named == ["Ace", "2", "7", "10", "Jack", "King"]
