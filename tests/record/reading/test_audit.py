"""What an auditor asks of a record: is it whole, and where not; any round; everything."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.record.files.chain_store import ChainReader, chain
from controller.record.files.day_files import openings_path
from controller.record.files.head_anchor import Anchor, Head, Position, anchor_path
from controller.record.journal import Journal
from controller.record.reading.verify import verify
from controller.rules.cards import card
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.facts import (
    CardBurned,
    CardDealtDown,
    CardTurned,
    HandSettled,
    KeptCardUsed,
    RoundEnded,
)
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.views.replay import find_round, replay
from tests.support.dealt.journals import QuickPit, dealing, newest, write_journal
from tests.support.forms import quick_first
from tests.support.pit import opened

ROUNDS = 6


def dealt(name: str, seed: int = 5) -> QuickPit:
    """A table of that game after a few rounds; each who asks has one to go on with."""
    return _dealt(name, seed).copied()


@cache
def _dealt(name: str, seed: int) -> QuickPit:
    for pit in dealing(seed, name):
        if pit.state.counts.rounds == ROUNDS:
            return pit
    raise AssertionError("a table deals without end")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record"


@pytest.fixture
def written(path: Path) -> QuickPit:
    pit = dealt("blackjack")
    write_journal(path, pit.records)
    return pit


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def command(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return status, out, err

    return command


Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("name", GAMES)
def test_a_journal_of_every_game_holds_without_its_openings(
    name: str, path: Path, run: Run
) -> None:
    pit = dealt(name)
    write_journal(path, pit.records)
    openings_path(newest(path)).unlink(missing_ok=True)
    status, out, err = run("verify", path)
    assert (status, err) == (0, "")
    assert f"{len(pit.records)} records, {ROUNDS} rounds, all hold" in out


def forged(path: Path, seq: int, change: Callable[[bytes], bytes]) -> None:
    """Change a record and chain everything after it anew, anchor included, as a forger would."""
    day = newest(path)
    with closing(ChainReader(day)) as reader:
        dealt = list(reader.rows())
    previous = dealt[seq - 2].hash if seq > 1 else b""
    with closing(sqlite3.connect(day)) as base, base:
        for row in dealt[seq - 1 :]:
            body = change(row.body) if row.seq == seq else row.body
            assert row.seq != seq or body != row.body
            previous = chain(previous, row.seq, row.version, body)
            update = "UPDATE records SET body = ?, hash = ? WHERE seq = ?"
            base.execute(update, (body, previous, row.seq))
    anchor_path(path).unlink()
    Anchor(path, Head(reader.beginning.label, Position(dealt[-1].seq, previous))).close()


def test_a_forged_payout_is_found_though_the_chain_is_whole(
    written: QuickPit, path: Path, run: Run
) -> None:
    settled = next(
        each
        for each in written.records
        if isinstance(each.fact, HandSettled) and each.fact.net and each.fact.net > 0
    )
    forged(path, settled.seq, lambda body: body.replace(b'"net":', b'"net":1'))
    status, out, _ = run("verify", path)
    assert status == 1
    assert f"record {settled.seq} does not follow from those before it" in out
    assert "the rules come to something else" in out


def test_a_card_that_was_swapped_before_it_was_turned_is_found_without_openings(
    written: QuickPit, path: Path, run: Run
) -> None:
    turned = next(r for r in written.records if isinstance(r.fact, CardTurned))
    assert isinstance(turned.fact, CardTurned)
    was = f'"card":"{turned.fact.card.code}"'.encode()
    new = b'"card":"9d"' if was != b'"card":"9d"' else b'"card":"8d"'
    forged(path, turned.seq, lambda body: body.replace(was, new))
    openings_path(newest(path)).unlink()
    status, out, _ = run("verify", path)
    assert status == 1
    assert f"record {turned.seq}: " in out
    assert "is not the one that was dealt face down" in out


def test_the_first_bad_record_is_named_and_what_is_before_it_can_be_read(
    written: QuickPit, path: Path, run: Run
) -> None:
    first, second, *_ = [r.seq for r in written.records if isinstance(r.fact, RoundEnded)]
    bad = second - 1
    with closing(sqlite3.connect(newest(path))) as base, base:
        base.execute("UPDATE records SET hash = zeroblob(32) WHERE seq = ?", (bad,))
    status, out, _ = run("verify", path)
    assert status == 1
    assert f"record {bad} is not what was written. Records 1 to {bad - 1} are whole." in out
    assert "tablectl restore" in out
    status, out, err = run("export", path)
    assert status == 1
    assert len(out.splitlines()) == bad - 1
    assert f"record {bad} is not what was written" in err
    status, out, err = run("replay", path, "--round", 1)
    assert (status, err) == (0, "")
    assert first < bad
    assert run("replay", path, "--round", 2)[0] == 1
    status, out, err = run("replay", path)
    assert status == 1
    assert [line.split()[0] for line in out.splitlines()] == ["1"]


def test_every_round_is_replayed_as_the_table_recorded_it(
    written: QuickPit, path: Path, run: Run
) -> None:
    listed = [json.loads(line) for line in run("replay", path, "--json")[1].splitlines()]
    assert [each["number"] for each in listed] == list(range(1, ROUNDS + 1))
    for number in range(1, ROUNDS + 1):
        past = find_round(written.state, number)
        assert past is not None
        replayed = json.loads(run("replay", path, "--round", number, "--json")[1])["replay"]
        expected = replay(past)
        assert [step["text"] for step in replayed["steps"]] == [
            each.text for each in expected.steps
        ]
        assert [step["at_ms"] for step in replayed["steps"]] == [e.at_ms for e in expected.steps]
        text = run("replay", path, "--round", number)[1]
        assert all(each.text in text for each in expected.steps)
        assert listed[number - 1]["net"] == past.net


def test_what_became_of_a_round_later_is_described_with_it(path: Path, run: Run) -> None:
    """Voided when it was over; and one that was played without bets."""
    pit = opened(3)
    pit.deal("Kh")
    pit.resolve(Resolution.DUMMY)
    pit.deal("9c 5d 7s")
    pit.press("stand")
    pit.deal("9h")
    pit.settle_all()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c 9d 7s")
    pit.press("stand")
    pit.deal("9s")
    pit.settle_all()
    pit.give(i.Happened(Reason.MISDEAL, 2))
    pit.resolve(Resolution.VOID)
    write_journal(path, pit.records)
    status, printed, _ = run("replay", path)
    assert status == 0
    assert [line.split("  ", 3)[-1].split("+00:00  ")[-1] for line in printed.splitlines()] == [
        "players 0.00, without bets",
        "void  [hold 3, void]",
    ]
    assert run("replay", path, "--round", 1)[1].startswith("Round 1 of 21-24-27, without bets")
    assert run("replay", path, "--round", 2)[1].startswith("Round 2 of 21-24-27, void")
    as_data = json.loads(run("replay", path, "--round", 2, "--json")[1])
    assert (as_data["void"], as_data["replay"]["void"], as_data["replay"]["dummy"]) == (
        True,
        True,
        False,
    )


def test_a_kept_card_that_was_swapped_is_found_without_openings(path: Path) -> None:
    pit = opened(3)
    pit.bet(1)
    pit.deal("Kh")
    pit.resolve(Resolution.KEEP)
    pit.no_more_bets()
    pit.press("next")
    records = list(pit.records)
    at = next(at for at, each in enumerate(records) if isinstance(each.fact, KeptCardUsed))
    used = records[at].fact
    assert isinstance(used, KeptCardUsed)
    swapped = records[at]._replace(fact=replace(used, card=card("Qh")))
    write_journal(path, [*records[:at], swapped, *records[at + 1 :]])
    assert any("not the one that was kept" in each for each in verify(path).problems)


def test_a_round_in_play_can_be_replayed(path: Path, run: Run) -> None:
    pit = opened(seats=3)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Kh 9c")
    write_journal(path, pit.records)
    assert "in play" in run("replay", path)[1]
    assert "13♥ to seat 1" in run("replay", path, "--round", 1)[1]


def hidden(pit: QuickPit) -> list[tuple[int, str]]:
    """Number and code of every card that went out hidden in the first rounds."""
    found = []
    for record in pit.records:
        if isinstance(record.fact, CardBurned | CardDealtDown):
            kind = record.fact.card.open()
            assert kind is not None
            found.append((record.seq, kind.code))
    return found


@pytest.mark.parametrize(
    "name", quick_first(["seven-twenty-seven", "blackjack"], ["seven-twenty-seven"])
)
def test_hidden_cards_are_shown_to_the_auditor_alone(name: str, path: Path, run: Run) -> None:
    pit = dealt(name)
    write_journal(path, pit.records)
    opened: list[tuple[int, str]] = []
    for number in range(1, ROUNDS + 1):
        plain = json.loads(run("replay", path, "--round", number, "--json")[1])
        assert plain["opened"] == []
        assert "Hidden:" not in run("replay", path, "--round", number)[1]
        audited = json.loads(run("replay", path, "--round", number, "--json", "--openings")[1])
        opened += [(each["seq"], each["card"]) for each in audited["opened"]]
        said = [[step["text"] for step in opened["replay"]["steps"]] for opened in (plain, audited)]
        assert said[0] == said[1]
    assert opened
    assert opened == hidden(pit)[: len(opened)]
    openings_path(newest(path)).unlink()
    text = run("replay", path, "--round", 1, "--openings")[1]
    assert "Hidden: not read" in text


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_everything_is_exported_and_no_hidden_card_before_its_reveal(
    form: str, written: QuickPit, path: Path, run: Run
) -> None:
    status, out, err = run("export", path, "--format", form)
    assert (status, err) == (0, "")
    if form == "csv":
        rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(out)))
        facts = [{"card": row["card"] or row["sealed"]} for row in rows]
        kinds = [row["kind"] for row in rows]
        assert max(len(cell) for row in rows for cell in row.values()) < 300, "fit to be read"
    else:
        rows = [json.loads(line) for line in out.splitlines()]
        facts = [row["fact"] for row in rows]
        kinds = [row["kind"] for row in rows]
    assert [int(row["seq"]) for row in rows] == [record.seq for record in written.records]
    assert kinds == [type(record.fact).__name__ for record in written.records]
    for kind, fact in zip(kinds, facts, strict=True):
        if kind in ("CardBurned", "CardDealtDown"):
            assert len(fact["card"]) == 64
            assert "serial" not in fact


def test_what_is_no_journal_is_reported(path: Path, run: Run) -> None:
    for words in (("verify", path), ("replay", path), ("export", path)):
        status, _, err = run(*words)
        assert status == 1
        assert f"there is no record at {path}" in err
    assert not list(path.parent.iterdir()), "nothing is created by looking"


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.iterdir()}


def test_looking_changes_nothing(written: QuickPit, path: Path, run: Run) -> None:
    before = files(path)
    for words in (("verify", path), ("replay", path), ("export", path)):
        assert run(*words)[0] == 0
    after = files(path)
    assert {name: after[name] for name in before} == before


def test_a_disk_that_became_read_only_can_still_be_read(
    written: QuickPit, path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(path)) as journal:
        for _ in journal.newest_day.records():
            pass
        pit = written
        pit.give(i.CallFloor())
        journal.write(pit.records[journal.head.seq :])
        left = files(path)
    for name, content in left.items():
        (path / name).write_bytes(content)  # the last record in the write-ahead log alone
    newest(path).with_name(newest(path).name + "-shm").unlink()
    before = files(path)
    monkeypatch.setattr("os.access", lambda path, mode: mode == os.R_OK)
    status, out, err = run("verify", path)
    assert (status, err) == (0, "")
    assert f"{len(pit.records)} records" in out
    assert run("export", path)[0] == run("replay", path)[0] == 0
    monkeypatch.undo()
    assert files(path) == before


def test_a_journal_is_verified_while_its_service_writes(path: Path) -> None:
    pit = dealt("21-24-27")
    with closing(Journal(path)) as journal:
        assert list(journal.newest_day.records()) == []
        journal.write(pit.records[:20])
        for record in pit.records[20:60]:
            journal.write([record])
            found = verify(path)
            assert found.problems == []
            assert found.head.seq == record.seq
