"""Pictures of cards from seeds: the same every time, of all cards, truthfully labelled."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="pictures are drawn with Pillow, which is not installed")

from calibration.draw import alphabets, art, decks, fonts, frames
from calibration.draw.__main__ import main
from calibration.draw.fonts import DesignSplit, MissingPackage
from calibration.draw.frames import DrawnKind
from calibration.draw.lens import Distortion
from controller.rules.cards import DECK_52, JOKER, card
from drivers.vision.finding.rectified_card import RectifiedCard, find_card

#: One deck of each package: rendering a deck of the first takes a second.
OF_EACH_PACKAGE = ("anglo", "kde_standard")


@pytest.fixture(autouse=True, scope="module")
def drawing_is_possible() -> None:
    try:
        for name in OF_EACH_PACKAGE:
            art.card(name, "A", "S")
        for design in fonts.designs(DesignSplit.ALL):
            for cut in design:
                fonts.file_of(cut)
    except MissingPackage as missing:
        pytest.skip(str(missing))


@pytest.mark.long  # the samples of test_train are, in the quick form
def test_a_frame_is_the_same_every_time_and_another_seed_is_another_frame() -> None:
    picture, truth = frames.frame(11)
    decks.draw.cache_clear()
    again, truth_again = frames.frame(11)
    other, _ = frames.frame(12)
    assert picture.shape == (480, 640, 3)
    assert np.array_equal(picture, again)
    assert truth.card is truth_again.card
    assert not np.array_equal(picture, other)


def test_a_finnish_deck_prints_numbers_on_its_court_and_an_anglo_one_letters() -> None:
    kinds = {}
    for number in range(60):
        deck = frames.deck(number)
        kinds[deck.style] = [deck.text(rank) for rank in ("A", "10", "J", "Q", "K")]
    assert kinds[alphabets.DrawnStyle.FINNISH] == ["1", "10", "11", "12", "13"]
    assert kinds[alphabets.DrawnStyle.ANGLO] == ["A", "10", "J", "Q", "K"]


@pytest.mark.long
def test_every_card_of_a_deck_looks_different(long_form: bool) -> None:
    deck = next(each for n in range(60) if (each := frames.deck(n)).relabelled)
    drawn = DECK_52 if long_form else DECK_52[::4]
    different = {decks.draw(deck, *decks.split_of(each)).picture.tobytes() for each in drawn}
    assert len(different) == len(drawn)


def test_replacing_the_index_leaves_none_of_the_old_one() -> None:
    before = art.card("anglo", "4", "C")
    after = art.without_indices(before)
    corner = (slice(8, 150), slice(8, 55))
    assert before[corner][..., :3].min() < 60
    assert after[corner][..., :3].min() > 200


def test_held_back_fonts_and_art_are_in_no_training_deck() -> None:
    held = {cut for design in fonts.designs(DesignSplit.HELD) for cut in design} | set(art.HELD)
    train = [frames.deck(number, DesignSplit.TRAIN) for number in range(150)]
    assert not {deck.art for deck in train} & held
    assert not {deck.look.face.font for deck in train} & held
    measured = [frames.deck(number, DesignSplit.HELD) for number in range(60)]
    assert {deck.art for deck in measured if deck.art} == set(art.HELD)
    assert all(deck.look.face.font in held for deck in measured if deck.look.face.font)


@pytest.mark.parametrize("kind", DrawnKind)
def test_a_negative_has_no_card_to_be_read(kind: DrawnKind) -> None:
    _, truth = frames.frame(5, kind=kind, of=card("7c"))
    assert (truth.card is card("7c")) is (kind is DrawnKind.CARD)
    if kind in (
        DrawnKind.BACK,
        DrawnKind.NO_CARD,
        DrawnKind.OTHER_INDEX,
        DrawnKind.CUT_CARD,
        DrawnKind.BLANK,
        DrawnKind.FORGED_SUIT,
        DrawnKind.ONE_INDEX,
        DrawnKind.DOUBLE_FEED,
    ):
        assert truth.under is None


def test_the_truth_knows_where_the_card_lies() -> None:
    for seed in range(40):
        picture, truth = frames.frame(seed, kind=DrawnKind.CARD, level=Distortion.EASY)
        if truth.hand_at is not None or truth.quad is None:
            continue
        found = find_card(picture)
        if isinstance(found, RectifiedCard):
            assert np.abs(found.quad - truth.quad).max() < 0.06 * 480
            return
    pytest.fail("not one easy card was found")


@pytest.mark.long
def test_the_joker_has_no_index_unless_its_deck_prints_the_word(long_form: bool) -> None:
    seeds = range(16 if long_form else 6)
    texts = {frames.frame(seed, of=JOKER, kind=DrawnKind.CARD)[1].text for seed in seeds}
    assert texts == {"", "JOKER"}


def test_light_is_changed_by_its_level_only() -> None:
    _, easy = frames.frame(3, level=Distortion.EASY, kind=DrawnKind.CARD)
    _, hard = frames.frame(3, level=Distortion.HARD, kind=DrawnKind.CARD)
    assert easy.lens.blur < 0.5 < hard.lens.blur
    assert replace(easy.lens, blur=0.0) != replace(hard.lens, blur=0.0)


def test_the_command_writes_frames_and_labels_like_the_samples(tmp_path: Path) -> None:
    assert main(["--count", "3", "--seed", "2", "--out", str(tmp_path), "--split", "held"]) == 0
    with (tmp_path / "labels.csv").open() as labels:
        rows = list(csv.DictReader(labels))
    assert [row["file"] for row in rows] == [f"frames/{n:05d}.jpg" for n in range(3)]
    for row in rows:
        assert (tmp_path / row["file"]).stat().st_size > 2000
        assert bool(row["neg_kind"]) is (row["rank"] == "none")
        assert row["style"] in ("standard", "finnish", "none")


def test_a_missing_font_names_what_to_install() -> None:
    with pytest.raises(MissingPackage, match="fonts-dejavu"):
        fonts.file_of("NoSuchFont-Bold.ttf")


def test_busy_ground_lies_around_the_same_card() -> None:
    try:
        (plain, one), (busy, other) = (
            frames.frame(7, DesignSplit.HELD, kind=DrawnKind.CARD, decks_known=6, busy=each)
            for each in (False, True)
        )
    except MissingPackage as missing:
        pytest.skip(str(missing))
    assert one.card is other.card
    assert one.quad is not None
    assert other.quad is not None
    assert np.array_equal(one.quad, other.quad)
    x, y = (round(float(each)) for each in one.quad.mean(axis=0))
    card = (slice(y - 20, y + 20), slice(x - 20, x + 20))
    assert np.array_equal(plain[card], busy[card])
    assert not np.array_equal(plain, busy)
