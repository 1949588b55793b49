"""What the dealer's and the players' display show, in words and numbers.

Everything that a page needs is here and in `felt_view`; pages lay it out and decide nothing.
"""

from __future__ import annotations

from enum import Enum

from controller.devices.felt_view import GameWords, HandView, PlayerView, ShoeView, WindowView
from controller.rules.frozen import frozen


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


@frozen
class Key:
    """Something the dealer may press now.

    `command` is the body that the page sends back (see the API), `key` the keyboard key, `button`
    the name of the physical button that does the same, if any. `needs` names what the page has to
    ask before it sends: `counts` (how many cards at each seat?), `card` (which card?), `amount`
    (how much? `low` to `high` in minor units, whole numbers of `chip`, beside `to_call`), `count`
    (how many cards are left?), `seat` (whose hand?), `correction` (what was otherwise in that
    round?) or nothing.
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
    to_call: int = 0
    offered: bool = False
    who: str = ""


@frozen
class WagerView:
    """What a wager on a spot may be: `low` to `high` in whole numbers of `chip` (minor units)."""

    low: int
    high: int
    chip: int


@frozen
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


@frozen
class SpotView:
    """What the sensor of a bet spot says: `chips` in a word or an amount.

    `differs`: something else lies there than was entered, or than when bets were closed.
    """

    seat: int
    chips: str
    differs: bool


@frozen
class DeviceView:
    """A device, whether it works, and why not.

    On the dealer's display `why` says what to do with hands, on the status page what a technician
    has to know.
    """

    name: str
    up: bool
    why: str


@frozen
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


@frozen
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


@frozen
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
