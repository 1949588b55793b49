"""What lies around the card: felt, a dark shoe, a wooden edge; shadows; hands."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw.lens import grain

Picture = NDArray[np.uint8]
HIGH: Final = 480
WIDE: Final = 640


def draw(rng: np.random.Generator) -> Picture:
    """An empty ground, 640x480."""
    kind = rng.random()
    if kind < 0.55:
        base = np.array([rng.uniform(20, 110), rng.uniform(55, 135), rng.uniform(5, 60)])
    elif kind < 0.9:
        base = np.full(3, rng.uniform(6, 55)) + rng.uniform(-4, 6, 3)
    else:
        base = rng.uniform([60, 10, 10], [130, 50, 90])  # blue or wine-red felt
    coarse = rng.standard_normal((15, 20), np.float32) * np.float32(rng.uniform(0, 6))
    weave = rng.standard_normal((120, 160), np.float32) * np.float32(rng.uniform(0, 7))
    felt = cv2.resize(coarse, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    felt = cv2.add(felt, cv2.resize(weave, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR))
    cloth = np.ascontiguousarray(grain(HIGH, WIDE, rng)[..., 0])
    felt = cv2.scaleAdd(cloth, float(rng.uniform(0, 6)), felt)
    shades = [cv2.addWeighted(felt, 1, felt, 0, float(value), dtype=cv2.CV_8U) for value in base]
    picture = np.asarray(cv2.merge(shades), np.uint8)
    if rng.random() < 0.45:
        _edge(picture, rng)
    if rng.random() < 0.12:
        _print_on_felt(picture, rng)
    return picture


def _edge(picture: Picture, rng: np.random.Generator) -> None:
    """The shoe's or the table's edge: a strip along one side."""
    strip = int(rng.integers(6, 60))
    part = picture[:strip] if rng.random() < 0.6 else picture[:, :strip]
    part[:] = np.asarray(part * rng.uniform(0.25, 0.8), np.uint8)


def _print_on_felt(picture: Picture, rng: np.random.Generator) -> None:
    """A betting line or circle in yellow or white."""
    colour = rng.uniform([90, 150, 150], [200, 220, 220])
    at = (int(rng.integers(WIDE)), int(rng.integers(HIGH)))
    if rng.random() < 0.5:
        cv2.circle(
            picture, at, int(rng.integers(60, 300)), colour.tolist(), int(rng.integers(1, 5))
        )
    else:
        other = (int(rng.integers(WIDE)), int(rng.integers(HIGH)))
        cv2.line(picture, at, other, colour.tolist(), int(rng.integers(1, 5)))


def busy(picture: Picture, quad: NDArray[np.float64], rng: np.random.Generator) -> None:
    """What may be taken for a second card and is none: a piece of another ground around the card
    at `quad` (pixels), cut along it or nearly; bars along its edges, as a shoe's mouth has.
    """
    which = rng.random()
    if which < 0.65:
        _piece(picture, quad, rng)
    if 0.55 < which < 0.85:
        for edge in range(4):
            if rng.random() < 0.5:
                _bar(picture, quad, edge, rng)


def _piece(picture: Picture, quad: NDArray[np.float64], rng: np.random.Generator) -> None:
    texture = _texture(rng)
    if rng.random() < 0.25:
        picture[:] = texture
        return
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    high = float(np.hypot(*down))
    across, down = across / float(np.hypot(*across)), down / high
    out = rng.uniform(0.015, 0.2, 4) if rng.random() < 0.5 else np.full(4, rng.uniform(0.015, 0.12))
    ways = np.array([
        -out[0] * across - out[2] * down, out[1] * across - out[2] * down,
        out[1] * across + out[3] * down, -out[0] * across + out[3] * down,
    ])  # fmt: skip
    askew = rng.normal(0, float(rng.choice([0.0, 0.01, 0.03])), (4, 2))
    if rng.random() < 0.5:
        picture[:] = np.clip(texture.mean(axis=(0, 1)) * rng.uniform(0.6, 1.15), 0, 255)
    cover = np.zeros((HIGH, WIDE), np.uint8)
    corners = np.rint(quad + (ways + askew) * high).astype(np.int32)
    cv2.fillConvexPoly(cover, corners, 255, cv2.LINE_AA)
    soft = int(rng.choice([1, 3, 7]))
    share = np.asarray(cv2.blur(cover, (soft, soft)), np.float32)[..., None] / 255
    picture[:] = np.asarray(picture * (1 - share) + texture * share, np.uint8)


def _bar(picture: Picture, quad: NDArray[np.float64], edge: int, rng: np.random.Generator) -> None:
    """A bar or a plane beyond one edge, nearly parallel to it and longer."""
    begin, end = quad[edge], quad[(edge + 1) % 4]
    way = end - begin
    outward = np.array([way[1], -way[0]]) / float(np.hypot(*way))
    if (begin - quad.mean(axis=0)) @ outward < 0:
        outward = -outward
    away = float(rng.uniform(0.012, 0.2) * np.hypot(*(quad[3] - quad[0])))
    lean = float(rng.normal(0, 0.015) * np.hypot(*way))
    first = begin - way * rng.uniform(0.25, 3) + outward * away
    last = end + way * rng.uniform(0.25, 3) + outward * (away + lean)
    thick = outward * float(rng.choice([rng.uniform(4, 20), 500.0]))
    grey = np.full(3, rng.uniform(5, 170))
    colour = rng.uniform(0, 90, 3) if rng.random() < 0.6 else grey
    corners = np.rint([first, last, last + thick, first + thick]).astype(np.int32)
    cv2.fillConvexPoly(picture, corners, colour.tolist(), cv2.LINE_AA)


def _texture(rng: np.random.Generator) -> Picture:
    """Carpet, cloth, wood: noise of several sizes, drawn out or not, or waves."""
    plain = np.full(3, rng.uniform(10, 190)) + rng.normal(0, 12, 3)
    base = rng.uniform(5, 190, 3) if rng.random() < 0.5 else np.clip(plain, 0, 255)
    texture = np.zeros((HIGH, WIDE), np.float32)
    for size in (2, 4, 8, 20, 60):
        if rng.random() < 0.65:
            long = size if rng.random() < 0.7 else size * 8
            noise = rng.standard_normal((HIGH // size + 2, WIDE // long + 2), np.float32)
            grown = cv2.resize(noise, (WIDE, HIGH), interpolation=cv2.INTER_CUBIC)
            texture += np.asarray(grown, np.float32) * np.float32(rng.uniform(2, 28))
    if rng.random() < 0.3:
        turn = float(rng.uniform(0, np.pi))
        y, x = np.mgrid[0:HIGH, 0:WIDE].astype(np.float32)
        waves = (x * np.cos(turn) + y * np.sin(turn)) / rng.uniform(3, 14) + texture / 30
        texture += np.asarray(np.sin(waves) * rng.uniform(4, 25), np.float32)
    by = rng.uniform(0.7, 1.2, 3) * (base.mean() / 120 + 0.3)
    return np.asarray(np.clip(base + texture[..., None] * by, 0, 255), np.uint8)


def shadow(picture: Picture, mask: Picture, rng: np.random.Generator) -> None:
    """A soft shadow of what `mask` covers, beside it; `picture` may be part of a frame."""
    size = int(rng.integers(0, 7))
    if not size:
        return
    right, down = rng.uniform([-1, 0], [1, 1]) * size
    moved = np.array([[1, 0, right], [0, 1, down]], np.float32)
    soft = cv2.warpAffine(mask, moved, mask.shape[::-1])
    soft = cv2.blur(soft, (size * 2 + 1, size * 2 + 1))
    depth = float(rng.uniform(0.2, 0.6)) / 255
    share = cv2.merge([np.asarray(1 - soft * np.float32(depth), np.float32)] * 3)
    picture[:] = cv2.multiply(picture, share, dtype=cv2.CV_8U)


def long_shadow(picture: Picture, rng: np.random.Generator) -> None:
    """A broad shadow across everything, card included: an arm, the shoe's lid."""
    points = rng.uniform([-80, -80], [WIDE + 80, HIGH + 80], (2, 2))
    across = points[1] - points[0]
    normal = np.array([-across[1], across[0]]) / max(1.0, float(np.hypot(*across)))
    corners = np.array([points[0], points[1], points[1] + normal * 900, points[0] + normal * 900])
    mask = np.zeros((HIGH // 2, WIDE // 2), np.uint8)
    cv2.fillPoly(mask, [np.round(corners / 2).astype(np.int32).reshape(-1, 1, 2)], 255)
    soft = cv2.resize(cv2.blur(mask, (int(rng.integers(5, 40)),) * 2), (WIDE, HIGH))
    share = 1 - soft.astype(np.float32) / 255 * np.float32(rng.uniform(0.1, 0.45))
    picture[:] = np.asarray(picture * share[..., None], np.uint8)


_SKINS: Final = ((150, 175, 225), (120, 150, 205), (95, 125, 185), (60, 85, 135), (40, 55, 90))


def hand(
    picture: Picture,
    at: NDArray[np.float64],
    rng: np.random.Generator,
    reach: float,
    *,
    from_right: bool = False,
) -> None:
    """Fingers whose tips lie around `at` (pixels), coming in from outside; `reach` their width."""
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))]) + rng.uniform(-15, 15, 3)
    away = np.array([rng.choice([-1.0, 1.0]) * rng.uniform(0.1, 1.0), rng.uniform(-1.0, 1.0)])
    if from_right:
        away = np.array([1.0, away[1] * 0.5])
    away /= np.hypot(*away)
    side = np.array([-away[1], away[0]])
    for k in range(int(rng.integers(1, 5))):
        tip = at + side * reach * 1.05 * (k - 0.4) + away * rng.uniform(-0.2, 0.5) * reach
        end = tip + away * 700
        shade = np.clip(skin * rng.uniform(0.8, 1.05), 0, 255).tolist()
        for wider, colour in ((1.12, [c * 0.7 for c in shade]), (1.0, shade)):
            cv2.line(picture, _at(tip), _at(end), colour, max(2, round(reach * wider)))
        if rng.random() < 0.5:
            nail = [min(255.0, c * 1.2) for c in shade]
            cv2.circle(picture, _at(tip), max(1, round(reach * 0.3)), nail, -1)


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
