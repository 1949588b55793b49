"""Which pin is which button, and how long its contact bounces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from calibration.devices.contacts import ContactEdge, Contacts, Movement, movements, until_quiet
from calibration.guide import Choice, Guide, NotGoodEnough, need
from calibration.measure import Measurement
from controller.devices.inputs import Button
from drivers.settings.panel import ButtonSettings

PRESSES: Final = 5
BOUNCE_AT_MOST_MS: Final = 20.0
LEAST_DEBOUNCE_MS: Final = 25
#: A contact that has been still for this long has been let go, or is held.
_QUIET_MS: Final = 120


@dataclass(frozen=True, slots=True)
class _Found:
    pin: int
    bounce_ms: float


async def calibrate_buttons(
    guide: Guide, pins: Sequence[int], contacts: Contacts, stuck_s: int = 10
) -> tuple[ButtonSettings, list[Measurement]]:
    """Have each button pressed, which may be on any of `pins`.

    Raises `NotGoodEnough`, `Abandoned`, `DeviceError`.
    """
    found: dict[Button, _Found] = {}
    with contacts.watched():
        await _all_free(guide, contacts, pins)
        for button in Button:
            has = await guide.choose(
                f"Is there a {button.value.upper()} button?",
                (Choice("y", "yes"), Choice("n", "no, the display's key is used")),
            )
            if has == "y":
                taken = {its.pin: other for other, its in found.items()}
                found[button] = await _press(guide, contacts, button, taken)
                guide.measured(_bounce(button, found[button]))
    if not found:
        raise NotGoodEnough("no button was pressed: leave [buttons] out of the configuration")
    measured = [_bounce(button, each) for button, each in found.items()]
    worst_ms = max(each.bounce_ms for each in found.values())
    debounce_ms = max(LEAST_DEBOUNCE_MS, math.ceil(1.5 * worst_ms))
    wired = {button.value: each.pin for button, each in found.items()}
    return ButtonSettings(**wired, debounce_ms=debounce_ms, stuck_s=stuck_s), measured


def _bounce(button: Button, found: _Found) -> Measurement:
    return Measurement(
        f"{button.value} button on GPIO {found.pin}, bounce", round(found.bounce_ms, 2), "ms",
        at_most=BOUNCE_AT_MOST_MS, remedy="Replace the button or tighten its wires",
    )  # fmt: skip


async def _all_free(guide: Guide, contacts: Contacts, pins: Sequence[int]) -> None:
    await guide.choose("Take your hands off all buttons", (Choice("", "ready"),))
    if stuck := [pin for pin in pins if contacts.level(pin)]:
        raise NotGoodEnough(
            f"GPIO {stuck[0]} is connected to ground although nothing is pressed: free the button, "
            "or check its wires"
        )


async def _press(
    guide: Guide, contacts: Contacts, button: Button, taken: Mapping[int, Button]
) -> _Found:
    """The pin of a button, and how long it bounces. What is not good is refused at the press that
    shows it, whose answer is the one that is taken back. `taken` are the pins of other buttons.
    """
    contacts.forget()
    edges: list[ContactEdge] = []
    moved: list[Movement] = []
    for nth in range(1, PRESSES + 1):
        text = f"Press {button.value.upper()} and let go ({nth} of {PRESSES})"
        edges += await guide.watch(text, _one_press(contacts))
        moved = movements(edges)
        used = sorted({each.pin for each in moved})
        if len(used) > 1:
            raise NotGoodEnough(
                f"GPIO {used[0]} and GPIO {used[1]} moved with {button.value}: their wires touch, "
                "or two buttons were pressed. Press one at a time"
            )
        if (other := taken.get(used[0])) is not None:
            raise NotGoodEnough(
                f"GPIO {used[0]} is {other.value} already: every button needs a pin of its own"
            )
        bounced = _bounce(button, _contact(moved))
        if not bounced.good:
            need(guide, bounced)
    return _contact(moved)


def _contact(moved: Sequence[Movement]) -> _Found:
    return _Found(moved[0].pin, max(each.bounce_ms for each in moved))


async def _one_press(contacts: Contacts) -> list[ContactEdge]:
    """The edges of one press, until all contacts are open and still."""
    edges: list[ContactEdge] = []
    while True:
        first = await contacts.take()
        assert first is not None
        edges.append(first)
        await until_quiet(contacts, _QUIET_MS, edges)
        down = {each.pin: each.active for each in edges}
        if not any(down.values()) and movements(edges):
            return edges
