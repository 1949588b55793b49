"""A card is told when every reader allows it; each of them alone can forbid it."""

from dataclasses import replace

import numpy as np
import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, card
from drivers.code_book import Code
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck import Match
from drivers.vision.combine import at_a_glance, with_code, with_deck
from drivers.vision.decision import another_ink, decide_card
from drivers.vision.frame_reading import FrameReading
from drivers.vision.nets import RANKS, ClassScores
from drivers.vision.observations import Limits, Observations
from tests.drivers.vision.network_scores import face, heard, index

LIMITS = Limits()
RED = 0.7


def named(reading: FrameReading) -> str | Doubt:
    """The card's code, or why none."""
    if reading.card is not None:
        return reading.card.code
    assert reading.doubt is not None
    return reading.doubt


def decided(said: Observations, style: PrintedStyle | None = None) -> str | Doubt:
    """The card's code, or why none."""
    return named(decide_card(said, LIMITS, style))


@pytest.mark.parametrize(
    ("text", "suit", "shows", "redness", "code"),
    [
        ("10", "h", "10", RED, "Th"),
        ("2", "s", "2", 0.0, "2s"),
        ("A", "d", "1", RED, "Ad"),
        ("1", "c", "1", 0.0, "Ac"),
        ("J", "s", "court", 0.0, "Js"),
        ("11", "s", "court", 0.0, "Js"),
        ("12", "h", "court", RED, "Qh"),
        ("Q", "h", "court", RED, "Qh"),
        ("13", "c", "court", 0.0, "Kc"),
        ("K", "c", "court", 0.0, "Kc"),
    ],
)
def test_both_styles_tell_their_cards(
    text: str, suit: str, shows: str, redness: float, code: str
) -> None:
    assert decided(heard(text, suit, shows, redness=redness)) == code


def test_an_eleven_of_which_only_the_first_digit_is_seen_is_no_ace() -> None:
    assert decided(heard("1", "s", "court")) is Doubt.VOTES_DIFFER
    assert decided(heard("1", "s", "1", alone=False)) is Doubt.UNSURE


def test_a_ten_cut_to_a_one_is_no_ace() -> None:
    assert decided(heard("1", "s", "10")) is Doubt.VOTES_DIFFER


def test_red_ink_is_no_black_suit() -> None:
    assert decided(heard("7", "s", "7", redness=RED)) is Doubt.INK_COLOUR
    assert decided(heard("7", "h", "7", redness=0.0)) is Doubt.INK_COLOUR


def test_ink_between_red_and_black_is_neither() -> None:
    assert decided(heard("7", "s", "7", redness=0.2)) is Doubt.INK_COLOUR
    assert decided(heard("7", "h", "7", redness=0.2)) is Doubt.INK_COLOUR


@pytest.mark.parametrize(
    ("suit", "pips", "said"),
    [
        ("h", RED, "7h"), ("d", RED, "7d"), ("s", 0.0, "7s"),
        ("s", RED, Doubt.INK_COLOUR), ("h", 0.0, Doubt.INK_COLOUR), ("h", 0.2, Doubt.INK_COLOUR),
    ],
)  # fmt: skip
def test_where_the_index_s_ink_is_between_two_colours_the_pips_ink_says_it(
    suit: str, pips: float, said: str | Doubt
) -> None:
    seven = replace(heard("7", suit, "7", redness=0.2), pips_redness=pips)
    assert decided(seven) == said


def test_the_pips_ink_is_not_asked_where_an_index_s_is_clear() -> None:
    seven = heard("7", "h", "7")
    assert decided(replace(seven, redness=(0.2, RED), pips_redness=0.0)) == "7h"


@pytest.mark.parametrize(("suit", "said"), [("d", "7d"), ("c", "7c"), ("s", "7s")])
def test_blue_and_green_are_the_inks_of_a_four_colour_deck(suit: str, said: str) -> None:
    assert decided(heard("7", suit, "7", redness=-0.8)) == said


def test_no_heart_is_blue() -> None:
    assert decided(heard("7", "h", "7", redness=-0.8)) is Doubt.INK_COLOUR


def test_one_index_on_a_card_whose_other_corner_is_plain_paper_is_no_card() -> None:
    """A shop's own card with the Ace of diamonds in a corner."""
    said = heard("7", "s", "7")
    one = replace(said, a=[said.a[0], index("", "")], b=[said.b[0], index("", "")])
    assert decided(one) == "7s"
    assert decided(replace(one, plain=(False, True))) is Doubt.UNSURE
    ace = replace(one, a=[index("A", "s"), one.a[1]], b=[index("A", "s"), one.b[1]], face=face(""))
    assert decided(ace) is Doubt.UNSURE


def test_pips_that_hardly_show_the_suit_of_the_index_forbid_it() -> None:
    said = heard("7", "s", "7")
    unclear = ClassScores(face("7").ranks, np.array([0.45, 0.0, 0.0, 0.1, 0.45]))
    assert decided(replace(said, face=unclear)) is Doubt.VOTES_DIFFER


def test_an_ornate_ace_shows_no_pip_but_a_1_must() -> None:
    assert decided(heard("A", "s", "")) == "As"
    assert decided(heard("A", "s", "court")) is Doubt.VOTES_DIFFER
    assert decided(heard("1", "s", "")) is Doubt.VOTES_DIFFER


def test_a_corner_between_red_and_black_leaves_the_other_to_tell() -> None:
    for beside, expected in ((0.6, "7h"), (0.05, Doubt.INK_COLOUR), (None, Doubt.INK_COLOUR)):
        assert decided(replace(heard("7", "h", "7"), redness=(0.2, beside))) == expected
    assert decided(replace(heard("7", "h", "7"), redness=(0.6, 0.05))) is Doubt.INK_COLOUR


@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_a_red_corner_and_a_blue_one_are_of_no_card(suit: str) -> None:
    """Diamonds may be red or blue: such a frame once ended the reader, and the table's camera."""
    for redness in ((0.6, -0.5), (-0.5, 0.6)):
        assert decided(replace(heard("7", suit, "7"), redness=redness)) is Doubt.INK_COLOUR


def test_one_corner_against_the_other_is_no_card() -> None:
    said = heard("7", "s", "7")
    other = [index("7", "s"), index("2", "s")]
    assert decided(replace(said, a=other)) is Doubt.CORNERS_DIFFER
    assert decided(replace(said, a=other, b=other)) is Doubt.CORNERS_DIFFER
    other = [index("7", "s"), index("7", "c")]
    assert decided(replace(said, b=other)) is Doubt.CORNERS_DIFFER


def test_pips_that_do_not_fit_the_index_forbid_the_card() -> None:
    assert decided(heard("7", "s", "8")) is Doubt.VOTES_DIFFER
    assert decided(replace(heard("7", "s", "7"), face=face("7", "c"))) is Doubt.VOTES_DIFFER


def test_pips_of_the_other_colour_forbid_the_card() -> None:
    """The rank of a seven of clubs that lies over the diamond of another card's corner."""
    said = heard("7", "d", "7", redness=0.6)
    assert decided(replace(said, face=face("7", "d"))) == "7d"
    assert decided(replace(said, face=face("7", "c"))) is Doubt.VOTES_DIFFER


def test_a_hidden_lower_corner_does_not_hide_a_pip_card_but_a_court_card() -> None:
    blind = index("", "")
    for text, shows, expected in (("7", "7", "7s"), ("11", "court", Doubt.UNSURE)):
        votes = [index(text, "s"), blind]
        assert decided(replace(heard(text, "s", shows), a=votes, b=votes)) == expected


def test_no_index_is_no_joker() -> None:
    assert decided(heard("", "", "")) is Doubt.BACK
    assert decided(heard("", "", "court")) is Doubt.BACK


def test_the_word_joker_in_the_corner_is_one() -> None:
    assert decided(heard("JOKER", "", "court")) == "Jo"
    assert decided(heard("JOKER", "", "7")) is Doubt.VOTES_DIFFER


def test_unsure_readers_tell_nothing() -> None:
    assert decided(heard("7", "s", "7", sure=0.45)) is Doubt.UNSURE


def test_the_style_of_the_table_rules_the_other_out() -> None:
    assert decided(heard("J", "s", "court"), PrintedStyle.FINNISH) is Doubt.OTHER_STYLE
    assert decided(heard("11", "s", "court"), PrintedStyle.ANGLO) is Doubt.OTHER_STYLE
    assert decided(heard("11", "s", "court"), PrintedStyle.FINNISH) == "Js"


def test_the_style_of_the_table_settles_what_only_the_other_style_leaves_open() -> None:
    votes = [replace(index("11", "s", 0.65, "J"), suits=index("11", "s").suits)] * 2
    between = replace(heard("11", "s", "court"), a=votes, b=votes)
    assert decided(between) is Doubt.UNSURE
    assert decided(between, PrintedStyle.FINNISH) == "Js"
    assert decided(between, PrintedStyle.ANGLO) is Doubt.OTHER_STYLE


@pytest.mark.parametrize(
    ("style", "text", "code"),
    [
        (PrintedStyle.GERMAN, "D", "Qs"),
        (PrintedStyle.GERMAN, "B", "Js"),
        (PrintedStyle.GERMAN, "A", "As"),
        (PrintedStyle.NORDIC, "Kn", "Js"),
        (PrintedStyle.NORDIC, "E", "As"),
        (PrintedStyle.FRENCH, "V", "Js"),
        (PrintedStyle.FRENCH, "R", "Ks"),
        (PrintedStyle.RUSSIAN, "B", "Js"),
        (PrintedStyle.RUSSIAN, "Д", "Qs"),
        (PrintedStyle.RUSSIAN, "T", "As"),
    ],
)
def test_letters_of_other_countries_are_cards_where_their_style_is_chosen(
    style: PrintedStyle, text: str, code: str
) -> None:
    shows = "1" if code[0] == "A" else "court"
    assert decided(heard(text, "s", shows), style) == code


@pytest.mark.parametrize("style", [None, PrintedStyle.FINNISH, PrintedStyle.ANGLO])
@pytest.mark.parametrize("text", ["B", "D", "V", "R", "E", "T", "Kn", "Д"])
def test_letters_of_other_countries_are_no_cards_elsewhere(
    style: PrintedStyle | None, text: str
) -> None:
    assert decided(heard(text, "s", "court"), style) is Doubt.OTHER_STYLE


def test_a_letter_of_one_country_is_no_card_of_another() -> None:
    assert decided(heard("Д", "s", "court"), PrintedStyle.GERMAN) is Doubt.OTHER_STYLE
    assert decided(heard("V", "s", "court"), PrintedStyle.RUSSIAN) is Doubt.OTHER_STYLE
    assert decided(heard("J", "s", "court"), PrintedStyle.NORDIC) is Doubt.OTHER_STYLE


def test_one_network_that_is_sure_of_a_foreign_letter_forbids_the_card() -> None:
    one = index("Д", "s", 0.95, "Q")
    queen = index("Q", "s")
    said = replace(heard("Q", "s", "court"), a=[one, queen], b=[queen, queen])
    assert decided(said) is Doubt.OTHER_STYLE


MATCH = Match(card("7s"), 0.95, 0.8, card("7c"))


def _of_deck(said: Observations, match: Match) -> str | Doubt:
    return named(with_deck(decide_card(said, LIMITS), said, match, LIMITS))


def test_the_deck_tells_a_card_that_the_index_leaves_open() -> None:
    open_ = heard("7", "s", "7", sure=0.45)
    assert _of_deck(open_, MATCH) == "7s"
    assert _of_deck(open_, replace(MATCH, margin=0.3)) is Doubt.UNSURE


def test_the_deck_forbids_what_it_does_not_know() -> None:
    assert _of_deck(heard("7", "s", "7"), replace(MATCH, card=card("8s"))) is Doubt.VOTES_DIFFER
    assert _of_deck(heard("7", "s", "7"), replace(MATCH, likeness=0.3)) is Doubt.OTHER_DECK


def test_a_deck_that_hardly_tells_two_cards_apart_confirms_neither() -> None:
    """Under blur both index readers may take a small club for a spade, and so may the deck."""
    queen = Match(card("Qs"), 0.91, 0.22, card("Qc"))
    assert _of_deck(heard("12", "s", "court"), queen) is Doubt.VOTES_DIFFER
    assert _of_deck(heard("12", "s", "court"), replace(queen, margin=0.6)) == "Qs"
    verdict = FrameReading(card("Qs"), confidence=0.98, index_text="12")
    assert at_a_glance(verdict, Match(card("Qs"), 0.9, 0.0, None), LIMITS) == verdict
    strange = at_a_glance(verdict, Match(card("Qs"), 0.4, 0.0, None), LIMITS)
    assert strange.doubt is Doubt.OTHER_DECK


def test_the_deck_tells_no_card_with_a_letter_of_another_style() -> None:
    queen = Match(card("Qh"), 0.9, 0.9, card("Jc"), (1.1, 1.1))
    assert _of_deck(heard("R", "h", "court", redness=RED, sure=0.85), queen) is Doubt.OTHER_STYLE


def test_the_deck_alone_does_not_tell_clubs_from_spades_on_a_court() -> None:
    """A Jack of clubs under blur: the index left the suit open, the deck was sure of spades."""
    unsure = heard("11", "s", "court", sure=0.45)
    jack = Match(card("Js"), 0.95, 1.08, card("Jc"))
    assert _of_deck(unsure, jack) is Doubt.UNSURE
    assert _of_deck(unsure, replace(jack, second=card("Qs"))) is Doubt.UNSURE
    sign = [replace(each, suits=index("11", "s").suits) for each in unsure.a]
    assert _of_deck(replace(unsure, a=sign, b=sign), jack) == "Js"
    seven = Match(card("7s"), 0.95, 1.08, card("7c"))
    assert _of_deck(heard("7", "s", "7", sure=0.45), seven) == "7s"


def test_the_sign_and_the_figure_together_tell_clubs_from_spades_on_a_court() -> None:
    unsure = heard("11", "s", "court", sure=0.45)
    jack = Match(card("Js"), 0.95, 1.08, card("Jc"))
    for witnesses, expected in (
        ((1.0, 0.9), "Js"),
        ((1.0, None), Doubt.UNSURE),  # a letter for a figure: only the sign differs
        ((1.0, 0.4), Doubt.UNSURE),
        ((0.4, 1.0), Doubt.UNSURE),
    ):
        assert _of_deck(unsure, replace(jack, witnesses=witnesses)) == expected


def test_the_deck_alone_tells_nothing_against_clear_corners() -> None:
    said = replace(heard("7", "c", "7"), face=face("9"))
    assert decided(said) is Doubt.VOTES_DIFFER
    assert _of_deck(said, MATCH) is Doubt.VOTES_DIFFER
    assert _of_deck(heard("7", "s", "7", redness=0.6), MATCH) is Doubt.INK_COLOUR


def test_a_joker_without_an_index_is_told_by_the_deck_alone() -> None:
    assert _of_deck(heard("", "", "court"), Match(JOKER, 0.9, 0.8, card("Kh"))) == "Jo"
    assert _of_deck(heard("", "", "court"), Match(JOKER, 0.4, 0.8, card("Kh"))) is Doubt.BACK


SEVEN = FrameReading(card("7s"), confidence=0.97, index_text="7")


def test_a_code_and_an_index_must_agree() -> None:
    assert with_code(SEVEN, Code("7SX", card("7s"))) == SEVEN
    assert with_code(SEVEN, Code("8SX", card("8s"))).doubt is Doubt.CODE_DIFFERS
    assert with_code(SEVEN, Doubt.NO_CODE) == SEVEN
    assert with_code(SEVEN, Doubt.CONFLICT).doubt is Doubt.CODE_DIFFERS


def test_a_code_tells_a_card_whose_index_is_not_read_but_settles_no_conflict() -> None:
    code = Code("7SX", card("7s"))
    back, corners = (FrameReading(None, each) for each in (Doubt.BACK, Doubt.CORNERS_DIFFER))
    assert with_code(back, code) == FrameReading(card("7s"), confidence=1.0)
    assert with_code(corners, code) == corners


def test_the_deck_alone_tells_nothing_against_the_pips() -> None:
    open_ = replace(heard("", "", "7"), face=face("7", "c", 0.8))
    assert _of_deck(open_, MATCH) is Doubt.VOTES_DIFFER
    assert _of_deck(replace(open_, face=face("8")), MATCH) is Doubt.VOTES_DIFFER
    assert _of_deck(replace(open_, face=face("7", "c", 0.6)), MATCH) == "7s"
    faint = replace(heard("7", "s", "7", sure=0.45), face=face("7", "c", 0.6))
    assert _of_deck(faint, replace(MATCH, margin=0.7)) is Doubt.VOTES_DIFFER
    assert _of_deck(faint, MATCH) == "7s"


def test_a_known_face_with_an_index_that_is_not_ours_is_no_card_of_ours() -> None:
    """A King of a deck made for another country differs by its index alone."""
    foreign = heard("", "", "court", redness=0.6)
    king = Match(card("Kh"), 0.98, 0.54, card("Qh"))
    assert _of_deck(foreign, king) is Doubt.BACK
    assert _of_deck(foreign, replace(king, margin=0.95)) is Doubt.BACK
    # However sure the deck is: of a court some network must see the rank.
    sure = replace(king, margin=0.95, witnesses=(0.9, 0.9))
    assert _of_deck(foreign, sure) is Doubt.BACK
    assert _of_deck(heard("13", "h", "court", redness=0.6, sure=0.45), sure) == "Kh"


def test_what_lies_over_a_corner_has_no_colour_of_ink() -> None:
    votes = [index("7", "s"), index("", "")]
    finger = replace(heard("7", "s", "7"), a=votes, b=votes, redness=(0.0, 0.5))
    assert decided(finger) == "7s"


@pytest.mark.parametrize(
    ("indices", "pips", "said"),
    [
        ([(-0.6, 0.5), (-0.6, 0.5)], 0.0, True),
        ([(-0.6, 0.5), (None, None)], 0.0, True),
        ([(-0.6, 0.5), (-0.6, 0.5)], 0.45, False),
        ([(-0.6, 0.5), (0.0, 0.05)], 0.0, False),
        ([(0.9, -0.3), (0.9, -0.3)], -0.9, False),
        ([(None, None), (None, None)], 0.0, False),
        ([(-0.6, 0.5), (-0.6, 0.5)], None, False),
    ],
    ids=["blue-over-green", "one-seen", "one-ink", "corners-differ", "red", "unseen", "no-pips"],
)
def test_an_index_in_another_ink_than_the_pips_is_noticed(
    indices: list[tuple[float | None, float | None]], pips: float | None, said: bool
) -> None:
    assert another_ink(indices, pips, Limits()) is said


@pytest.mark.parametrize(
    ("sure", "other", "code"),
    [(0.9, 0.1, "8s"), (0.72, 0.1, "8s"), (0.72, 0.28, Doubt.UNSURE), (0.9, 0.28, "8s")],
)
def test_a_text_that_is_weak_and_contested_is_none(
    sure: float, other: float, code: str | Doubt
) -> None:
    """The pips of a forged rank decide for the text where the networks are in two minds."""
    votes = [index("8", "s", 0.99) for _ in range(2)]
    for vote in votes:
        vote.ranks[:] = 0
        vote.ranks[RANKS.index("8")] = sure
        vote.ranks[RANKS.index("3")] = other
        vote.ranks[RANKS.index("")] = max(1 - sure - other, 0)
    said = replace(heard("8", "s", "8"), a=votes, b=votes, face=face("8", "s"))
    assert decided(said) == code


def test_a_red_court_needs_a_long_lead_of_its_suit() -> None:
    """Two hearts were told as diamonds with a lead of 9.8 and 11.3 nats."""
    clear, torn = (heard("Q", "h", "court", redness=RED, sure=sure) for sure in (0.99, 0.8))
    assert decided(clear) == "Qh"
    assert decided(torn) is Doubt.UNSURE
