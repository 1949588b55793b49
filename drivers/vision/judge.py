"""From what the readers say to one card, or to an abstention: pure arithmetic.

A misread costs more than any number of abstentions, so every reader has a veto. A card is told
when the index readers of both corners, the reader of the face and the colour of the ink leave no
doubt; where a calibrated deck is there, its match is one more reader, and the surest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, Card, Rank, Suit
from drivers.codes import Code
from drivers.vision.alphabet import Style, card_of, rank_of, style_of
from drivers.vision.deck import Match
from drivers.vision.edges import Floats
from drivers.vision.nets import COUNTS, RANKS, SUITS, Vote
from drivers.vision.why import Unread, Why


@dataclass(frozen=True, slots=True)
class Limits:
    """Where certainty begins; every figure is a probability, but for what is said otherwise.

    `index`: what the four index votes together give the chosen text and suit at least.
    `corner`: what each index reader gives in its better corner. `veto`: a reader that gives
    another text, suit or face more than this forbids the card. `reject`: as much for "no index".
    `face`: what the face gives the card at least. `red` and `black`: redness (a ratio) from which
    ink is red, up to which it is black. `likeness` (a correlation) and `margin` (1 at the capture,
    0 half-way to the next card): what a match with the deck needs.
    """

    index: float = 0.9
    corner: float = 0.8
    veto: float = 0.3
    reject: float = 0.5
    face: float = 0.2
    red: float = 0.22
    black: float = 0.17
    likeness: float = 0.7
    margin: float = 0.5


@dataclass(frozen=True, slots=True)
class Heard:
    """What every reader said of one card.

    `a` and `b` are the two index readers, upper and lower corner each; `redness` that of each
    corner's ink, `alone` whether each corner's 1 stands alone.
    """

    a: list[Vote]
    b: list[Vote]
    face: Vote
    redness: tuple[float | None, float | None]
    alone: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A card, how sure it is (0 to 1), and the index text that told it."""

    card: Card
    confidence: float
    text: str

    @property
    def style(self) -> Style | None:
        """The style of the index, None where both print it alike or none was read."""
        return style_of(self.text)


_NONE_RANK: Final = len(RANKS) - 1
_NONE_SUIT: Final = len(SUITS) - 1
_JOKER_RANK: Final = RANKS.index("JOKER")
_STYLES: Final = [style_of(text) for text in RANKS]
#: A reader that gives the table's own style less sees the other one.
_STYLE_MIN: Final = 0.5
#: Where readers contradict each other a code settles nothing.
_CONFLICTS: Final = (Why.CORNERS, Why.READERS, Why.COLOUR, Why.OTHER_DECK)
_RED: Final = (Suit.DIAMONDS, Suit.HEARTS)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the index said: its text and suit, and how sure each is."""

    text: str
    suit: str
    confidence: float
    corners: int


def judge(heard: Heard, limits: Limits, style: Style | None = None) -> Verdict | Unread:
    """The card that all readers of any deck allow, or why none is told.

    `style` is the one style that the table uses, None where both may come.
    """
    read = _read(heard, limits, style)
    if isinstance(read, Unread):
        return read
    if read.text == "JOKER":
        return Verdict(JOKER, read.confidence, read.text)
    told = card_of(read.text, read.suit)
    if why := _forbidden(heard, limits, told, read):
        return Unread(why)
    return Verdict(told, read.confidence, read.text)


def _read(heard: Heard, limits: Limits, style: Style | None) -> _Read | Unread:
    """The index: both readers, both corners; a corner that shows none is left out."""
    corners = [pair for pair in zip(heard.a, heard.b, strict=True) if not _blind(pair, limits)]
    if not corners:
        return Unread(Why.BACK)
    votes = [vote for pair in corners for vote in pair]
    ranks = np.stack([_in_style(vote.ranks, style) for vote in votes])
    kept = ranks.sum(axis=1, keepdims=True)
    if float(kept.min()) < _STYLE_MIN:
        return Unread(Why.OTHER_STYLE)
    ranks = ranks / kept
    rank, sure_rank = _chosen(ranks)
    if rank == _NONE_RANK:
        return Unread(Why.FOREIGN)
    if _vetoed(ranks, rank, limits):
        return Unread(Why.CORNERS)
    if rank == _JOKER_RANK:
        enough = sure_rank >= limits.index and heard.face.ranks[-2:].sum() > limits.face
        return _Read("JOKER", "", sure_rank, len(corners)) if enough else Unread(Why.UNSURE)
    suits = np.stack([vote.suits for vote in votes])
    suit, sure_suit = _chosen(suits)
    if suit == _NONE_SUIT:
        return Unread(Why.FOREIGN)
    if _vetoed(suits, suit, limits):
        return Unread(Why.CORNERS)
    best = min(float(ranks[k::2, rank].max() * suits[k::2, suit].max()) for k in (0, 1))
    if min(sure_rank, sure_suit) < limits.index or best < limits.corner:
        return Unread(Why.UNSURE)
    return _Read(RANKS[rank], SUITS[suit], sure_rank * sure_suit, len(corners))


def _blind(pair: tuple[Vote, Vote], limits: Limits) -> bool:
    """True where both readers see no index in a corner."""
    return all(vote.ranks[_NONE_RANK] > limits.reject for vote in pair)


def _in_style(ranks: Floats, style: Style | None) -> Floats:
    """The probabilities without the texts of the other style."""
    if style is None:
        return ranks
    allowed = np.array([each in (None, style) for each in _STYLES])
    return np.where(allowed, ranks, 0.0)


def _chosen(votes: Floats) -> tuple[int, float]:
    """The class that all votes together favour, and its share: the normalised geometric mean."""
    means = np.exp(np.log(votes + 1e-4).mean(axis=0))
    best = int(means.argmax())
    return best, float(means[best] / means.sum())


def _vetoed(votes: Floats, chosen: int, limits: Limits) -> bool:
    """True where one vote sees another class; the last class, of rejection, has its own limit."""
    others = votes.copy()
    others[:, chosen] = 0
    return bool((others[:, :-1] > limits.veto).any() or (others[:, -1] > limits.reject).any())


def _forbidden(heard: Heard, limits: Limits, told: Card, read: _Read) -> Why | None:
    """Why a card that the index tells must not be told all the same."""
    if not _ink_fits(heard, limits, told):
        return Why.COLOUR
    if read.text == "1" and not any(heard.alone):
        return Why.UNSURE
    if told.rank >= Rank.JACK and read.corners < 2:
        return Why.UNSURE
    return None if _face_fits(heard.face, limits, told) else Why.READERS


def _ink_fits(heard: Heard, limits: Limits, told: Card) -> bool:
    seen = [value for value in heard.redness if value is not None]
    if told.suit in _RED:
        return bool(seen) and min(seen) >= limits.red
    return bool(seen) and max(seen) <= limits.black


def _face_fits(face: Vote, limits: Limits, told: Card) -> bool:
    """Whether the pips, or that there is a court, allow the card, and the suit that they show."""
    assert told.suit is not None
    shows = COUNTS.index("court" if told.rank >= Rank.JACK else str(int(told.rank)))
    suit = SUITS.index(told.suit.value)
    counts, suits = face.ranks.copy(), face.suits.copy()
    allowed = counts[shows] >= limits.face
    counts[shows] = suits[suit] = 0
    return bool(allowed and counts.max() < 1 - limits.face and suits[:-1].max() < 1 - limits.face)


def with_deck(
    told: Verdict | Unread, heard: Heard, match: Match, limits: Limits
) -> Verdict | Unread:
    """The card with the calibrated deck as a further reader."""
    if match.likeness < limits.likeness:
        return Unread(Why.OTHER_DECK) if isinstance(told, Verdict) else told
    if isinstance(told, Verdict):
        return told if told.card is match.card else Unread(Why.READERS)
    if match.margin < limits.margin:
        return told
    if match.card is not JOKER and not _ink_fits(heard, limits, match.card):
        return Unread(Why.COLOUR)
    if _contradicted(heard, match.card):
        return Unread(Why.READERS)
    return Verdict(match.card, min(match.margin, 1.0), "")


def with_code(told: Verdict | Unread, code: Code | Doubt) -> Verdict | Unread:
    """The card with its printed code as a further reader; a code that was not read says nothing."""
    if isinstance(code, Doubt):
        return Unread(Why.CODE) if code is Doubt.CONFLICT else told
    if isinstance(told, Verdict):
        return told if told.card is code.kind else Unread(Why.CODE)
    if told.why in _CONFLICTS or code.kind is None:
        return told
    return Verdict(code.kind, 1.0, "")


def _contradicted(heard: Heard, told: Card) -> bool:
    """True where both index readers clearly see another card in the same corner."""
    return any(_clearly_other(pair, told) for pair in zip(heard.a, heard.b, strict=True))


def _clearly_other(pair: tuple[Vote, Vote], told: Card) -> bool:
    ranks = np.sqrt(pair[0].ranks * pair[1].ranks)
    suits = np.sqrt(pair[0].suits * pair[1].suits)
    rank, suit = int(ranks.argmax()), int(suits.argmax())
    if ranks[rank] > 0.9 and rank < _NONE_RANK:
        says = Rank.JOKER if rank == _JOKER_RANK else rank_of(RANKS[rank])
        if says is not told.rank:
            return True
    shown = told.suit.value if told.suit else None
    return bool(suits[suit] > 0.95 and suit < _NONE_SUIT and shown and SUITS[suit] != shown)
