"""The simulated world as a process: `python -m sim_hw WORLD.json`.

Prints `ready` once the scanner and the pins are there; the service may start then. Exit status 0
when the rounds are played or the world is stopped, 1 when the table did not go on, 2 for a set-up
that makes no sense.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any, Final

from controller.rules.money import amount_text
from sim_hw.devices.faults import FaultError, Faults, load_faults
from sim_hw.page.server import bind, serve_page
from sim_hw.people.dealer import Dealer
from sim_hw.people.page_link import Link
from sim_hw.people.standstill import Stuck
from sim_hw.people.trainer import Trainer
from sim_hw.people.visitor_acts import Visitor
from sim_hw.settings import Settings, WorldError, load_settings
from sim_hw.table.changes import Changes
from sim_hw.table.oracle import Disagreement
from sim_hw.table.world import World

#: This line asks whoever started service and world to kill the service and start it again.
POWER_CUT: Final = "power cut"
DONE: Final = 0
STOPPED_GOING: Final = 1
BAD_SETUP: Final = 2


def main(arguments: list[str]) -> int:
    """Run a world; returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -m sim_hw WORLD.json", file=sys.stderr)
        return BAD_SETUP
    try:
        settings = load_settings(Path(arguments[0]))
        faults = Faults(load_faults(settings.faults) if settings.faults else ())
        return asyncio.run(_run(settings, faults))
    except (WorldError, FaultError) as error:
        print(f"world: {error}", file=sys.stderr)
        return BAD_SETUP
    except OSError as error:
        print(f"world: cannot set up the table: {error}", file=sys.stderr)
        return BAD_SETUP


async def _run(settings: Settings, faults: Faults) -> int:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    changes = Changes()
    camera = None
    if settings.reader.camera:
        # Drawing pictures takes libraries that a world without a camera need not load.
        from sim_hw.devices.camera import Camera  # noqa: PLC0415

        camera = Camera(settings.camera_port, settings.deck, settings.seed)
    world = World(settings, faults, changes, lambda: _print_line(POWER_CUT), camera)
    link = Link(settings.service_url, settings.token, changes)
    report_line = _print_line if settings.headless else _no_line
    dealer = Dealer(world, link, changes, report_line, strict=settings.headless)
    training = settings.training
    async with AsyncExitStack() as stack:
        stack.push_async_callback(link.close)
        stack.push_async_callback(world.close)
        listening = None if settings.headless else stack.enter_context(bind(settings.port))
        await world.open()
        _print_line("ready")
        at_work: list[Coroutine[Any, Any, object]] = [
            dealer.play(0 if training else settings.rounds),
            link.watch(),
            stop.wait(),
        ]
        if listening is not None:
            visitor = Visitor(world, dealer)
            at_work.append(serve_page(listening, visitor, changes, settings.service_url))
        if training is not None:
            dealer.robot = False
            dealer.trainer = stack.enter_context(closing(Trainer(world, training)))
            at_work.append(_train(dealer.trainer, dealer))
        began_s = time.monotonic()
        try:
            await _first_of(*at_work)
        except (Stuck, Disagreement) as error:
            print(f"world: {error}", file=sys.stderr)
            return STOPPED_GOING
        if settings.headless:
            _print_line(_summary(dealer, world, time.monotonic() - began_s))
    return DONE


async def _train(trainer: Trainer, dealer: Dealer) -> None:
    """A visitor deals and is trained; the table stays when it is over, to be looked at."""
    await trainer.done()
    dealer.paused = True
    await asyncio.Event().wait()


async def _first_of(*at_work: Coroutine[Any, Any, object]) -> None:
    """Run all until the first is done, and end the others. Raises what the first raised."""
    tasks = [asyncio.ensure_future(each) for each in at_work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _summary(dealer: Dealer, world: World, seconds: float) -> str:
    tally = dealer.book.tally
    void = f" and {tally.void} void" if tally.void else ""
    rounds = "1 round" if tally.rounds == 1 else f"{tally.rounds} rounds"
    pace = tally.rounds / seconds * 3600 if seconds else 0.0
    return (
        f"{rounds}{void}, {tally.cards} cards dealt,"
        f" {max(0, world.shoe.number - 1)} shuffles after the first pack,"
        f" {len(tally.holds)} holds, players' net {amount_text(tally.net)},"
        f" {seconds:.1f} s, {pace:.0f} rounds/h, seed {world.settings.seed}"
    )


def _print_line(line: str) -> None:
    print(line, flush=True)


def _no_line(line: str) -> None:
    """Where there is a page, its list has a sentence for each round."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
