"""A whole card is matched with the captures of the calibrated deck, however it lies."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, Card, card
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.deck_folder import DeckError, load_deck
from drivers.vision.calibrated.kept_captures import DeckCapture
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from tests.drivers.vision.images import DARK, QUAD, blank, felt, laid
from tests.support.forms import is_long_form

PIPS = [(90, 60), (190, 60), (90, 340), (190, 340), (140, 200), (90, 200), (190, 200)]


def drawn(kind: Card) -> Image:
    """A card of a deck of its own: squares for clubs, discs for spades, a letter as index."""
    face = blank()
    ink = (20, 20, 20)
    for _ in range(2):
        where = (10, 40)
        cv2.putText(face, kind.code[0], where, cv2.FONT_HERSHEY_SIMPLEX, 1.2, ink, 4, cv2.LINE_AA)
        _pip(face, kind, 22, 62, 9)
        face = image_of(cv2.rotate(face, cv2.ROTATE_180))
    for x, y in PIPS[: int(kind.rank)] if kind is not JOKER else []:
        _pip(face, kind, x, y, 16)
    if kind is JOKER:
        cv2.circle(face, (140, 200), 70, (30, 140, 210), 12)
        cv2.circle(face, (140, 200), 25, (20, 20, 20), -1)
    return face


def _pip(face: Image, kind: Card, x: int, y: int, size: int) -> None:
    if kind.code[1] == "c":
        cv2.rectangle(face, (x - size, y - size), (x + size, y + size), (20, 20, 20), -1)
    elif kind.code[1] == "s":
        cv2.circle(face, (x, y), size, (20, 20, 20), -1)


KINDS = [card(f"{rank}{suit}") for rank in "3567" for suit in "cs"]


def _sheet(
    face: Image, *, shift: float = 0.0, blur: float = 0.0, light: float = 1.0
) -> RectifiedCard:
    frame = laid(face, felt(DARK), (QUAD + np.float32(shift)).astype(np.float32))
    frame = np.clip(frame * light, 0, 255).astype(np.uint8)
    found = find_card(image_of(cv2.GaussianBlur(frame, (0, 0), blur)) if blur else frame)
    assert isinstance(found, RectifiedCard), found
    return found


@pytest.fixture(scope="module")
def deck() -> CalibratedDeck:
    kinds = [*KINDS, JOKER]
    return CalibratedDeck(
        [DeckCapture.of(kind, _sheet(drawn(kind), shift=k)) for kind in kinds for k in (0, 9)], None
    )


@pytest.mark.parametrize(
    ("blur", "light"),
    [
        (0.0, 1.0),
        pytest.param(1.2, 1.0, marks=pytest.mark.long),
        pytest.param(0.0, 0.5, marks=pytest.mark.long),
        (1.5, 0.6),
    ],
)
def test_every_card_is_told_with_a_margin(deck: CalibratedDeck, blur: float, light: float) -> None:
    for kind in KINDS:
        match = deck.match(_sheet(drawn(kind), shift=-23.4, blur=blur, light=light))
        assert match.card is kind
        assert match.likeness > 0.9
        assert match.margin > 0.6, (kind, match.second)


#: What is so of each card of a deck is seen on two ranks of it in the quick form.
SOME = KINDS if is_long_form() else KINDS[:4]


def one_way(kind: Card) -> Image:
    """A card whose picture is not the same either way round."""
    face = drawn(kind)
    cv2.circle(face, (140, 120 if kind.code[1] == "c" else 150), 40, (20, 20, 20), 9)
    return face


def test_a_card_that_lies_the_other_way_round_than_its_capture_is_told() -> None:
    deck = CalibratedDeck([DeckCapture.of(kind, _sheet(one_way(kind))) for kind in SOME], None)
    for kind in SOME:
        turned = _sheet(image_of(cv2.rotate(one_way(kind), cv2.ROTATE_180)), shift=-7)
        for match in (deck.match(turned), deck.match(_sheet(one_way(kind), shift=5))):
            assert match.card is kind
            assert match.margin > 0.6, (kind, match.second)
            assert deck.glance(turned).card is kind


def test_the_other_card_of_the_same_rank_and_colour_is_always_compared_with() -> None:
    """However unlike it seems: a spade that was captured badly must not leave only the club."""
    deck = CalibratedDeck([DeckCapture.of(kind, _sheet(drawn(kind))) for kind in SOME], None)
    for kind in SOME:
        corners, rest = deck.match(_sheet(drawn(kind), shift=3)).witnesses
        assert corners is not None
        assert rest is not None
        assert min(corners, rest) > 0.5


def test_a_joker_is_told_by_its_picture(deck: CalibratedDeck) -> None:
    match = deck.match(_sheet(drawn(JOKER), shift=14, light=0.7))
    assert match.card is JOKER
    assert match.margin > 0.8


def test_glare_over_a_pip_leaves_the_rest_to_tell(deck: CalibratedDeck) -> None:
    frame = laid(drawn(card("6s")), felt(DARK))
    middle = QUAD.mean(axis=0).round().astype(int).tolist()
    cv2.circle(frame, middle, 26, (255, 255, 255), -1)
    found = find_card(frame)
    assert isinstance(found, RectifiedCard)
    assert deck.match(found).card is card("6s")


def test_another_deck_is_not_like_it(deck: CalibratedDeck) -> None:
    face = blank()
    for x in range(30, 260, 20):
        cv2.line(face, (x, 20), (280 - x, 380), (160, 40, 20), 6)
    assert deck.match(_sheet(face)).likeness < 0.5


def test_a_card_half_way_between_two_is_told_by_neither(deck: CalibratedDeck) -> None:
    both = (drawn(card("5c")).astype(np.uint16) + drawn(card("5s"))) // 2
    assert deck.match(_sheet(both.astype(np.uint8))).margin < 0.5


@cache
def _captures() -> dict[str, bytes]:
    """A frame and a card alone, as files have them."""
    images = {"3c-1.png": laid(drawn(card("3c")), felt(DARK)), "5s-2.png": drawn(card("5s"))}
    return {name: cv2.imencode(".png", image)[1].tobytes() for name, image in images.items()}


def _written(folder: Path, description: str = '{"style": "finnish"}') -> Path:
    (folder / "deck.json").write_text(description)
    for name, content in _captures().items():
        (folder / name).write_bytes(content)
    return folder


def test_captures_are_frames_or_cards_alone(tmp_path: Path) -> None:
    deck = load_deck(_written(tmp_path))
    assert deck.style is PrintedStyle.FINNISH
    assert [each.code for each in deck.cards] == ["3c", "5s"]
    assert deck.match(_sheet(drawn(card("5s")))).card is card("5s")


@pytest.mark.parametrize(
    "description", ["{}", '{"style": "any", "white": [1, 2, 3]}', '{"style": null}']
)
def test_a_deck_may_leave_its_style_open(tmp_path: Path, description: str) -> None:
    assert load_deck(_written(tmp_path, description)).style is None


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("deck.json", b"{", "no JSON"),
        ("deck.json", b"[]", "no JSON object"),
        ("deck.json", b'{"style": "italian"}', "style is"),
        ("deck.json", b'{"codes": ["C"]}', "codes has"),
        ("deck.json", b'{"codes": {"kinds": ["C"]}}', "codes has"),
        ("deck.json", b'{"codes": {"symbologies": ["X"]}}', "no camera reads"),
        ("deck.json", b'{"codes": {"region": [0, 0, 0, 1]}}', "in this order"),
        ("deck.json", b'{"codes": {"region": [0, 0]}}', "codes: "),
        ("deck.json", b'{"codes": {"book": "none.toml"}}', "cannot be read"),
        ("Xx-1.png", b"", "<card>-<n>.png"),
        ("5c.png", b"", "<card>-<n>.png"),
        ("5c-1.png", b"no picture", "no picture"),
        ("5c-1.png", b"", "no picture"),
    ],
)
def test_what_is_no_deck_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (_written(tmp_path) / name).write_bytes(content)
    with pytest.raises(DeckError, match=said):
        load_deck(tmp_path)


def test_a_folder_without_deck_or_captures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"deck\.json cannot be read"):
        load_deck(tmp_path)
    (tmp_path / "deck.json").write_text(json.dumps({}))
    with pytest.raises(DeckError, match="no captures"):
        load_deck(tmp_path)


def test_a_capture_without_a_card_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(_written(tmp_path) / "5c-1.png"), felt(DARK))
    with pytest.raises(DeckError, match="no card in the picture"):
        load_deck(tmp_path)
    assert isinstance(find_card(felt(DARK)), Doubt)


def test_a_capture_without_a_card_may_be_left_out_by_name(tmp_path: Path) -> None:
    cv2.imwrite(str(_written(tmp_path) / "5c-1.png"), felt(DARK))
    said: list[str] = []
    assert [each.code for each in load_deck(tmp_path, said.append).cards] == ["3c", "5s"]
    assert len(said) == 1
    assert "5c-1.png: no card in the picture" in said[0]
    for each in ("3c-1.png", "5s-2.png"):
        (tmp_path / each).unlink()
    with pytest.raises(DeckError, match="no capture shows a card"):
        load_deck(tmp_path, said.append)


def test_the_codes_of_a_deck_are_read_with_it(tmp_path: Path) -> None:
    assert load_deck(_written(tmp_path)).printed_codes is None
    description = {"codes": {"symbologies": ["C", "Q"], "region": [0, 0, 1, 0.3]}}
    assert load_deck(_written(tmp_path, json.dumps(description))).printed_codes is not None


def test_a_capture_that_cannot_be_opened_refuses_the_deck_and_says_which(tmp_path: Path) -> None:
    (tmp_path / "deck.json").write_text("{}")
    (tmp_path / "Th-1.png").symlink_to(tmp_path / "gone.png")
    with pytest.raises(DeckError, match=r"Th-1\.png cannot be read \(No such file"):
        load_deck(tmp_path)
