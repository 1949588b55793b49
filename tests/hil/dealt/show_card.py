"""Show cards on a rig's panel, for whoever calibrates the camera before it.

`python -m tests.hil.dealt.show_card HOST[:PORT] [finnish|anglo]`, then a card a line (`Th`, `Jo`;
`exit` for an empty one). Each lies as another one of a shuffled shoe would.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import Any

from controller.rules.cards import CardError, IndexStyle, card
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.rig.protocol import PORT
from tests.hil.dealt.rig_camera import DECK, EXIT, RigCamera
from tests.hil.rig.rig_client import RigClient, RigGone, RigRefused, connected

USAGE = "usage: python -m tests.hil.dealt.show_card HOST[:PORT] [finnish|anglo]"


class _NoHands:
    """Nobody deals: pictures alone are asked for, and waited for."""

    def __init__(self, rig: RigClient) -> None:
        self.rig = rig

    def post(self, verb: str, *words: object) -> asyncio.Future[Any]:
        """Ask the rig without waiting."""
        return self.rig.ask(verb, *words)

    def heed(self, answer: asyncio.Future[Any]) -> None:
        """Who laid the card waits for it, and hears of it."""

    def said(self, at_ns: int) -> None:
        """No card passes."""


async def show_cards(
    host: str, port: int, index: IndexStyle, words: Iterable[str], say: Callable[[str], object]
) -> None:
    """Show one card after another; `say` tells what is to be seen, or why it is not.

    Raises `RigGone`, `RigRefused`.
    """
    async with connected(host, port) as rig:
        camera = RigCamera(_NoHands(rig), DECK[index], seed=1, passing_s=0.0)
        await camera.ready()
        for number, word in enumerate(map(str.strip, words)):
            if word == EXIT:
                camera.lay(None)
            else:
                try:
                    camera.lay_as(number, PhysicalCard(card(word), 0))
                except CardError as error:
                    say(f"{error}")
                    continue
            await camera.rested()
            say(f"{word} is to be seen")


def main(arguments: list[str]) -> int:
    """Show what standard input asks for; the exit status."""
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    host, _, port = arguments[0].partition(":")
    try:
        index = IndexStyle(arguments[1]) if len(arguments) > 1 else IndexStyle.FINNISH
        asyncio.run(show_cards(host, int(port or PORT), index, sys.stdin, print))
    except ValueError:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    except (RigGone, RigRefused) as error:
        sys.stderr.write(f"show_card: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
