"""A visitor's hands in the dealer's seat: they put cards where the rules want them.

The visitor says when; whether a card lies face down is no choice of hands.
"""

from __future__ import annotations

import asyncio
from typing import Final

from controller.rules.actions import DEALER_SEAT, Action, Place
from controller.rules.script.steps import Ask, Deal, Peek, Reveal, Step
from sim_hw.people.announcements import Announcements
from sim_hw.people.page_link import Link
from sim_hw.table.display_reader import Display
from sim_hw.table.world import World

DEALERS_PLACE: Final = Place(DEALER_SEAT)


def caught_up(world: World, announcements: Announcements, display: Display | None) -> bool:
    """Whether there is no more to wait for: display and felt are together, or no round is on."""
    if display is None or display.holds or display.phase != "round":
        return True
    return display.gone >= world.shoe.gone and announcements.step is not None


async def pull_next(
    world: World, announcements: Announcements, link: Link, patience_s: float
) -> None:
    """Pull the next card, once the display has taken the one before, or after that patience."""
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + patience_s
    while not caught_up(world, announcements, link.display):
        if (left_s := deadline_s - loop.time()) <= 0:
            break
        await world.changes.wait(left_s)
    to, down = next_card(world, announcements, link.display)
    await world.draw(to, down=down)


def next_card(
    world: World, announcements: Announcements, display: Display | None
) -> tuple[Place | None, bool]:
    """Where a card that is drawn now goes (None: burned), and whether face down.

    Without the display it goes to the dealer; where nobody knows, a game that hides cards hides it.
    """
    if display is not None and display.phase == "burn":
        return None, True
    active = display.active if display else None
    step = announcements.step
    down = world.settings.game.hides if step is None else lies_down(step)
    return active.place if active else DEALERS_PLACE, down


def lies_down(step: Step) -> bool:
    """Whether a card that is drawn at `step` goes face down."""
    if isinstance(step, Ask):
        return Action.CARD in step.play.options
    return isinstance(step, Deal) and step.down


def turn_or_look(world: World, step: Step | None, display: Display) -> None:
    """Turn the hidden card, or lift its corner, as the display asks."""
    felt = world.felt
    if isinstance(step, Reveal) and display.key("turn") and step.hand.down:
        felt.turn(step.hand.place, min(step.hand.down))
    elif isinstance(step, Peek) and display.key("peek"):
        natural = step.natural(felt.look(step.hand.place))
        line = f"You lift the corner: {'a' if natural else 'no'} blackjack."
        if not world.log or world.log[-1] != line:
            world.say(line)
