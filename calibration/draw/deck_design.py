"""The design of a deck, from a seed: its alphabet, layout, faces, form and paper.

Three kinds: drawn here from nothing; packaged art as it is (Anglo indices); packaged art with its
indices replaced, which is how a deck with Finnish indices is made of it (no photograph of one
could be found).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.draw import art, fonts, layout
from calibration.draw.alphabets import FINNISH, LETTERS, DrawnStyle
from calibration.draw.fonts import DesignSplit, Face
from calibration.draw.layout import Layout


@dataclass(frozen=True, slots=True)
class DrawnDeck:
    """One deck. `art` is None for a drawn one; `layout` is None where the art keeps its indices."""

    name: str
    style: DrawnStyle
    seed: int
    art: str | None
    layout: Layout | None
    look: Layout
    aspect: float
    radius: float
    paper: tuple[float, float, float]
    outline: float

    @property
    def relabelled(self) -> bool:
        """Whether packaged art carries indices of ours."""
        return self.art is not None and self.layout is not None

    def text(self, rank: str) -> str:
        """What the index of a rank says in this deck."""
        letters = FINNISH if self.style is DrawnStyle.FINNISH else LETTERS.get(self.style.value, {})
        return letters.get(rank, rank)


def choose(rng: np.random.Generator, split: DesignSplit = DesignSplit.ALL) -> DrawnDeck:
    """A deck: half are drawn, one in five is art as packaged, the rest is art relabelled."""
    seed = int(rng.integers(1 << 31))
    kind = float(rng.random())
    face = fonts.choose(rng, split)
    look = layout.choose(rng, face, split)
    name = None if kind < 0.5 else str(rng.choice(np.array(art.names(split))))
    if name is not None:
        look = replace(look, blue=None, green=None)  # its pips are red and black
    packaged = 0.5 <= kind < 0.7
    style = DrawnStyle.ANGLO if packaged or rng.random() < 0.45 else DrawnStyle.FINNISH
    tint = rng.uniform(0.0, 1.0)
    paper = (255 - 34 * tint * float(rng.random()), 255 - 14 * tint, 255 - 6 * tint)
    return DrawnDeck(
        name=_name(name, face, packaged=packaged),
        style=style,
        seed=seed,
        art=name,
        layout=None if packaged else look,
        look=look,
        aspect=float(rng.uniform(0.625, 0.72)),
        radius=float(rng.uniform(0.02, 0.06)),
        paper=paper,
        outline=float(rng.random()),
    )


def _name(packaged_art: str | None, face: Face, *, packaged: bool) -> str:
    if packaged_art is None:
        return f"drawn:{face.name}"
    return packaged_art if packaged else f"{packaged_art}+{face.name}"
