"""Any file of a record spoilt in any way: no command ends in a traceback, a backup leads back.

The long form, thousands of cases, is `python -m tests.endurance.torture.spoilt`.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from controller.record.files.chain_store import chain
from controller.record.files.day_files import day_files, openings_path
from controller.record.files.head_anchor import Anchor, Head, Position
from controller.record.journal import Journal, JournalDamaged
from controller.record.reading.verify import verify
from tests.endurance.torture.spoilt import Home, case, make, run_command, way_back
from tests.endurance.torture.ways_to_spoil import WAYS, Way, added, flip, forged
from tests.support.forms import long_only, quick_first

#: So many cases of each way; in each some of the commands, the start, and the way back.
CASES, LONG_CASES, COMMANDS = 1, 20, 3
#: A bit, a file too many, and a record that is written otherwise and chained anew.
QUICK_WAYS = (flip, added, forged)
#: Where the schema and the first record stand in a day's file, and how many of its bits are tried.
HEAD_BYTES, FLIPS, LONG_FLIPS = 1_500, 10, 200


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return make(tmp_path_factory.mktemp("spoilt"))


@pytest.mark.parametrize(
    "way", quick_first(dict.fromkeys(WAYS), QUICK_WAYS), ids=lambda way: way.__name__
)
def test_no_command_ends_in_a_traceback_and_a_backup_leads_back(
    way: Way, made: Home, tmp_path: Path, long_form: bool
) -> None:
    found = [
        failure
        for number in range(LONG_CASES if long_form else CASES)
        for failure in case(made, tmp_path / "case", number, 12, COMMANDS, [way])
    ]
    assert found == [], "\n".join(f"{each.spoilt}\n{each.command}\n{each.why}" for each in found)


def laid(made: Home, base: Path) -> Home:
    """A fresh copy of the folders."""
    shutil.rmtree(base, ignore_errors=True)
    for each in made.all:
        shutil.copytree(each, base / each.name)
    return made._replace(record=base / "record", copy=base / "copy", good=base / "good")


@pytest.mark.parametrize("kind", quick_first(["pipe", "folder", "device"], ["pipe"]))
@pytest.mark.parametrize(
    "end",
    quick_first(["head", ".day.signature", "key.pub", ".openings", ".day", "-wal"], ["key.pub"]),
)
def test_what_is_no_regular_file_is_not_waited_for(
    kind: str, end: str, made: Home, tmp_path: Path
) -> None:
    """As it was found: a pipe as the head anchor stopped every command."""
    home = laid(made, tmp_path / "special")
    (home.record / f"{day_files(home.record)[-1].path.name}-wal").touch()
    path = next(each for each in sorted(home.record.iterdir()) if each.name.endswith(end))
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    for words in (["verify"], ["replay"], ["export"], ["backup", str(tmp_path / "backup")]):
        status, said = run_command([words[0], str(home.record), *words[1:]])
        assert "Traceback" not in said
        assert status in (0, 1), said
    said = run_command(["verify", str(home.record)])[1]
    assert end == "key.pub" or "is whole" not in said


@pytest.mark.long
def test_a_bit_of_the_first_record_or_of_the_schema_leaves_verify_and_restore_in_words(
    made: Home, tmp_path: Path, long_form: bool
) -> None:
    """As it was found: 24 of 1,500 such flips ended both in a traceback."""
    mixed = Random(12)
    for _ in range(LONG_FLIPS if long_form else FLIPS):
        home = laid(made, tmp_path / "flipped")
        first = day_files(home.record)[0].path
        first.chmod(0o600)
        content = bytearray(first.read_bytes())
        content[mixed.randrange(HEAD_BYTES)] ^= 1 << mixed.randrange(8)
        first.write_bytes(content)
        status, said = run_command(["verify", str(home.record)])
        assert status in (0, 1), said
        assert "Traceback" not in said
        assert way_back(home) == ""


@pytest.mark.parametrize("openings", quick_first([False, True], [True]), ids=["day", "openings"])
@pytest.mark.parametrize(
    ("planted", "named"),
    [
        long_only(
            "CREATE TRIGGER t AFTER INSERT ON {} BEGIN SELECT 1; END", "there is also trigger t"
        ),
        ("CREATE VIEW v AS SELECT * FROM {}", "there is also view v"),
        long_only("CREATE TABLE more (x)", "there is also table more"),
        long_only("CREATE INDEX i ON {} (rowid_of)", "there is also index i"),
    ],
)
def test_what_is_planted_in_the_store_is_named(
    planted: str, named: str, openings: bool, made: Home, tmp_path: Path
) -> None:
    home = laid(made, tmp_path / "planted")
    for day in day_files(home.record):
        path = openings_path(day.path) if openings else day.path
        mode = path.stat().st_mode
        path.chmod(0o600)
        table, column = ("openings", "code") if openings else ("records", "hash")
        sql = planted.format(table).replace("rowid_of", column)
        with closing(sqlite3.connect(path, isolation_level=None)) as base:
            base.execute(sql)
        path.chmod(mode)
    assert any(named in each for each in verify(home.record).problems)
    with pytest.raises(JournalDamaged, match=named), closing(Journal(home.record)) as journal:
        journal.recover()
    assert way_back(home) == ""
    assert verify(home.record).problems == []


def test_a_view_in_the_place_of_the_records_is_noticed(made: Home, tmp_path: Path) -> None:
    """A view in the place of the table of records is never asked for a row."""
    home = laid(made, tmp_path / "view")
    path = day_files(home.record)[-1].path
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("ALTER TABLE records RENAME TO hidden")
        base.execute("CREATE VIEW records AS SELECT * FROM hidden WHERE seq < 60")
    assert "its tables are not those of a record" in verify(home.record).problems[0]


def test_a_forged_carry_over_that_no_view_can_show_is_said_in_words(
    made: Home, tmp_path: Path
) -> None:
    """Found by the long form: a number where a picture of a card should be, and the chain anew."""
    home = laid(made, tmp_path / "forged")
    newest = day_files(home.record)[-1]
    with closing(sqlite3.connect(newest.path, isolation_level=None)) as base:
        rows = base.execute("SELECT seq, version, body FROM records ORDER BY seq").fetchall()
        after = base.execute("SELECT hash FROM beginning").fetchone()[0]
        opened = json.loads(rows[0][2])
        opened[4]["carried"]["fields"]["rounds"]["pictures"] = [2**63 - 1]
        rows[0] = (*rows[0][:2], json.dumps(opened, separators=(",", ":")).encode())
        for seq, version, body in rows:
            after = chain(after, seq, version, body)
            base.execute("UPDATE records SET body = ?, hash = ? WHERE seq = ?", (body, after, seq))
    Anchor(home.record, Head(newest.label, Position(rows[-1][0], after))).close()
    for words in (["replay"], ["replay", "--round", "2"], ["verify"], ["export"]):
        status, said = run_command([words[0], str(home.record), *words[1:]])
        assert "Traceback" not in said
        assert status in (0, 1)
    assert run_command(["replay", str(home.record)])[0] == 1
