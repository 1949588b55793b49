"""People and the gaming day from the command line, while the table runs and pages are asked."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.access.directory import local_day
from controller.access.pin_tries import TRIES
from tests.support.processes.real_table import RealTable, standing

pytestmark = pytest.mark.anyio
EINO, AINO = "4711", "1234"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def tablectl(*words: object, typed: str = "") -> tuple[int, str]:
    """A command, what is typed into its pipe, and all that it says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", *map(str, words), stdin=PIPE, stdout=PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, said.decode()


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of eino, who is of the floor, and aino, who deals; made once."""
    file = tmp_path_factory.mktemp("people") / "people.toml"
    with pytest.MonkeyPatch.context() as patch:
        for name, role, pin in (("eino", "floor", EINO), ("aino", "dealer", AINO)):
            patch.setattr(sys, "stdin", io.StringIO(f"{pin}\n"))
            assert main(["person", "add", str(file), name, "--role", role]) == 0
    return file


def with_people(folder: Path, people: Path) -> RealTable:
    """A table that knows them."""
    table = RealTable(folder)
    shutil.copy(people, folder / "people.toml")
    table.configure("[options]", '[people]\nfile = "people.toml"\n[options]')
    return table


def proof(name: str, pin: str) -> list[dict[str, str]]:
    return [{"name": name, "pin": pin}]


async def release(table: RealTable, name: str, pin: str) -> tuple[int, str]:
    """The floor lifts a hold that the dealer called; the answer."""
    if not (await status(table))["holds"]:
        await table.ask("call_floor")
    (hold, *_) = (await status(table))["holds"]
    answer = await table.post(
        "resolve", hold=hold["number"], resolution="release", reason="asked and answered",
        people=proof(name, pin),
    )  # fmt: skip
    return answer.status_code, answer.text


async def status(table: RealTable) -> dict[str, Any]:
    view: dict[str, Any] = (await table.web.get("/table")).json()
    return view


@pytest.mark.long
async def test_whoever_is_out_or_expired_proves_nothing_at_the_next_pin(
    tmp_path: Path, people: Path
) -> None:
    table = with_people(tmp_path, people)
    listed_in = tmp_path / "people.toml"
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()
        code, said = await release(table, "eino", EINO)
        assert code == 200, said
        today = local_day().isoformat()
        await tablectl("person", "add", listed_in, "vera", "--role", "floor", typed="9999\n")
        # Listed with their roles; expired by a day, the PIN is as good as none.
        code, listed = await tablectl("person", "list", listed_in)
        assert [line.split()[1:3] for line in listed.splitlines()] == [
            ["eino", "floor"], ["aino", "dealer"], ["vera", "floor"],
        ]  # fmt: skip
        assert (await tablectl("person", "expire", listed_in, "eino", today))[0] == 0
        code, said = await release(table, "eino", EINO)
        assert (code, "do not fit" in said) == (403, True)
        (hold,) = (await status(table))["holds"]
        again = await table.post(
            "resolve", hold=hold["number"], resolution="release", reason="asked",
            people=proof("vera", "9999"),
        )  # fmt: skip
        assert again.status_code == 200
        assert (await tablectl("person", "remove", listed_in, "vera"))[0] == 0
        assert (await release(table, "vera", "9999"))[0] == 403
        # Erased, a name is nowhere; the record has had the id alone from the beginning.
        vera = next(line.split()[0] for line in listed.splitlines() if "vera" in line)
        assert (await tablectl("person", "erase", listed_in, "vera"))[0] == 0
        assert "vera" not in listed_in.read_text()
        assert await table.stop(service) == 0
        code, exported = await tablectl("export", table.record)
        assert code == 0
        assert "vera" not in exported
        assert vera in exported


async def test_the_floor_closes_the_day_from_the_command_line(
    tmp_path: Path, people: Path, long_form: bool
) -> None:
    """The long form asks the command for more, and in vain."""
    table = with_people(tmp_path, people)
    async with standing(table):
        service = await table.start_service()
        label = (await status(table))["day"]["label"]
        close = ("day", "close", table.config)
        code, said = await tablectl(*close, "--name", "aino", typed=f"{AINO}\n")
        assert code == 1
        assert "floor" in said
        if long_form:
            code, said = await tablectl("day", "show", table.config)
            assert (code, said.startswith(f"gaming day {label}, ends ")) == (0, True)
            code, said = await tablectl(*close, "--name", "eino", typed="wrong\n")
            assert (code, "do not fit" in said) == (1, True)
        code, said = await tablectl(*close, "--name", "eino", typed=f"{EINO}\n")
        assert (code, said.splitlines()[0]) == (0, f"gaming day {label} is closed")
        opened = (await status(table))["day"]["label"]
        assert opened > label
        assert f"gaming day {opened}, ends " in said
        if long_form:
            code, said = await tablectl(*close, "--name", "eino", typed=f"{EINO}\n")
            assert (code, "by the calendar" in said) == (1, True)
            assert EINO not in said
        assert await table.stop(service) == 0
    if long_form:
        code, said = await tablectl("day", "show", table.config)
        assert (code, "is its service running?" in said) == (1, True)


@pytest.mark.long  # tests/table/decide/test_gaming_day.py refuses it in the core
async def test_a_round_in_play_keeps_the_day_open(tmp_path: Path, people: Path) -> None:
    table = with_people(tmp_path, people)
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()
        await table.ask("place_wager", seat=1, amount=1_000)
        await table.ask("close_bets")
        code, said = await tablectl(
            "day", "close", table.config, "--name", "eino", typed=f"{EINO}\n"
        )
        assert (code, "between rounds" in said) == (1, True)
        assert await table.stop(service) == 0
    facts = (await tablectl("export", table.record))[1].splitlines()
    assert "DayClosed" not in {json.loads(line)["kind"] for line in facts}


@pytest.mark.long
async def test_a_table_switched_off_and_on_gives_no_further_pins(
    tmp_path: Path, people: Path, long_form: bool
) -> None:
    """Counts of wrong PINs were in memory: each restart gave five more, and they left no trace."""
    table = with_people(tmp_path, people)
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()
        for wrong in range(TRIES):
            code, said = await release(table, "eino", f"{wrong:04}")
            assert code == 403, said
            if wrong in (0, TRIES - 1) or long_form:
                service.kill()
                await service.wait()
                service = await table.start_service()
        code, said = await release(table, "eino", EINO)
        assert (code, "Too many wrong PINs" in said) == (429, True)
        assert await table.stop(service) == 0
        assert "eino" not in (tmp_path / "record.pins").read_text()
    facts = [json.loads(line) for line in (await tablectl("export", table.record))[1].splitlines()]
    noted = [each["fact"]["wrong"] for each in facts if each["kind"] == "WrongPins"]
    assert sum(noted) == TRIES, "each is on record once, however often the table starts"
