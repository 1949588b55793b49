"""What is kept of a deck's captures is read instead of them where it is of just these, as now."""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

import drivers.vision
from controller.rules.cards import card
from drivers.vision.calibrated import deck_folder, kept_captures
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.deck_folder import DeckError, keep_captures, load_deck
from drivers.vision.calibrated.kept_captures import CODE, FILE
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import CARD_PX, Lens, slide, small

CODES = ("2c", "9d", "Qs")
MM = 88 / CARD_PX
VIEW = CameraView(640, 480, PixelRegion(120, 60, 520, 480), (MM, 0, 0, 0, MM, 0, 0, 0, 1))


def capture(path: Path, code: str, at_s: float) -> None:
    shown = small(face(DECKS["kotka"], card(code)))
    cv2.imwrite(str(path), Lens(7).picture(at_s, shown, slide(7, 0), 0.0, None))


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck that was captured, with what is kept of it; each test has a copy."""
    made = tmp_path_factory.mktemp("deck")
    (made / "deck.json").write_text(json.dumps({"view": VIEW.as_json()}))
    for nth, code in enumerate(CODES):
        capture(made / f"{code}-1.png", code, 10.0 * nth)
    keep_captures(made)
    return made


@pytest.fixture
def folder(tmp_path: Path, captured: Path) -> Path:
    return shutil.copytree(captured, tmp_path / "deck")


@pytest.fixture
def blind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks for a card in a capture of this folder is told of it."""
    del folder  # written before

    def sees_none(_: object) -> object:
        raise DeckError("a capture was looked at")

    monkeypatch.setattr(deck_folder, "find_card", sees_none)


def parts(deck: CalibratedDeck) -> tuple[object, ...]:
    return deck.cards, deck.appearances, deck.sides, deck._rows.tobytes()


def looked_at(folder: Path) -> tuple[object, ...]:
    """The deck by its pictures alone."""
    content = (folder / FILE).read_bytes()
    (folder / FILE).unlink()
    found = parts(load_deck(folder))
    (folder / FILE).write_bytes(content)
    return found


def test_what_was_kept_is_the_deck_and_no_picture_is_looked_at(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    by_pictures = looked_at(folder)
    request.getfixturevalue("blind")
    assert parts(load_deck(folder)) == by_pictures


def test_a_kept_deck_compares_cards_as_the_pictures_do(folder: Path) -> None:
    kept = load_deck(folder)
    (folder / FILE).unlink()
    fresh = load_deck(folder)
    for nth, code in enumerate(CODES):
        shown = small(face(DECKS["kotka"], card(code)))
        frame = Lens(7).picture(10.0 * nth + 3, shown, slide(7, 1), 0.0, None)
        found = find_card(np.asarray(frame, np.uint8))
        assert isinstance(found, RectifiedCard)
        assert kept.match(found) == fresh.match(found)
        assert kept.match(found).card is card(code)


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("what", ["changed", "swapped", "renamed", "added", "taken away"])
def test_captures_that_are_others_now_are_looked_at_again(folder: Path, what: str) -> None:
    queen, nine = folder / "Qs-1.png", folder / "9d-1.png"
    if what == "changed":
        capture(queen, "Qs", 99.0)
    elif what == "swapped":
        one, other = queen.read_bytes(), nine.read_bytes()
        queen.write_bytes(other)
        nine.write_bytes(one)
    elif what == "renamed":
        queen.rename(folder / "Qc-1.png")
    elif what == "added":
        capture(folder / "Qs-2.png", "Qs", 40.0)
    else:
        nine.unlink()
    with pytest.raises(DeckError, match="looked at"):
        load_deck(folder)


def spoilt(content: bytes) -> Iterator[bytes]:
    """One bit of the digest, of a first and of a last row; cut off, and longer."""
    for at in (0, 31, 32, 45, len(content) - 1):
        yield content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
    yield from (b"", content[:32], content[:-1], content + b"\0")


@pytest.mark.usefixtures("blind")
def test_a_file_that_is_spoilt_is_not_believed(folder: Path) -> None:
    whole = (folder / FILE).read_bytes()
    for content in spoilt(whole):
        (folder / FILE).write_bytes(content)
        with pytest.raises(DeckError, match="looked at"):
            load_deck(folder)
    (folder / FILE).write_bytes(whole)
    load_deck(folder)


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("what", ["code", "library", "machine"])
def test_what_other_code_kept_is_not_believed(
    folder: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "code":
        monkeypatch.setattr(kept_captures, "CODE", CODE[:-1])
    elif what == "library":
        monkeypatch.setattr(cv2, "__version__", "4.10.0")
    else:
        monkeypatch.setattr("platform.machine", lambda: "vax")
    with pytest.raises(DeckError, match="looked at"):
        load_deck(folder)


def test_all_code_that_makes_what_is_kept_is_in_its_digest() -> None:
    vision = Path(drivers.vision.__file__).parent
    counted = {path.relative_to(vision) for each in CODE for path in vision.glob(each)}
    seen: set[Path] = set()
    left = [Path("calibrated/kept_captures.py"), Path("calibrated/deck_folder.py")]
    # What a folder's description says beside the captures is read at each start.
    beside = {Path("alphabet.py"), Path("printed_code.py"), Path("frame_reading.py")}
    while left:
        at = left.pop()
        if at in seen or at in beside:
            continue
        seen.add(at)
        for node in ast.walk(ast.parse((vision / at).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "drivers.vision"
            ):
                assert node.module is not None
                left.append(Path(*node.module.split(".")[2:]).with_suffix(".py"))
    assert {Path("finding/line_fit.py"), Path("order.py")} <= seen
    assert seen <= counted
