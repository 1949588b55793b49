"""Card art of Debian's packages: rendered here, cut into cards, and never committed.

Only what may be learned from is named: six decks of gnome-cards-data and kdegames-card-data-kf5,
which is kdegames-card-data in Debian 13.
"""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.draw.fonts import DesignSplit, MissingPackage

Picture = NDArray[np.uint8]

PACKAGES: Final = ("gnome-cards-data", "kdegames-card-data-kf5", "librsvg2-bin")
HEIGHT: Final = 560  # pixels of a drawn card; every length in this package is a share of it
_GNOME: Final = Path("/usr/share/aisleriot/cards")
_KDE: Final = Path("/usr/share/carddecks/svg-standard/standard.svgz")
_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_KDE_RANKS: Final = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
_KDE_SUITS: Final = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}

TRAIN: Final = ("anglo", "anglo_poker", "plastic")
HELD: Final = ("paris", "simplistic", "kde_standard")


def names(split: DesignSplit) -> tuple[str, ...]:
    """The packaged decks of one side of the split."""
    return {DesignSplit.TRAIN: TRAIN, DesignSplit.HELD: HELD, DesignSplit.ALL: TRAIN + HELD}[split]


@lru_cache(maxsize=512)
def card(name: str, rank: str, suit: str) -> Picture:
    """One card of a packaged deck, BGRA: `card("anglo", "10", "H")`.

    Raises:
        MissingPackage: Its package, or the renderer, is not installed.
    """
    if name == "kde_standard":
        return _kde(f"{_KDE_RANKS.get(rank, rank)}_{_KDE_SUITS[suit]}")
    return _gnome(name, "CDHS".index(suit), _RANKS.index(rank))


@lru_cache(maxsize=16)
def jokers(name: str) -> tuple[Picture, ...]:
    """The Jokers of a packaged deck: black and red, or none."""
    return () if name == "kde_standard" else (_gnome(name, 4, 0), _gnome(name, 4, 1))


@lru_cache(maxsize=16)
def back(name: str) -> Picture:
    """The back of a packaged deck."""
    return _kde("back") if name == "kde_standard" else _gnome(name, 4, 2)


def _render(path: Path, *options: str) -> Picture:
    if path.parent.is_dir() and not path.exists():
        raise MissingPackage(f"{path.name} is in Debian 12's packages alone: draw there")
    try:
        made = subprocess.run(
            ["/usr/bin/rsvg-convert", *options, str(path)], capture_output=True, check=True
        )
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise MissingPackage(
            f"{path.name} could not be rendered: install {', '.join(PACKAGES)}"
        ) from error
    picture = cv2.imdecode(np.frombuffer(made.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise MissingPackage(f"{path.name}: the renderer gave no picture with transparency")
    return np.asarray(picture, np.uint8)


@lru_cache(maxsize=8)
def _gnome_sheet(name: str) -> Picture:
    return _render(_GNOME / f"{name}.svgz", "--width", str(13 * 380))


def _gnome(name: str, row: int, column: int) -> Picture:
    sheet = _gnome_sheet(name)
    high, wide = sheet.shape[0] / 5, sheet.shape[1] / 13
    y, x = round(row * high), round(column * wide)
    return _tidy(sheet[y : y + round(high), x : x + round(wide)])


def _kde(element: str) -> Picture:
    return _tidy(_render(_KDE, "--export-id", element, "--height", str(HEIGHT)))


def _tidy(card: Picture) -> Picture:
    """Cut to what is not transparent, brought to the height of all cards."""
    solid = card[..., 3] > 128
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    tight = card[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = round(tight.shape[1] * HEIGHT / tight.shape[0])
    shrunk = cv2.resize(tight, (width, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, np.uint8)


def without_indices(card: Picture) -> Picture:
    """The card with what stands in its two index corners painted over with paper.

    Whole pieces of ink that lie within the corner go; art that only reaches into it stays.
    """
    picture = card.copy()
    for _ in range(2):
        high, wide = round(picture.shape[0] * 0.33), round(picture.shape[1] * 0.28)
        corner = picture[:high, :wide]
        ink = ((corner[..., :3].min(axis=2) < 200) & (corner[..., 3] > 128)).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
        for label, (x, y, w, h, _) in enumerate(stats):
            inside = x > 3 and y > 3 and x + w < wide - 1 and y + h < high - 1
            if label and inside and x + w / 2 < picture.shape[1] * 0.16:
                spot = cv2.dilate((labels == label).astype(np.uint8), np.ones((5, 5), np.uint8))
                corner[(spot > 0) & (corner[..., 3] > 128)] = 255
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return picture
