"""Text and sign of an index come out at one size, in one place, however large it is printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drivers.vision.finding.rectified_card import RectifiedCard
from drivers.vision.index_parts import SIGN_SIDE, TEXT_HEIGHT, TEXT_WIDTH, IndexParts, index_parts
from tests.drivers.vision.images import blank
from tests.drivers.vision.test_index_sign import card_of, indexed
from tests.drivers.vision.test_pip_shape import spade


def of_both(scale: float, text: str, *, large: bool) -> list[IndexParts]:
    return index_parts(indexed(text, scale, spade()), large=large)


@pytest.mark.parametrize("text", ["K", "10"])
def test_an_index_of_any_size_looks_the_same(text: str) -> None:
    regular, jumbo = of_both(0.9, text, large=False), of_both(1.6, text, large=True)
    assert [len(regular), len(jumbo)] == [2, 2]
    for one, other in zip(regular, jumbo, strict=True):
        assert one.text.shape == (TEXT_HEIGHT, TEXT_WIDTH)
        assert one.sign.shape == (SIGN_SIDE, SIGN_SIDE)
        for a, b in ((one.text, other.text), (one.sign, other.sign)):
            assert np.corrcoef(a.ravel(), b.ravel())[0, 1] > 0.85


def test_the_lower_index_is_turned() -> None:
    upper, lower = of_both(0.9, "7", large=False)
    assert np.abs(upper.text.astype(int) - lower.text).max() <= 2
    assert np.abs(upper.sign.astype(int) - lower.sign).max() <= 2


def test_a_letter_behind_a_text_is_seen_with_it() -> None:
    alone, followed = (of_both(0.7, text, large=False)[0].text for text in ("K", "K1"))
    ink = [int(np.flatnonzero((each < 120).any(axis=0))[-1]) for each in (alone, followed)]
    assert ink[1] > ink[0] + 8


def paler(card: RectifiedCard, left: int, right: int) -> RectifiedCard:
    """What is printed in the upper corner between these columns (pixels), in pale ink."""
    image = card.image.copy()
    there = image[:60, left:right].astype(np.float64)
    image[:60, left:right] = np.rint(224 - (224 - there) * 0.34)
    return replace(card, image=image)


def test_of_several_letters_light_may_leave_one_in_a_corner() -> None:
    """They are found in paler ink, as they stand in the other corner."""
    card = paler(indexed("113", 0.6, spade()), 27, 80)
    upper, lower = index_parts(card, large=False)
    assert np.corrcoef(upper.text.ravel(), lower.text.ravel())[0, 1] > 0.85


def test_a_single_letter_that_is_broken_is_no_text() -> None:
    """Half of it, in one corner, is not brought together with the other half."""
    assert len(of_both(0.9, "H", large=False)) == 2
    assert index_parts(paler(indexed("H", 0.9, spade()), 28, 80), large=False) == []


def test_paper_has_no_parts() -> None:
    assert index_parts(card_of(blank()), large=False) == []
