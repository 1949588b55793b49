"""Focus, light, colour, size and place of a deck's captures measured, and its folder written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import cv2
import numpy as np

from calibration.camera.stills import StillCard
from calibration.measure import Measurement
from controller.rules.cards import Card, Rank
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.calibrated.deck_folder import GROUND
from drivers.vision.calibrated.kept_captures import FILE
from drivers.vision.calibrated.surroundings import Surroundings, surroundings_of
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.rectified_card import RectifiedCard
from drivers.vision.index_corner import index_corners, redness

CAPTURES: Final = 2
FOCUS_AT_LEAST: Final = 40.0
#: The paper in the picture, of 255: brighter has no detail, darker has no light.
WHITE_RANGE: Final = (90.0, 250.0)
BALANCE_AT_MOST: Final = 1.35
FLICKER_AT_MOST: Final = 8.0
#: The least red red and the reddest black index must lie this far apart.
REDNESS_APART: Final = 0.15
#: The ranks whose indices differ between Finnish and Anglo decks.
_TELLING: Final = frozenset((Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING))
#: Those of them without which no style is concluded: a German or a Nordic deck has an Anglo A and
#: K, a Russian one the K, a French one may have a Finnish 1.
_NEEDED: Final = frozenset((Rank.JACK, Rank.QUEEN, Rank.KING))


@dataclass(frozen=True, slots=True)
class Captured:
    """One card of the deck at rest: its frames and what was found in them.

    `by_hand`: a person named it, because its index was not read.
    """

    card: Card
    still: StillCard[RectifiedCard]
    by_hand: bool = False


def light(captured: Sequence[Captured]) -> list[Measurement]:
    """Focus and light of the captures of a deck, and colour where the camera sees any."""
    if not any(each.still.found[0].in_colour for each in captured):
        return paper(captured)
    return [*paper(captured), _colours(captured)]


def paper(captured: Sequence[Captured]) -> list[Measurement]:
    """Focus and light of the captures of any cards."""
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
    ]  # fmt: skip


def _sharp(captured: Captured) -> float:
    return captured.still.found[0].focus


def _colours(captured: Sequence[Captured]) -> Measurement:
    """How far the least red red index and the reddest black one lie apart."""
    reds: list[tuple[float, Card]] = []
    blacks: list[tuple[float, Card]] = []
    for each in captured:
        if each.card.suit is None:
            continue
        measured = [redness(corner) for corner in index_corners(each.still.found[0])]
        side = reds if each.card.suit.value in "dh" else blacks
        side += [(one, each.card) for one in measured if one is not None]
    name = "red and black ink, apart"
    if not reds or not blacks:
        return Measurement(
            name, None, "redness", at_least=REDNESS_APART,
            remedy="Red and black cards are needed: capture the whole deck",
        )  # fmt: skip
    red = min(reds, key=lambda one: one[0])
    black = max(blacks, key=lambda one: one[0])
    return Measurement(
        name, round(red[0] - black[0], 3), "redness", at_least=REDNESS_APART,
        remedy=f"The least red is the {red[1].name}, the reddest black one the {black[1].name}: if"
        " one of them was named wrongly, take it back; else white light, and white_balance set",
    )  # fmt: skip


def sizes(captured: Sequence[Captured], view: CameraView) -> Measurement:
    """Whether the captures are of a card's size on the plane that the board showed."""
    sides = [view.sides_mm(each.still.corners) for each in captured]
    off = [
        f"{each.card.name} is {wide:.0f} x {high:.0f} mm"
        for each, (wide, high) in zip(captured, sides, strict=True)
        if not view.fits(each.still.corners)
    ]
    return Measurement(
        "captures not of a card's size on the plane", len(off), "cards", at_most=0,
        remedy=f"{', '.join(off[:3])}: lay the board flat where the cards lie, and begin again",
    )  # fmt: skip


def write_deck(
    folder: Path, captured: Sequence[Captured], view: CameraView, chosen: PrintedStyle | None = None
) -> PrintedStyle | None:
    """Write captures and `deck.json`; the style of the indices, None where none is concluded.

    Nothing is durable yet: whoever puts the folder in its place sees to that. Raises `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*-*.png"), *folder.glob(GROUND), *folder.glob(FILE)):
        old.unlink()
    _write_ground(folder / GROUND, captured, view)
    digests: dict[str, str] = {}
    for each in captured:
        for frame in each.still.frames[:CAPTURES]:
            done, png = cv2.imencode(".png", frame)
            if not done:
                raise OSError(f"{each.card.name} could not be written as a picture")
            # Two Jokers of different looks are captures of the one kind.
            earlier = sum(name.startswith(f"{each.card.code}-") for name in digests)
            name = f"{each.card.code}-{earlier + 1}.png"
            (folder / name).write_bytes(bytes(png))
            digests[name] = hashlib.sha256(bytes(png)).hexdigest()
    style = chosen or _style(captured)
    whites = np.array([each.still.found[0].white for each in captured])
    quads = np.array([each.still.corners for each in captured])
    described: dict[str, object] = {
        "style": style.value if style else "any",
        "cards": list(dict.fromkeys(each.card.code for each in captured)),
        "captures": digests,
        "white": [round(float(value)) for value in np.median(whites, axis=0)],
        "focus": round(median(map(_sharp, captured)), 1),
        "view": view.as_json(),
        "height_px": round(float(np.median(quads[:, 3, 1] - quads[:, 0, 1]))),
    }
    (folder / "deck.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    return style


def _write_ground(path: Path, captured: Sequence[Captured], view: CameraView) -> None:
    """What all captures show around the cards, where there is something to go by."""
    around = Surroundings.of([surroundings_of(each.still.frames[0], view) for each in captured])
    if around is None:
        return
    done, picture = cv2.imencode(".pgm", around.ground)
    if not done:
        raise OSError("what is around the cards could not be written as a picture")
    path.write_bytes(bytes(picture))


def _style(captured: Sequence[Captured]) -> PrintedStyle | None:
    """Finnish or Anglo, where Jack, Queen and King were read in that style and none in another."""
    reader = CardRecognizer()
    found: set[tuple[Rank, PrintedStyle]] = set()
    for each in captured:
        if each.card.rank in _TELLING:
            sight = reader.read(each.still.frames[0])
            if sight.card is each.card and sight.style is not None:
                found.add((each.card.rank, sight.style))
    styles = {style for _, style in found}
    return styles.pop() if len(styles) == 1 and {rank for rank, _ in found} >= _NEEDED else None
