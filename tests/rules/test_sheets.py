"""What is on a rule sheet: every option, all odds, the edge; alike as text, markdown and data."""

from __future__ import annotations

from functools import cache

import pytest

from controller.rules.cards import card
from controller.rules.game import Game
from controller.rules.games.registry import GAMES, game
from controller.rules.money import Odds
from controller.rules.options import about, plain, plain_value
from controller.rules.printed.markdown import WIDTH, all_as_markdown, as_markdown, as_text
from controller.rules.printed.rulebook import RuleBook, rule_book
from tests.support.forms import long_only
from tests.support.sheets import grid

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
#: One option in nine stands for the others in the quick form.
SOME_CHANGES = [
    pytest.param(plays, name, id=f"{plays.name} {name}", marks=pytest.mark.long if at % 9 else ())
    for at, (plays, name) in enumerate(OPTIONS)
]


# -- what is on a sheet --


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_every_option_and_all_odds_are_reported(plays: Game) -> None:
    text = as_text(described(plays))
    for name in plain(plays.options):
        assert name in text
    odds = {*plays.pays(plays.options)}
    odds |= {each for name in plain(plays.options)
             if isinstance(each := getattr(plays.options, name), Odds)}  # fmt: skip
    for each in odds:
        assert str(each) in text


@cache
def described(plays: Game) -> RuleBook:
    """The rule book of a game as it is set, made once."""
    return rule_book(plays)


@pytest.mark.parametrize(("plays", "name"), SOME_CHANGES)
def test_an_option_changes_the_rules_that_are_described(plays: Game, name: str) -> None:
    before = described(plays.with_options(NEEDS[name]) if name in NEEDS else plays)
    for other in changed(plays, name):
        after = described(other)
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
        assert max(map(len, as_text(described(each)).splitlines())) <= WIDTH == 100


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_text_and_markdown_say_the_same_as_the_data(plays: Game) -> None:
    book = described(plays)
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
        long_only("blackjack", {"penetration_cards": 200}, "House edge 0.72 %"),
        ("blackjack", {"resplit": True}, "House edge 0.68 % (exact"),  # BJ-A3
        long_only("blackjack", {"max_hands": 3}, "House edge 0.72 %"),
        long_only("finnish-27", {"double_after_split": False}, "House edge 0.84 %"),  # F27-A1
        ("finnish-27", {"min_bet": 500}, "House edge not computed."),  # F27-A9
        ("casino-7-27", {"low_pays": "1:1"}, "THE HOUSE LOSES: THE PLAYERS' EDGE IS"),
        long_only("casino-7-27", {"decks": 6}, "THE HOUSE LOSES"),
        long_only("casino-7-27", {"low_pays": "7:2"}, "THE HOUSE LOSES"),
        long_only(
            "casino-7-27", {"seven_27_pays": "4:1"}, "THE HOUSE LOSES: THE PLAYERS' EDGE IS 19.75 %"
        ),
        ("casino-7-27", {"high_pays": "9:10"}, "THE HOUSE LOSES: THE PLAYERS' EDGE IS 0.74 %"),
        long_only("casino-7-27", {"seven_27_pays": "30:1", "decks": 6}, "THE HOUSE LOSES"),
    ],
)
def test_the_edge_is_that_of_the_options_or_not_computed(
    name: str, options: dict[str, object], says: str
) -> None:
    assert rule_book(game(name).with_options(options)).edge.startswith(says)


def test_all_rule_books_make_one_page() -> None:
    books: list[RuleBook] = [described(each) for each in GAMES.values()]
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
