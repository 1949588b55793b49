"""What the networks and the ink show of one card, and the limits from which on that is certain."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.vision.nets import ClassScores


@dataclass(frozen=True, slots=True)
class Limits:
    """Where certainty begins.

    Leads in nats, by which the card must be likelier than any other: `text` for its index text,
    `court` for that of a court card, whose face says nothing between Jack, Queen and King;
    `hearts`, `red_court`, `clubs` and `pips_clubs` for a red suit, that of a court, a black suit,
    and that of a card whose pips vote too. Clubs and spades are mistaken most: 50 of the
    69 errors of suit of a first prototype were theirs.

    Probabilities: `index_text` is what one index network (of a court card, both) must give the text
    in one corner, `large` what both must of a jumbo index; `face` what the face network must give
    what the card shows; `veto` forbids a card when one index network gives it to another, `pips`
    when the face network gives it to another suit; `agree` the share of all four suits that it
    must give the card's own, `shape` that share where a picture has no colour. `red` and `black`:
    the redness (a ratio) from which ink is red, up to which it is black; up to `cold` it may be
    blue or green. Ink that is not red differs by less than `ink` (a ratio) in its blueness between
    index and pips.

    Of the outline of a black number card's pips (1 spades, -1 clubs): below `spades_outline` it is
    not of spades, above `clubs_outline` not of clubs.

    Of a text or sign of which one network is sure and the other is not: a text needs `weak` of both
    in one corner where any vote gives another text more than `contested`. `leaning` is the mean of
    all votes of the small corners that a small index needs to be read in the larger ones. A number
    card's pips beside a jumbo index must be its own suit's by `beside`, as a share of all four;
    where the face gives another suit more than `of_one_mind`, they are asked so of any index. Of
    the other suit in the index's sign, `sign` is the mean that votes without its neighbours give it
    and the most of a vote with them, added up.

    Of an index's text and of its sign, each cut out alone: the shares, as the geometric mean of
    both corners, below which it is not the one that was read: `text_alone`, `text_open` where any
    vote of the index networks on the text is below `text_sure`, and `sign_alone`. A
    black sign that leads by `sure_sign` nats, which is nearly all that votes can, needs none.

    A black court whose suit leads by less than `black_court` nats needs the outline of its sign as
    another witness: above `sign_spades` or below `sign_clubs`.

    Of pips, each seen alone: where one suit has `pip_alone` of them all together, it is theirs,
    whatever the face network sees.

    Of a second card beside an edge, in nats of its own network: from `beneath` on there is one,
    up to `alone` there is none, though it looks like paper, and up to `band` none, though a narrow
    band of paper lies along one, nor up to `pale` though what lies there is paler than the ground,
    nor up to `picture` though it changes its colour as a picture does.
    Up to `blur` there is none by itself where the opposite edge is behind by `both_sides` at the
    most.

    Of the deck: `likeness` (a correlation) and `margin` (1 at the capture, 0 half-way to the next
    card) are what it needs; `blind` the margin where no network sees an index that should be
    there, `narrow` the one below which it does not confirm an index either.

    Chosen on 1,900 drawn frames and six calibrated decks, proved on others: models/READINGS.md.
    """

    text: float = 5.0
    court: float = 7.0
    hearts: float = 6.0
    red_court: float = 13.0
    clubs: float = 10.0
    pips_clubs: float = 9.5
    index_text: float = 0.5
    large: float = 0.85
    face: float = 0.5
    veto: float = 0.8
    pips: float = 0.9
    agree: float = 0.2
    shape: float = 0.9
    red: float = 0.25
    black: float = 0.19
    cold: float = -0.12
    ink: float = 0.3
    spades_outline: float = 0.25
    clubs_outline: float = -0.1
    weak: float = 0.75
    contested: float = 0.15
    leaning: float = 0.5
    beside: float = 0.6
    of_one_mind: float = 0.05
    sign: float = 0.4
    text_alone: float = 0.05
    text_open: float = 0.5
    text_sure: float = 0.995
    sign_alone: float = 0.4
    sure_sign: float = 15.0
    black_court: float = 13.0
    sign_spades: float = 0.7
    sign_clubs: float = -0.4
    pip_alone: float = 0.9
    beneath: float = -0.9
    alone: float = -2.0
    band: float = -4.0
    pale: float = -3.0
    picture: float = -1.7
    blur: float = 0.5
    both_sides: float = 2.0
    likeness: float = 0.7
    margin: float = 0.5
    blind: float = 0.8
    narrow: float = 0.3


@dataclass(frozen=True, slots=True)
class Observations:
    """What the networks and the ink show of one card.

    `a` and `b` are the scores of the two index networks, upper and lower corner each; `redness`
    and `blueness` those of each corner's ink, `alone` whether each corner's 1 stands alone, `plain`
    whether a corner is paper and nothing else. Where the picture is not `in_colour` ink says
    nothing. `pips_redness` is that of a number card's pips; they are asked only where the ink of
    neither corner is of a clear colour.
    """

    a: list[ClassScores]
    b: list[ClassScores]
    face: ClassScores
    redness: tuple[float | None, float | None]
    alone: tuple[bool, bool]
    plain: tuple[bool, bool] = (False, False)
    in_colour: bool = True
    blueness: tuple[float | None, float | None] = (None, None)
    pips_redness: float | None = None
