"""A peer's detector beside ours: loaded from its folder, spoken to as its own program does."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.measure_frames import LabelledFrame
from calibration.outcomes import GroundTruth
from controller.rules.cards import card
from tests.bench.peer import Peer, PeerError, measure

# In the words of the peer: it names what a bright rectangle's width says, and asks OpenCV 3.
STAND_IN = """
import cv2
import numpy as np

class Train:
    def __init__(self, name, img):
        self.name, self.img = name, img

def load_ranks(path):
    return [Train("Ace", cv2.imread(path + "Ace.jpg")), Train("Ten", cv2.imread(path + "Ten.jpg"))]

def load_suits(path):
    return [Train("Hearts", cv2.imread(path + "Hearts.jpg"))]

def preprocess_image(image):
    level = image[0][0][0] + 60
    return cv2.threshold(image[:, :, 0], 128, 255, cv2.THRESH_BINARY)[1]

def find_cards(thresh):
    dummy, contours, tree = cv2.findContours(thresh, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)
    if len(contours) == 0:
        return [], []
    return contours, np.array([cv2.contourArea(each) > 1000 for each in contours], dtype=int)

def preprocess_card(contour, image):
    wide = cv2.boundingRect(contour)[2]
    return cv2.resize(image[:0], (1, 1)) if wide == 90 else wide

def match_card(wide, ranks, suits):
    rank = ranks[0].name if wide < 50 else ranks[1].name if wide < 100 else "Unknown"
    return rank, suits[0].name, 7, 8
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "Cards.py").write_text(STAND_IN)
    images = tmp_path / "Card_Imgs"
    images.mkdir()
    for name in ("Ace", "Ten", "Hearts"):
        cv2.imwrite(str(images / f"{name}.jpg"), np.zeros((8, 8), np.uint8))
    return tmp_path


def frame(*widths: int, ground: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    picture = np.full((480, 640, 3), ground, np.uint8)
    for nth, wide in enumerate(widths):
        picture[100:200, 20 + 200 * nth : 20 + 200 * nth + wide] = 255
    return picture


@pytest.mark.parametrize(
    ("widths", "named"),
    [((40,), "Ah"), ((80,), "Th"), ((), None), ((150,), None), ((40, 80), None), ((40, 45), "Ah")],
    ids=["ace", "ten", "nothing", "no rank", "two cards", "one card twice"],
)
def test_what_the_peer_names_is_a_card_of_ours(
    checkout: Path, widths: tuple[int, ...], named: str | None
) -> None:
    assert Peer(checkout).read(frame(*widths)) is (card(named) if named else None)


def test_its_arithmetic_with_bytes_warns_nobody(checkout: Path) -> None:
    assert Peer(checkout).read(frame(ground=250)) is None


def test_it_is_counted_as_ours_are_and_a_frame_that_breaks_it_is_not_told(checkout: Path) -> None:
    shown = [
        LabelledFrame(
            GroundTruth(str(wide), card("Ah"), None, "card", "easy", "standard", "x"), frame(wide)
        )
        for wide in (40, 80, 90, 150)
    ]
    report, broken = measure(Peer(checkout), shown)
    cards = report.groups["cards"]
    assert (cards.right, cards.misread, cards.doubtful, broken) == (1, 1, 2, 1)


def test_a_folder_without_it_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match=r"Cards\.py is not there: git clone .* PEER=DIR"):
        Peer(tmp_path)


def test_a_checkout_without_its_pictures_is_refused(checkout: Path) -> None:
    (checkout / "Card_Imgs" / "Hearts.jpg").unlink()
    with pytest.raises(PeerError, match="no picture of Hearts"):
        Peer(checkout)
