"""The folder of a calibrated deck, as calibration writes it, loaded and checked.

It holds `deck.json` and one or more captures of each card, `<card>-<n>.png` (`Th-1.png`,
`Jo-2.png`): a frame of the camera, or, higher than wide, the card alone. What is kept of them
stands beside them, once they were looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.devices.english import ENGLISH
from controller.devices.inputs import Doubt
from controller.rules.cards import Card, CardError, Pack, card
from drivers.code_book import PRINTED_CODE, CodeBookError, code_book
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.kept_captures import DeckCapture, read_kept, write_kept
from drivers.vision.calibrated.shoe_light import PICTURES_MAX, ShoeLight
from drivers.vision.calibrated.surroundings import HEIGHT, WIDTH, Surroundings
from drivers.vision.finding.card_edges import Image
from drivers.vision.finding.rectified_card import RectifiedCard, find_card, rectified_crop
from drivers.vision.printed_code import CodeArea, PrintedCodeError, PrintedCodeReader

CAPTURES_MAX: Final = 1000
#: What calibration saw around the cards.
GROUND: Final = "ground.pgm"
FILE_BYTES_MAX: Final = 8_000_000
_NAME: Final = re.compile(r"([A-Za-z0-9]+)-([0-9]+)\.png")
_STYLES: Final = ", ".join(f'"{each.value}"' for each in PrintedStyle)


class DeckError(Exception):
    """A calibrated deck cannot be used; the text says what to change."""


def load_deck(folder: Path, leave_out: Callable[[str], None] | None = None) -> CalibratedDeck:
    """The deck that calibration wrote into `folder`; raises `DeckError`.

    A capture in which no card is found refuses the deck; with `leave_out`, which gets the reason
    as text, the deck does without it.
    """
    try:
        return _loaded(folder, leave_out)
    except OSError as error:
        # Written by somebody else, say: whoever runs the table may not read it.
        at = error.filename or folder
        why = f"{at} cannot be read ({error.strerror})"
        raise DeckError(f"{why}: let the table read it, or calibrate the camera again") from error


def _loaded(folder: Path, leave_out: Callable[[str], None] | None) -> CalibratedDeck:
    """The same. Raises `OSError`, too."""
    description = _description(folder / "deck.json")
    style, view = _style(description), _view(description)
    printed_codes = _printed_codes(description.get("codes"), folder)
    files = _files(folder)
    kinds = [_kind(path) for path in files]
    around = _surroundings(folder / GROUND) if view else None
    lit = _light(files, view) if view else None
    captures = read_kept(folder, files, kinds) or _captures(files, kinds, leave_out)
    return CalibratedDeck(captures, style, printed_codes, view, around, lit)


def keep_captures(folder: Path) -> None:
    """Write what is kept of the captures in `folder` beside them.

    Raises `DeckError` as `load_deck` does, `OSError`.
    """
    files = _files(folder)
    kinds = [_kind(path) for path in files]
    write_kept(folder, files, _captures(files, kinds, None))


def _files(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.iterdir() if path.suffix == ".png")
    if not files:
        raise DeckError(f"{folder} holds no captures: calibrate the camera with this deck")
    if len(files) > CAPTURES_MAX:
        raise DeckError(f"{folder} holds more than {CAPTURES_MAX} captures: take the surplus away")
    return files


def _captures(
    files: list[Path], kinds: list[Card], leave_out: Callable[[str], None] | None
) -> Iterator[DeckCapture]:
    """One at a time: all of the pictures at once take 40 MB that a Pi does not get back."""
    usable = 0
    for path, kind in zip(files, kinds, strict=True):
        found = _capture(path)
        if isinstance(found, RectifiedCard):
            usable += 1
            yield DeckCapture.of(kind, found)
            continue
        reason = f"{path}: {ENGLISH.say(found.value)}: capture this card again"
        if leave_out is None:
            raise DeckError(reason)
        leave_out(reason)
    if not usable:
        raise DeckError(f"{files[0].parent}: no capture shows a card: calibrate the camera again")


def _description(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DeckError(
            f"{path} cannot be read ({error.strerror}): give a folder that calibration wrote"
        ) from error
    except ValueError as error:
        raise DeckError(f"{path} is no JSON: calibrate the camera with this deck again") from error
    if not isinstance(data, dict):
        raise DeckError(f"{path} is no JSON object: calibrate the camera with this deck again")
    return data


def _style(description: dict[str, Any]) -> PrintedStyle | None:
    style = description.get("style")
    if style in (None, "any"):
        return None
    try:
        return PrintedStyle(style)
    except ValueError:
        raise DeckError(f'deck.json: style is {_STYLES} or "any", not {style!r}') from None


def _view(description: dict[str, Any]) -> CameraView | None:
    try:
        return CameraView.of(description["view"]) if "view" in description else None
    except ValueError as error:
        raise DeckError(f"deck.json: {error}: calibrate the camera again") from error


def _surroundings(path: Path) -> Surroundings | None:
    """The ground that calibration saw; None where it found nothing to go by."""
    if not path.exists():
        return None
    found = _image(path, cv2.IMREAD_GRAYSCALE)
    if found is None or found.shape != (HEIGHT, WIDTH) or not found.any():
        raise DeckError(f"{path} is not what calibration wrote: calibrate the camera again")
    return Surroundings(found)


def _light(files: list[Path], view: CameraView) -> ShoeLight | None:
    """The ground around the cards, by captures that are whole frames of the view's camera."""
    some = (_image(path, cv2.IMREAD_COLOR) for path in files[:: -(-len(files) // PICTURES_MAX)])
    # One at a time: a whole frame is a MB, what is kept of it a hundredth.
    whole = (
        each for each in some if each is not None and each.shape[:2] == (view.height, view.width)
    )
    return ShoeLight.of(whole, view)


def _printed_codes(codes: object, folder: Path) -> PrintedCodeReader | None:
    """The reader of the deck's codes, of `{"book": …, "symbologies": […], "region": […]}`."""
    if codes is None:
        return None
    if not isinstance(codes, dict) or codes.keys() - {"book", "symbologies", "region"}:
        raise DeckError("deck.json: codes has book, symbologies and region, and nothing else")
    book = codes.get("book", PRINTED_CODE)
    symbologies, region = codes.get("symbologies", ["C"]), codes.get("region", [0, 0, 1, 1])
    try:
        where = book if book == PRINTED_CODE else folder / str(book)
        return PrintedCodeReader(
            code_book(where, Pack(1, 1)),
            tuple(str(each) for each in symbologies),
            CodeArea(*(float(share) for share in region)),
        )
    except (CodeBookError, PrintedCodeError, TypeError, ValueError) as error:
        raise DeckError(f"deck.json: codes: {error}") from error


def _kind(path: Path) -> Card:
    """The card that a capture is of, by its name."""
    named = _NAME.fullmatch(path.name)
    try:
        kind = card(named[1]) if named else None
    except CardError:
        kind = None
    if kind is None:
        raise DeckError(f"{path}: a capture is named <card>-<n>.png, as in Th-1.png or Jo-1.png")
    return kind


def _capture(path: Path) -> RectifiedCard | Doubt:
    if path.stat().st_size > FILE_BYTES_MAX:
        raise DeckError(f"{path} is larger than {FILE_BYTES_MAX} bytes: capture it again")
    image = _image(path, cv2.IMREAD_COLOR)
    if image is None:
        raise DeckError(f"{path} is no picture: capture this card again")
    return _found(image)


def _image(path: Path, flags: int) -> Image | None:
    """The image in a file; None where there is none in it, or nothing at all."""
    content = np.fromfile(path, np.uint8)
    image = cv2.imdecode(content, flags) if content.size else None
    return None if image is None else np.asarray(image, np.uint8)


def _found(image: Image) -> RectifiedCard | Doubt:
    return rectified_crop(image) if image.shape[0] > image.shape[1] else find_card(image)
