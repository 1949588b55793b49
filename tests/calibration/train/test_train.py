"""What the networks learn from: corners labelled with what can really be read there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="pictures are drawn with Pillow, which is not installed")

from calibration.draw import alphabets, fonts, frames, layout, views
from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.draw.frames import DrawnKind, Truth
from calibration.draw.lens import Distortion
from calibration.draw.views import PrintedCard, View
from calibration.train import samples
from calibration.train.samples import NONE, UNSURE
from controller.rules.cards import Card, card
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.index_corner import (
    CUT_HEIGHT,
    CUT_WIDTH,
    LARGE_CUT_HEIGHT,
    LARGE_CUT_WIDTH,
)
from drivers.vision.nets import COUNTS, RANKS, SUITS


def drawn_card(kind: DrawnKind, of: str = "Jh", tries: int = 12) -> tuple[RectifiedCard, Truth]:
    for seed in range(tries):
        try:
            picture, truth = frames.frame(
                seed,
                DesignSplit.TRAIN,
                kind=kind,
                of=card(of),
                level=Distortion.EASY,
                decks_known=6,
            )
        except MissingPackage as missing:
            pytest.skip(str(missing))
        sheet = find_card(picture)
        if (isinstance(sheet, RectifiedCard) and truth.hand_at is None) or kind is DrawnKind.HAND:
            assert isinstance(sheet, RectifiedCard)
            return sheet, truth
    pytest.fail(f"no {kind} was found as a card")


def text_of(label: samples.Label) -> tuple[str, str]:
    return RANKS[label[0]], SUITS[label[1]]


def test_a_jack_is_labelled_by_what_its_index_says_in_its_style() -> None:
    sheet, truth = drawn_card(DrawnKind.CARD)
    upper, lower, face = samples.labels(sheet, truth)
    assert text_of(upper) == text_of(lower) == (truth.text, "h")
    assert truth.text in ("J", "11")
    assert (COUNTS[face[0]], face[1]) == ("court", samples.IGNORE)


@pytest.mark.parametrize(
    "kind", [DrawnKind.OTHER_INDEX, DrawnKind.BACK, DrawnKind.BLUR, DrawnKind.NO_INDEX]
)
def test_nothing_can_be_read_from_a_negative(kind: DrawnKind) -> None:
    try:
        sheet, truth = drawn_card(kind, "Qs")
    except pytest.fail.Exception:
        if kind is DrawnKind.BLUR:
            return  # an edge as soft as this is not found at all, which is as good
        raise
    nothing = UNSURE if kind is DrawnKind.OTHER_INDEX and alphabets.shown_as(truth.text) else NONE
    assert samples.labels(sheet, truth)[:2] == (nothing, nothing)


def test_a_card_found_where_it_is_not_teaches_nothing() -> None:
    sheet, truth = drawn_card(DrawnKind.CARD)
    moved = replace(sheet, quad=sheet.quad + np.array([30.0, 0.0]))
    assert samples.labels(moved, truth)[:2] == (NONE, NONE)


def test_blur_and_motion_are_measured_by_the_size_of_the_index() -> None:
    sheet, truth = drawn_card(DrawnKind.CARD)
    for blur, wanted in ((0.2, samples.labels(sheet, truth)[0]), (2.2, UNSURE), (9.0, NONE)):
        quad = np.array([[0.0, 0.0], [70, 0], [70, 120], [0, 120]])
        soft = replace(
            truth, quad=quad, rank_share=0.09, lens=replace(truth.lens, blur=blur, motion=0)
        )
        found = replace(sheet, quad=quad)
        assert samples.labels(found, soft)[0] == wanted


@pytest.mark.long
def test_samples_are_the_same_every_time() -> None:
    try:
        once, again = (samples.draw(range(6), DesignSplit.TRAIN, 4) for _ in range(2))
    except MissingPackage as missing:
        pytest.skip(str(missing))
    assert np.array_equal(once.corners, again.corners)
    assert np.array_equal(once.corner_labels, again.corner_labels)
    assert len(once.corners) == len(once.corner_labels) >= 2 * len(once.faces)


def test_every_card_has_a_label() -> None:
    every: list[Card] = [card(rank + suit) for rank in "A23456789TJQK" for suit in "cdhs"]
    assert len({samples._face(each) for each in every}) == 41  # courts are alike


def close_up(wanted: str, split: DesignSplit = DesignSplit.TRAIN) -> tuple[PrintedCard, list[View]]:
    """The first card drawn close up whose index says this."""
    for seed in range(400):
        try:
            printed, drawn = views.views(seed, split, decks_known=5, count=2)
        except MissingPackage as missing:
            pytest.skip(str(missing))
        if printed.text == wanted:
            return printed, list(drawn)
    pytest.fail(f"no {wanted} was drawn")


@pytest.mark.long
def test_a_card_drawn_close_up_is_the_same_every_time_and_as_the_table_rectifies_it() -> None:
    (_, once), (_, again) = (close_up("9") for _ in range(2))
    pairs = zip(once, again, strict=True)
    assert all(np.array_equal(a.card.image, b.card.image) for a, b in pairs)
    assert once[0].card.image.shape == (400, 280, 3)
    assert not np.array_equal(once[0].card.image, once[1].card.image)
    paper = np.median(once[0].card.image[100:300, 6:12], axis=(0, 1))
    assert np.all(np.abs(paper - 224) < 30)


@pytest.mark.long
def test_close_up_a_word_is_a_joker_and_a_foreign_index_is_none() -> None:
    assert close_up("JOKER")[0].suit == ""
    assert close_up("")[0].suit == ""


@pytest.mark.long
def test_close_up_the_letters_of_other_countries_are_labelled_as_what_they_show() -> None:
    printed, _ = close_up("D")
    assert printed.suit in tuple("cdhs")
    assert printed.face in ("court", None)  # None where nobody could say


def test_samples_close_up_are_of_corners_and_faces() -> None:
    try:
        drawn = samples.draw_views(range(6), DesignSplit.TRAIN, 4)
    except MissingPackage as missing:
        pytest.skip(str(missing))
    assert len(drawn.corners) == len(drawn.corner_labels) >= 40
    assert len(drawn.faces) == len(drawn.face_labels) >= 15


def test_an_index_that_reaches_out_of_its_corner_is_none_and_the_larger_corner_has_room() -> None:
    printed, drawn = close_up("9")
    lens = replace(drawn[0].lens, blur=0.2, motion=0)
    view = replace(drawn[0], lens=lens)
    jumbo = replace(printed, share=0.22, box=np.array([0.05, 0.04, 0.35, 0.44]))
    nine = (RANKS.index("9"), SUITS.index(printed.suit))
    assert samples._of_view(jumbo, view, CUT_WIDTH, CUT_HEIGHT) == NONE
    assert samples._of_view(jumbo, view, LARGE_CUT_WIDTH, LARGE_CUT_HEIGHT) == nine


def test_an_index_too_small_for_its_blur_is_left_out_or_none() -> None:
    lens = replace(close_up("9")[1][0].lens, blur=1.5, motion=0)
    nine = (RANKS.index("9"), SUITS.index("h"))
    legible = [samples._legible(nine, share, 200, lens) for share in (0.2, 0.04, 0.02)]
    assert legible == [nine, UNSURE, NONE]


def test_the_two_sides_of_the_split_share_no_sign_of_a_suit() -> None:
    rng = np.random.default_rng(1)
    face = fonts.Face("DejaVuSans.ttf")
    for split, parity in ((DesignSplit.TRAIN, 0), (DesignSplit.HELD, 1)):
        assert {layout.choose(rng, face, split).pips % 2 for _ in range(20)} == {parity}


def test_a_bent_letter_is_nearly_the_same_letter() -> None:
    try:
        plain = fonts.Face("DejaVuSans-Bold.ttf").mask("K", 120)
    except MissingPackage as missing:
        pytest.skip(str(missing))
    bent = fonts.Face("DejaVuSans-Bold.ttf", bend=3).mask("K", 120)
    fits = cv2.resize(bent, plain.shape[::-1])
    off = float(np.abs(fits.astype(float) - plain).mean())
    assert 1 < off < 60
