"""The card is found to less than a pixel and its paper made white, or it is said why not."""

from itertools import product

import numpy as np
import pytest

from controller.devices.inputs import Doubt
from drivers.vision.finding.card_edges import Image
from drivers.vision.finding.rectified_card import WHITE, RectifiedCard, find_card
from drivers.vision.index_corner import CORNER_HEIGHT, CORNER_WIDTH, index_corners
from tests.drivers.vision.images import (
    DARK,
    GREEN,
    PAPER,
    QUAD,
    blank,
    felt,
    glare,
    laid,
    printed,
)
from tests.support.forms import quick_first


def _off(found: RectifiedCard | Doubt) -> float:
    """By how many pixels the worst corner is off."""
    assert isinstance(found, RectifiedCard), found
    return float(np.abs(found.quad - QUAD).max())


@pytest.mark.parametrize("ground", [GREEN, DARK])
def test_the_corners_are_found_to_less_than_a_pixel(ground: tuple[int, int, int]) -> None:
    assert _off(find_card(laid(printed("7"), felt(ground)))) < 0.7


def test_glare_beside_the_card_does_not_move_its_edges() -> None:
    assert _off(find_card(glare(laid(printed("7"), felt(DARK)), 440, 250, 40))) < 1.5


def test_a_dim_picture_is_read_like_a_bright_one() -> None:
    dim = (laid(printed("7"), felt(GREEN)) * 0.35).astype(np.uint8)
    assert _off(find_card(dim)) < 0.7


def test_a_dark_outline_is_no_edge_of_its_own() -> None:
    card = printed("7")
    card[:6], card[-6:], card[:, :6], card[:, -6:] = 30, 30, 30, 30
    assert _off(find_card(laid(card, felt(GREEN)))) < 7


def test_a_finger_over_a_part_of_an_edge_is_outvoted() -> None:
    frame = laid(printed("7"), felt(GREEN))
    frame[280:350, 400:] = (120, 150, 200)
    assert _off(find_card(frame)) < 1.5


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.72, 0.95, 1.0), (0.5, 0.5, 0.5)])
def test_the_paper_becomes_white_whatever_the_light(light: tuple[float, float, float]) -> None:
    frame = (laid(printed("7"), felt(DARK)) * np.array(light)).astype(np.uint8)
    found = find_card(frame)
    assert isinstance(found, RectifiedCard)
    middle = found.image[180:220, 120:160].reshape(-1, 3).mean(axis=0)
    assert np.abs(middle - WHITE).max() < 5
    assert np.allclose(found.white, np.array(PAPER) * light, rtol=0.03)


def test_the_corners_hold_the_index_both_the_same_way_up() -> None:
    found = find_card(laid(printed("12"), felt(GREEN)))
    assert isinstance(found, RectifiedCard)
    upper, lower = index_corners(found)
    assert upper.shape == lower.shape == (CORNER_HEIGHT, CORNER_WIDTH, 3)
    assert np.abs(upper.astype(float) - lower.astype(float)).mean() < 8
    assert (upper[:90, :50] < 100).any()


def _shifted(x: float, y: float, frame: Image | None = None) -> Image:
    quad = (QUAD + np.array([x, y])).astype(np.float32)
    return laid(printed("7"), felt() if frame is None else frame, quad)


def _two_apart() -> Image:
    return _shifted(-180, 0, _shifted(60, 0))


ASIDE, ALONG = (-150, -60, -18, 18, 60, 150), (-180, -60, -24, 24, 60, 180)
#: Each step aside, and each along with two of them: the quick form's.
CHEQUERED = [(x, y) for n, x in enumerate(ASIDE) for y in ALONG[n % 3 :: 3]]


@pytest.mark.parametrize("apart", quick_first(product(ASIDE, ALONG), CHEQUERED))
def test_two_cards_one_over_the_other_are_no_one_card(apart: tuple[int, int]) -> None:
    """The card is 170 pixels wide and 240 high: a tenth of it is enough to be seen as a second."""
    x, y = apart
    found = find_card(_shifted(x / 2, y / 2, _shifted(-x / 2, -y / 2)))
    assert isinstance(found, Doubt)
    assert found in (Doubt.SEVERAL, Doubt.NO_CARD)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (felt(GREEN), Doubt.NO_CARD),
        (felt(DARK), Doubt.NO_CARD),
        (np.zeros((480, 640, 3), np.uint8), Doubt.NO_CARD),
        (np.full((480, 640, 3), 255, np.uint8), Doubt.NO_CARD),
        (_two_apart(), Doubt.SEVERAL),
        (_shifted(70, 60, _shifted(0, 0)), Doubt.SEVERAL),
        (_shifted(-30, 40, _shifted(0, 0)), Doubt.SEVERAL),
        (_shifted(0, -200), Doubt.CUT_OFF),
        (_shifted(-300, 0), Doubt.CUT_OFF),
        (_shifted(0, 150), Doubt.CUT_OFF),
        (laid(blank((80, 200, 240)), felt(DARK)), Doubt.NOT_PAPER),
        (np.zeros((1, 1, 3), np.uint8), Doubt.NO_IMAGE),
        (np.zeros((480, 640), np.uint8), Doubt.NO_IMAGE),
        (np.zeros((480, 640, 4), np.uint8), Doubt.NO_IMAGE),
        (np.zeros((480, 5000, 3), np.uint8), Doubt.NO_IMAGE),
    ],
    ids=lambda value: value.name if isinstance(value, Doubt) else "",
)
def test_what_is_no_whole_card_is_said_to_be_none(frame: Image, why: Doubt) -> None:
    assert find_card(frame) == why


def test_noise_is_no_card() -> None:
    random = np.random.default_rng(7)
    for _ in range(10):
        frame = random.integers(0, 256, (480, 640, 3), dtype=np.uint8)
        assert isinstance(find_card(frame), Doubt)
