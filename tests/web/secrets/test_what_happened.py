"""Page data, API, command line and export say the same of what happened in a round."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.__main__ import main
from controller.record.files.chain_store import ChainReader
from controller.rules.games.registry import GAMES
from controller.table.facts import CardDealt, CardDealtDown
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.records.make import SETS
from tests.support.dealt.journals import QuickPit, newest, write_journal
from tests.support.forms import quick_first
from tests.support.pit import setup
from tests.table.any_moment.test_irregularities_at_random import TroubledCroupier
from tests.web.desk import PlayedDesk

TOKEN = "what-happened"
pytestmark = pytest.mark.anyio


def troubled(name: str, rounds: int = 4) -> QuickPit:
    """Rounds in which people and a reader do what they should not."""
    pit = QuickPit(setup(5, name))
    table = TroubledCroupier(pit, random.Random(f"what happened {name}"))
    for _ in range(rounds):
        table.play(dict.fromkeys(range(1, 6), 1_000))
        table.pit.scanner_down()
        table.pit.scanner_up()
        while table.pit.state.holds:
            table.choose()
    return pit


class AskedTwice:
    """The same record, asked by HTTP and by the command line."""

    def __init__(
        self, pit: QuickPit | None, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """`pit` played what is on record; None: the record is there."""
        self.folder = folder
        self._capsys = capsys
        desk = PlayedDesk()
        if pit is not None:
            write_journal(folder, pit.records)
            desk.pit = pit
        self.web = httpx.AsyncClient(
            transport=httpx.ASGITransport(
                create_app(desk, WebSettings(token=TOKEN, record=folder))
            ),
            base_url="http://127.0.0.1:8027",
            headers={"Authorization": f"Bearer {TOKEN}"},
        )

    async def get(self, address: str) -> Any:
        answer = await self.web.get(address)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def run(self, *words: object) -> str:
        assert main([str(each) for each in words]) == 0
        return self._capsys.readouterr().out


@pytest.mark.parametrize("name", quick_first(GAMES, ["blackjack", "seven-twenty-seven"]))
async def test_api_command_line_and_export_say_the_same(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = AskedTwice(troubled(name), tmp_path / "record", capsys)
    exported = {
        int(row["seq"]): row
        for row in csv.DictReader(io.StringIO(asked.run("export", asked.folder, "--format", "csv")))
    }
    as_json = [json.loads(line) for line in asked.run("export", asked.folder).splitlines()]
    assert {each["seq"]: each["text"] for each in as_json} == {
        seq: row["text"] for seq, row in exported.items()
    }
    listed = await asked.get("/api/v1/rounds")
    lines = [json.loads(each) for each in asked.run("rounds", asked.folder, "--json").splitlines()]
    badges = {each["number"]: each["badges"] for each in lines}
    logged = 0
    for each in listed:
        number = each["number"]
        assert each["badges"] == badges[number]
        by_web = await asked.get(f"/api/v1/rounds/{number}")
        by_command = json.loads(asked.run("replay", asked.folder, "--round", number, "--json"))
        assert by_command["replay"] == by_web
        text = asked.run("replay", asked.folder, "--round", number)
        for line in by_web["log"]:
            assert line["text"] in text
            if line["times"] == 1:
                assert exported[line["seq"]]["text"] == line["text"]
            assert exported[line["seq"]]["marks"].split() == line["marks"]
            logged += 1
    assert logged
    await asked.web.aclose()


async def test_the_record_is_asked_over_http_as_by_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = AskedTwice(troubled("blackjack"), tmp_path / "record", capsys)
    by_command = asked.run(
        "logbook", asked.folder, "--json", "--with", "hold", "--between", "22:13", "22:14"
    )
    by_web = await asked.get("/api/v1/record/logbook?with=hold&since=22:13&until=22:14")
    lines = [json.loads(each) for each in by_command.splitlines()]
    assert by_web["lines"] == lines[::-1] != []
    assert all("hold" in each["marks"] for each in by_web["lines"])
    rounds = await asked.get("/api/v1/record/rounds?with=hold")
    recalled = await asked.get("/api/v1/rounds?with=hold")
    numbers = [each["number"] for each in rounds["lines"]]
    assert numbers == sorted((each["number"] for each in recalled), reverse=True) != []
    assert not rounds["more"]
    assert rounds["problem"] == ""
    await asked.web.aclose()


@pytest.mark.long
async def test_the_record_is_read_in_the_language_of_who_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = AskedTwice(troubled("blackjack"), tmp_path / "record", capsys)
    english = await asked.get("/api/v1/record/logbook?with=hold")
    finnish = await asked.get("/api/v1/record/logbook?with=hold&lang=fi")
    command = asked.run("logbook", asked.folder, "--json", "--with", "hold", "--lang", "fi")
    assert finnish["lines"] == [json.loads(each) for each in command.splitlines()][::-1]
    assert len(finnish["lines"]) == len(english["lines"]) > 0
    for one, other in zip(english["lines"], finnish["lines"], strict=True):
        assert (other["seq"], other["code"], other["marks"]) == (
            one["seq"], one["code"], one["marks"],
        )  # fmt: skip
        assert other["text"] != one["text"]
    sheet = await asked.get("/api/v1/record/shift")
    german = await asked.get("/api/v1/record/shift?lang=de")
    assert {**german, "lines": [], "people": []} == {**sheet, "lines": [], "people": []}
    assert [name for name, _ in german["lines"]][:2] == ["Tisch", "Spieltag"]
    assert len(german["lines"]) == len(sheet["lines"])
    assert ["Head", sheet["head"]] in sheet["lines"]
    printed = asked.run("day", "sheet", asked.folder, "--lang", "es")
    assert printed.startswith("Hoja de turno\n")
    assert "Jefe de mesa: ____" in printed
    await asked.web.aclose()


@pytest.mark.long
@pytest.mark.parametrize(
    ("what", "count"), [pytest.param("logbook", 60, marks=pytest.mark.long), ("rounds", 2)]
)
async def test_the_newest_come_first_and_the_older_ones_page_by_page_over_days(
    what: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each once, as the whole record has it: also a round that a later day corrects."""
    record = shutil.copytree(next(SETS.glob("*/finnish-27")), tmp_path / "record")
    assert len(list(record.glob("*.day"))) == 2
    asked = AskedTwice(None, record, capsys)
    number = "seq" if what == "logbook" else "number"
    whole = [json.loads(each) for each in asked.run(what, asked.folder, "--json").splitlines()]
    found: list[Any] = []
    more, before = True, 0
    while more:
        page = await asked.get(f"/api/v1/record/{what}?count={count}&before={before}")
        assert page["problem"] == ""
        assert 1 <= len(page["lines"]) <= count
        found += page["lines"]
        more, before = page["more"], found[-1][number]
    assert found == whole[::-1]
    assert len(found) > 2 * count
    await asked.web.aclose()


async def test_the_older_days_of_a_record_can_be_asked_for_where_the_newest_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = shutil.copytree(next(SETS.glob("*/finnish-27")), tmp_path / "record")
    asked = AskedTwice(None, record, capsys)
    day = newest(record)
    with closing(ChainReader(day)) as reader:
        bad = reader.beginning.after.seq + 5
    with closing(sqlite3.connect(day)) as base, base:
        base.execute("UPDATE records SET hash = zeroblob(32) WHERE seq = ?", (bad,))
    page = await asked.get("/api/v1/record/logbook?count=10")
    assert [each["seq"] for each in page["lines"]] == list(range(bad - 1, bad - 11, -1))
    assert page["more"]
    assert f"record {bad} is not what was written" in page["problem"]
    await asked.web.aclose()


async def test_the_sheet_of_a_shift_has_the_figures_and_a_head_that_verify_finds_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pit = troubled("finnish-27")
    asked = AskedTwice(pit, tmp_path / "record", capsys)
    sheet = await asked.get("/api/v1/record/shift")
    assert sheet == json.loads(asked.run("day", "sheet", asked.folder, "--json"))
    rounds = [json.loads(each) for each in asked.run("rounds", asked.folder, "--json").splitlines()]
    over = [each for each in rounds if each["ended_ms"]]
    assert (sheet["rounds"], sheet["void"]) == (len(over), sum(each["void"] for each in over))
    assert sheet["players_net"] == sum(each["net"] for each in over if not each["void"])
    dealt = [each for each in pit.facts if isinstance(each, CardDealt | CardDealtDown)]
    assert sheet["cards"] == len(dealt) > 0
    found = {each["mark"]: each["count"] for each in sheet["found"]}
    exported = [json.loads(line) for line in asked.run("export", asked.folder).splitlines()]
    for mark, count in found.items():
        assert count == sum(mark in each.get("marks", "").split() for each in exported)
    assert found["hold"] > 0
    printed = asked.run("day", "sheet", asked.folder)
    assert all(name in printed and value in printed for name, value in sheet["lines"])
    assert "Floor: ___" in printed
    assert asked.run("verify", asked.folder, "--head", sheet["head"])
    part = await asked.get("/api/v1/record/shift?since=00:00&until=00:01")
    assert (part["rounds"], part["cards"], part["head"]) == (0, 0, sheet["head"])
    for bearer in ({"Authorization": "Bearer another"}, {"Authorization": ""}):
        refused = await asked.web.get("/api/v1/record/shift", headers=bearer)
        assert refused.status_code == 401
    gone = await asked.web.get("/api/v1/record/shift?day=1999-01-01")
    assert (gone.status_code, "no such gaming day" in gone.text) == (503, True)
    await asked.web.aclose()


def test_times_are_those_of_the_tables_zone_which_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = next(SETS.glob("*/finnish-27"))
    assert main(["replay", str(record), "--round", "2"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.endswith("; times of Europe/Helsinki")
    assert "+02:00" in lines[0]
    assert main(["rounds", str(record)]) == 0
    assert all("+02:00" in each for each in capsys.readouterr().out.splitlines())


async def test_the_record_is_not_for_those_without_the_token_and_its_damage_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = AskedTwice(troubled("21-24-27", 1), tmp_path / "record", capsys)
    for bearer in ({"Authorization": "Bearer another"}, {"Authorization": ""}):
        refused = await asked.web.get("/api/v1/record/rounds", headers=bearer)
        assert refused.status_code == 401
    wrong = await asked.web.get("/api/v1/record/logbook?since=--people")
    assert wrong.status_code == 422
    gone = await asked.get("/api/v1/record/rounds?day=1999-01-01")
    assert gone["lines"] == []
    assert "no such gaming day" in gone["problem"]
    await asked.web.aclose()


@pytest.mark.parametrize(
    "question",
    [
        "record/logbook?by=%00", "record/logbook?with=foo", "record/logbook?with=hold,",
        "record/logbook?since=24:00", "record/shift?since=99:99", "record/shift?until=12:60",
        "record/rounds?with=foo", "rounds?with=foo",
    ],
)  # fmt: skip
async def test_a_question_that_no_command_could_take_is_refused_before_one_is_asked(
    question: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = AskedTwice(None, tmp_path / "none", capsys)
    refused = await asked.web.get(f"/api/v1/{question}")
    assert refused.status_code == 422, refused.text
    assert "usage" not in refused.text
    await asked.web.aclose()


def test_a_time_of_day_that_names_a_zone_is_none_of_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = str(next(SETS.glob("*/finnish-27")))
    with pytest.raises(SystemExit) as stopped:
        main(["logbook", record, "--between", "14:02+02:00", "14:10"])
    assert stopped.value.code == 2
    assert "14:02+02:00 is no time of day: write it like 14:02" in capsys.readouterr().err
