"""A telephone that shows a card, in the mouth of a rendered shoe: it shines, the shoe is lit.

The shoe, its camera, the light of a passage and the ways of its cards are those of the endurance
run (`tests.endurance.passages.scene`); what shines is added to what the lamp lights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw import lens as optics
from calibration.draw.lens import Distortion
from controller.rules.cards import Card
from drivers.io.camera.frame_quality import Frame
from sim_hw.devices.lens import ASIDE, WIDTH, Slide
from tests.endurance.passages.scene import PACK, WAY, DrawnShoe, _in_light

Floats = NDArray[np.float32]

#: A card and a telephone, in mm.
CARD_MM: Final = (63.0, 88.0)
PHONE_MM: Final = (72.0, 150.0)
#: What dark glass returns of the lamp's light, of 255.
GLASS: Final = 10.0
#: Blue, green and red as a sensor has them, in nm.
_NM: Final = (450.0, 540.0, 610.0)


class Around(Enum):
    """What is around the card's picture."""

    BEZEL = "a dark telephone"
    NOTHING = "the shoe: the screen ends with the card"
    GROUND = "the shoe's ground, shown by the screen too"


@dataclass(frozen=True, slots=True)
class Screen:
    """What a telephone shows: `bright` by paper under that moment's lamp, `scale` by a card's size.

    `kelvin` is the colour of its white, `lamp_kelvin` that of the lamp, to which the camera's
    white was locked. With `bright` 0 it is a print of a card on paper.
    """

    bright: float
    scale: float = 1.0
    kelvin: float = 6500.0
    lamp_kelvin: float = 4000.0
    around: Around = Around.BEZEL

    @property
    def white(self) -> Floats:
        """Its white (BGR) by the paper's under the lamp."""
        ratio = np.array([_planck(nm, self.kelvin) / _planck(nm, self.lamp_kelvin) for nm in _NM])
        return np.asarray(self.bright * ratio / ratio[1], np.float32)


def _planck(nm: float, kelvin: float) -> float:
    return 1 / math.expm1(1.4388e7 / (nm * kelvin))


def passage(shoe: DrawnShoe, nth: int, screen: Screen, count: int) -> tuple[Card, Iterator[Frame]]:
    """The card that is shown, and `count` frames of the telephone's way past the camera."""
    rng = np.random.default_rng([shoe.seed, shoe.number, nth, 11])
    kind = PACK[int(rng.integers(52))]
    return kind, _frames(shoe, kind, screen, rng, count)


def _frames(
    shoe: DrawnShoe, kind: Card, screen: Screen, rng: np.random.Generator, count: int
) -> Iterator[Frame]:
    lens, sensor, high = shoe._camera
    light = _in_light(sensor, optics.choose(rng, Distortion.EASY))
    # Not so bright that paper fills the sensor, nor so dark that the ground says nothing.
    light = replace(light, gain=float(rng.uniform(0.75, 0.9)), glare=0.0)
    how = Slide(
        x=WIDTH / 2 + float(rng.uniform(-ASIDE, ASIDE)), angle=float(rng.normal(0, 1.6)),
        high=high * screen.scale, turned=bool(rng.random() < 0.5),
    )  # fmt: skip
    at_s, fixed = float(rng.uniform(0, 600)), int(rng.integers(1 << 31))
    face = shoe._faces[kind]
    balance = np.array(light.balance, np.float32)
    for each in range(count):
        share = (each + 0.5) * WAY / count
        still = lens.picture(at_s, None, how, share, None).astype(np.float32)
        white = lens.picture(at_s, np.full_like(face, 255), how, share, None)
        shown = lens.picture(at_s, face, how, share, None).astype(np.float32)
        card = (white.min(axis=2) > 150)[..., None]
        if screen.bright == 0:
            lit: Floats = np.where(card, shown * 0.97, still)
            yield optics.expose(_levels(lit), light, np.random.default_rng(fixed))
            continue
        # A lamp that is a little bluer than at calibration leaves what shines as it is.
        ground = (
            still
            if screen.around is Around.NOTHING
            else np.where(_phone(still.shape[:2], how, card, screen)[..., None], GLASS, still)
        )
        lit = np.where(card, GLASS, ground)
        shines = np.where(card, shown, 0.0)
        if screen.around is Around.GROUND:
            shines = np.where(card, shown, np.where(ground != still, still, 0.0))
        both = lit + shines * screen.white / balance
        # The sensor takes bytes: what is brighter is scaled into them, and its gain with it.
        share_of = min(1.0, 255 / float(both.max()))
        sensed = replace(light, gain=light.gain / share_of)
        yield optics.expose(
            _levels(np.asarray(both * share_of, np.float32)), sensed, np.random.default_rng(fixed)
        )


def _phone(
    size: tuple[int, ...], how: Slide, card: NDArray[np.bool_], screen: Screen
) -> NDArray[np.bool_]:
    """Where the telephone is: around the middle of the card that it shows."""
    rows, columns = np.nonzero(card[..., 0])
    if not len(rows):
        return np.zeros(size[:2], np.bool_)
    mm = how.high / CARD_MM[1] / screen.scale
    middle = (float(columns.mean()), float(rows.mean()))
    box = (middle, (PHONE_MM[0] * mm, PHONE_MM[1] * mm), how.angle)
    mask = np.zeros(size[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(cv2.boxPoints(box)).astype(np.int32)], 1)
    return np.asarray(mask > 0, np.bool_)


def _levels(lit: Floats) -> Frame:
    return np.asarray(np.clip(lit, 0, 255), np.uint8)
