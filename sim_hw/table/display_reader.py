"""The dealer display as the simulated dealer reads it: the service's JSON, taken apart.

Written from the API's description, not shared with the service's code. Fields that a dealer does
not act by are not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.rules.actions import DEALER_SEAT, Place

Command = Mapping[str, Any]


#: What the display says of a sensed spot on which nothing lies.
NO_CHIPS: Final = "no chips"


class DisplayError(Exception):
    """A picture that this world cannot read: the service speaks another version."""


@dataclass(frozen=True, slots=True)
class KeyShown:
    """Something the dealer may press now: what it sends, and the physical button, if any.

    `needs` names what is asked before it is sent: a card, an amount of `low` to `high` minor
    units, or nothing. `who` has to stand for it by name and PIN: the floor, two people, or nobody.
    """

    command: Command
    button: str
    needs: str
    low: int = 0
    high: int = 0
    chip: int = 0
    who: str = ""

    @property
    def do(self) -> str:
        """The name of its command."""
        return str(self.command["do"])

    @property
    def place(self) -> Place:
        """The hand that its command is about."""
        return Place(int(self.command.get("seat", -1)), int(self.command.get("hand", 1)))


@dataclass(frozen=True, slots=True)
class HandShown:
    """One hand on the display; `net` and `result` are empty until they are known.

    A card that is shown face down has an empty code. `light` is what the lamps of its spot say.
    """

    place: Place
    cards: tuple[str, ...]
    total: str
    wager: str
    result: str
    net: str
    settled: bool
    active: bool
    light: str = ""


@dataclass(frozen=True, slots=True)
class HoldShown:
    """An open hold and the resolutions from it, by name."""

    number: int
    title: str
    text: str
    resolutions: Mapping[str, KeyShown]


#: Nobody at the felt waits for these: the floor or an engineer sees to them.
_AWAY_FROM_THE_FELT: Final = frozenset(
    {"disk", "second copy", "pictures", "closed days", "odds", "bus", "people"}
)


@dataclass(frozen=True, slots=True)
class Display:
    """One picture of the dealer display. `gone` counts the cards of shoe number `shoe`.

    `down` names the devices at the felt that do not work, with why. `pot` is what lies in it, empty
    where there is none; `button` the seat that deals, 0 where the deal does not pass. `kept_cards`
    is how many cards lie ready, to be dealt before those of the shoe. `spots` are the bet spots
    with sensors: seat, what lies there, and whether that differs from what should. `note` is the
    pit's oldest message that nobody has read.
    """

    seq: int
    round: int
    phase: str
    tone: str
    headline: str
    why: str
    refusal: str
    keys: tuple[KeyShown, ...]
    hands: tuple[HandShown, ...]
    dealer: HandShown | None
    holds: tuple[HoldShown, ...]
    down: Mapping[str, str]
    shoe: int
    gone: int
    cut_after: int
    shoe_state: str
    pot: str = ""
    button: int = 0
    kept_cards: int = 0
    spots: tuple[tuple[int, str, bool], ...] = ()
    note: str = ""

    @property
    def safe(self) -> bool:
        """Whether this is the constant picture of a table whose record is not available."""
        return self.tone == "safe"

    @property
    def active(self) -> HandShown | None:
        """The hand that the next thing is about, the dealer's included."""
        hands = self.hands if self.dealer is None else (*self.hands, self.dealer)
        return next((hand for hand in hands if hand.active), None)

    def shows_chips(self, lying: frozenset[int]) -> bool:
        """Whether every sensed spot is as it lies, and as it was entered."""
        return not any(
            differs or (chips != NO_CHIPS) is not (seat in lying)
            for seat, chips, differs in self.spots
        )

    def key(self, do: str) -> KeyShown | None:
        """The first key whose command is `do`."""
        return next((key for key in self.keys if key.do == do), None)

    def who(self, command: Command) -> str:
        """Who has to stand for a command that answers a hold; empty where nobody has to."""
        holds = (each for each in self.holds if each.number == command.get("hold"))
        resolutions = (resolution for hold in holds for resolution in hold.resolutions.values())
        return next(
            (
                each.who
                for each in resolutions
                if each.command.get("resolution") == command.get("resolution")
            ),
            "",
        )

    def hand(self, place: Place) -> HandShown | None:
        """The hand at `place`, the dealer's included."""
        hands = self.hands if self.dealer is None else (*self.hands, self.dealer)
        return next((hand for hand in hands if hand.place == place), None)

    @property
    def news(self) -> tuple[object, ...]:
        """What moves when the table goes on."""
        return (
            self.round, self.phase, self.headline, self.keys, self.hands, self.dealer,
            self.holds, self.shoe, self.gone, self.down, self.pot, self.spots,
        )  # fmt: skip

    @property
    def meaning(self) -> tuple[object, ...]:
        """What a dealer would call another picture: the news, and the answer to a wrong press."""
        return (*self.news, self.refusal)


def read_display(data: Any) -> Display:
    """Take a picture apart. Raises `DisplayError`."""
    try:
        shoe = data["shoe"]
        dealer = data["dealer"]
        return Display(
            seq=int(data["seq"]),
            round=int(data["round"]),
            phase=str(data["phase"]),
            tone=str(data["tone"]),
            headline=str(data["headline"]),
            why=f"{data['why']} {data['bonus']}".strip(),
            refusal=str(data["refusal"]),
            keys=tuple(_key(each) for each in data["keys"]),
            hands=tuple(_hand(each) for each in data["hands"]),
            dealer=None if dealer is None else _hand(dealer),
            holds=tuple(_hold(each) for each in data["holds"]),
            down={
                each["name"]: str(each["why"])
                for each in data["devices"]
                if not each["up"] and each["name"] not in _AWAY_FROM_THE_FELT
            },
            shoe=int(shoe["number"]),
            gone=int(shoe["gone"]),
            cut_after=int(shoe["cut"]),
            shoe_state=str(shoe["state"]),
            pot=str(data["pot"]),
            button=int(data["button"]),
            kept_cards=int(data["kept_cards"]),
            spots=tuple(
                (int(each["seat"]), str(each["chips"]), bool(each["differs"]))
                for each in data["spots"]
            ),
            note=str(data["note"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DisplayError(
            f"the dealer display has no usable field {error}: the service and the simulated world"
            " are of different versions; install both from one checkout"
        ) from error


def _key(data: Any) -> KeyShown:
    command = dict(data["command"])
    if "do" not in command:
        raise KeyError("do")
    low, high, chip = (int(data[name]) for name in ("low", "high", "chip"))
    return KeyShown(
        command, str(data["button"]), str(data["needs"]), low, high, chip, str(data["who"])
    )


def _hand(data: Any) -> HandShown:
    return HandShown(
        place=Place(int(data["seat"]), int(data["hand"])),
        cards=tuple(str(each["code"]) for each in data["cards"]),
        total=str(data["total"]),
        wager=str(data["wager"]),
        result=str(data["result"]),
        net=str(data["net"]),
        settled=bool(data["settled"]),
        active=bool(data["active"]),
        light=str(data["light"]),
    )


def _hold(data: Any) -> HoldShown:
    keys = [_key(each) for each in data["resolutions"]]
    resolutions = {str(each.command.get("resolution", each.do)): each for each in keys}
    return HoldShown(int(data["number"]), str(data["title"]), str(data["text"]), resolutions)


def is_dealer(place: Place) -> bool:
    """Whether the hand at `place` is the dealer's."""
    return place.seat == DEALER_SEAT
