"""The faults of a simulated world, where each ends on a rainy day, and what the table calls it."""

from __future__ import annotations

from typing import Final, NamedTuple

from controller.table.irregularities.holds import Reason
from sim_hw.devices.faults import CameraFault, FaultKind
from tests.support.faults.fault_case import Case, FaultEnd, held


class Rain(NamedTuple):
    """What a fault of `sim_hw/rainy.toml` comes to; `reason` of the first hold, if it is held.

    `seen_late`: the reason where a busy service saw the two in the other order: the card leave
    before the plug gone, or the camera down before it had judged the card.
    """

    fault: str
    reason: Reason | None
    how: str
    seen_late: Reason | None = None


_RAINY: Final = (
    "tests/world/faults/test_rainy_day.py::test_each_trouble_of_a_rainy_day_ends_as_it_should"
)
_KILLS: Final = (
    "tests/world/faults/test_crash_points.py"
    "::test_killed_at_many_moments_of_the_games_and_each_card_and_payout_is_there_once"
)

RAIN: Final[dict[FaultKind, Rain]] = {
    FaultKind.MISS_CODE: Rain(
        "A card is not read (beam)", Reason.UNREADABLE, "it is entered by hand"
    ),
    FaultKind.GARBAGE: Rain(
        "A code is garbled", Reason.UNREADABLE, "it is entered by hand"
    ),
    FaultKind.DOUBLE: Rain(
        "One card is read twice (beam)", None, "it counts once: one card left the exit"
    ),
    FaultKind.PUSH_BACK: Rain(
        "A card is read, pushed back and drawn again", None, "it counts when it leaves"
    ),
    FaultKind.SPLIT: Rain("A code comes in two pieces", None, "it is one code"),
    FaultKind.MERGED: Rain(
        "Two codes come as one frame", Reason.UNREADABLE, "neither is believed"
    ),
    FaultKind.TWO_CODES: Rain(
        "Two cards come at once, the second is pushed back", Reason.UNREADABLE,
        "neither is believed, the one that left is entered",
    ),
    FaultKind.NOISE: Rain(
        "Random bytes before a code", Reason.UNREADABLE, "what they spoil is not believed"
    ),
    FaultKind.WRONG_RATE: Rain(
        "The scanner talks at a wrong rate for a while", Reason.UNREADABLE,
        "each card is entered by hand until it talks sense again",
    ),
    FaultKind.UNPLUG: Rain(
        "The scanner is unplugged between cards, and back", Reason.RECOUNT,
        "the felt is compared, what left meanwhile is entered", Reason.UNREADABLE,
    ),
    FaultKind.UNPLUG_IN_CODE: Rain(
        "The scanner is unplugged in mid-code, and back", Reason.RECOUNT,
        "the felt is compared, the card is entered", Reason.UNREADABLE,
    ),
    FaultKind.BEAM_STUCK: Rain(
        "A card is stuck in the exit", Reason.UNREADABLE, "it is entered by hand"
    ),
    FaultKind.BOUNCE: Rain("The contact of a button bounces", None, "it is one press"),
    FaultKind.LEAN: Rain("A hand leans on all buttons", None, "none was pressed"),
    FaultKind.POWER_CUT: Rain(
        "The service loses power in mid-round", Reason.RECOUNT,
        "the same step beneath it, the card that left meanwhile is entered",
    ),
}  # fmt: skip
#: By the faults of `sim_hw/rainy_camera.toml`.
RAIN_CAMERA: Final[dict[CameraFault, Rain]] = {
    CameraFault.HAND: Rain(
        "Fingers over a card before the camera", Reason.UNREADABLE, "it is entered by hand"
    ),
    CameraFault.BLUR: Rain(
        "The camera's picture is blurred", Reason.UNREADABLE, "it is entered by hand"
    ),
    CameraFault.BACK: Rain(
        "A card's back passes the camera", Reason.UNREADABLE, "it is looked at and entered"
    ),
    CameraFault.TWO: Rain(
        "A second card is in the camera's picture", Reason.UNREADABLE,
        "neither is told, the one that left is entered",
    ),
    CameraFault.OTHER_INDEX: Rain(
        "A card with an index of another alphabet", Reason.UNREADABLE, "no card is told"
    ),
    CameraFault.BLINK: Rain(
        "The camera is lost in mid-card, and back", Reason.RECOUNT,
        "the felt is compared, the card is entered",
    ),
    CameraFault.FROZEN: Rain(
        "The camera sends the same picture for ever", Reason.UNREADABLE,
        "it is no card's; the camera is down as soon as that is certain", Reason.RECOUNT,
    ),
    CameraFault.DARK: Rain(
        "The light of the shoe goes out", Reason.UNREADABLE,
        "entered by hand, then the camera is down until there is light", Reason.RECOUNT,
    ),
    CameraFault.SMALL: Rain(
        "The camera comes back with another size of picture", Reason.RECOUNT,
        "it is refused, by its sizes, until it has the right one",
    ),
}  # fmt: skip


def rain(each: Rain, proof: str = _RAINY) -> Case:
    if each.reason is None:
        return Case(each.fault, FaultEnd.GOES_ON, each.how, proof)
    return Case(each.fault, FaultEnd.HELD, held(each.reason, each.how), proof)


def killed(where: str) -> Case:
    how = held(Reason.RECOUNT, "the same step beneath it, nothing lost, nothing twice")
    return Case(f"Killed {where}", FaultEnd.HELD, how, _KILLS)
