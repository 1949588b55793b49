"""What the network for a second card learns from: a lower card is labelled where it looks out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PIL", reason="pictures are drawn with Pillow, which is not installed")

from calibration.draw import frames
from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.draw.frames import DrawnKind, Truth
from calibration.train.strips import labels, learned_from

QUAD = np.array([[100, 100], [200, 100], [200, 240], [100, 240]], np.float64)


@pytest.fixture(scope="module")
def truth() -> Truth:
    try:
        return frames.frame(500, DesignSplit.HELD, kind=DrawnKind.DOUBLE_FEED, decks_known=6)[1]
    except MissingPackage as missing:
        pytest.skip(str(missing))


def test_the_lower_card_of_a_double_feed_is_known(truth: Truth) -> None:
    assert truth.quad is not None
    assert truth.beneath is not None
    moved = truth.beneath - truth.quad
    assert np.abs(moved - moved[0]).max() < 30  # moved, and turned no more than a lens does
    assert np.abs(moved).max() > 2


@pytest.mark.parametrize(
    ("by", "looks_out"),
    [
        ((10, 0), [0, 1, 0, 0]), ((-10, 0), [1, 0, 0, 0]), ((0, -9), [0, 0, 1, 0]),
        ((8, 40), [0, 1, 0, 1]), ((1, 0), [0, -1, 0, 0]), ((0, 0), [0, 0, 0, 0]),
    ],
)  # fmt: skip
def test_it_is_labelled_at_the_edges_where_it_looks_out(
    truth: Truth, by: tuple[int, int], looks_out: list[int]
) -> None:
    moved = replace(truth, quad=QUAD, beneath=QUAD + np.array(by, np.float64))
    assert labels(moved).tolist() == looks_out


def test_a_card_alone_has_none(truth: Truth) -> None:
    assert labels(replace(truth, quad=QUAD, beneath=None)).tolist() == [0, 0, 0, 0]


def test_what_nobody_can_say_is_not_learned_and_a_card_counts_twice() -> None:
    strips = np.arange(4, dtype=np.uint8).repeat(24 * 64 * 3).reshape(1, 4, 24, 64, 3)
    pictures, truth = learned_from(strips, np.array([[0, 1, -1, 0]], np.int8))
    assert truth.tolist() == [0, 1, 0, 0, 1, 0, 1, 1]
    assert [int(each[0, 0, 0]) for each in pictures] == [0, 1, 3, 0, 1, 3, 1, 1]
