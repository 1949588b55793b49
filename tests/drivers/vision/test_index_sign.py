"""Whether an index lies whole in the small corner is told by its ink, as is its sign's outline."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, rectified_crop
from drivers.vision.index_sign import index_is_small, says_another_text, sign_outline
from drivers.vision.nets import MODELS
from drivers.vision.pip_shape import PipShape
from tests.drivers.vision.images import blank
from tests.drivers.vision.test_pip_shape import club, spade

INK = (20, 20, 20)


def card_of(picture: Image) -> RectifiedCard:
    found = rectified_crop(picture)
    assert isinstance(found, RectifiedCard)
    return found


def indexed(text: str, scale: float, pip: Image, beside: bool = False) -> RectifiedCard:
    """A card with this text in both corners, `scale` times a regular one's size, a sign below it,
    and where asked a pip at the same height.
    """
    picture = blank()
    side = round(26 * scale)
    sign = cv2.cvtColor(cv2.resize(pip, (side, side)), cv2.COLOR_GRAY2BGR)
    for _ in range(2):
        base = round(12 + 36 * scale)
        cv2.putText(
            picture, text, (12, base), cv2.FONT_HERSHEY_SIMPLEX, 1.5 * scale, INK,
            round(5 * scale), cv2.LINE_AA,
        )  # fmt: skip
        below = base + round(10 * scale)
        picture[below : below + side, 14 : 14 + side] = sign
        if beside:
            cv2.circle(picture, (80, 40), 24, INK, -1)
        picture = image_of(cv2.rotate(picture, cv2.ROTATE_180))
    return card_of(picture)


@pytest.mark.parametrize("beside", [False, True])
def test_a_regular_index_lies_whole_in_the_small_corner(beside: bool) -> None:
    assert index_is_small(indexed("7", 1, spade(), beside), one_glyph=True)


def test_a_jumbo_index_does_not() -> None:
    assert not index_is_small(indexed("7", 2.6, spade()), one_glyph=True)


@pytest.mark.parametrize(("text", "scale"), [("10", 1.6), ("11", 1.7), ("12", 1.6), ("13", 1.5)])
def test_an_index_of_which_the_second_digit_is_cut_off_does_not(text: str, scale: float) -> None:
    """Its 1 and what stands below would pass for a whole index. Of a second 1, a 2 or a 3 what lies
    before the corner's end is not as high as the digit: of a jumbo 11 the flag.
    """
    assert not index_is_small(indexed(text, scale, spade()), one_glyph=False)
    assert index_is_small(indexed(text, 1, spade()), one_glyph=False)


def test_paper_holds_no_index() -> None:
    paper = card_of(image_of(cv2.rectangle(blank(), (120, 180), (160, 220), INK, -1)))
    assert not index_is_small(paper, one_glyph=True)
    assert sign_outline(paper, large=False) is None


@pytest.mark.parametrize(("scale", "large"), [(1, False), (2, True)])
def test_clubs_and_spades_are_on_their_sides_by_the_sign_of_the_index(
    scale: float, large: bool
) -> None:
    rule = PipShape(MODELS / "pip_shape.json")
    outlines = [sign_outline(indexed("K", scale, pip), large=large) for pip in (club(), spade())]
    assert all(each is not None and each.shape == (16, 8) for each in outlines)
    clubs, spades = (rule.of_outline(np.asarray(each)) for each in outlines)
    assert clubs < spades - 0.5


@pytest.mark.parametrize(
    ("printed", "read"),
    [("KK", "K"), ("Q1", "Q"), ("JK", "K"), ("113", "13"), ("17", "11"), ("22", "12")],
)
def test_letters_and_digits_are_counted_and_compared(printed: str, read: str) -> None:
    """Of what repeats the networks see what they know."""
    assert says_another_text(indexed(printed, 0.9, spade()), read, large=False)


@pytest.mark.parametrize("text", ["K", "7", "8", "Q", "10", "11", "12", "13"])
@pytest.mark.parametrize("beside", [False, True])
def test_an_index_says_what_was_read(text: str, beside: bool) -> None:
    """A pip at its height is no further letter."""
    assert not says_another_text(indexed(text, 0.9, spade(), beside), text, large=False)


def test_the_digits_of_a_jumbo_index_are_counted_in_the_larger_corner() -> None:
    jumbo = indexed("13", 1.6, spade())
    assert says_another_text(jumbo, "3", large=True)
    assert not says_another_text(jumbo, "13", large=True)


def test_one_corner_alone_is_no_other_text() -> None:
    """There a finger or art may stand beside the index."""
    card = indexed("KK", 0.9, spade())
    covered = card.image.copy()
    covered[:140, :80] = 224
    assert not says_another_text(replace(card, image=covered), "K", large=False)
