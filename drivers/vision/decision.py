"""From what the readers say to one card, or to an abstention: pure arithmetic.

Every reader adds what it saw: both index readers from both corners, the reader of the face, the
colour of the ink. The card that is likeliest by all of them is told when it is so by far, when it
was seen in one corner by both index readers, and when no reader is sure of another. A misread
costs more than any number of abstentions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.rules.cards import JOKER, Card, Rank
from drivers.vision.abstention import Unread, Why
from drivers.vision.alphabet import IndexStyle, card_of, rank_of, style_of
from drivers.vision.card_edges import Floats
from drivers.vision.nets import COUNTS, RANKS, SUITS, ClassScores


@dataclass(frozen=True, slots=True)
class Limits:
    """Where certainty begins.

    In nats, how much likelier than any other the card must be: `text` its index text, `court` that
    of a court card, whose face says nothing between Jack, Queen and King, `hearts`, `clubs` and
    `pips_clubs` its suit, a red one and a black one (of a card whose pips are asked too), against
    the other of its colour: clubs and spades are what readers mistake most. As probabilities:
    `seen` what one index reader (of a court card, both) gives the text in one corner at least;
    `face` what the face gives what the card must show; `veto` what forbids a card when one index
    reader gives it to another, `pips` what forbids a pip card when the face gives that much to
    another suit. `red` and `black`: redness (a ratio) from which ink is red, up to which it is
    black. `likeness` (a correlation) and `margin` (1 at the capture, 0 half-way to the next card):
    what the deck needs; `blind` the margin that it needs where no reader sees an index that should
    be there, `narrow` the one below which it does not confirm an index either.
    """

    text: float = 5.0
    court: float = 7.0
    hearts: float = 6.0
    clubs: float = 12.0
    pips_clubs: float = 11.5
    seen: float = 0.5
    face: float = 0.5
    veto: float = 0.8
    pips: float = 0.9
    red: float = 0.25
    black: float = 0.17
    likeness: float = 0.7
    margin: float = 0.5
    blind: float = 0.8
    narrow: float = 0.3


@dataclass(frozen=True, slots=True)
class Observations:
    """What every reader said of one card.

    `a` and `b` are the two index readers, upper and lower corner each; `redness` that of each
    corner's ink, `alone` whether each corner's 1 stands alone.
    """

    a: list[ClassScores]
    b: list[ClassScores]
    face: ClassScores
    redness: tuple[float | None, float | None]
    alone: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A card, how sure it is (0 to 1), and the index text that told it."""

    card: Card
    confidence: float
    text: str

    @property
    def style(self) -> IndexStyle | None:
        """The style of the index, None where both print it alike or none was read."""
        return style_of(self.text)


def _shown_by(text: str) -> set[str]:
    """What the face of a card with this index shows."""
    if text == "JOKER":
        return {"court", ""}
    if text == "A":
        # Most decks have one Ace so ornate that its pip cannot be made out. Not so for a 1: what
        # is left of an 11 or a 10 must not become an Ace.
        return {"1", ""}
    if not text:
        return set(COUNTS)
    rank = rank_of(text)
    return {"court"} if rank >= Rank.JACK else {str(int(rank))}


_NONE: Final = -1
#: The class of an index that is none of ours.
NO_INDEX: Final = len(RANKS) - 1
_JOKER: Final = RANKS.index("JOKER")
_STYLES: Final = [style_of(text) for text in RANKS]
#: The least probability that a reader's word counts for: it bounds what one error can do.
_FLOOR: Final = 0.002
_FACE_FLOOR: Final = 0.01
_SUIT_FLOOR: Final = 0.02
#: Half as many votes cannot lead by as much.
_ONE_CORNER: Final = 0.65
_FACE_SUIT_FLOOR: Final = 0.03
#: A reader that gives the table's own style less sees the other one.
_STYLE_MIN: Final = 0.5
#: What each index text lets the face show, as columns of the face's classes.
_SHOWN: Final = np.array([[shows in _shown_by(text) for shows in COUNTS] for text in RANKS])
_COURT: Final = _SHOWN[:, COUNTS.index("court")]
_RED: Final = np.array([suit in ("d", "h") for suit in SUITS])
_BLACK: Final = np.array([suit in ("c", "s") for suit in SUITS])


def decide_card(
    heard: Observations, limits: Limits, style: IndexStyle | None = None
) -> Verdict | Unread:
    """The card that all readers of any deck allow, or why none is told.

    `style` is the one style that the table uses, None where both may come.
    """
    heard, whole = without_blank_corner(heard, limits)
    ranks = _stacked([_in_style(vote.ranks, style) for vote in (*heard.a, *heard.b)])
    kept = ranks.sum(axis=1, keepdims=True)
    if float(kept.min()) < _STYLE_MIN:
        return Unread(Why.OTHER_STYLE)
    ranks = ranks / kept
    text, lead, sure = _likeliest(_log(ranks).sum(axis=0) + _by_face(heard.face))
    if text == NO_INDEX:
        return Unread(Why.BACK if float(ranks[:, _NONE].min()) > limits.seen else Why.FOREIGN)
    if why := _unseen(ranks, text, limits):
        return Unread(why)
    if lead < (limits.court if _COURT[text] else limits.text):
        return Unread(Why.UNSURE)
    if float(heard.face.ranks[_SHOWN[text]].sum()) < limits.face:
        return Unread(Why.READERS)
    if text == _JOKER:
        return Verdict(JOKER, sure, RANKS[text])
    if _COURT[text] and not whole:
        return Unread(Why.UNSURE)
    if RANKS[text] == "1" and not any(heard.alone):
        return Unread(Why.UNSURE)
    suit = _suit(heard, limits, pips=not _COURT[text])
    if isinstance(suit, Unread):
        return suit
    return Verdict(card_of(RANKS[text], suit[0]), sure * suit[1], RANKS[text])


def without_blank_corner(heard: Observations, limits: Limits) -> tuple[Observations, bool]:
    """The corners in which at least one reader sees an index; and whether those are both.

    Glare and fingers hide one corner; where both show none, both are kept.
    """
    seen = [
        at
        for at, pair in enumerate(zip(heard.a, heard.b, strict=True))
        if min(float(vote.ranks[_NONE]) for vote in pair) <= limits.seen
    ]
    if len(seen) != 1:
        return heard, True
    at = seen[0]
    kept = replace(
        heard,
        a=[heard.a[at]],
        b=[heard.b[at]],
        redness=(heard.redness[at], None),
        alone=(heard.alone[at], False),
    )
    return kept, False


def _suit(heard: Observations, limits: Limits, *, pips: bool) -> tuple[str, float] | Unread:
    """The suit and how sure it is: the ink's colour leaves two, index and face tell which.

    Pips have their say; a court's face has none, its robes are of every colour.
    """
    red = ink_is_red(heard, limits)
    if red is None:
        return Unread(Why.COLOUR)
    index = _stacked([vote.suits for vote in (*heard.a, *heard.b)])
    if float(index[:, _BLACK if red else _RED].max()) > limits.veto:
        return Unread(Why.COLOUR)
    names = [name for name, is_red in zip(SUITS, _RED, strict=True) if is_red == red and name]
    columns = [SUITS.index(name) for name in names]
    scores = np.log(index[:, columns] + _SUIT_FLOOR).sum(axis=0)
    if pips:
        scores += np.log(heard.face.suits[columns] + _FACE_SUIT_FLOOR)
    suit, lead, sure = _likeliest(scores)
    other = columns[1 - suit]
    if float(index[:, other].max()) > limits.veto:
        return Unread(Why.CORNERS)
    if pips and float(np.delete(heard.face.suits[:_NONE], columns[suit]).max()) > limits.pips:
        return Unread(Why.READERS)
    enough = limits.hearts if red else limits.pips_clubs if pips else limits.clubs
    if len(heard.a) == 1:
        enough *= _ONE_CORNER
    return (names[suit], sure) if lead >= enough else Unread(Why.UNSURE)


def _stacked(votes: list[Floats]) -> Floats:
    return np.stack(votes)


def _log(votes: Floats) -> Floats:
    logs: Floats = np.log(np.maximum(votes, _FLOOR))
    return logs


def _by_face(face: ClassScores) -> Floats:
    """What the face adds to each index text; it has no word on whether there is an index."""
    shares: Floats = np.log(np.maximum(_SHOWN @ face.ranks, _FACE_FLOOR))
    shares[_NONE] = np.log(0.5)
    return shares


def _likeliest(scores: Floats) -> tuple[int, float, float]:
    """The best class, its lead over the second in nats, and its share of all.

    Two corners of one card say nearly the same: for the share they count as one.
    """
    best = int(scores.argmax())
    share = float(1 / np.exp((scores - scores[best]) / 2).sum())
    return best, float(scores[best] - np.delete(scores, best).max()), share


def _in_style(ranks: Floats, style: IndexStyle | None) -> Floats:
    """The probabilities without the texts of the other style."""
    if style is None:
        return ranks
    allowed = np.array([each in (None, style) for each in _STYLES])
    return np.where(allowed, ranks, 0.0)


def _unseen(votes: Floats, text: int, limits: Limits) -> Why | None:
    """Why a text that is likeliest is not told: a reader is sure of another, or too few see it.

    The votes are both corners of the one index reader, then both of the other.
    """
    others = votes[:, :_NONE].copy()
    others[:, text] = 0
    if float(others.max()) > limits.veto:
        return Why.CORNERS
    half = len(votes) // 2
    of_a, of_b = votes[:half, text], votes[half:, text]
    seen = np.minimum(of_a, of_b) if _COURT[text] else np.maximum(of_a, of_b)
    return None if float(seen.max()) >= limits.seen else Why.UNSURE


def ink_is_red(heard: Observations, limits: Limits) -> bool | None:
    """Whether the ink is red; None where there is none, or where it is neither red nor black.

    Glare, a finger or art may leave one corner in between: it says nothing.
    """
    seen = [value for value in heard.redness if value is not None]
    red = any(value >= limits.red for value in seen)
    black = any(value <= limits.black for value in seen)
    return None if red is black else red
