"""What the table is asked: commands of people and game servers, readings, presses, health, start.

Commands are nouns of one thing somebody wants; `do` is their name in the API. The table answers
each with records, of which a refusal is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from controller.devices.inputs import Button, Health, Press, Reading
from controller.rules.felt import Action
from controller.table.holds import Way

_STRICT: Final = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Stamp:
    """When and by whom an input came: the only clock and identity that the table knows.

    `at_ms` is wall time since the epoch, `mono_ns` the monotonic clock of the running service,
    `cause` names the input (a sender's idempotency key is kept as it is), `nonce` is fresh
    randomness for a seal, `seen` the record that the sender's picture stood on, None if unknown.
    """

    at_ms: int
    mono_ns: int
    cause: str
    nonce: bytes
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """A wager on a spot, in minor units; null: a bet whose amount is not tracked."""

    __pydantic_config__: ClassVar = _STRICT
    seat: int
    amount: int | None
    do: Literal["place_wager"] = "place_wager"


@dataclass(frozen=True, slots=True)
class RemoveWager:
    """The wager of a spot is taken back, before "no more bets"."""

    __pydantic_config__: ClassVar = _STRICT
    seat: int
    do: Literal["remove_wager"] = "remove_wager"


@dataclass(frozen=True, slots=True)
class RepeatWagers:
    """Every spot that had a wager in the last round, and has none now, gets it again."""

    __pydantic_config__: ClassVar = _STRICT
    do: Literal["repeat_wagers"] = "repeat_wagers"


@dataclass(frozen=True, slots=True)
class CloseBets:
    """The dealer said "no more bets": the round begins."""

    __pydantic_config__: ClassVar = _STRICT
    do: Literal["close_bets"] = "close_bets"


@dataclass(frozen=True, slots=True)
class Decide:
    """A player's decision on a hand."""

    __pydantic_config__: ClassVar = _STRICT
    seat: int
    action: Action
    hand: int = 1
    do: Literal["decide"] = "decide"


@dataclass(frozen=True, slots=True)
class ConfirmSettled:
    """The dealer has paid, taken or left the wager of a hand as the display said."""

    __pydantic_config__: ClassVar = _STRICT
    seat: int
    hand: int = 1
    do: Literal["settle"] = "settle"


@dataclass(frozen=True, slots=True)
class LoadPack:
    """A complete, shuffled pack is in the shoe."""

    __pydantic_config__: ClassVar = _STRICT
    do: Literal["load_pack"] = "load_pack"


@dataclass(frozen=True, slots=True)
class CutShoe:
    """The pack has been cut and the cut card is in its place."""

    __pydantic_config__: ClassVar = _STRICT
    do: Literal["cut"] = "cut"


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """Another dealer takes over, between rounds."""

    __pydantic_config__: ClassVar = _STRICT
    name: str
    do: Literal["change_dealer"] = "change_dealer"


@dataclass(frozen=True, slots=True)
class CallFloor:
    """The dealer stops the table and calls the floor."""

    __pydantic_config__: ClassVar = _STRICT
    do: Literal["call_floor"] = "call_floor"


@dataclass(frozen=True, slots=True)
class Resolve:
    """A lawful way on from an open hold; `card` is a card code where the way enters a card."""

    __pydantic_config__: ClassVar = _STRICT
    hold: int
    way: Way
    card: str | None = None
    do: Literal["resolve"] = "resolve"


@dataclass(frozen=True, slots=True)
class PressButton:
    """The same as pressing the physical button of that name."""

    __pydantic_config__: ClassVar = _STRICT
    button: Button
    do: Literal["press"] = "press"


Command = (
    PlaceWager | RemoveWager | RepeatWagers | CloseBets | Decide | ConfirmSettled
    | LoadPack | CutShoe | ChangeDealer | CallFloor | Resolve | PressButton
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setup:
    """What the configuration says a table is. `options` holds every house option by name."""

    table: str
    game: str
    seats: int
    options: tuple[tuple[str, int | str | bool], ...]
    draw_means_hit: bool


@dataclass(frozen=True, slots=True)
class Start:
    """The service has started on this journal. `card_sources` name the devices that read cards."""

    setup: Setup
    software: str
    card_sources: tuple[str, ...]


Given = Command | Reading | Press | Health | Start
