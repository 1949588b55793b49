"""Rule sheets and procedures are in the reader's language, with nothing English left in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from controller.languages.languages import LANGUAGES, language
from controller.rules.game import Game
from controller.rules.games.registry import GAMES, game
from controller.rules.options import about, plain, plain_text, plain_value
from controller.rules.printed.markdown import WIDTH, as_text
from controller.rules.printed.rulebook import RuleBook, rule_book
from controller.rules.sheets.sheet import Section
from controller.rules.spoken import speaking
from controller.table.inputs import WindowTimes
from controller.table.irregularities.procedures import PROFILES, procedures
from controller.table.views.clock_rules import clock_sections
from controller.table.views.procedures import sections
from tests.languages.pseudo import pseudo_language
from tests.languages.test_views import NAMES_OF, WORD
from tests.languages.wordiest import WORDIEST
from tests.support.forms import quick_first
from tests.support.sheets import grid

#: Options that print what the defaults do not; the values of `test_sheets.NOT_DEFAULT` alike.
OTHERWISE: Final[dict[str, dict[str, object]]] = {
    "21-24-27": {"burn_on_dealer_change": 1, "burn_after_shuffle": 0},
    "finnish-27": {"forced_play": "after_hit", "double_after_split": False},
    "casino-7-27": {"decks": 6, "low_pays": "1:1"},
    "blackjack": {"peek": True, "resplit": True, "offers": "only"},
    "seven-twenty-seven": {"free_ace": True, "showdown": "over-is-bust", "first_card": "up"},
}
TABLES: Final = [
    plays.with_options(chosen) for plays in GAMES.values() for chosen in ({}, OTHERWISE[plays.name])
]
every_table = pytest.mark.parametrize("plays", TABLES, ids=lambda plays: plays.name)
TRANSLATED: Final = [code for code in LANGUAGES if code != "en"]
#: What a rule or a law is called.
CITED: Final = re.compile(
    r"\b(F27|G21|C727|BJ|V727)-A\d+(, A\d+)*|S\.D\. Admin\. R\. [\d:]+"
    r"|NSW mini baccarat rules? [\d.]+( and [\d.]+)?"
    r"|Queensland Casino Gaming Rule 2010 \(V4B, p\. 340, s 32\)"
    r"|Deadwood, South Dakota|\bJo Jo\b|\bJoanca\b"
)


def typed(plays: Game) -> set[str]:
    """What a file says: names of options and their values, the same in every language."""
    words = {plain_text(value) for value in plain(plays.options).values()}
    for each in about(plays.options).values():
        words |= {plain_text(plain_value(choice)) for choice in each.choices}
    return words | about(plays.options).keys()


def texts(parts: tuple[Section, ...]) -> Iterator[str]:
    for each in parts:
        yield each.title
        yield from each.lines
        if each.grid:
            yield from each.grid.head
            for row in each.grid.rows:
                yield from row


def english_in(said: Iterator[str], names: set[str]) -> list[str]:
    """The texts that are still English."""
    alike = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in sorted(names, key=len)[::-1]))
    return [
        each
        for each in said
        if WORD.search(CITED.sub("", NAMES_OF.sub("", alike.sub("", each) if names else each)))
    ]


@every_table
def test_a_rule_sheet_says_nothing_past_the_catalogue(plays: Game) -> None:
    with speaking(pseudo_language()):
        book = rule_book(plays, "EUR")
    assert english_in(iter((book.rule, book.edge)), set()) == []
    assert english_in(texts(book.sections), typed(plays)) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_procedures_and_clocks_say_nothing_past_the_catalogue(profile: str) -> None:
    times = WindowTimes(
        bets_ms=30_500, last_call_ms=5_000, card_closes=True, decision_ms=20_000,
        insurance_ms=10_000,
    )  # fmt: skip
    with speaking(pseudo_language()):
        parts = (*sections(procedures(profile)), *clock_sections(times))
    # A unit stands after its number in any language.
    assert english_in((re.sub(r"(?<=\d) s\b", "", each) for each in texts(parts)), set()) == []


def book_in(code: str, plays: Game) -> RuleBook:
    with speaking(language(code)):
        return rule_book(plays, "EUR")


@pytest.mark.parametrize("code", quick_first(TRANSLATED, [WORDIEST]))
@pytest.mark.parametrize("plays", quick_first(TABLES, TABLES[::3]), ids=lambda plays: plays.name)
def test_a_rule_sheet_has_one_shape_in_every_language(code: str, plays: Game) -> None:
    """Nothing is folded together by a translation, and what is forced stands out alike."""
    english, there = rule_book(plays, "EUR"), book_in(code, plays)
    assert len(there.sections) == len(english.sections)
    for one, other in zip(english.sections, there.sections, strict=True):
        assert len(other.lines) == len(one.lines)
        assert (other.grid is None) is (one.grid is None)
        if one.grid and other.grid:
            assert [len(row) for row in other.grid.rows] == [len(row) for row in one.grid.rows]
            assert other.grid.forced == one.grid.forced
            assert len({*other.grid.rows}) == len({*one.grid.rows})
    assert there.house_loses is english.house_loses


@pytest.mark.parametrize("code", quick_first(TRANSLATED, [WORDIEST]))
@pytest.mark.parametrize("plays", quick_first(TABLES, TABLES[::3]), ids=lambda plays: plays.name)
def test_no_line_of_a_sheet_is_longer_than_a_terminal(code: str, plays: Game) -> None:
    assert max(map(len, as_text(book_in(code, plays)).splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("code", "pack", "pays"),
    [
        ("fi", "1\u20137 pelaajaa; 8 pakkaa, kussakin 52, yhteensä 416 korttia.", "3:2"),
        ("de", "1 bis 7 Spieler; 8 Decks zu 52, 416 Karten.", "gewinnt, gezahlt 3:2"),
        ("es", "De 1 a 7 jugadores; 8 barajas de 52, 416 cartas.", "gana, se paga 3 a 2"),
        ("lv", "No 1 līdz 7 spēlētājiem; 8 kavas pa 52, 416 kāršu.", "uzvar, maksā 3:2"),
    ],
)
def test_numbers_have_the_nouns_and_odds_the_form_of_the_language(
    code: str, pack: str, pays: str
) -> None:
    said = list(texts(book_in(code, game("blackjack")).sections))
    assert pack in said
    assert any(pays in each for each in said)


@pytest.mark.parametrize(
    ("code", "limits", "edge", "scores"),
    [
        ("fi", "Minimi 10,00, maksimi 1\u00a0000,00, valuutta EUR.", "0,72 %", "26,5 = 27,5"),
        ("de", "Minimum 10,00, Maximum 1.000,00, in EUR.", "0,72 %", "26,5 = 27,5"),
        ("es", "Mínimo 10,00, máximo 1.000,00, en EUR.", "0,72 %", "26,5 = 27,5"),
    ],
)
def test_amounts_and_numbers_are_written_as_people_there_write_them(
    code: str, limits: str, edge: str, scores: str
) -> None:
    book = book_in(code, game("blackjack"))
    assert limits in list(texts(book.sections))
    assert edge in book.edge
    said = list(texts(book_in(code, game("seven-twenty-seven")).sections))
    assert any(scores in each for each in said)


@pytest.mark.parametrize(("code", "cards"), [("lv", "6 kavas"), ("fi", "6 pakkaa")])
def test_the_plural_of_six_decks(code: str, cards: str) -> None:
    assert any(cards in each for each in texts(book_in(code, game("21-24-27")).sections))


def test_options_keep_the_names_by_which_a_file_sets_them() -> None:
    plays = game("blackjack").with_options({"peek": True})
    english = grid(rule_book(plays).sections, "House options")
    finnish = grid(book_in("fi", plays).sections, "Talon valinnat")
    assert [row[0] for row in finnish.rows] == [row[0] for row in english.rows]
    assert ("peek", "true (oletus: false)") in [row[:2] for row in finnish.rows]
