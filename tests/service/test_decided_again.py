"""The last decision is made again when a card comes: unchanged it is silent, changed it stops."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.devices.inputs import Reading
from controller.devices.safe import SAFE_HEADLINE
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service import live_table, loop
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.decide.decide import Decision, decide
from controller.table.state.state import State
from tests.service.test_loop import RememberingOutput, ask, deal_to_the_first_choice, running
from tests.support.pit import SCANNER

pytestmark = pytest.mark.anyio


async def dealt(service: Service, wall: RememberingOutput) -> None:
    """Seat 1 is asked for its choice."""
    await deal_to_the_first_choice(service)
    await wall.until(lambda scene: scene.dealer.headline == "Seat 1: stand or hit?")


async def card_comes(service: Service) -> None:
    """A reader notices a card, once the table has turned to what is next."""
    for _ in range(5):
        await asyncio.sleep(0)
    service.card_coming()


async def test_a_card_that_comes_has_the_last_decision_made_again_and_nothing_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "DECIDE_AGAIN_NS", 0)
    again = list[object]()

    def made(state: State | None, table_input: i.TableInput, stamp: i.Stamp) -> Decision:
        again.append(table_input)
        return decide(state, table_input, stamp)

    async with running(tmp_path / "record") as (service, wall):
        await dealt(service, wall)
        recorded, shown = service.figures().records, len(wall.shown)
        monkeypatch.setattr(live_table, "decide", made)
        await card_comes(service)
        await card_comes(service)
        assert [type(each) for each in again] == [Reading, Reading]
        assert not service.stopped
        assert (service.figures().records, len(wall.shown)) == (recorded, shown)
        # A refused command leads to a record too, and to no other picture.
        assert await ask(service, i.CloseBets()) != ""
        await card_comes(service)
        assert type(again[-1]) is i.CloseBets
        assert not service.stopped
        assert service.figures().refused == 1, "only what was asked is counted"


async def test_memory_that_has_changed_by_itself_stops_the_table(tmp_path: Path) -> None:
    async with running(tmp_path / "record") as (service, wall):
        await dealt(service, wall)
        reading = Reading(SCANNER, Sealed(card("3h")), apart=True)
        await service.offer(reading)
        await wall.until(lambda scene: scene.dealer.headline != "Seat 1: stand or hit?")
        recorded = service.figures().records
        object.__setattr__(reading, "card", Sealed(card("8d")))
        await card_comes(service)
        assert service.stopped.startswith("the last decision, made again, comes out differently")
        assert "another machine" in service.stopped
        assert "8" not in service.stopped, "no card is named"
        assert wall.shown[-1].dealer.headline == SAFE_HEADLINE
        assert service.figures().records == recorded
        await card_comes(service)  # a table that is stopped has no last decision


async def test_a_beam_that_flutters_is_not_worked_for_at_every_edge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "DECIDE_AGAIN_NS", 10**15)
    async with running(tmp_path / "record") as (service, wall):
        await dealt(service, wall)
        checks = list[None]()
        monkeypatch.setattr(service.table, "decide_again", lambda: checks.append(None))
        for _ in range(100):
            await card_comes(service)
        assert len(checks) == 1


async def test_nothing_is_made_again_while_an_input_is_on_its_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path / "record") as (service, _):
        checks = list[None]()
        monkeypatch.setattr(service.table, "decide_again", lambda: checks.append(None))
        asked = asyncio.ensure_future(service.submit(i.LoadPack(), None, None))
        await asyncio.sleep(0)
        service.card_coming()
        assert checks == []
        assert (await asked).accepted
