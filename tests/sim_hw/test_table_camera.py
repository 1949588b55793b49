"""The camera above the table: what lies there is in its picture, and what is hidden is not."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from sim_hw.page.table_camera import HEIGHT, WIDTH, TableCamera

OFF = {"red": False, "green": False, "blue": False}


def picture(cards: list[str], dealer: list[str] | None = None, **seat: Any) -> np.ndarray:
    hands = [{"hand": 1, "cards": cards, "bet": 1_000, "doubled": False}] if cards else []
    one = {"seat": 1, "light": OFF, "bet": None, "hands": hands, **seat}
    view: Any = {"seats": [one], "dealer_cards": dealer or [], "low_cards": 0}
    decoded = cv2.imdecode(np.frombuffer(TableCamera("kotka").jpeg(view), np.uint8), 1)
    assert decoded is not None
    return np.asarray(decoded)


def test_it_is_a_picture_of_that_size() -> None:
    assert picture([]).shape == (HEIGHT, WIDTH, 3)


def test_cards_chips_and_lamps_are_seen() -> None:
    empty = picture([])
    for frame in (picture(["Kh"]), picture([], bet=500), picture([], light={**OFF, "red": True})):
        assert np.abs(frame.astype(int) - empty).max() > 60


def test_a_card_face_down_is_a_back_whatever_it_is() -> None:
    hidden = picture(["Kh", "??"], ["??"])
    assert np.abs(picture(["Kh", "7s"], ["As"]).astype(int) - hidden).max() > 60


@pytest.mark.parametrize("count", [1, 12])
def test_as_many_cards_as_there_are_fit(count: int) -> None:
    assert picture(["2c"] * count, ["9d"] * count).shape == (HEIGHT, WIDTH, 3)
