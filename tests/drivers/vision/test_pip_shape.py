"""Clubs and spades are told by the outline of their pips, whatever the networks think of them."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, rectified_crop
from drivers.vision.nets import MODELS, CardNetworks, NetworkError
from drivers.vision.pip_shape import PipShape, pip_outline
from tests.drivers.vision.images import DARK, felt, laid, printed
from tests.drivers.vision.network_scores import ScriptedNetworks, face, heard

RULE = MODELS / "pip_shape.json"
SIDE = 60
SIX = [(90, 90), (190, 90), (90, 200), (190, 200), (90, 310), (190, 310)]
FOUR = [(90, 90), (190, 90), (90, 310), (190, 310)]


def club() -> Image:
    pip = np.full((SIDE, SIDE), 255, np.uint8)
    for centre in ((30, 15), (15, 34), (45, 34)):
        cv2.circle(pip, centre, 14, 0, -1)
    cv2.fillPoly(pip, [np.array([(30, 25), (22, 58), (38, 58)])], 0)
    return image_of(pip)


def spade() -> Image:
    pip = np.full((SIDE, SIDE), 255, np.uint8)
    cv2.fillPoly(pip, [np.array([(30, 1), (3, 33), (57, 33)])], 0)
    for centre in ((16, 36), (44, 36)):
        cv2.circle(pip, centre, 13, 0, -1)
    cv2.fillPoly(pip, [np.array([(30, 30), (22, 58), (38, 58)])], 0)
    return image_of(pip)


def card_with(pip: Image, places: list[tuple[int, int]]) -> RectifiedCard:
    """A card with this pip at these places, blurred; in the lower half it stands on its head."""
    picture = np.full((400, 280), 245, np.uint8)
    for x, y in places:
        upright = pip[::-1] if y > 200 else pip
        picture[y - SIDE // 2 : y + SIDE // 2, x - SIDE // 2 : x + SIDE // 2] = upright
    blurred = cv2.GaussianBlur(picture, (0, 0), 3)
    found = rectified_crop(image_of(cv2.cvtColor(blurred, cv2.COLOR_GRAY2BGR)))
    assert isinstance(found, RectifiedCard)
    return found


@pytest.mark.parametrize("places", [SIX, FOUR])
def test_clubs_and_spades_are_on_their_sides(places: list[tuple[int, int]]) -> None:
    shape = PipShape(RULE)
    clubs, spades = (shape.spades(card_with(pip(), places)) for pip in (club, spade))
    assert clubs is not None
    assert spades is not None
    assert clubs < -0.3
    assert spades > 0.5


def test_too_few_pips_say_nothing() -> None:
    assert pip_outline(card_with(spade(), [(90, 90)])) is None
    assert pip_outline(card_with(spade(), [(140, 200), (140, 90)])) is None  # one in the middle
    assert PipShape(RULE).spades(card_with(spade(), [])) is None


@pytest.mark.parametrize("damage", ["gone", "other", "no_rule"])
def test_a_rule_that_is_not_the_trained_one_is_refused(tmp_path: Path, damage: str) -> None:
    for each in MODELS.iterdir():
        shutil.copy(each, tmp_path)
    rule = tmp_path / "pip_shape.json"
    if damage == "gone":
        rule.unlink()
    elif damage == "other":
        rule.write_text(rule.read_text().replace("-", "", 1))
    else:
        rule.write_text("{}")
        index = tmp_path / "nets.json"
        sha256 = hashlib.sha256(RULE.read_bytes()).hexdigest()
        index.write_text(index.read_text().replace(sha256, hashlib.sha256(b"{}").hexdigest()))
    with pytest.raises(NetworkError, match="install tablectl again"):
        CardNetworks(tmp_path)


@pytest.mark.parametrize(
    ("suit", "outline", "doubt"),
    [
        ("s", None, None), ("s", 0.9, None), ("s", 0.2, Doubt.VOTES_DIFFER),
        ("c", None, None), ("c", -0.9, None), ("c", -0.05, Doubt.VOTES_DIFFER),
        ("h", 0.0, None),
    ],
)  # fmt: skip
def test_a_black_suit_is_not_told_against_its_outline(
    suit: str, outline: float | None, doubt: Doubt | None
) -> None:
    ten = replace(heard("10", suit, "10"), face=face("10", suit))
    ink = (20, 20, 200) if suit == "h" else (20, 20, 20)
    frame = laid(printed("10", ink), felt(DARK))
    assert CardRecognizer(ScriptedNetworks(ten, outline=outline)).read(frame).doubt is doubt
