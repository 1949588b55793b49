"""A shoe with its camera and deck, and the cards that slide through it, from seeds.

Half of all cards lie the other way round, when they are captured and when they pass, and every
third shoe has a deck whose courts stand upright or differ by their signs alone.

The way of a card, the felt and the sensor's noise are the simulated world's
(`sim_hw.devices.lens`); what light and lens do beyond that is `calibration.draw.lens`. Lens and
sensor are the shoe's and stay, as a camera with locked settings does; light, glare and the speed
of the hand are the passage's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from calibration.draw import deck_design, decks, frames
from calibration.draw import lens as optics
from calibration.draw.fonts import DesignSplit
from calibration.draw.lens import Distortion
from calibration.outcomes import GroundTruth
from controller.rules.cards import DECK_52, JOKER, Card
from drivers.io.camera.frame_quality import Frame
from sim_hw.devices import deck_art
from sim_hw.devices.lens import ASIDE, CARD_PX, CARD_PX_BY, WIDTH, Lens, Mishap, Slide, slide, small

PACK: Final = (*DECK_52, JOKER)
#: So many times each card of its deck passes a shoe, in a shuffled order, before the next shoe.
TURNS: Final = 2
PASSAGES_A_SHOE: Final = TURNS * len(PACK)
#: The part of a card's way in which it is wholly in the picture, or nearly so.
WAY: Final = 0.625
#: One passage in so many goes wrong: a hand, blur, the back, a second card.
MISHAP_EVERY: Final = 25
#: Of a card, in pixels: from a third of the picture to what fits into it at rest.
HIGH: Final = (175.0, 285.0)
#: By which share one card may be nearer to the camera than another, as in the simulated world.
NEARER: Final = CARD_PX_BY / CARD_PX
_CAMERAS_A_DECK: Final = 8
_LEVELS: Final = tuple(Distortion)
_SHARES: Final = (0.38, 0.38, 0.24)


@dataclass(frozen=True)
class DrawnShoe:
    """A shoe by its number: a deck before a camera. The same numbers are the same pictures.

    `attempt` counts cameras that calibration has refused: the next one is another, and after some
    the deck is: calibration refuses one whose red is too pale before any camera.
    """

    seed: int
    number: int
    attempt: int = 0

    @property
    def drawn(self) -> bool:
        """Every third shoe has a deck of `calibration.draw`, of fonts and art kept from training;
        the others have those of the simulated world.
        """
        return self.number % 3 == 1

    @property
    def hard(self) -> bool:
        """And every third one a deck with one-way courts, most of them of look-alike suits."""
        return self.number % 3 == 2

    @cached_property
    def name(self) -> str:
        """The deck's name."""
        return self._deck.name

    @cached_property
    def style(self) -> str:
        """The style of the deck's indices, `finnish` or `standard`."""
        if isinstance(self._deck, deck_design.DrawnDeck):
            return self._deck.style.value
        return "finnish" if self._deck.finnish else "standard"

    @cached_property
    def _deck(self) -> deck_design.DrawnDeck | deck_art.DeckDesign:
        """Raises `MissingPackage`."""
        nth = self.number // 3
        if self.drawn:
            return frames.deck(nth + self.attempt // _CAMERAS_A_DECK * 1000, DesignSplit.HELD)
        designs = deck_art.HARD_DECKS if self.hard else deck_art.DECKS
        return tuple(designs.values())[nth % len(designs)]

    @cached_property
    def _faces(self) -> dict[Card, Frame]:
        return {kind: small(self._face(kind)) for kind in PACK}

    def _face(self, kind: Card) -> Frame:
        if not isinstance(self._deck, deck_design.DrawnDeck):
            return deck_art.face(self._deck, kind)
        rank, suit = decks.split_of(kind)
        card = decks.draw(self._deck, rank, suit or "C").picture
        cover = card[..., 3:].astype(np.float32) / 255
        paper = np.array(self._deck.paper, np.float32)
        flat = np.rint(card[..., :3] * cover + paper * (1 - cover)).astype(np.uint8)
        # Dies cut every deck alike here: the world's cards have one shape.
        size = (deck_art.WIDTH, deck_art.HEIGHT)
        return np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def _rng(self) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.number, self.attempt, 3])

    @cached_property
    def _camera(self) -> tuple[Lens, optics.Exposure, float]:
        """The world's lens, what lens and sensor add, and how high a card is."""
        rng = self._rng
        level = _LEVELS[int(rng.integers(2))]
        even = optics.choose(rng, Distortion.EASY)
        sensor = replace(
            optics.choose(rng, level),
            gain=even.gain, balance=even.balance, shading=even.shading, glare=0.0, motion=0,
            saturation=1.0,  # a weak colour is the printer's affair here; it would double the time
        )  # fmt: skip
        return Lens(self.number), sensor, float(rng.uniform(*HIGH))

    @property
    def high(self) -> float:
        """The height of a card on the plane of the cards, in pixels."""
        return self._camera[2]

    def at_rest(self, kind: Card, count: int, share: float = 0.0) -> Iterator[Frame]:
        """A card that lies still in even light, as calibration has it, at `share` of its way."""
        lens, sensor, high = self._camera
        lies = replace(slide(self.seed, PACK.index(kind)), high=high)
        dice = np.random.default_rng([self.seed, self.number, PACK.index(kind), 7])
        card = _laid(self._faces[kind], dice)
        for nth in range(count):
            at_s = 10.0 + nth / 30
            picture = lens.picture(at_s, card, lies, share, None)
            yield optics.expose(picture, sensor, np.random.default_rng([self.number, 5]))

    def passage(self, nth: int, count: int) -> tuple[GroundTruth, Iterator[Frame]]:
        """The nth card of this shoe and `count` frames of its way."""
        rng = np.random.default_rng([self.seed, self.number, nth, 4])
        order = np.random.default_rng([self.seed, self.number, 6]).permutation(PASSAGES_A_SHOE)
        kind = PACK[int(order[nth]) % len(PACK)]
        level = _LEVELS[int(rng.choice(3, p=_SHARES))]
        mishap = list(Mishap)[int(rng.integers(4))] if rng.random() < 1 / MISHAP_EVERY else None
        other = PACK[int(rng.integers(len(PACK)))]
        clean = mishap is None
        case = GroundTruth(
            name=str(self.number * PASSAGES_A_SHOE + nth),
            card=kind if clean else None,
            under=None if clean or mishap is Mishap.BACK else kind,
            kind="card" if mishap is None else mishap.value,
            level=level.value,
            style=self.style,
            deck=self.name,
        )
        return case, self._slides(kind, mishap, other, level, rng, count)

    def _slides(
        self,
        kind: Card,
        mishap: Mishap | None,
        other: Card,
        level: Distortion,
        rng: np.random.Generator,
        count: int,
    ) -> Iterator[Frame]:
        lens, sensor, high = self._camera
        light = _in_light(sensor, optics.choose(rng, level))
        fixed = int(rng.integers(1 << 31))
        at_s, phase = float(rng.uniform(0, 600)), float(rng.random())
        lies = Slide(
            x=WIDTH / 2 + float(rng.uniform(-ASIDE, ASIDE)),
            angle=float(rng.normal(0, 1.6)),
            high=high * float(rng.uniform(1 - NEARER, 1 + NEARER)),
            mishaps=frozenset([mishap] if mishap else []),
            turned=bool(rng.random() < 0.5),
        )
        card = small(deck_art.back()) if mishap is Mishap.BACK else self._faces[kind]
        second = _laid(self._faces[other], rng) if mishap is Mishap.TWO else None
        for each in range(count):
            share = (each + phase) * WAY / count
            exposed = lens.picture(at_s + each / 30, card, lies, share, second)
            # Shade and glare stand still while a card passes, so each frame has the same dice.
            yield optics.expose(exposed, light, np.random.default_rng(fixed))


def _laid(face: Frame, rng: np.random.Generator) -> Frame:
    """A second card, either way round by itself."""
    return np.ascontiguousarray(face[::-1, ::-1]) if rng.random() < 0.5 else face


def _in_light(sensor: optics.Exposure, light: optics.Exposure) -> optics.Exposure:
    """The shoe's lens and sensor in the light of one passage."""
    return replace(
        sensor,
        gain=light.gain, balance=light.balance, shading=light.shading,
        glare=light.glare, glare_at=light.glare_at, glare_size=light.glare_size,
        motion=light.motion, motion_angle=light.motion_angle,
    )  # fmt: skip
