"""Pictures of the dealer display as JSON, and what the simulated dealer sees beside them."""

from __future__ import annotations

from typing import Any

from controller.rules.actions import Place
from controller.rules.cards import card
from controller.rules.script.felt import Hand
from controller.rules.script.steps import Deal, Step
from sim_hw.devices.spot_lamps import LampColour
from sim_hw.people.dealer_intent import Observation, Send
from sim_hw.table.oracle import Choice

WHITE, MAGENTA, YELLOW = (
    LampColour(True, True, True),
    LampColour(True, False, True),
    LampColour(True, True, False),
)
GREEN, BLUE = LampColour(False, True, False), LampColour(False, False, True)
KEY = {
    "label": "", "key": "", "needs": "", "button": "", "low": 0, "high": 0, "chip": 0, "who": "",
}  # fmt: skip
NEXT = {**KEY, "key": "Enter", "button": "next"}


def hand(seat: int, *cards: str, active: bool = False, **more: Any) -> dict[str, Any]:
    view = {
        "seat": seat, "hand": 1, "light": "", "total": "", "wager": "10.00", "note": "",
        "result": "", "net": "", "settled": False, "active": active,
        "cards": [{"code": each, "label": each, "finnish": ""} for each in cards],
    }  # fmt: skip
    return {**view, **more}


def picture(phase: str = "round", gone: int = 0, **more: Any) -> dict[str, Any]:
    view = {
        "seq": 40, "game": "21-24-27", "round": 3, "phase": phase, "tone": "act",
        "headline": "The one next thing", "why": "", "bonus": "", "seat": None, "keys": [],
        "hands": [],
        "dealer": hand(0), "holds": [], "refusal": "", "seats": 3, "limits": "", "rule": "",
        "shoe": {
            "number": 1, "size": 324, "gone": gone, "cut": 243, "state": "in play", "due": False,
        },
        "devices": [{"name": "scanner", "up": True, "why": ""}], "pot": "", "button": 0,
        "kept_cards": 0, "spots": [], "note": "",
    }  # fmt: skip
    return {**view, **more}


def to(seat: int, number: int = 1, *, down: bool = False) -> Step:
    """What the rules ask by the felt: a card to a seat."""
    return Deal(Hand(Place(seat, number), None), down=down)


def sight(
    gone: int = 0,
    *dealt: str,
    lit: dict[int, LampColour] | None = None,
    step: Step | None = None,
    says: Choice | None = None,
) -> Observation:
    """`dealt`: the cards on the felt, `-` for one that lies face down."""
    lies = tuple(None if code == "-" else card(code) for code in dealt)
    return Observation(gone=gone, dealt=lies, lit=lit or {}, step=step, says=says)


def key(do: str, **command: str | int) -> dict[str, Any]:
    return {**NEXT, "command": {"do": do, **command}}


def hold(*resolutions: str, number: int = 4) -> dict[str, Any]:
    return {
        "number": number, "title": "Held", "text": "Why.", "since_ms": 0,
        "resolutions": [
            {**KEY, "command": {"do": "resolve", "hold": number, "resolution": resolution}}
            for resolution in resolutions
        ],
    }  # fmt: skip


def resolves(resolution: str, **more: Any) -> Send:
    return Send({"do": "resolve", "hold": 4, "resolution": resolution, **more})
