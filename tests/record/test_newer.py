"""Software put back by one release: what newer software wrote is named as that, and left alone."""

from __future__ import annotations

import json
import logging
import re
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands.terminal.status import EXIT_BAD, EXIT_OTHER_BUILD
from controller.record.codec import VERSION, encode
from controller.record.copies.replica import pour_day
from controller.record.files.chain_store import ChainReader, Row, chain
from controller.record.files.database import RecordNewer
from controller.record.files.day_writer import ChainWriter, make_day
from controller.record.journal import Journal
from controller.rules.games.registry import GAMES
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.facts import TableOpened
from tests.record.reading.test_audit import dealt
from tests.support.dealt.days import CalendarPit, commits
from tests.support.dealt.journals import QuickPit, write_journal, writer
from tests.support.forms import long_only
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

NEWER = "0.3.1+4f2c9a01"
#: What one more release may have written: a kind that is not known here, and a known one's next
#: version.
ADDED: dict[str, tuple[str, dict[str, object]]] = {
    "one more kind": ("SideLampLit/1", {"seat": 2, "colour": "blue"}),
    "a raised version": ("DeviceUp/2", {"device": "scanner", "firmware": "7.1"}),
}


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a record with its bytes, but for what holds nothing of it.

    That is the lock, and the index and empty log that SQLite puts beside a file to read it.
    """
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
        and each.name != "lock"
        and not each.name.endswith("-shm")
        and each.stat().st_size > 0
    }


def add(record: Path, kind: str, fact: dict[str, object], at_ms: int) -> int:
    """Add a record as the newer build writes it, chained and anchored; its number."""
    with closing(writer(record)) as day:
        seq = day.head.seq + 1
        body = json.dumps([kind, at_ms, 1, "test", fact], separators=(",", ":")).encode()
        day.add([Row(seq, VERSION, body, chain(day.head.hash, seq, VERSION, body))], [])
        day.mark()
        return seq


def play(record: Path) -> QuickPit:
    """Some rounds, and the start of the newer build."""
    pit = played()
    write_journal(record, pit.records)
    return pit


@cache
def played() -> QuickPit:
    pit = dealt("21-24-27")
    pit.give(i.Start(pit.setup, NEWER, (SCANNER,)))
    return pit


#: A known kind and version as another build had it, which this one cannot read.
ANOTHER_FORM = "another form"
ONE_MORE_GAME = "one more game"


def set_up_as_war(record: Path) -> int:
    """The newer build deals a game more: it is started with that one; the record that says so."""
    pit = dealt("21-24-27")
    with pytest.MonkeyPatch.context() as newer:
        newer.setitem(GAMES, "war", replace(GAMES["21-24-27"], name="war"))
        pit.give(i.Start(setup(5, "war"), NEWER, (SCANNER,)))
    write_journal(record, pit.records)
    return next(each.seq for each in reversed(pit.records) if isinstance(each.fact, TableOpened))


@pytest.fixture(params=[*ADDED, ANOTHER_FORM, ONE_MORE_GAME])
def said(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What is said of the record of the newer build at `tmp_path / "record"`."""
    record = tmp_path / "record"
    if request.param == ONE_MORE_GAME:
        seq = set_up_as_war(record)
        what = "TableOpened/1: there is no game 'war' in this software"
        return f"record {seq} ({what}) was written by tablectl {NEWER}: start that, or newer"
    pit = play(record)
    if request.param == ANOTHER_FORM:
        seq = add(record, "DeviceUp/1", {"device": ["scanner", 2]}, pit.state.clock.at_ms + 1)
        why = "Expected `str`, got `array` - at `$[4].device`"
        return f"record {seq} cannot be read here ({why}): tablectl {NEWER} wrote it, start that"
    kind, fact = ADDED[request.param]
    seq = add(record, kind, fact, pit.state.clock.at_ms + 1)
    return f"record {seq} ({kind}) was written by tablectl {NEWER}: start that, or newer"


@pytest.mark.parametrize(
    "command",
    [
        ["verify", "RECORD"],
        long_only(["verify", "BACKUP", "--copy", "RECORD"]),
        ["replay", "RECORD"],
        long_only(["replay", "RECORD", "--round", "2"]),
        ["export", "RECORD"],
        long_only(["export", "RECORD", "--format", "csv"]),
        long_only(["restore", "RECORD", "NEW"]),
        long_only(["restore", "RECORD", "NEW", "--readable"]),
        ["restore", "BACKUP", "RECORD"],
        long_only(["restore", "BACKUP", "RECORD", "--readable"]),
    ],
    ids=" ".join,
)
def test_every_command_says_which_build_to_start_and_touches_nothing(
    said: str, tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    says_which_build(said, tmp_path, command, capsys)


@pytest.mark.parametrize("said", [*ADDED, ANOTHER_FORM], indirect=True)
def test_a_backup_is_not_made_of_what_cannot_be_read(
    said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says_which_build(said, tmp_path, ["backup", "RECORD", "NEW"], capsys)


def test_a_backup_needs_to_know_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, new = tmp_path / "record", tmp_path / "new"
    set_up_as_war(record)
    assert main(["backup", str(record), str(new)]) == 0
    capsys.readouterr()
    assert main(["verify", str(new)]) == EXIT_OTHER_BUILD
    assert NEWER in capsys.readouterr().err


def says_which_build(
    said: str, tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """That command, of a record at `tmp_path / "record"`, names the build, and changes nothing."""
    record, backup, new = tmp_path / "record", tmp_path / "backup", tmp_path / "new"
    play(backup)
    before = files(record), files(backup)
    named = {"RECORD": str(record), "BACKUP": str(backup), "NEW": str(new)}
    status = main([named.get(word, word) for word in command])
    out, err = capsys.readouterr()
    assert said in err
    assert "damaged" not in out + err
    assert "Traceback" not in out + err
    assert status == EXIT_OTHER_BUILD
    assert (files(record), files(backup)) == before
    assert not files(new) if new.exists() else True


async def test_a_start_says_which_build_to_start_and_touches_nothing(
    said: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = tmp_path / "record"
    before = files(record)
    pit = dealt("21-24-27")
    with caplog.at_level(logging.DEBUG):
        service = Service(i.Start(pit.setup, "0.1.0+11111111", (SCANNER,)), record)
        await service.recover()
        service.close()
    assert said in service.stopped
    assert service.state is None
    assert said in service.scene.dealer.refusal
    assert "damaged" not in service.stopped + caplog.text
    assert "Traceback" not in caplog.text, "nothing is wrong with this software either"
    assert files(record) == before


def test_a_day_that_takes_over_a_game_that_is_not_known_is_newer_too(tmp_path: Path) -> None:
    """The day in which it was set up need not be here any more."""
    pit = CalendarPit("21-24-27")
    with pytest.MonkeyPatch.context() as newer:
        newer.setitem(GAMES, "war", replace(GAMES["21-24-27"], name="war"))
        pit.give(i.Start(setup(5, "war"), NEWER, (SCANNER,)))
        assert pit.close_day().refused == ""
        with closing(Journal(tmp_path / "record")) as journal:
            for commit in commits(pit.records):
                journal.write(commit)
    said = rf"record {pit.state.seq} \(DayOpened/1: there is no game 'war' in this software\) was"
    with (
        closing(Journal(tmp_path / "record")) as journal,
        pytest.raises(RecordNewer, match=f"{said} written by tablectl {re.escape(NEWER)}: start"),
    ):
        journal.recover()


def test_who_wrote_a_first_record_of_another_form_is_told_by_the_start_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(writer(tmp_path)) as day:
        for record in QuickPit(setup(5, "21-24-27")).records:
            seq = record.seq
            body = encode(record).replace(b'"draw_means_hit":true', b'"draw_means_hit":"a hit"')
            day.add([Row(seq, VERSION, body, chain(day.head.hash, seq, VERSION, body))], [])
        day.mark()
    assert main(["verify", str(tmp_path)]) == EXIT_OTHER_BUILD
    said = capsys.readouterr().err
    assert "record 1 cannot be read here" in said
    assert "tablectl 0.0-test wrote it, start that" in said


def test_damage_after_the_newer_record_is_still_found(
    said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "record"
    seq = add(record, "SideLampLit/1", {"seat": 3}, 2)
    with closing(writer(record)) as day:
        day.base.execute("UPDATE records SET hash = zeroblob(32) WHERE seq = ?", (seq,))
    assert main(["verify", str(record)]) == EXIT_BAD
    out, _ = capsys.readouterr()
    assert f"Records 1 to {seq - 1} are whole" in out


@pytest.mark.parametrize("said", ADDED, indirect=True)
def test_a_second_copy_of_it_fails_in_words(said: str, tmp_path: Path) -> None:
    """The thread that keeps the copy takes what a record raises as its own failure."""
    record, copy = tmp_path / "record", tmp_path / "copy"
    with closing(writer(record)) as day:
        copy.mkdir()
        make_day(copy, day.beginning)
        with (
            closing(ChainReader(day.path)) as reader,
            closing(ChainWriter(copy, day.beginning, day.beginning.after)) as copied,
            pytest.raises(RecordNewer, match="start that, or newer"),
        ):
            pour_day(reader, copied)
