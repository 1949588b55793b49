"""From one gaming day to the next: what is carried, and where the power may fail."""

from __future__ import annotations

import random
import shutil
import sqlite3
import stat
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from controller.record.files import chain_store, database
from controller.record.files.chain_store import ChainReader
from controller.record.files.day_files import (
    day_files,
    day_path,
    new_path,
    newest_day,
    openings_path,
)
from controller.record.files.day_writer import ChainWriter
from controller.record.files.span import Span
from controller.record.journal import Journal, JournalDamaged, JournalError
from controller.record.reading.verify import verify
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.evolve.carry_over import carry_over, difference, digest
from controller.table.facts import DayClosed, Record
from tests.record.days.dealt_days import ROUNDS, dealt, recovered, with_another_bet, write
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, some_round
from tests.support.dealt.journals import newest
from tests.support.forms import quick_first


@pytest.mark.parametrize("name", quick_first(GAMES, ["blackjack"]))
def test_a_table_goes_over_to_the_next_day_as_it_is(name: str, folder: Path) -> None:
    pit = dealt(name)
    write(folder, pit.records)
    assert [day.label for day in day_files(folder)] == ["2023-11-14", "2023-11-15"]
    state = recovered(folder)
    assert difference(carry_over(state), carry_over(pit.state)) == ""
    found = verify(folder)
    assert found.problems == []
    assert found.head.seq == len(pit.records)
    assert (found.rounds, found.signed) == (2 * ROUNDS, ["2023-11-14"])


def test_a_closed_day_ends_with_its_closing_and_is_read_only(folder: Path) -> None:
    pit = dealt()
    write(folder, pit.records)
    first = day_files(folder)[0].path
    with closing(ChainReader(first)) as reader:
        rows = list(reader.rows())
        beginning = reader.beginning
    assert rows[-1].body.startswith(b'["DayClosed/')
    for each in (first, openings_path(first)):
        assert stat.S_IMODE(each.stat().st_mode) == 0o400
    assert not first.with_name(first.name + "-wal").exists()
    with closing(ChainReader(newest(folder))) as reader:
        assert reader.beginning.after == (rows[-1].seq, rows[-1].hash)
        assert reader.beginning.identity == beginning.identity
        assert next(reader.rows()).body.startswith(b'["DayOpened/')
    with pytest.raises(JournalError, match="is closed"):
        ChainWriter(folder, beginning, reader.head)


def test_a_day_that_closes_between_two_looks_of_a_reader_is_no_damage(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second copy reads beside the service: the anchor first, then which files there are."""
    records = dealt(days=2).records
    write(folder, records[:20])
    _, before = newest_day(folder)
    write(folder, records)
    looks = [(newest_day(folder)[0], before), newest_day(folder)]
    monkeypatch.setattr(chain_store, "newest_day", lambda _: looks.pop(0))
    reader = chain_store.open_newest(folder)
    assert reader is not None
    with closing(reader):
        assert reader.path == newest(folder)
    # An anchor that stays at the day before is behind its record: that day was taken back.
    looks = [(newest_day(folder)[0], before)]
    monkeypatch.setattr(chain_store, "read_anchor", lambda _: before)
    with pytest.raises(JournalDamaged, match="knows the day 2023-11-14 as the newest"):
        chain_store.open_newest(folder)


def test_a_day_that_closes_while_a_span_is_read_is_read_to_its_end(folder: Path) -> None:
    records = dealt(days=2).records
    write(folder, records[:20])
    span = Span(folder)
    day = span.days[-1]
    write(folder, records)
    with closing(span.reader(day)) as reader:
        read = list(reader.rows())
    assert reader.path == day.path
    with closing(ChainReader(day_files(folder)[1].path)) as after:
        assert read[-1].seq == after.beginning.after.seq > 20


def test_no_hidden_card_is_in_the_record_of_any_day(folder: Path) -> None:
    pit = CalendarPit("blackjack")
    some_round(Croupier(pit, random.Random(3)))
    hidden = [each for each in (*pit.state.shoe.sealed,) if each.open_serial()]
    assert hidden
    pit.close_day()
    write(folder, pit.records)
    for day in day_files(folder):
        with closing(ChainReader(day.path)) as reader:
            content = b"".join(row.body for row in reader.rows())
        for seal in hidden:
            assert seal.open_serial().encode() not in day.path.read_bytes()
            assert seal.digest.encode() in content
    opened = {each.digest: each.open_serial() for each in recovered(folder).shoe.sealed}
    assert {each.digest: each.open_serial() for each in hidden}.items() <= opened.items()
    assert recovered(folder).shoe.serials == pit.state.shoe.serials


class Cut(Exception):
    """The power fails."""


def steps_of(folder: Path, records: list[Record]) -> list[str]:
    """Every write and rename of a roll-over, in order."""
    steps: list[str] = []
    write(folder, records, steps.append)
    return steps


def test_a_roll_over_goes_on_from_wherever_the_power_failed(
    tmp_path: Path, long_form: bool
) -> None:
    """At every step; the quick form tries the first of each kind, and the last."""
    pit = dealt("seven-twenty-seven", rounds=1)
    whole = steps_of(tmp_path / "whole", pit.records)
    assert len(whole) > 12, "the crash points are there"
    closed = next(r.seq for r in pit.records if isinstance(r.fact, DayClosed))
    firsts = {whole.index(each) for each in whole}
    for at in range(len(whole)) if long_form else sorted({*firsts, len(whole) - 1}):
        folder = tmp_path / str(at)
        passed: list[str] = []

        def cut(what: str, at: int = at, passed: list[str] = passed) -> None:
            passed.append(what)
            if len(passed) > at:
                raise Cut(what)

        with suppress(Cut):
            write(folder, pit.records, cut)
        assert len(passed) == at + 1
        left = tmp_path / f"{at}-left"
        shutil.copytree(folder, left)
        state = recovered(left)
        if "day closed" in passed:
            assert state.seq > closed, passed[-1]
            assert state.day is not None
            assert state.day.label == "2023-11-15"
        write(left, pit.records)
        assert difference(carry_over(recovered(left)), carry_over(pit.state)) == "", passed[-1]
        found = verify(left)
        assert (found.problems, found.head.seq) == ([], len(pit.records)), passed[-1]
        for day, same in zip(day_files(left), day_files(tmp_path / "whole"), strict=True):
            with closing(ChainReader(day.path)) as one, closing(ChainReader(same.path)) as other:
                assert list(one.rows()) == list(other.rows())


def test_a_day_gets_its_name_only_with_all_that_is_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a reader, keeps SQLite's log out of the new file: it gets no name then."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.0)
    pit = dealt()
    reading: list[sqlite3.Connection] = []

    def read(what: str) -> None:
        if what == "beginning written":
            base = sqlite3.connect(new_path(day_path(folder, "2023-11-15")), isolation_level=None)
            base.execute("BEGIN")
            base.execute("SELECT * FROM beginning").fetchall()
            reading.append(base)

    with pytest.raises(JournalError, match="its write-ahead log is in use"):
        write(folder, pit.records, read)
    assert [day.label for day in day_files(folder)] == ["2023-11-14"]
    for base in reading:
        base.close()
    assert reading
    write(folder, pit.records)
    found = verify(folder)
    assert (found.problems, found.head.seq) == ([], len(pit.records))


def test_a_live_table_that_differs_from_its_file_closes_nothing(folder: Path) -> None:
    pit = dealt(days=2)
    at = next(n for n, r in enumerate(pit.records) if isinstance(r.fact, DayClosed))
    closed = pit.records[at].fact
    assert isinstance(closed, DayClosed)
    opened, carried = with_another_bet(pit.records[at + 1])
    with closing(Journal(folder)) as journal:
        journal.write(pit.records[:at])
        closed = replace(closed, digest=digest(carried))
        with pytest.raises(JournalError, match=r"differ in betting\.wagers"):
            journal.write([pit.records[at]._replace(fact=closed), opened])
        assert journal.head.seq == at
    assert [day.label for day in day_files(folder)] == ["2023-11-14"]


def test_a_day_that_another_build_closed_is_opened_by_that_build(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update came in the moment between the two, and today's carry-over has one more field."""
    pit = dealt()

    def cut(what: str) -> None:
        if what == "closed day anchored":
            raise Cut(what)

    with suppress(Cut):
        write(folder, pit.records, cut)
    before = day_files(folder)[0].path.read_bytes()
    with monkeypatch.context() as newer:
        newer.setattr(
            "controller.record.days.gaming_day.digest", lambda carried: "of one field more"
        )
        with pytest.raises(JournalError, match="start that one, which opens the next day"):
            recovered(folder)
    assert day_files(folder)[0].path.read_bytes() == before
    assert len(day_files(folder)) == 1
    state = recovered(folder)  # the build that closed it
    assert state.day is not None
    assert state.day.label == "2023-11-15"
    write(folder, pit.records)
    assert verify(folder).problems == []


def test_a_key_of_a_sender_is_remembered_for_this_day_and_the_next() -> None:
    pit = CalendarPit("blackjack")
    pit.give(i.CallFloor(), key="one")
    for remembered in (True, False):
        assert pit.close_day().refused == ""
        assert (pit.state.commands.answered.get("k:one") is not None) is remembered
