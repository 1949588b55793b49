"""What a card is printed on: its form, its paper, its back."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from calibration.draw import art, centre, fonts, pips
from calibration.draw.art import HEIGHT, Picture
from calibration.draw.deck_design import DrawnDeck


def blank(deck: DrawnDeck) -> Picture:
    """A card of this deck's form with nothing on it: BGRA, white, with rounded corners."""
    wide = round(HEIGHT * deck.aspect)
    picture = np.full((HEIGHT, wide, 4), 255, np.uint8)
    picture[..., 3] = _rounded(HEIGHT, wide, deck.radius)
    return picture


@lru_cache(maxsize=64)
def _rounded(high: int, wide: int, radius: float) -> fonts.Mask:
    r = round(radius * high)
    mask = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (r, 0), (wide - 1 - r, high - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (wide - 1, high - 1 - r), 255, -1)
    for x in (r, wide - 1 - r):
        for y in (r, high - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def papered(picture: Picture, deck: DrawnDeck) -> Picture:
    """The deck's paper in place of pure white, and its printed edge where it has one."""
    tint = np.arange(256)[:, None] * np.array([*deck.paper, 255.0]) / 255
    done = np.asarray(cv2.LUT(picture, np.rint(tint).astype(np.uint8)[:, None, :]), np.uint8)
    if deck.art is None and deck.outline < 0.3:
        edge = cv2.morphologyEx(
            np.pad(done[..., 3], 3), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)
        )[3:-3, 3:-3]
        grey = 60 if deck.outline < 0.15 else 170
        done[..., :3][edge > 128] = grey
    return done


def back(deck: DrawnDeck) -> Picture:
    """The back of this deck's cards: the art's own, or a drawn lattice, stripes or discs."""
    if deck.art:
        return art.back(deck.art)
    rng = np.random.default_rng([deck.seed, 12])
    picture = blank(deck)
    high, wide = picture.shape[:2]
    border = int(rng.choice([0, round(high * float(rng.uniform(0.02, 0.08)))]))
    inner = picture[border : high - border, border : wide - border]
    colour = rng.uniform(0, 200, 3)
    inner[..., :3] = colour
    light = colour + (255 - colour) * rng.uniform(0.3, 1.0)
    step, kind = int(rng.integers(8, 34)), int(rng.integers(4))
    for k in range(-high, high + wide, step):
        if kind in (0, 1):
            cv2.line(inner, (k, 0), (k + high, high), (*light.tolist(), 255), step // 4 + 1)
        if kind == 1:
            cv2.line(inner, (k + high, 0), (k, high), (*light.tolist(), 255), step // 4 + 1)
        if kind == 2:
            cv2.line(inner, (0, k), (wide, k), (*light.tolist(), 255), step // 3 + 1)
        if kind == 3:
            for y in range(0, high, step):
                cv2.circle(inner, (k, y), step // 3, (*light.tolist(), 255), -1)
    if rng.random() < 0.3:
        for turned in range(2):
            ornament = pips.scaled("CDHSns"[int(rng.integers(6))], deck.seed % 997, high // 9)
            centre.stamp(picture, ornament, tuple(light.tolist()), border + 12, border + 12)
            picture = np.ascontiguousarray(picture[::-1, ::-1]) if turned < 2 else picture
    picture[..., 3] = _rounded(high, wide, deck.radius)
    return picture
