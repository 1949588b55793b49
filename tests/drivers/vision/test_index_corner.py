"""The colour of ink is told without its shape, and a 1 from the first digit of an 11."""

import cv2
import numpy as np
import pytest

from drivers.vision.finding.card_edges import Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import WHITE, RectifiedCard, rectified_crop
from drivers.vision.index_corner import (
    CORNER_HEIGHT,
    CORNER_WIDTH,
    is_plain,
    pips_ink,
    redness,
    stands_alone,
)
from tests.drivers.vision.images import blank

RED = (40, 30, 190)
BLACK = (35, 30, 30)


def _corner(text: str, ink: tuple[int, int, int] = BLACK, blur: float = 0.0) -> Image:
    corner = np.full((CORNER_HEIGHT, CORNER_WIDTH, 3), WHITE, np.uint8)
    cv2.putText(corner, text, (8, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 3, cv2.LINE_AA)
    cv2.circle(corner, (18, 62), 9, ink, -1)
    return image_of(cv2.GaussianBlur(corner, (0, 0), blur)) if blur else corner


@pytest.mark.parametrize("blur", [0.0, 2.0, 4.0])
def test_red_and_black_part_however_blurred(blur: float) -> None:
    red, black = redness(_corner("7", RED, blur)), redness(_corner("7", BLACK, blur))
    assert red is not None
    assert black is not None
    assert red > 0.5
    assert abs(black) < 0.1


def test_paper_has_no_colour_of_ink() -> None:
    assert redness(np.full((CORNER_HEIGHT, CORNER_WIDTH, 3), WHITE, np.uint8)) is None


@pytest.mark.parametrize("blur", [0.0, 1.5])
def test_a_one_stands_alone_and_the_one_of_two_digits_does_not(blur: float) -> None:
    assert stands_alone(_corner("1", blur=blur))
    for text in ("11", "12", "13", "10"):
        assert not stands_alone(_corner(text, blur=blur)), text


def test_a_second_digit_that_is_hardly_printed_still_counts() -> None:
    corner = _corner("1")
    cv2.putText(corner, "1", (30, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (130, 130, 130), 3)
    assert not stands_alone(corner)


def _pale(text: str, sign: tuple[int, int] = (8, 8), blur: float = 1.2) -> Image:
    """A thin text, half as dark as the sign below it, as blur makes it of a small index."""
    corner = np.full((CORNER_HEIGHT, CORNER_WIDTH, 3), WHITE, np.uint8)
    cv2.putText(corner, text, (10, 32), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (95, 90, 90), 1, cv2.LINE_AA)
    cv2.ellipse(corner, (18, 50), sign, 0, 0, 360, BLACK, -1)
    return image_of(cv2.GaussianBlur(corner, (0, 0), blur))


def test_a_thin_one_above_a_darker_sign_stands_alone() -> None:
    assert stands_alone(_pale("1"))


@pytest.mark.parametrize("text", ["11", "10", "12", "13"])
@pytest.mark.parametrize("blur", [0.8, 1.2, 2.0])
def test_the_thin_one_of_two_digits_above_a_darker_sign_does_not(text: str, blur: float) -> None:
    assert not stands_alone(_pale(text, blur=blur))


def test_a_second_digit_paler_than_a_thin_one_still_counts() -> None:
    corner = _pale("1")
    second = np.full_like(corner, WHITE)
    cv2.putText(second, "1", (23, 32), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (170, 170, 170), 1)
    assert stands_alone(corner)
    assert not stands_alone(image_of(np.minimum(corner, cv2.GaussianBlur(second, (0, 0), 1.2))))


def test_a_slender_sign_is_no_one_where_a_paler_text_stands_above_it() -> None:
    """A diamond is as slender: of an 11 its light ink was overlooked, and the sign stands alone."""
    assert not stands_alone(_pale("11", sign=(5, 8)))


def test_a_frame_around_an_index_is_no_one() -> None:
    """Nor is a pip of the card's middle below it the sign of one."""
    corner = _corner("10")
    cv2.rectangle(corner, (5, 8), (58, 90), (150, 150, 150), 1)
    cv2.circle(corner, (56, 104), 9, BLACK, -1)
    assert not stands_alone(corner)


def test_a_blank_corner_holds_no_one() -> None:
    assert not stands_alone(np.full((CORNER_HEIGHT, CORNER_WIDTH, 3), WHITE, np.uint8))


@pytest.mark.parametrize(
    ("ink", "least", "most"),
    [((20, 20, 20), -0.1, 0.1), ((30, 30, 190), 0.5, 1.0), ((190, 90, 20), -2.0, -0.12)],
    ids=["black", "red", "blue"],
)
def test_the_pips_have_the_colour_of_their_ink(
    ink: tuple[int, int, int], least: float, most: float
) -> None:
    card = blank()
    for at in ((140, 100), (200, 90), (80, 310)):
        cv2.circle(card, at, 20, ink, -1)
    found = rectified_crop(card)
    assert isinstance(found, RectifiedCard)
    shown = pips_ink(found)
    assert shown is not None
    assert least <= shown[0] <= most


def test_a_card_without_pips_has_no_colour_of_pips() -> None:
    found = rectified_crop(blank())
    assert isinstance(found, RectifiedCard)
    assert pips_ink(found) is None


def _paper(level: int = WHITE) -> Image:
    """A corner without an index, with the dark ground that lies beyond its rounding."""
    corner = np.full((CORNER_HEIGHT, CORNER_WIDTH, 3), level, np.uint8)
    cv2.fillPoly(corner, [np.array([[0, 0], [12, 0], [0, 12]], np.int32)], (20, 40, 20))
    return corner


@pytest.mark.parametrize("level", [WHITE, WHITE - 18])
def test_paper_is_plain_in_a_slight_shadow_too(level: int) -> None:
    assert is_plain(_paper(level))


def test_paper_is_plain_under_the_noise_of_a_dim_light() -> None:
    """A card with one index for something else was told as an Ace: 78 pixels of its other corner
    were dark by noise alone.
    """
    noise = np.random.default_rng(3).normal(0, 17, (CORNER_HEIGHT, CORNER_WIDTH, 3))
    noisy = image_of(np.clip(_paper(WHITE) + noise, 0, 255).astype(np.uint8))
    assert int((darkest_channel(noisy)[20:80, 10:30] < WHITE - 30).sum()) > 25
    assert is_plain(noisy)


def test_a_thin_pale_index_is_no_plain_paper() -> None:
    assert not is_plain(_pale("1", sign=(3, 4), blur=2.0))


def test_what_hides_a_corner_is_no_plain_paper() -> None:
    assert not is_plain(_paper(WHITE + 20))  # glare
    assert not is_plain(_paper(WHITE - 60))  # a hand
    assert not is_plain(_corner("K"))
