"""What a player's page shows: what the table shows everybody, and the player's own money."""

from __future__ import annotations

from typing import Any, TypedDict

from sim_hw.studio.guest import Guest
from sim_hw.studio.guests import Guests


class PlayChoice(TypedDict):
    """A key: what it says, and what it chooses."""

    action: str
    label: str


class OwnView(TypedDict):
    """The player's own: amounts in minor units; `seat` is null for who bets behind `behind`.

    `waits`: the seat is free once the round is over. `won` is the gain of the last round.
    """

    name: str
    seat: int | None
    waits: bool
    behind: int
    leaving: bool
    left: int
    bet: int
    in_play: bool
    won: int | None
    may_buy: bool


class PlayerPageView(TypedDict):
    """A page. `you` is null for who looks on; `choices` are those of the player's hand `hand`.

    `table` is what the table shows everybody, null while it does not answer; `held`: it stands
    still for a moment. `least` is the smallest bet, `most` the largest, in minor units.
    """

    now_ms: int
    table: dict[str, Any] | None
    held: bool
    betting: bool
    least: int
    most: int
    you: OwnView | None
    hand: int | None
    choices: list[PlayChoice]


#: What of the table's picture a player's page draws.
_SHOWN = (
    "game", "round", "phase", "hands", "dealer", "seats", "words", "window", "players", "limits",
    "rule",
)  # fmt: skip


def player_view(guests: Guests, guest: Guest | None) -> PlayerPageView:
    """What that person's page shows; None: that of somebody who looks on."""
    scene = guests.scene
    window = scene and scene["window"]
    choices, hand = _choices(guests, guest)
    return {
        "now_ms": guests.server.api.now_ms,
        "table": {name: scene[name] for name in _SHOWN} if scene else None,
        "held": bool(scene and (scene["holds"] or scene["tone"] == "safe")),
        "betting": bool(window and window["kind"] == "bets" and not guests.server.bets.in_play),
        "least": guests.server.least,
        "most": scene["wager"]["high"] if scene else 0,
        "you": None if guest is None else _own(guests, guest),
        "hand": hand,
        "choices": choices,
    }


def _choices(guests: Guests, guest: Guest | None) -> tuple[list[PlayChoice], int | None]:
    """What the player may choose now, and for which hand."""
    scene = guests.scene
    found: list[PlayChoice] = []
    hand: int | None = None
    for key in scene["keys"] if scene and guest and guests.seated(guest) else ():
        command = key["command"]
        if command["do"] == "decide" and guest and command["seat"] == guest.seat:
            found.append({"action": command["action"], "label": key["label"]})
            hand = command["hand"]
    return found, hand


def _own(guests: Guests, guest: Guest) -> OwnView:
    stake, server = guests.stake(guest), guests.server
    left = guests.left(guest)
    return {
        "name": guest.name,
        "seat": guest.seat,
        "waits": guest.seat is not None and not guests.seated(guest),
        "behind": guest.behind,
        "leaving": guest.leaving,
        "left": left,
        "bet": stake.amount if stake else 0,
        "in_play": guests.plays(guest),
        "won": server.last_won.get(guest.player),
        "may_buy": left < server.least and stake is None,
    }
