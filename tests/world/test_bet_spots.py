"""Readers under the bet spots: a day of the simulated world, and a bet that comes late."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.record.journal import Journal
from controller.table import facts as f
from controller.table.irregularities.holds import Reason
from sim_hw.devices.spot_reader import SpotReader
from sim_hw.devices.wire.pn532 import Tag
from tests.support.processes.real_table import HELD, SEATS, RealTable, down, standing
from tests.support.processes.town import Town

ONE, OTHER = bytes.fromhex("04a1b2c3d4e5f6"), bytes.fromhex("04ffeeddccbbaa")


def facts(folder: Path) -> list[f.Fact]:
    with closing(Journal(folder / "record")) as journal:
        return [record.fact for record in journal.newest_day.records()]


class Sensed(Town):
    """A town whose spots have readers."""

    def prepare(self) -> None:
        path = self.folder / "world.json"
        order = json.loads(path.read_text())
        ports = [str(self.folder / f"spot-{seat}") for seat in range(1, order["seats"] + 1)]
        section = f"[bet_spots]\nports = {json.dumps(ports)}\npoll_ms = 5\nsettle_ms = 0\n\n"
        written = self.config.read_text().replace("[options]", f"{section}[options]")
        self.config.write_text(written)
        path.write_text(json.dumps({**order, "bet_spots": True}))


@pytest.mark.long
def test_a_day_with_readers_under_the_spots_knows_no_late_bet(tmp_path: Path) -> None:
    """Players double, split and insure: further chips come, and go as hands are settled."""
    town = Sensed(tmp_path, rounds=40, seed=5, seats=3, speed=50, game="blackjack")
    try:
        assert town.world.finish(240) == 0, town.world.lines
    finally:
        town.service.close()
        town.close()
    happened = facts(tmp_path)
    assert sum(isinstance(each, f.ChipsChanged) for each in happened) > 80
    assert any(isinstance(each, f.WagerAdded) for each in happened)
    held = {each.reason for each in happened if isinstance(each, f.HoldRaised)}
    assert Reason.LATE_BET not in held


class Spots:
    """The readers of a real table, and the tags on its spots."""

    def __init__(self, folder: Path) -> None:
        self.lies: dict[int, list[Tag]] = {seat: [] for seat in range(1, SEATS + 1)}
        self.readers = [SpotReader(folder / f"spot-{seat}", self._at(seat)) for seat in self.lies]

    def _at(self, seat: int) -> Callable[[], list[Tag]]:
        return lambda: self.lies[seat]


def shown(scene: dict[str, Any]) -> dict[int, tuple[str, bool]]:
    return {each["seat"]: (each["chips"], each["differs"]) for each in scene["spots"]}


@pytest.mark.anyio
async def test_a_bet_after_no_more_bets_holds_a_whole_table(tmp_path: Path) -> None:
    table, spots = RealTable(tmp_path), Spots(tmp_path)
    ports = json.dumps([str(each.link) for each in spots.readers])
    table.configure("[options]", f"[bet_spots]\nports = {ports}\n\n[options]")
    for each in spots.readers:
        each.plug()
    nothing, chips = ("no chips", False), ("chips", False)
    try:
        async with standing(table):
            await table.start_service()
            await table.open_bets()
            spots.lies[1] = [Tag(ONE)]
            await table.until_scene(lambda scene: shown(scene).get(1) == ("chips", True))
            await table.ask("place_wager", seat=1, amount=1_000)
            await table.until_scene(
                lambda scene: shown(scene) == {1: chips, 2: nothing, 3: nothing}
            )
            await table.ask("close_bets")
            spots.lies[2] = [Tag(OTHER)]
            held = await table.until_scene(lambda scene: bool(scene["holds"]))
            assert held["headline"].startswith("Late bet: leave the chips")
            assert shown(held)[2] == ("chips", True)
            await table.until_all(HELD)
            spots.lies[2] = []
            await table.until_scene(lambda scene: shown(scene)[2] == nothing)
            (hold,) = (await table.scene())["holds"]
            await table.ask("resolve", hold=hold["number"], resolution="chips_back")
            assert not (await table.scene())["holds"]
            spots.readers[0].unplug()
            lost = await table.until_scene(lambda scene: "bet_spots" in down(scene))
            assert not lost["spots"]
            spots.readers[0].plug()
            await table.until_scene(lambda scene: shown(scene).get(1) == chips)
            assert not (await table.scene())["holds"]
    finally:
        for each in spots.readers:
            each.unplug()
    kinds = [each.reason for each in facts(tmp_path) if isinstance(each, f.HoldRaised)]
    assert kinds == [Reason.LATE_BET]


@pytest.mark.anyio
@pytest.mark.long
async def test_a_reader_that_drops_or_repeats_a_tag_holds_nothing_and_a_chip_that_goes_does(
    tmp_path: Path,
) -> None:
    """After "no more bets": what flickers is not believed; what stays away stops the table."""
    table, spots = RealTable(tmp_path), Spots(tmp_path)
    ports = json.dumps([str(each.link) for each in spots.readers])
    table.configure("[options]", f"[bet_spots]\nports = {ports}\n\n[options]")
    for each in spots.readers:
        each.plug()
    chips = ("chips", False)

    def held() -> int:
        return sum(isinstance(each, f.HoldRaised) for each in facts(tmp_path))

    try:
        async with standing(table):
            service = await table.start_service()
            await table.open_bets()
            spots.lies[1] = [Tag(ONE)]
            await table.ask("place_wager", seat=1, amount=1_000)
            await table.until_scene(lambda scene: shown(scene).get(1) == chips)
            await table.ask("close_bets")
            for _ in range(10):
                for lies in ([], [Tag(ONE), Tag(ONE)], [Tag(ONE)]):
                    spots.lies[1] = lies
                    await asyncio.sleep(0.04)
            for spot in spots.readers:  # a plug that is pulled and put back in the same window
                spot.unplug()
                spot.plug()
            await table.until_scene(lambda scene: shown(scene).get(1) == chips)
            assert not (await table.scene())["holds"]
            spots.lies[1] = [Tag(ONE), Tag(ONE)]  # for longer than it has to be the same
            spots.lies[2] = [Tag(OTHER)]
            await table.until_scene(lambda scene: shown(scene).get(2, ("",))[0] == "chips")
            (hold,) = (await table.scene())["holds"]
            assert hold["text"].startswith("Seat 2"), hold
            spots.lies[2] = []
            await table.until_scene(lambda scene: shown(scene).get(2, ("",))[0] == "no chips")
            await table.ask("resolve", hold=hold["number"], resolution="chips_back")
            spots.lies[1] = []
            scene = await table.until_scene(lambda scene: bool(scene["holds"]))
            assert scene["headline"].startswith("Late bet"), scene["headline"]
            assert service.returncode is None
    finally:
        for each in spots.readers:
            each.unplug()
    assert held() == 2
