"""What changed since calibration is noticed from the cards that are told, whatever is on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from controller.devices.english import ENGLISH
from controller.rules.cards import DECK_52
from drivers.vision.calibrated.drift import (
    CHANGES_KEPT,
    LEAST,
    CameraDrift,
    CardAppearance,
    appearance_of,
)
from drivers.vision.finding.rectified_card import RectifiedCard

CARDS = DECK_52[:12]


def sheet(
    white: float = 180.0, focus: float = 100.0, height: float = 250.0, at: float = 100.0
) -> RectifiedCard:
    width = 0.7 * height
    quad = np.array(
        [[at, at], [at + width, at], [at + width, at + height], [at, at + height]], np.float32
    )
    image = np.full((400, 280, 3), 224, np.uint8)
    return RectifiedCard(image, quad, (white, white, white), focus, (1.0, 1.0, 1.0, 1.0))


def captured() -> dict[object, CardAppearance]:
    # An ace has few edges, a king has many: each card is compared with itself.
    return {card: appearance_of(sheet(focus=40.0 + 30 * nth)) for nth, card in enumerate(CARDS)}


def watched(*sheets: RectifiedCard) -> CameraDrift:
    drift = CameraDrift(captured())  # type: ignore[arg-type]
    for card, each in zip(CARDS, sheets, strict=False):
        own = 40.0 + 30 * CARDS.index(card)
        drift.feed(card, replace(each, focus=each.focus * own / 100))
    return drift


def test_cards_as_at_calibration_are_no_drift() -> None:
    assert watched(*[sheet(at=90.0 + 5 * nth) for nth in range(CHANGES_KEPT)]).problem is None


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        (sheet(white=110.0), "darker"),
        (sheet(white=240.0), "brighter"),
        (sheet(focus=20.0), "less sharp"),
        (sheet(height=280.0), "larger"),
        (sheet(height=220.0), "smaller"),
    ],
)
def test_a_change_that_all_cards_have_is_told_from_the_third_card_on(
    changed: RectifiedCard, word: str
) -> None:
    assert watched(*[changed] * (LEAST - 1)).problem is None
    found = watched(*[changed] * LEAST).problem
    assert found is not None
    assert word in ENGLISH.say(found)
    assert "calibrate the camera again" in ENGLISH.say(found)


def test_one_card_in_a_shadow_or_many_that_slide_are_no_drift() -> None:
    good = sheet()
    assert watched(good, sheet(white=80.0, focus=10.0, height=300.0), good, good).problem is None
    # Cards that slide are smeared; one of the last that was sharp is enough.
    assert watched(*[sheet(focus=10.0)] * 5, good).problem is None


def test_what_was_mended_is_no_problem_any_more() -> None:
    drift = watched(*[sheet(white=110.0)] * LEAST)
    for card in CARDS[:CHANGES_KEPT]:
        drift.feed(card, replace(sheet(), focus=1_000.0))
    assert drift.problem is None


def test_a_card_that_was_never_captured_says_nothing() -> None:
    drift = CameraDrift({})
    drift.feed(CARDS[0], sheet(white=10.0))
    assert drift.problem is None
