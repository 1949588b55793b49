"""A running service is told to read its configuration anew, and its log is read."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.access.directory import Directory, local_day
from controller.access.write_directory import write_directory
from controller.table.roles import Role
from tests.support.patience import PATIENCE_S
from tests.support.processes.real_table import RealTable, standing

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def status(table: RealTable) -> dict[str, Any]:
    """The status page's view."""
    view: dict[str, Any] = (await table.web.get("/table")).json()
    return view


SIMULATED = "[simulated]\npace = 1\n"


async def until_notice(table: RealTable, begins: str) -> str:
    """Wait until the status page says so of the configuration; all that it says."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            parts: list[str] = (await status(table))["notice"]
            notice = " ".join(parts)
            if notice.startswith(begins) if begins else not notice:
                return notice
            await asyncio.sleep(0.02)


def reload(service: asyncio.subprocess.Process) -> None:
    service.send_signal(signal.SIGHUP)


def setups(table: RealTable) -> list[dict[str, Any]]:
    """Every setup, and every times of alarms, on record."""
    command = [sys.executable, "-m", "controller", "export", str(table.record)]
    exported = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in exported.splitlines()]
    return [row["fact"] for row in rows if row["kind"] in ("TableOpened", "AlarmTimesSet")]


def verified(table: RealTable) -> int:
    """The exit status of `tablectl verify`."""
    command = [sys.executable, "-m", "controller", "verify", str(table.record)]
    return subprocess.run(command, check=False).returncode


@pytest.mark.long
async def test_a_configuration_is_taken_over_between_rounds_and_is_on_record(
    tmp_path: Path,
) -> None:
    async with standing(RealTable(tmp_path)) as table:
        service = await table.start_service()
        await table.open_bets()
        await table.ask("place_wager", seat=1, amount=1_000)
        table.configure("[options]\n", "[options]\nmin_bet = 2500\n[alarms]\nfloor_s = 90\n")
        table.configure("[buzzer]", "[log]\nformat = 'json'\n[buzzer]")
        reload(service)
        assert "no bet lies" in await until_notice(table, "A new configuration is taken over")
        assert (await table.post("place_wager", seat=2, amount=1_000)).status_code == 200
        await table.ask("remove_wager", seat=2)
        await table.ask("remove_wager", seat=1)
        await until_notice(table, "")
        refused = await table.post("place_wager", seat=1, amount=1_000)
        assert (refused.status_code, refused.json()["code"]) == (409, "wager-under-minimum")
        rules = (await table.web.get("/rules")).json()
        assert "25.00" in json.dumps(rules)
        assert "25.00" in (await status(table))["limits"]
        assert await table.stop(service) == 0
        first, second, times = setups(table)
        assert dict(first["setup"]["options"])["min_bet"] == 1_000
        assert dict(second["setup"]["options"])["min_bet"] == 2_500
        assert times["alarms"]["floor_s"] == 90
        # Whoever starts it again goes on with the same: nothing is recorded twice.
        again = await table.start_service()
        assert await table.stop(again) == 0
        assert len(setups(table)) == 3
        assert verified(table) == 0


@pytest.mark.long
async def test_what_takes_a_restart_is_said_and_stays_as_it_is(tmp_path: Path) -> None:
    async with standing(RealTable(tmp_path)) as table:
        service = await table.start_service()
        table.configure(f"port = {table.port}", "port = 1")
        table.configure("late_code_ms = 0", "late_code_ms = 5")
        table.configure("[options]\n", "[options]\nmax_bet = 50000\n")
        table.configure(SIMULATED, "")
        reload(service)
        notice = await until_notice(table, "The configuration was taken over, but for")
        assert notice.endswith("takes a restart: beam, simulated, web.port")
        assert "500.00" in (await status(table))["limits"]
        assert await table.stop(service) == 0


async def test_a_wrong_file_keeps_the_old_one_and_the_status_page_says_why(tmp_path: Path) -> None:
    async with standing(RealTable(tmp_path)) as table:
        service = await table.start_service()
        before = (await status(table))["limits"]
        right = table.config.read_text()
        table.configure("[options]\n", "[options]\nmin_bet = 0\nmax_bets = 3\n")
        reload(service)
        notice = await until_notice(table, "The configuration was not taken over")
        assert "options.max_bets: 21-24-27 has no option 'max_bets'" in notice
        assert "line " in notice
        assert (await status(table))["limits"] == before
        assert "was not taken over" in table.log()
        table.config.write_text(right)
        reload(service)
        await until_notice(table, "")
        assert await table.stop(service) == 0
        assert len(setups(table)) == 1


@pytest.mark.long
async def test_a_service_that_was_started_by_hand_stops_when_its_terminal_is_closed(
    tmp_path: Path,
) -> None:
    ours, theirs = os.openpty()
    try:
        async with standing(RealTable(tmp_path)) as table:
            service = await table.start_service(terminal=theirs)
            reload(service)
            async with asyncio.timeout(PATIENCE_S):
                assert await service.wait() == 0
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.long
async def test_json_lines_name_round_seat_and_device(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    table.configure("[buzzer]", "[log]\nformat = 'json'\n[buzzer]")
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()
        await table.ask("place_wager", seat=2, amount=1_000)
        await table.ask("close_bets")
        table.line.unplug()
        await table.until_scene(lambda scene: scene["tone"] == "held")
        assert await table.stop(service) == 0
        lines = [json.loads(line) for line in table.log().splitlines()]
        lost = next(each for each in lines if "is down" in each["message"])
        assert (lost["level"], lost["device"], lost["round"]) == ("warning", "scanner", 1)
        assert {"time", "level", "logger", "message", "table"} <= lost.keys()
        opened = next(each for each in lines if "hold 1 is open" in each["message"])
        assert (opened["table"], opened["round"], opened["seat"]) == ("demo", 1, 2)


@pytest.mark.long
async def test_the_log_is_for_the_floor_and_holds_no_card(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    directory = Directory()
    for name, role in (("eino", Role.FLOOR), ("aino", Role.DEALER)):
        directory.add(name, role, f"{name}-4711", local_day())
    write_directory(tmp_path / "people.toml", directory)
    table.configure("[options]", '[people]\nfile = "people.toml"\n[options]')
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()

        async def ask(name: str, pin: str) -> tuple[int, str]:
            people = [{"name": name, "pin": pin}] if name else []
            answer = await table.web.post("/log", json={"people": people})
            return answer.status_code, answer.text

        assert (await ask("", ""))[0] == 403
        code, said = await ask("aino", "aino-4711")
        assert (code, "for the floor" in said) == (403, True)
        assert (await ask("eino", "wrong"))[0] == 403
        code, lines = await ask("eino", "eino-4711")
        assert code == 200
        assert "scanner is up" in lines
        assert "4711" not in lines
        assert "KH" not in lines, "the burned card, as it was read"
        del table.web.headers["Authorization"]
        assert (await ask("eino", "eino-4711"))[0] == 401
        assert await table.stop(service) == 0
