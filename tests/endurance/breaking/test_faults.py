"""Each fault by its name, in mid-round: where it ends, and nothing lost by the world's account."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import Final

import pytest

from controller.devices.safe import SAFE_HEADLINE
from controller.rules.cards import card
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import Reason
from controller.table.views.english import say
from sim_hw.devices.shoe import PhysicalCard
from tests.endurance.breaking.chaos import HOUR_MS, TEN_YEARS_MS
from tests.endurance.breaking.disk import STALL_S, Due, WriteTrouble
from tests.endurance.breaking.order import RunOrder, RunOutcome
from tests.endurance.breaking.run import BreakingRun, Script, run
from tests.support.faults.fault_case import FaultEnd
from tests.support.forms import quick_first

GAME: Final = "21-24-27"
RECOUNT: Final = say(IRREGULARITIES[Reason.RECOUNT].title)
UNREADABLE: Final = say(IRREGULARITIES[Reason.UNREADABLE].title)
IMPOSSIBLE: Final = say(IRREGULARITIES[Reason.IMPOSSIBLE].title)


def breaking(script: Script, seed: int = 1, game: str = GAME) -> RunOutcome:
    """A round, then what the script lets go wrong, then two more rounds."""
    outcome = run(RunOrder(seed, game, 1.0, calm=True), script)
    assert outcome.problem == ""
    assert outcome.rounds >= 3
    return outcome


async def mid_round(table: BreakingRun) -> None:
    """Until some cards of the second round lie on the felt."""
    await table.rounds(1)
    while len(table.world.felt.dealt) < 3 or not table.world.playing:
        await table.changes.wait(10.0)


def ended(outcome: RunOutcome) -> FaultEnd:
    """The named state in which it ended."""
    if outcome.stopped:
        return FaultEnd.STOPPED
    return FaultEnd.HELD if outcome.held else FaultEnd.GOES_ON


# Clocks


@pytest.mark.parametrize("by_ms", quick_first([-HOUR_MS, TEN_YEARS_MS], [TEN_YEARS_MS]))
def test_the_clock_is_set_by_hours_or_years_and_nothing_minds(by_ms: int) -> None:
    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        table.loop.clock.step_wall(by_ms)

    outcome = breaking(script)
    assert ended(outcome) is FaultEnd.GOES_ON


def test_a_clock_that_steps_at_every_card_of_a_round_changes_nothing() -> None:
    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        for by_ms in (-90_000, 5_000, -1, 86_400_000, -3_600_000):
            table.loop.clock.step_wall(by_ms)
            await table.changes.wait(10.0)

    assert ended(breaking(script)) is FaultEnd.GOES_ON


def test_the_process_is_stopped_for_30_s_and_goes_on_where_it_was() -> None:
    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        await table.chaos.stand_still(30.0)

    outcome = breaking(script)
    assert ended(outcome) in (FaultEnd.GOES_ON, FaultEnd.HELD)
    # The dealer, who sees nothing move, calls; the card that left meanwhile is noticed after that.
    lawful = (Reason.UNREADABLE, Reason.FLOOR, Reason.UNEXPECTED)
    assert outcome.held.keys() <= {say(IRREGULARITIES[each].title) for each in lawful}


# The scanner's line


def test_random_bytes_without_a_card_are_no_card() -> None:
    async def script(table: BreakingRun) -> None:
        await table.rounds(1)  # chips are put down now: no card is on its way
        table.world.scanner.flood(bytes(range(256)) * 2)
        await asyncio.sleep(1.5)

    assert ended(breaking(script)) is FaultEnd.GOES_ON


def test_half_a_code_is_not_believed() -> None:
    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        scanner, scan = table.world.scanner, table.world.scanner.scan

        async def half(card: PhysicalCard, *, split: bool = False) -> None:
            scanner.scan = scan  # type: ignore[method-assign]
            await scanner.half(card)

        scanner.scan = half  # type: ignore[method-assign]

    outcome = breaking(script)
    assert outcome.held == {UNREADABLE: 1}


def test_ten_thousand_frames_a_second_for_a_second_and_no_card_is_made_of_them() -> None:
    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        await table.chaos.flood()

    outcome = breaking(script)
    assert outcome.held.keys() <= {UNREADABLE, RECOUNT}


class EveningOver(Exception):
    """What was waited for was seen; the evening is over."""


def test_a_foreign_card_in_the_shoe_holds_the_table() -> None:
    """A Joker where the pack has none: it is entered as nothing else, a new pack is due."""

    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        table.world.shoe._cards.insert(0, PhysicalCard(card("Jo"), 999_999))
        for wait_s in (20.0, 100.0):
            await asyncio.sleep(wait_s)
            assert table.link.display is not None
            (hold,) = table.link.display.holds
            assert hold.title == IMPOSSIBLE
            assert hold.resolutions.keys() == {"enter_card", "new_shoe"}
            assert table.link.display.why == "Joker: the pack has none."
        raise EveningOver

    assert EveningOver.__name__ in run(RunOrder(1, "casino-7-27", 1.0, calm=True), script).problem


# The disk


@pytest.mark.parametrize(
    "trouble",
    quick_first(
        [WriteTrouble.EIO, WriteTrouble.EIO_LATE, WriteTrouble.FULL, WriteTrouble.READ_ONLY],
        [WriteTrouble.EIO_LATE, WriteTrouble.FULL],
    ),
)
@pytest.mark.parametrize("writes", quick_first([0, 1], [1]))
def test_a_disk_that_cannot_be_written_stops_the_table(trouble: WriteTrouble, writes: int) -> None:
    """`writes` 0: the row; 1: the anchor after it. People see to the disk, and it goes on."""
    headlines: list[str] = []

    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        table.table.disk.plan(Due(trouble, writes))
        while table.chaos.stopped == 0:
            await table.changes.wait(10.0)
        await asyncio.sleep(0.1)
        assert table.link.display is not None
        headlines.append(table.link.display.headline)

    outcome = breaking(script)
    assert ended(outcome) is FaultEnd.STOPPED
    assert headlines == [SAFE_HEADLINE]
    assert outcome.held == {RECOUNT: 1}


def test_a_disk_that_stalls_for_5_s_shows_safe_until_it_is_done() -> None:
    headlines: list[str] = []

    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        table.table.disk.plan(Due(WriteTrouble.STALL, 0))
        began_s, until_s = table.loop.time(), table.loop.time() + 60
        while table.loop.time() < until_s and SAFE_HEADLINE not in headlines:
            await table.changes.wait(1.0)
            if table.link.display is not None:
                headlines.append(table.link.display.headline)
        assert table.loop.time() - began_s < 60
        await asyncio.sleep(STALL_S)

    outcome = breaking(script)
    assert ended(outcome) is FaultEnd.GOES_ON
    assert SAFE_HEADLINE in headlines


@pytest.mark.parametrize("seed", quick_first(range(1, 9), range(1, 4)))
def test_a_power_cut_that_drops_or_reorders_what_was_not_synced_loses_nothing_told(
    seed: int,
) -> None:
    async def script(table: BreakingRun) -> None:
        await mid_round(table)
        table.table.disk.plan(Due(WriteTrouble.POWER_CUT, seed % 3))
        while table.table.kills == 0:
            await table.changes.wait(10.0)

    outcome = breaking(script, seed)
    assert outcome.kills == 1
    assert outcome.held.keys() == {RECOUNT}


#: Killed before a write or after the one before it, the disk holds the same: the quick form has
#: each of the five states of the disk once.
HIDDEN_WRITES: Final = list(
    product((WriteTrouble.KILLED_BEFORE, WriteTrouble.KILLED_AFTER), range(4))
)
EACH_DISK: Final = [HIDDEN_WRITES[0], HIDDEN_WRITES[5]]


@pytest.mark.parametrize("killed", quick_first(HIDDEN_WRITES, EACH_DISK))
def test_killed_before_or_after_any_write_of_a_hidden_card(
    killed: tuple[WriteTrouble, int],
) -> None:
    """Its opening, its record, the anchor, and the opening of the next one."""

    async def script(table: BreakingRun) -> None:
        await table.rounds(1)
        while not any(each.down for each in table.world.felt.dealt):
            await table.changes.wait(10.0)
        table.table.disk.plan(Due(*killed))
        while table.table.kills == 0:
            await table.changes.wait(10.0)

    outcome = breaking(script, seed=2, game="seven-twenty-seven")
    assert outcome.held.keys() == {RECOUNT}


@pytest.mark.long  # in the quick form each life that is killed above is looked at so
def test_nothing_of_the_harness_is_left_open() -> None:
    """A killed life lets go of every descriptor; the fixture of the house looks."""

    async def script(table: BreakingRun) -> None:
        for _ in range(5):
            await table.rounds(1)
            table.table.kill()

    assert breaking(script).kills == 5
