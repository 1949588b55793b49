"""What every display shows of the felt: cards, hands, the shoe, players, and how long they have."""

from __future__ import annotations

from controller.rules.cards import IndexStyle
from controller.rules.frozen import frozen


@frozen
class CardView:
    """A card on the felt: its code, or empty for one that lies face down.

    `label` names it in the index style of the table's cards (`13♥` or `K♥`).
    `raised`: pushed slightly up, as the dealer's low hand is where there is one.
    """

    code: str
    label: str
    raised: bool = False


@frozen
class TotalView:
    """One number of a total, in words: `word` says what it is, `over` that it is too many.

    Either text may be empty: some numbers stand alone, and some words.
    """

    word: str
    number: str
    over: bool


@frozen
class HandView:
    """One hand. `note` is the state in a word or two, `result` is empty until it is known, and
    `outcome` is its value: win, lose, push or surrender.

    `total` is what it counts in one line, `total_parts` the same part by part. Hand 0 of a seat is
    a side bet, such as insurance; it has no cards. `wager` and `net` are amounts as text.
    """

    seat: int
    hand: int
    light: str
    cards: tuple[CardView, ...]
    total: str
    total_parts: tuple[TotalView, ...]
    wager: str
    note: str
    result: str
    outcome: str
    net: str
    settled: bool
    active: bool


@frozen
class ShoeView:
    """The shoe gauge: cards gone of `size`; the cut at `cut`, 0: none. Counts, never values.

    `counted`: people are to count what is left, and no display says how many that should be.
    """

    number: int
    size: int
    gone: int
    cut: int
    state: str
    due: bool
    counted: bool = False


@frozen
class GameWords:
    """The game's own words for its dealer and its seats, in lower case: `operator`, `box`.

    `joker`: its pack has Jokers, so that one may be entered. `index` is the style in which the
    table's cards print their ranks.
    """

    dealer: str = "dealer"
    seat: str = "seat"
    joker: bool = False
    index: IndexStyle = IndexStyle.FINNISH


@frozen
class PlayerView:
    """Who plays at a seat for a game server, by the name for screens.

    `away`: without a connection. `leaves`: once the round is over.
    """

    seat: int
    name: str
    away: bool
    leaves: bool


@frozen
class WindowView:
    """How long players at a distance have still: to bet (`kind` bets), or to answer for a hand.

    It closes at `closes_at_ms` of the table's wall time, as that stands on record; pages count
    down to it by the table's time, which their stream tells, never by their own clock. `left_ms` is
    what is left while the clock stands, null while it runs. `last_called`: the last call has come.
    `expired`: the time is over, and the table waits still.
    """

    kind: str
    seat: int
    hand: int
    length_ms: int
    closes_at_ms: int
    left_ms: int | None
    last_called: bool
    expired: bool
