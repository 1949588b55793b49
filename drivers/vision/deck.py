"""The table's own deck: captures of every card, and the match of a whole card with them.

A reader of its own kind: it knows no alphabet, it compares pictures. What calibration writes is a
folder with `deck.json` and one or more captures of each card, `<card>-<n>.png` (`Th-1.png`,
`Jo-2.png`): a frame of the camera, or, higher than wide, the card alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from controller.rules.cards import Card, CardError, Pack, card
from drivers.code_book import PRINTED_CODE, CodeBookError, code_book
from drivers.vision.abstention import Unread
from drivers.vision.alphabet import IndexStyle
from drivers.vision.camera_geometry import CameraView
from drivers.vision.card_edges import Image
from drivers.vision.drift import appearance_of
from drivers.vision.printed import CodeArea, PrintedCodeError, PrintedCodeReader
from drivers.vision.rectified_card import RectifiedCard, find_card, rectified_crop
from drivers.vision.surroundings import HEIGHT, WIDTH, Surroundings
from drivers.vision.template_match import (
    FloatImage,
    PrintTemplate,
    margin,
    registered,
    thumbnail_of,
    unit_row,
)

CAPTURES_MAX: Final = 1000
#: What calibration saw around the cards.
GROUND: Final = "ground.pgm"
FILE_BYTES_MAX: Final = 8_000_000
_NAME: Final = re.compile(r"([A-Za-z0-9]+)-([0-9]+)\.png")
#: So many of the likeliest cards are compared with care.
_RIVALS: Final = 4


class DeckError(Exception):
    """A calibrated deck cannot be used; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a card compares with the deck.

    `likeness` is the correlation with the best capture (1: the same picture). `margin` places the
    card between that capture and the best one of any other card: 1 is at the first, 0 half-way.
    """

    card: Card
    likeness: float
    margin: float
    second: Card | None


class CalibratedDeck:
    """The captures of one deck, ready to be compared.

    `style` is None where it was not told, `printed` None where the cards have no code, `view` None
    where it is not known how the camera sees the cards, `around` None where nothing is known of
    what lies around them.
    """

    def __init__(
        self,
        captures: Iterable[tuple[Card, RectifiedCard]],
        style: IndexStyle | None,
        printed: PrintedCodeReader | None = None,
        view: CameraView | None = None,
        around: Surroundings | None = None,
    ) -> None:
        self.style = style
        self.view = view
        self.around = around
        self.printed = printed
        # One sheet at a time: all of them at once take 40 MB that a Pi does not get back.
        kept = [(kind, thumbnail_of(sheet), appearance_of(sheet)) for kind, sheet in captures]
        self.cards = tuple(kind for kind, _, _ in kept)
        #: How each card was seen when it was captured.
        self.seen = {kind: seen for kind, _, seen in reversed(kept)}
        # As bytes, a quarter of what is compared: a hundred captures are most of a deck's memory.
        self._captures = [each for _, each, _ in kept]
        self._rows = np.stack([each.row() for each in self._captures])

    def glance(self, sheet: RectifiedCard) -> Match:
        """The card whose capture is most like this one as it lies; nothing is asked of others."""
        likeness = self._rows @ thumbnail_of(sheet).row()
        best = int(likeness.argmax())
        return Match(self.cards[best], float(likeness[best]), 0.0, None)

    def match(self, sheet: RectifiedCard) -> Match:
        """The card of the deck that is most like this one.

        The card is laid exactly over the likeliest one, and the likeliest few are compared again
        with care, where they differ.
        """
        small = thumbnail_of(sheet)
        seen = small.print()
        first, *rivals = self._likeliest(self._rows @ small.row())
        prints = {at: self._captures[at].print() for at in (first, *rivals)}
        best = self._compared(seen, prints, first, rivals)
        if best.margin < 0:
            beaten, first = first, best.rival
            rivals = [beaten if rival == first else rival for rival in rivals]
            best = self._compared(seen, prints, first, rivals)
        second = self.cards[best.rival] if rivals else None
        return Match(self.cards[first], best.likeness, best.margin, second)

    def _likeliest(self, likeness: FloatImage) -> list[int]:
        """The best capture of each of the likeliest cards, likeliest first."""
        found: dict[Card, int] = {}
        for at in np.argsort(-likeness):
            found.setdefault(self.cards[at], int(at))
            if len(found) == _RIVALS:
                break
        return list(found.values())

    def _compared(
        self, seen: PrintTemplate, prints: dict[int, PrintTemplate], first: int, rivals: list[int]
    ) -> _Compared:
        best = prints[first]
        laid = registered(seen, best)
        likeness = float(unit_row(laid.levels * laid.seen) @ self._rows[first])
        margins = [margin(laid, best, prints[rival]) for rival in rivals]
        if not margins:
            return _Compared(likeness, 0.0, first)
        least = int(np.argmin(margins))
        return _Compared(likeness, margins[least], rivals[least])


class _Compared(NamedTuple):
    """How a card compares with one of the deck, and which other comes nearest."""

    likeness: float
    margin: float
    rival: int


def load_deck(folder: Path, leave_out: Callable[[str], None] | None = None) -> CalibratedDeck:
    """The deck that calibration wrote into `folder`; raises `DeckError`.

    A capture in which no card is found refuses the deck; with `leave_out` it is told why, and the
    deck does without it.
    """
    said = _described(folder / "deck.json")
    style, printed, view = _style(said), _printed(said.get("codes"), folder), _view(said)
    files = sorted(path for path in folder.iterdir() if path.suffix == ".png")
    if not files:
        raise DeckError(f"{folder} holds no captures: calibrate the camera with this deck")
    if len(files) > CAPTURES_MAX:
        raise DeckError(f"{folder} holds more than {CAPTURES_MAX} captures: take the surplus away")
    around = _around(folder / GROUND) if view else None
    return CalibratedDeck(_captures(files, leave_out), style, printed, view, around)


def _captures(
    files: list[Path], leave_out: Callable[[str], None] | None
) -> Iterator[tuple[Card, RectifiedCard]]:
    usable = 0
    for path in files:
        kind, seen = _capture(path)
        if isinstance(seen, RectifiedCard):
            usable += 1
            yield kind, seen
            continue
        said = f"{path}: {seen.why.value}: capture this card again"
        if leave_out is None:
            raise DeckError(said)
        leave_out(said)
    if not usable:
        raise DeckError(f"{files[0].parent}: no capture shows a card: calibrate the camera again")


def _described(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DeckError(
            f"{path} cannot be read ({error.strerror}): give a folder that calibration wrote"
        ) from error
    except ValueError as error:
        raise DeckError(f"{path} is no JSON: calibrate the camera with this deck again") from error
    if not isinstance(said, dict):
        raise DeckError(f"{path} is no JSON object: calibrate the camera with this deck again")
    return said


def _style(said: dict[str, Any]) -> IndexStyle | None:
    style = said.get("style")
    if style in (None, "any"):
        return None
    try:
        return IndexStyle(style)
    except ValueError:
        raise DeckError(f'deck.json: style is "finnish", "anglo" or "any", not {style!r}') from None


def _view(said: dict[str, Any]) -> CameraView | None:
    try:
        return CameraView.of(said["view"]) if "view" in said else None
    except ValueError as error:
        raise DeckError(f"deck.json: {error}: calibrate the camera again") from error


def _around(path: Path) -> Surroundings | None:
    """The ground that calibration saw; None where it found nothing to go by."""
    if not path.exists():
        return None
    found = _picture(path, cv2.IMREAD_GRAYSCALE)
    if found is None or found.shape != (HEIGHT, WIDTH) or not found.any():
        raise DeckError(f"{path} is not what calibration wrote: calibrate the camera again")
    return Surroundings(found)


def _printed(said: object, folder: Path) -> PrintedCodeReader | None:
    """The reader of the deck's codes, of `{"book": …, "symbologies": […], "region": […]}`."""
    if said is None:
        return None
    if not isinstance(said, dict) or said.keys() - {"book", "symbologies", "region"}:
        raise DeckError("deck.json: codes has book, symbologies and region, and nothing else")
    book = said.get("book", PRINTED_CODE)
    kinds, region = said.get("symbologies", ["C"]), said.get("region", [0, 0, 1, 1])
    try:
        where = book if book == PRINTED_CODE else folder / str(book)
        return PrintedCodeReader(
            code_book(where, Pack(1, 1)),
            tuple(str(kind) for kind in kinds),
            CodeArea(*(float(share) for share in region)),
        )
    except (CodeBookError, PrintedCodeError, TypeError, ValueError) as error:
        raise DeckError(f"deck.json: codes: {error}") from error


def _capture(path: Path) -> tuple[Card, RectifiedCard | Unread]:
    named = _NAME.fullmatch(path.name)
    try:
        kind = card(named[1]) if named else None
    except CardError:
        kind = None
    if kind is None:
        raise DeckError(f"{path}: a capture is named <card>-<n>.png, as in Th-1.png or Jo-1.png")
    if path.stat().st_size > FILE_BYTES_MAX:
        raise DeckError(f"{path} is larger than {FILE_BYTES_MAX} bytes: capture it again")
    picture = _picture(path, cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckError(f"{path} is no picture: capture this card again")
    return kind, _seen(picture)


def _picture(path: Path, flags: int) -> Image | None:
    """The picture in a file; None where there is none in it, or nothing at all."""
    content = np.fromfile(path, np.uint8)
    picture = cv2.imdecode(content, flags) if content.size else None
    return None if picture is None else np.asarray(picture, np.uint8)


def _seen(picture: Image) -> RectifiedCard | Unread:
    return rectified_crop(picture) if picture.shape[0] > picture.shape[1] else find_card(picture)
