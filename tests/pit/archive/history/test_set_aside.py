"""What was set aside leaves the archive as a file that is checked without it, and by any change."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.branches.export import (
    NothingSetAside,
    set_aside_head,
    set_aside_rows,
)
from controller.record.files.database import JournalError
from controller.record.files.head_anchor import NotedHead
from controller.record.reading.set_aside import check_set_aside, set_aside_lines
from controller.table.facts import Record
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.archive.books.archived import Archived
from tests.pit.archive.history.test_branches import chained, otherwise, taken_back
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.records.dealing import two_days

COMMON = 199


@pytest.fixture(scope="module")
def played() -> list[Record]:
    return two_days("21-24-27").records


@pytest.fixture
def known(tmp_path: Path, played: list[Record]) -> Iterator[KnownAccounts]:
    """A pit that was told that T1's own history stands, from record 200 on."""
    (tmp_path / "pit").mkdir()
    found = known_in(tmp_path / "pit")
    archive = Archived(found.engine)
    archive.add("T1", played)
    taken_back(archive, played, COMMON)
    archive.add("T1", otherwise(played, COMMON), first=COMMON + 1)
    yield found
    found.engine.dispose()


@pytest.fixture
def file(known: KnownAccounts, tmp_path: Path) -> Path:
    path = tmp_path / "T1.jsonl"
    head = set_aside_head(known.engine, 1)
    path.write_bytes(b"".join(set_aside_lines(head, set_aside_rows(known.engine, 1))))
    return path


@pytest.fixture
def whole(file: Path) -> bytes:
    return file.read_bytes()


def test_every_record_is_in_it_as_it_was_archived(file: Path, played: list[Record]) -> None:
    rows = chained(played)
    head = check_set_aside(file)
    assert (head.table, head.who, head.reason) == ("T1", "Aino", "the disk died")
    assert (head.first_seq, head.last_seq) == (COMMON + 1, len(rows))
    assert (head.after_hash, head.last_hash) == (rows[COMMON - 1].hash.hex(), rows[-1].hash.hex())
    lines = [json.loads(each) for each in file.read_text("utf-8").splitlines()[1:]]
    assert [(each["seq"], each["body"].encode()) for each in lines] == [
        (row.seq, row.body) for row in rows[COMMON:]
    ]
    middle = rows[COMMON + 20]
    check_set_aside(file, NotedHead("2023-11-14", middle.seq, middle.hash.hex()[:16]))
    for wrong in (NotedHead("", middle.seq, "0" * 16), NotedHead("", COMMON, "0" * 16)):
        with pytest.raises(JournalError, match="is not among its records"):
            check_set_aside(file, wrong)


def test_any_change_is_found(file: Path, tmp_path: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    head = json.loads(lines[0])

    def first(**changes: object) -> list[bytes]:
        return [json.dumps({**head, **changes}).encode() + b"\n", *lines[1:]]

    shorter = first(last_seq=head["last_seq"] - 1)[:-1]
    for changed, said in (
        ([lines[0], *lines[2:]], "does not follow"),
        (lines[:-1], "records are missing at its end"),
        (shorter, "records are missing at its end"),
        ([*lines[:5], lines[6], lines[5], *lines[7:]], "does not follow"),
        ([*lines[:5], lines[5].replace(b'"version":2', b'"version":3'), *lines[6:]], "hash"),
        ([*lines[:-1], lines[-1].rstrip(b"\n")], "cut off"),
        ([*lines[:5], b"{}\n", *lines[6:]], "line 6: it cannot be read"),
        (first(after_hash="00" * 32), "is not the one that its hash"),
        (first(last_hash="00" * 32), "records are missing at its end"),
        (first(form="tablectl-set-aside/2"), "another form"),
        (first(last_hash="00"), "another form"),
        ([b"no JSON\n"], "is no record, and no file of records"),
        ([], "is no record, and no file of records"),
    ):
        path = tmp_path / "changed.jsonl"
        path.write_bytes(b"".join(changed))
        with pytest.raises(JournalError, match=said):
            check_set_aside(path)


def test_a_body_that_is_no_text_is_in_it_too(
    file: Path, known: KnownAccounts, tmp_path: Path
) -> None:
    head, (row, *_) = set_aside_head(known.engine, 1), list(set_aside_rows(known.engine, 1))
    odd = row._replace(body=b"\xff\xfe")
    line = list(set_aside_lines(head, [odd]))[1]
    assert base64.b64decode(json.loads(line)["body_base64"]) == b"\xff\xfe"


def test_a_record_that_they_follow_may_be_set_aside_later(
    known: KnownAccounts, played: list[Record], tmp_path: Path
) -> None:
    archive = Archived(known.engine)
    own = otherwise(played, COMMON)
    taken_back(archive, own, 1)
    archive.add("T1", otherwise(own, 1), first=2)
    for number in (1, 2):
        path = tmp_path / f"{number}.jsonl"
        head = set_aside_head(known.engine, number)
        path.write_bytes(b"".join(set_aside_lines(head, set_aside_rows(known.engine, number))))
        assert check_set_aside(path).branch == number
    with pytest.raises(NothingSetAside, match="nobody said"):
        set_aside_head(known.engine, 3)


def test_the_command_writes_it_and_verify_checks_it(
    known: KnownAccounts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, out = tmp_path / "pit.toml", tmp_path / "out.jsonl"
    config.write_text(
        '[bus]\nservers = ["nats://127.0.0.1:4222"]\nuser = "pit"\npassword_file = "p"\n'
        f'[archive]\ndatabase = "sqlite:///{tmp_path / "pit" / "pit.db"}"\n'
    )
    assert main(["pit", str(config), "set-aside"]) == 0
    assert "1: T1, records 200 to" in capsys.readouterr().out
    assert main(["pit", str(config), "set-aside", "1", "--output", str(out)]) == 0
    assert main(["pit", str(config), "set-aside", "1", "--output", str(out)]) != 0
    assert "cannot be written" in capsys.readouterr().err
    assert main(["pit", str(config), "set-aside", "9"]) != 0
    assert main(["verify", str(out)]) == 0
    said = capsys.readouterr().out
    assert "records 200 to" in said
    assert "the chain holds" in said
    out.write_bytes(out.read_bytes().replace(b"CardDealt", b"CardDeald", 1))
    assert main(["verify", str(out)]) != 0
    assert "is not the one that its hash was made of" in capsys.readouterr().err


@pytest.mark.anyio
async def test_the_auditor_takes_it_from_the_page_and_that_is_audited(
    known: KnownAccounts, file: Path, whole: bytes
) -> None:
    app = app_of(known)
    auditor = Browser(app, known.enters(known.add("Auli", PitRole.AUDITOR)).session)
    answer = await auditor.get("/branches/1.jsonl")
    assert (answer.status_code, answer.content) == (200, whole)
    assert 'filename="T1-set-aside-200-' in answer.headers["content-disposition"]
    assert (await auditor.get("/branches/2.jsonl")).status_code == 404
    boss = Browser(app, known.enters(known.add("Eero", PitRole.PIT_BOSS)).session)
    assert (await boss.get("/branches/1.jsonl")).status_code == 403
    with known.engine.connect() as connection:
        acts = [each for each in newest_rows(connection, 9) if each.act == "exported_records"]
    assert [each.who for each in acts] == ["Auli"]
    assert check_set_aside(file).last_hash in acts[0].about
