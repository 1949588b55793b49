"""A store with a flipped bit, or cut short anywhere: it is noticed, or the very same is read.

The long form, every bit and every length, is `python -m tests.endurance.torture.flips`.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.files.head_anchor import anchor_path, read_anchor
from controller.record.journal import Journal, JournalDamaged, JournalError
from tests.endurance.torture.damage import (
    FILES,
    NAME,
    KilledRecord,
    Spoilt,
    StoreOutcome,
    judge,
    lay,
    make,
    tell,
)
from tests.support.forms import quick_first

WAL = f"{NAME}-wal"
OPENINGS = f"{NAME}.openings"
#: A page of 512 bytes and the 24 that SQLite puts before it.
FRAME = 536
#: Where the two slots of the anchor lie.
SLOTS, SLOT_BYTES = (0, 4096), 74
FLIPS, CUTS, LONG = 6, 2, 40
#: So far apart are the bytes at which the quick form tears the log.
STEP, LONG_STEP = 96, 16


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> KilledRecord:
    return make(tmp_path_factory.mktemp("store") / "made")


@pytest.mark.parametrize("name", FILES)
def test_a_spoilt_store_is_noticed_or_the_same(
    name: str, store: KilledRecord, tmp_path: Path, long_form: bool
) -> None:
    times = LONG if long_form else 1
    mixed = random.Random(f"{name}/1")
    size = len(store.files[name])
    some = [Spoilt(name, mixed.randrange(size), mixed.randrange(8)) for _ in range(FLIPS * times)]
    some += [Spoilt(name, mixed.randrange(size), None) for _ in range(CUTS * times)]
    outcomes = [judge(store, each, tmp_path / "spoilt") for each in some]
    assert [
        each for each, out in zip(some, outcomes, strict=True) if out is StoreOutcome.LOST
    ] == []
    if name == WAL:
        assert set(outcomes) == {StoreOutcome.DETECTED}


def test_every_bit_of_the_anchor_is_checked_and_one_slot_is_enough(
    store: KilledRecord, tmp_path: Path
) -> None:
    folder = tmp_path / "store"
    lay(store.files, folder)
    newest = read_anchor(folder)
    assert newest is not None
    content = store.files["head"]
    found = set()
    for slot in SLOTS:
        for at in range(slot, slot + SLOT_BYTES):
            for bit in range(8):
                spoilt = Spoilt("head", at, bit).of(content)
                anchor_path(folder).write_bytes(spoilt)
                mark = read_anchor(folder)
                assert mark is not None
                found.add(mark.mark.seq)
                assert mark.mark.seq < newest.mark.seq or mark == newest
    assert len(found) == 2  # the newest commit, or the one before it: never nothing, never else
    assert max(found) == len(store.events)


@pytest.mark.parametrize("start", quick_first(range(8), (0,)))
def test_a_power_cut_in_the_last_commit_loses_nothing_that_was_acknowledged(
    start: int, store: KilledRecord, tmp_path: Path, long_form: bool
) -> None:
    """The torn tail, byte by byte in steps of sixteen; each start takes others.

    The quick form takes larger steps, five to a page and one into its header.
    """
    folder = tmp_path / "store"
    lay(store.files, folder)
    with closing(Journal(folder)) as journal:
        for _ in journal.newest_day.records():
            pass
        before = anchor_path(folder).read_bytes()
        whole = (folder / WAL).read_bytes()
        journal.write([store.next])
        after = (folder / WAL).read_bytes()
        anchored = anchor_path(folder).read_bytes()
    grown = [at for at, (a, b) in enumerate(zip(whole, after, strict=False)) if a != b]
    begin = min(grown, default=len(whole))
    assert (len(after) - begin) % FRAME == 0
    events = set()
    for cut in range(begin + start, len(after), LONG_STEP if long_form else STEP):
        torn = {**store.files, WAL: after[:cut], "head": before}
        lay(torn, folder)
        events.add(len(tell(folder)))
    assert events == {len(store.events)}
    lay({**store.files, WAL: after, "head": before}, folder)
    assert len(tell(folder)) == len(store.events) + 1
    lay({**store.files, WAL: after, "head": anchored}, folder)
    assert len(tell(folder)) == len(store.events) + 1


# -- files that are not where, or not what, they were --


def laid(store: KilledRecord, folder: Path, **changed: bytes | None) -> Path:
    """The store with some files of it changed or, with None, gone."""
    names = {"base": NAME, "wal": WAL, "openings": OPENINGS, "head": "head"}
    files = dict(store.files)
    for what, content in changed.items():
        name = names[what]
        if content is None:
            del files[name]
        else:
            files[name] = content
    lay(files, folder)
    return folder


@pytest.mark.parametrize("gone", ["base", "wal", "head", "openings"])
def test_a_file_that_is_gone_is_noticed(gone: str, store: KilledRecord, tmp_path: Path) -> None:
    folder = laid(store, tmp_path / "store", **{gone: None})
    if gone == "openings":
        (folder / f"{OPENINGS}-wal").unlink()
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    with pytest.raises(JournalDamaged, match="tablectl restore"):
        tell(folder)
    after = {each.name: each.read_bytes() for each in folder.iterdir()}
    assert {name: after[name] for name in before} == before, "what is left is kept as it is"


def test_a_database_that_was_copied_without_its_log_or_its_anchor_is_noticed(
    store: KilledRecord, tmp_path: Path
) -> None:
    for also in ([], ["head"], [WAL], [OPENINGS, f"{OPENINGS}-wal"]):
        folder = tmp_path / "copied"
        lay({name: store.files[name] for name in [NAME, *also]}, folder)
        with pytest.raises(JournalDamaged):
            tell(folder)


@pytest.mark.parametrize("known", [0, 3, 99])
@pytest.mark.parametrize("file", [NAME, OPENINGS])
def test_an_older_or_newer_format_is_named_and_not_touched(
    known: int, file: str, store: KilledRecord, tmp_path: Path
) -> None:
    folder = tmp_path / "store"
    lay(store.files, folder)
    with closing(Journal(folder)) as journal:
        assert len(list(journal.newest_day.records())) == len(store.events)
    with closing(sqlite3.connect(folder / file)) as base:
        base.execute("CREATE TABLE of_another_format (x)")
        base.execute(f"PRAGMA user_version={known}")
    before = (folder / file).read_bytes()
    newer = f"format {known} is that of a newer tablectl: start that, or newer"
    said = newer if known else "has format 0, .*start the software that wrote"
    with pytest.raises(JournalError, match=said):
        tell(folder)
    assert (folder / file).read_bytes() == before


@pytest.mark.parametrize("file", [NAME, OPENINGS])
def test_a_format_that_its_own_tables_belie_is_damage(
    file: str, store: KilledRecord, tmp_path: Path
) -> None:
    """One flipped bit of a header makes no newer record, which nothing could be restored over."""
    folder = tmp_path / "store"
    lay(store.files, folder)
    tell(folder)
    with closing(sqlite3.connect(folder / file)) as base:
        base.execute("PRAGMA user_version=3")
    with pytest.raises(JournalDamaged, match="its header says format 3, which its tables are not"):
        tell(folder)
