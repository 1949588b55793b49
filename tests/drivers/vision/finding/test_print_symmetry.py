"""By how much a card's print is off the middle of its edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.print_symmetry import print_offset
from tests.drivers.vision.images import blank, printed


def moved(card: Image, right: int, down: int) -> Image:
    """The print moved on the card: what a lower card that looks out at two edges makes of it."""
    move = np.array([[1, 0, right], [0, 1, down]], np.float32)
    size = (card.shape[1], card.shape[0])
    return image_of(cv2.warpAffine(card, move, size, borderMode=cv2.BORDER_REPLICATE))


def test_a_card_s_own_print_is_in_the_middle() -> None:
    assert print_offset(printed("7")) == 0


@pytest.mark.parametrize(("right", "down"), [(4, 0), (-5, 0), (0, 6), (0, -9), (7, 3)])
def test_print_that_was_moved_is_off_by_twice_as_much(right: int, down: int) -> None:
    offset = print_offset(moved(printed("7"), right, down))
    assert offset is not None
    assert abs(offset - 2 * max(abs(right), abs(down))) <= 2


def test_two_corners_that_differ_say_nothing() -> None:
    card = printed("7")
    card[:140, :90] = printed("K")[:140, :90]
    assert print_offset(card) is None


def spoilt(card: Image, wide: int, high: int) -> Image:
    """What of a lower card's index looks out beside the upper left one."""
    card = card.copy()
    cv2.rectangle(card, (38, 60), (38 + wide, 60 + high), (20, 20, 20), -1)
    return card


def with_four(text: str) -> Image:
    """A card with an index in each corner."""
    card = printed(text)
    return image_of(np.minimum(card, card[:, ::-1]))


def test_print_that_is_off_shows_it_though_one_corner_has_more() -> None:
    assert print_offset(spoilt(moved(printed("7"), 4, 9), 8, 20)) == 18
    assert print_offset(spoilt(printed("7"), 8, 20)) is None, "it vouches for no edge"


def test_of_four_indices_the_other_two_say_it_too() -> None:
    assert print_offset(spoilt(moved(printed("7"), 4, 9), 12, 36)) is None
    assert print_offset(spoilt(moved(with_four("7"), 4, 9), 12, 36)) == 18
    assert print_offset(spoilt(with_four("7"), 12, 36)) is None


def test_a_blank_card_says_nothing() -> None:
    assert print_offset(blank()) is None
