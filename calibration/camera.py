"""The camera of the shoe: how it sees the plane of the cards, its light, and the table's own deck.

The order: the board in five positions, every card of one deck once in a known order (captures),
every card once more in the same order (verification by the reader that will read at the table).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Final

import cv2
import numpy as np

from calibration import board
from calibration.guide import Guide, NotGoodEnough, need
from calibration.measure import Measurement
from calibration.stills import Still, Stills
from controller.rules.cards import Card, Rank
from drivers.picture import Frame, focus
from drivers.settings import CameraSettings
from drivers.vision.alphabet import Style
from drivers.vision.corner import corners as index_corners
from drivers.vision.deck import DeckError, load_deck
from drivers.vision.edges import Points
from drivers.vision.ink import redness
from drivers.vision.reader import Reader
from drivers.vision.sheet import Sheet, find
from drivers.vision.sight import Sight
from drivers.vision.why import Unread

CAPTURES: Final = 2
#: Of the least sharp capture's focus: blurrier at the table is not read.
FOCUS_SHARE: Final = 0.4
FOCUS_AT_LEAST: Final = 40.0
#: The paper in the picture, of 255: brighter has no detail, darker has no light.
WHITE_RANGE: Final = (90.0, 250.0)
BALANCE_AT_MOST: Final = 1.35
FLICKER_AT_MOST: Final = 8.0
#: The least red red and the reddest black index must lie so far apart.
REDNESS_APART: Final = 0.15
ABSTAINED_AT_MOST: Final = 0.02

#: The ranks whose indices the two styles print differently.
_TELLING: Final = frozenset((Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING))

MakeReader = Callable[[Path], Reader]
"""A reader for the deck in a folder; raises `DeckError`."""


@dataclass(frozen=True, slots=True)
class Captured:
    """One card of the deck at rest: its frames and what was found in them."""

    card: Card
    still: Still[Sheet]


@dataclass(frozen=True, slots=True)
class CameraFound:
    """What was found out: new settings, measurements, and the deck's captures in a folder."""

    settings: CameraSettings
    measurements: list[Measurement]
    confusion: dict[tuple[Card, Card | None], int]


async def calibrate_camera(
    guide: Guide,
    stills: Stills,
    settings: CameraSettings,
    kinds: Sequence[Card],
    folder: Path,
    make_reader: MakeReader,
) -> CameraFound:
    """Calibrate an open camera with a board and one deck of `kinds`; captures go to `folder`.

    Raises `NotGoodEnough`, `Abandoned`, `DeviceError`, `OSError`.
    """
    measured = await _plane(guide, stills, settings)
    captured = await _capture(guide, stills, kinds)
    seen = light(captured)
    need(guide, *seen)
    measured += seen
    style = write_deck(folder, captured)
    try:
        reader = make_reader(folder)
    except DeckError as error:
        raise NotGoodEnough(str(error)) from error
    confusion = await _verify(guide, stills, kinds, reader)
    told = verdict(confusion, kinds)
    need(guide, *told)
    focus_min = int(FOCUS_SHARE * min(focus(each.still.frames[0]) for each in captured))
    settings = _with(settings, folder, style, focus_min)
    return CameraFound(settings, measured + told, confusion)


def _with(
    settings: CameraSettings, folder: Path, style: Style | None, focus_min: int
) -> CameraSettings:
    if style is None:
        return replace(settings, deck=folder, focus_min=focus_min)
    return replace(settings, deck=folder, style=style.value, focus_min=focus_min)


async def _plane(guide: Guide, stills: Stills, settings: CameraSettings) -> list[Measurement]:
    """The board in several positions, the last as a card lies."""
    views = []
    size = (settings.width, settings.height)
    for nth in range(1, board.VIEWS_AT_LEAST + 1):
        last = nth == board.VIEWS_AT_LEAST
        how = "flat, as a card lies in the exit" if last else "tilted, another way each time"
        text = f"Board, {nth} of {board.VIEWS_AT_LEAST}: hold it before the camera, {how}"
        still = await guide.watch(text, stills.rest(_board_in))
        views.append(still.found[-1])
        guide.tell(f"Board, {nth} of {board.VIEWS_AT_LEAST}: {len(views[-1].ids)} corners")
    measured = board.measurements(board.plane(views, size), settings.height)
    need(guide, *measured)
    return measured


def _board_in(frame: Frame) -> tuple[board.View, Points] | None:
    view = board.see(frame)
    if len(view.ids) < board.CORNERS_AT_LEAST:
        return None
    return view, np.asarray(view.pixels, np.float32)


async def _capture(guide: Guide, stills: Stills, kinds: Sequence[Card]) -> list[Captured]:
    captured = []
    for nth, kind in enumerate(kinds, start=1):
        text = f"{nth} of {len(kinds)}: {kind.name}. Push it out, let it lie a moment, take it away"
        captured.append(Captured(kind, await guide.watch(text, stills.rest(_card_in))))
    return captured


def _card_in(frame: Frame) -> tuple[Sheet, Points] | None:
    sheet = find(frame)
    return None if isinstance(sheet, Unread) else (sheet, sheet.quad)


def light(captured: Sequence[Captured]) -> list[Measurement]:
    """What the captures say of focus, light and colour."""
    whites = [each.still.found[0].white for each in captured]
    flicker = max(
        max(abs(a - b) for a, b in zip(one.white, other.white, strict=True))
        for each in captured
        for one, other in zip(each.still.found, each.still.found[1:], strict=False)
    )
    lock = "Lock exposure, gain and white balance in [camera], and light the shoe evenly"
    return [
        Measurement(
            "focus, the least sharp card", round(min(map(_sharp, captured)), 1), "variance",
            at_least=FOCUS_AT_LEAST, remedy="Focus the camera on the plane of the cards, lock it",
        ),
        Measurement(
            "paper, darkest channel", round(min(min(each) for each in whites)), "of 255",
            at_least=WHITE_RANGE[0], remedy="More light, or a longer exposure",
        ),
        Measurement(
            "paper, brightest channel", round(max(max(each) for each in whites)), "of 255",
            at_most=WHITE_RANGE[1], remedy="Less light, or a shorter exposure",
        ),
        Measurement(
            "paper, white balance", round(max(max(each) / min(each) for each in whites), 2),
            "brightest to darkest channel", at_most=BALANCE_AT_MOST,
            remedy="Set white_balance in [camera] so that paper is white",
        ),
        Measurement(
            "paper, flicker between frames", round(flicker, 1), "of 255", at_most=FLICKER_AT_MOST,
            remedy=lock,
        ),
        _colours(captured),
    ]  # fmt: skip


def _sharp(captured: Captured) -> float:
    return captured.still.found[0].focus


def _colours(captured: Sequence[Captured]) -> Measurement:
    """How far the least red red index and the reddest black one lie apart."""
    reds: list[float] = []
    blacks: list[float] = []
    for each in captured:
        if each.card.suit is None:
            continue
        told = [redness(corner) for corner in index_corners(each.still.found[0])]
        side = reds if each.card.suit.value in "dh" else blacks
        side += [one for one in told if one is not None]
    apart = round(min(reds) - max(blacks), 3) if reds and blacks else None
    return Measurement(
        "red and black ink, apart", apart, "redness", at_least=REDNESS_APART,
        remedy="White light, white_balance set; or a card lay in a wrong place: begin again",
    )  # fmt: skip


def write_deck(folder: Path, captured: Sequence[Captured]) -> Style | None:
    """Write captures and `deck.json`; the style of the indices, where all that tell it agree.

    Raises `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*-*.png"):
        old.unlink()
    digests = {}
    for each in captured:
        for nth, frame in enumerate(each.still.frames[:CAPTURES], start=1):
            done, png = cv2.imencode(".png", frame)
            if not done:
                raise OSError(f"{each.card.name} could not be written as a picture")
            name = f"{each.card.code}-{nth}.png"
            (folder / name).write_bytes(bytes(png))
            digests[name] = hashlib.sha256(bytes(png)).hexdigest()
    style = _style(captured)
    whites = np.array([each.still.found[0].white for each in captured])
    quads = np.array([each.still.corners for each in captured])
    described = {
        "style": style.value if style else "any",
        "cards": [each.card.code for each in captured],
        "captures": digests,
        "white": [round(float(value)) for value in np.median(whites, axis=0)],
        "focus": round(median(map(_sharp, captured)), 1),
        "height_px": round(float(np.median(quads[:, 3, 1] - quads[:, 0, 1]))),
    }
    (folder / "deck.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    return style


def _style(captured: Sequence[Captured]) -> Style | None:
    reader = Reader()
    styles = set()
    for each in captured:
        if each.card.rank in _TELLING:
            sight = reader.read(each.still.frames[0])
            if sight.card is each.card and sight.style is not None:
                styles.add(sight.style)
    return styles.pop() if len(styles) == 1 else None


async def _verify(
    guide: Guide, stills: Stills, kinds: Sequence[Card], reader: Reader
) -> dict[tuple[Card, Card | None], int]:
    """Every card once more in the known order: what was read for what lay there."""
    confusion: Counter[tuple[Card, Card | None]] = Counter()
    for nth, kind in enumerate(kinds, start=1):
        text = f"{nth} of {len(kinds)}, once more: {kind.name}"
        still = await guide.watch(text, stills.rest(_card_in))
        told = vote([reader.read(frame) for frame in still.frames])
        confusion[kind, told] += 1
        guide.tell(f"{kind.name}: {told.name if told else 'not told'}")
    return dict(confusion)


def vote(sights: Sequence[Sight]) -> Card | None:
    """The card that several frames agree on: two at least, and no other card."""
    told = Counter(sight.card for sight in sights if sight.card is not None)
    if len(told) != 1:
        return None
    ((card, times),) = told.items()
    return card if times >= 2 else None


def verdict(
    confusion: dict[tuple[Card, Card | None], int], kinds: Sequence[Card]
) -> list[Measurement]:
    """What the verification pass says."""
    wrong = [f"{is_.name} as {told.name}" for is_, told in confusion if told not in (is_, None)]
    silent = [is_.name for is_, told in confusion if told is None]
    return [
        Measurement(
            "verification, misreads", len(wrong), "cards", at_most=0,
            remedy=f"{', '.join(wrong[:4])}: was a card in a wrong place? Then begin again; else "
            "this deck is not for a camera",
        ),
        Measurement(
            "verification, not told", round(len(silent) / len(kinds), 3), "of the deck",
            at_most=ABSTAINED_AT_MOST,
            remedy=f"{', '.join(silent[:6])}: more even light, a cleaner lens, a new deck",
        ),
    ]  # fmt: skip


def load_reader(style: Style | None) -> MakeReader:
    """Readers as the table has them."""

    def make(folder: Path) -> Reader:
        return Reader(deck=load_deck(folder), style=style)

    return make
