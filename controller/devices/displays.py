"""What the displays show, in words and numbers: the dealer's, the players', and their parts.

Everything that a page needs is here; pages lay it out and decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.rules.cards import IndexStyle


class Tone(Enum):
    """How a display colours its sentence."""

    CALM = "calm"
    ACT = "act"
    FORCED = "forced"
    PAY = "pay"
    TAKE = "take"
    SHUFFLE = "shuffle"
    HELD = "held"
    SAFE = "safe"


@dataclass(frozen=True, slots=True)
class Key:
    """Something the dealer may press now.

    `command` is the body that the page sends back (see the API), `key` the keyboard key, `button`
    the name of the physical button that does the same, if any. `needs` names what the page has to
    ask before it sends: `counts` (how many cards at each seat?), `card` (which card?), `amount`
    (how much? `low` to `high` in minor units, whole numbers of `chip`), `count` (how many cards are
    left?), `seat` (whose hand?), `correction` (what was otherwise in that round?) or nothing.
    `offered`: the dealer offers this by name. `who` is who has to stand for it with name and PIN,
    and say why: `floor`, `two` (the floor and one more), or nobody.
    """

    label: str
    command: dict[str, str | int | bool]
    key: str = ""
    button: str = ""
    needs: str = ""
    low: int = 0
    high: int = 0
    chip: int = 0
    offered: bool = False
    who: str = ""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card on the felt: its code, or empty for one that lies face down.

    `label` names it in the index style of the table's cards (`13♥` or `K♥`).
    `raised`: pushed slightly up, as the dealer's low hand is where there is one.
    """

    code: str
    label: str
    raised: bool = False


@dataclass(frozen=True, slots=True)
class TotalView:
    """One number of a total, in words: `word` says what it is, `over` that it is too many.

    Either text may be empty: some numbers stand alone, and some words.
    """

    word: str
    number: str
    over: bool


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class WagerView:
    """What a wager on a spot may be: `low` to `high` in whole numbers of `chip` (minor units)."""

    low: int
    high: int
    chip: int


@dataclass(frozen=True, slots=True)
class HoldView:
    """An open hold: what happened, what to do, and the lawful resolutions.

    `reason` is the irregularity's id; `picture` names what the camera saw of a card that lies face
    up, empty where there is none.
    """

    number: int
    title: str
    text: str
    since_ms: int
    resolutions: tuple[Key, ...]
    reason: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class SpotView:
    """What the sensor of a bet spot says: `chips` in a word or an amount.

    `differs`: something else lies there than was entered, or than when bets were closed.
    """

    seat: int
    chips: str
    differs: bool


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device, whether it works, and why not.

    On the dealer's display `why` says what to do with hands, on the status page what a technician
    has to know.
    """

    name: str
    up: bool
    why: str


@dataclass(frozen=True, slots=True)
class AlarmView:
    """An alarm: something wrong that is not settled, and whom it calls by now.

    `trouble` is hold, device or pack, `about` which one: the hold's number, the device's name, the
    pack's label. `level` counts from 0 (nobody is called yet) by who is
    called: 1 the dealer, 2 the floor, 3 the pit boss; `who` is who must act. `heard`: it is quiet
    now, `acknowledged`: the floor knows of it. `key` acknowledges it, null where there is nothing
    to acknowledge.
    """

    number: int
    trouble: str
    about: str
    level: int
    who: str
    title: str
    text: str
    since_ms: int
    heard: bool
    acknowledged: bool
    key: Key | None


@dataclass(frozen=True, slots=True)
class GameWords:
    """The game's own words for its dealer and its seats, in lower case: `operator`, `box`.

    `joker`: its pack has Jokers, so that one may be entered. `index` is the style in which the
    table's cards print their ranks.
    """

    dealer: str = "dealer"
    seat: str = "seat"
    joker: bool = False
    index: IndexStyle = IndexStyle.FINNISH


@dataclass(frozen=True, slots=True)
class PlayerView:
    """Who plays at a seat for a game server, by the name for screens.

    `away`: without a connection. `leaves`: once the round is over.
    """

    seat: int
    name: str
    away: bool
    leaves: bool


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer display: the one next thing (`headline`) and why, and what may be pressed.

    `headline` is one line; `lead`, then `detail` or the `choices` to ask for, are its parts, laid
    out by the page. `bonus` is what a paid hand wins besides, to be announced.

    `seq` is the number of the record that this picture stands on; a page sends it back with a
    command, so that a press on an outdated picture is refused. `refusal` says why the last input
    was refused. `seats` lists every spot of the table, empty ones too. Where players play for a
    pot, `pot` is what lies in it and `button` the seat that deals. `words` are the game's own for
    `dealer` and `seat`. `keys` are those of the first hold while there is one; the key that calls
    the floor is always the last. `roles`: people are known by name and PIN. `alarm` is the gravest
    that calls somebody, null where none does. `happened` is what people may say that went wrong,
    likeliest first. `dummy`: the round in play has no bets. `done` is what the resolution of a hold
    has done that was chosen last, empty once anything else has happened. `kept_cards` is how many
    cards lie ready, to be dealt before those of the shoe. `spots` are the bet spots whose sensors
    work. `note` is the oldest message of the pit that is not marked as read, empty without one.
    `window` is how long players at a distance have still, null where no clock is set. `players` are
    those of a game server. `at_ms` is the wall time of the record that the picture stands on.
    """

    seq: int
    game: str
    round: int
    phase: str
    tone: Tone
    headline: str
    lead: str
    detail: str
    choices: tuple[str, ...]
    why: str
    bonus: str
    seat: int | None
    keys: tuple[Key, ...]
    hands: tuple[HandView, ...]
    dealer: HandView | None
    shoe: ShoeView
    holds: tuple[HoldView, ...]
    devices: tuple[DeviceView, ...]
    refusal: str
    seats: int
    limits: str
    rule: str
    simulated: bool
    pot: str
    button: int
    words: GameWords
    wager: WagerView
    roles: bool
    alarm: AlarmView | None
    happened: tuple[Key, ...] = ()
    dummy: bool = False
    done: str = ""
    kept_cards: int = 0
    spots: tuple[SpotView, ...] = ()
    note: str = ""
    window: WindowView | None = None
    players: tuple[PlayerView, ...] = ()
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class PlayersView:
    """What players may see: the felt and what is being waited for, shuffles included."""

    seq: int
    game: str
    round: int
    notice: str
    hands: tuple[HandView, ...]
    dealer: HandView | None
    shoe: ShoeView
    seats: int
    limits: str
    rule: str
    simulated: bool
    pot: str
    button: int
    words: GameWords
    dummy: bool = False
    window: WindowView | None = None
    players: tuple[PlayerView, ...] = ()
    at_ms: int = 0
