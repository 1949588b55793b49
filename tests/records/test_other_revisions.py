"""What another revision of the table recorded holds by its chain: no newer rule calls it damaged.

In `revision_2` lie records as a table wrote them in revision 2, whose cards are kept in another
order than later ones keep them in; they were made by the build that did so. Others are of the sets.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.commands.terminal.status import EXIT_BAD, EXIT_OTHER_BUILD
from controller.record.files.chain_store import ChainReader, chain
from controller.record.files.head_anchor import Anchor, Head, Position, anchor_path
from controller.record.journal import Journal
from controller.record.reading.verify import verify
from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide import judge
from controller.table.evolve import evolve
from controller.table.revision import TABLE_REVISION
from controller.table.state.phases import Impossible
from controller.table.state.state import State
from tests.record.reading.test_audit import forged
from tests.records.make import SETS
from tests.support.dealt.days import CalendarPit, commits
from tests.support.dealt.journals import newest

OF_REVISION_2 = Path(__file__).parent / "revision_2"
#: Cards were taken out one after the other, the last first; the day was closed over both.
ONE_BY_ONE = OF_REVISION_2 / "kept-one-by-one"
#: One of two lay face down, and was opened as it was dealt.
AND_OPENED = OF_REVISION_2 / "kept-and-opened"
#: One correction took them out.
AT_ONCE = OF_REVISION_2 / "kept-at-once"
OLDER = SETS / "2026-11-28-revision-4" / "blackjack"
NEWEST = next(SETS.glob(f"*-revision-{TABLE_REVISION}")) / "blackjack"

Verified = Callable[[Path], tuple[int, str]]


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    """A copy of a kept record: what is kept is never touched."""

    def copy(kept: Path) -> Path:
        return shutil.copytree(kept, tmp_path / "record", copy_function=shutil.copyfile)

    return copy


@pytest.fixture
def verified(copied: Callable[[Path], Path], capsys: pytest.CaptureFixture[str]) -> Verified:
    """The status of `tablectl verify`, and all that it says."""

    def verify_it(kept: Path) -> tuple[int, str]:
        status = main(["verify", str(copied(kept))])
        return status, "".join(capsys.readouterr())

    return verify_it


@pytest.mark.parametrize("kept", [ONE_BY_ONE, AT_ONCE, AND_OPENED], ids=lambda each: each.name)
def test_what_revision_2_recorded_holds_and_is_not_judged(kept: Path, verified: Verified) -> None:
    status, said = verified(kept)
    assert status == EXIT_OTHER_BUILD
    assert "not judged: table/2, use build 0.0-test" in said
    assert "the chain holds" in said
    assert "damaged" not in said
    assert "restore" not in said


@pytest.mark.parametrize(
    ("kept", "wrong"),
    [
        (ONE_BY_ONE, "record 37: the day takes over something else than the records of the day"),
        (AT_ONCE, "round 1 was corrected otherwise than the rules say"),
    ],
)
def test_under_one_revision_the_same_is_wrong_and_the_chain_is_said_to_be_whole(
    kept: Path, wrong: str, verified: Verified, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "TABLE_REVISION", 2)
    status, said = verified(kept)
    assert status == EXIT_BAD
    assert wrong in said
    assert "The chain is whole: put back no backup" in said
    assert "restore" not in said


def test_a_day_that_revision_2_closed_is_gone_on_from_and_closed(
    copied: Callable[[Path], Path],
) -> None:
    folder = copied(ONE_BY_ONE)
    with closing(Journal(folder)) as journal:
        state = journal.recover()
        assert state is not None
        assert [str(each) for each in state.aftermath.kept_cards] == ["3s", "2d"], (
            "as it stands on record"
        )
        pit = CalendarPit(state.setup.game, state.setup.seats, began=state)
        assert pit.close_day().refused == ""
        for commit in commits(pit.records):
            journal.write(commit)
    found = verify(folder)
    assert found.problems == []
    assert (len(found.days), len(found.signed), found.head.seq) == (3, 2, pit.state.seq)


def test_a_carry_over_that_is_not_the_one_of_the_day_before_is_damage_whoever_closed_it(
    copied: Callable[[Path], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(ONE_BY_ONE)
    path = newest(folder)
    with closing(ChainReader(path)) as reader:
        rows, head = list(reader.rows()), reader.beginning.after.hash
    with closing(sqlite3.connect(path)) as base, base:
        for row in rows:
            body = row.body.replace(b'"code":"3s"', b'"code":"3h"') if row is rows[0] else row.body
            assert (body == row.body) is (row is not rows[0])
            head = chain(head, row.seq, row.version, body)
            update = "UPDATE records SET body = ?, hash = ? WHERE seq = ?"
            base.execute(update, (body, head, row.seq))
    anchor_path(folder).unlink()
    Anchor(folder, Head(reader.beginning.label, Position(rows[-1].seq, head))).close()
    assert main(["verify", str(folder)]) == EXIT_BAD
    out, _ = capsys.readouterr()
    assert "the day takes over something else than the day before says" in out
    assert "Records 1 to 36 are whole" in out


def test_another_card_than_the_one_that_was_kept_is_found_whichever_revision_dealt_it(
    copied: Callable[[Path], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(AND_OPENED)
    forged(folder, 34, lambda body: body.replace(b'"card":"4h"', b'"card":"4d"'))
    assert main(["verify", str(folder)]) == EXIT_BAD
    assert "the card that was dealt is not the one that was kept" in capsys.readouterr().out


# -- rules of a build to come, on records that are kept --


def needs_three(state: State, fact: Any) -> Message | None:
    """A rule to come: a slip takes a third signature."""
    return message("verify-slip-not-signed", slip=fact.slip)


@pytest.mark.parametrize(("kept", "status"), [(OLDER, EXIT_OTHER_BUILD), (NEWEST, EXIT_BAD)])
def test_a_new_rule_makes_no_older_slip_a_forgery(
    kept: Path, status: int, verified: Verified, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(judge._OF_THE_TABLE, f.SlipSigned, needs_three)
    found, said = verified(kept)
    assert found == status
    assert ("was forged" in said) is (status == EXIT_BAD)


def test_a_whole_chain_is_no_damage_to_whoever_puts_it_back(
    tmp_path: Path,
    copied: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(judge._OF_THE_TABLE, f.SlipSigned, needs_three)
    source, back = copied(NEWEST), tmp_path / "back"
    assert main(["restore", str(source), str(back)]) == EXIT_BAD
    refused = "".join(capsys.readouterr())
    assert "The chain is whole" in refused
    assert "damaged" not in refused
    assert main(["restore", "--readable", str(source), str(back)]) == 0
    assert "Not restored" not in "".join(capsys.readouterr())
    assert verify(back).head == verify(source).head


def nowhere(state: State, fact: f.Fact, at_ms: int) -> Any:
    """A table to come on which that fact has no place."""
    raise Impossible("a rack is closed by the cage")


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(("kept", "status"), [(OLDER, EXIT_OTHER_BUILD), (NEWEST, EXIT_BAD)])
def test_an_older_fact_that_no_longer_fits_is_for_the_build_that_decided_it(
    command: str,
    kept: Path,
    status: int,
    copied: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(evolve._EVOLVERS, f.RackClosed, nowhere)
    assert main([command, str(copied(kept))]) == status
    said = "".join(capsys.readouterr())
    older = status == EXIT_OTHER_BUILD
    assert ("was decided by tablectl 0.0-test (table/4), and does not follow here" in said) is older
    assert ("Nothing was changed" in said) is older
    assert ("tablectl restore" in said) is not older
