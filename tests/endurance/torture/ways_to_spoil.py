"""Ways to spoil a record: every one that a file or a database has, chosen by a seed."""

from __future__ import annotations

import copy
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

from controller.record.files.chain_store import chain
from controller.record.files.day_files import day_files, signature_path
from controller.record.files.head_anchor import (
    Anchor,
    Head,
    Position,
    anchor_path,
    read_anchor,
)

#: Numbers that a field of a file may be set to: what a program may not think of.
ODD: Final = (0, -1, 1, 2**31, 2**63 - 1, -(2**63), 9**9)
#: What a value of JSON may be turned into.
ODD_VALUES: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "\x00",
    [],
    {},
    [[]],
    {"is": "Card"},
)


# -- ways to spoil a record --


def _files(folder: Path, mixed: Random) -> Path:
    return mixed.choice([each for each in sorted(folder.iterdir()) if each.name != "lock"])


def _writable(path: Path) -> Path:
    if path.is_file():
        path.chmod(0o600)
    return path


def flip(folder: Path, mixed: Random) -> str:
    """One bit of a file."""
    path = _writable(_files(folder, mixed))
    content = bytearray(path.read_bytes())
    if not content:
        return f"{path.name} is empty"
    # The head of a file, where its format and its schema stand, as often as all the rest of it.
    size = min(len(content), 1_500) if mixed.random() < 0.5 else len(content)
    at, bit = mixed.randrange(size), mixed.randrange(8)
    content[at] ^= 1 << bit
    path.write_bytes(content)
    return f"bit {bit} of byte {at} of {path.name}"


def flips(folder: Path, mixed: Random) -> str:
    """Some bits of some files."""
    return ", ".join(flip(folder, mixed) for _ in range(mixed.randint(2, 9)))


def cut(folder: Path, mixed: Random) -> str:
    """A file cut short, or with something after its end."""
    path = _writable(_files(folder, mixed))
    content = path.read_bytes()
    at = mixed.randrange(len(content) + 1)
    more = mixed.randbytes(mixed.choice((0, 0, 1, 600)))
    path.write_bytes(content[:at] + more)
    return f"{path.name} cut at {at}, then {len(more)} bytes"


def block(folder: Path, mixed: Random) -> str:
    """A block of a file is another: nothing, anything, or a block of the same file."""
    path = _writable(_files(folder, mixed))
    content = path.read_bytes()
    size = mixed.choice((16, 512, 536, 4096))
    at = mixed.randrange(max(1, len(content) // size)) * size
    other = mixed.randrange(max(1, len(content) // size)) * size
    new = mixed.choice((bytes(size), mixed.randbytes(size), content[other : other + size]))
    path.write_bytes(content[:at] + new + content[at + size :])
    return f"{size} bytes at {at} of {path.name}"


def gone(folder: Path, mixed: Random) -> str:
    """A file is gone, or something else is where it was."""
    path = _writable(_files(folder, mixed))
    other = _files(folder, mixed)
    what = mixed.choice(
        ("gone", "gone", "a folder", "a link to nothing", f"a copy of {other.name}")
    )
    content = other.read_bytes()
    path.unlink()
    if what == "a folder":
        path.mkdir()
    elif what == "a link to nothing":
        path.symlink_to("nothing")
    elif what != "gone":
        path.write_bytes(content)
    return f"{path.name} is {what}"


def added(folder: Path, mixed: Random) -> str:
    """A file that does not belong there."""
    other = _files(folder, mixed)
    name = mixed.choice(
        ("2023-11-13.day", "2023-11-30.day", "2023-99-99.day", ".2023-11-16.day.new", "x" * 200,
         "2023-11-15.day-journal", "2023-11-15.day.openings-journal")
    )  # fmt: skip
    (folder / name).write_bytes(mixed.choice((b"", mixed.randbytes(700), other.read_bytes())))
    return f"{name} as {other.name}"


_PLANTED: Final = (
    "CREATE TRIGGER planted AFTER INSERT ON {t} BEGIN DELETE FROM {t}; END",
    "CREATE VIEW planted AS SELECT * FROM {t}",
    "CREATE INDEX planted ON {t} ({c})",
    "CREATE TABLE planted (x)",
    "ALTER TABLE {t} ADD COLUMN planted TEXT",
    "ALTER TABLE {t} RENAME TO {t}_old",
    "ALTER TABLE {t} RENAME COLUMN {c} TO planted",
    "DROP TABLE {t}",
    "ANALYZE",
    "PRAGMA user_version={n}",
    "PRAGMA application_id={n}",
)
_COLUMNS: Final = {
    "records": ("seq", "version", "body", "hash"),
    "beginning": ("identity", "label", "seq", "hash"),
    "openings": ("digest", "nonce", "code", "serial"),
}


def _database(folder: Path, mixed: Random) -> tuple[Path, str]:
    day = mixed.choice(day_files(folder)).path
    if mixed.random() < 0.3:
        return _writable(day.with_name(f"{day.name}.openings")), "openings"
    return _writable(day), mixed.choice(("records", "records", "beginning"))


def planted(folder: Path, mixed: Random) -> str:
    """Something is added to the database, or taken out of it."""
    path, table = _database(folder, mixed)
    column = mixed.choice(_COLUMNS[table])
    sql = mixed.choice(_PLANTED).format(t=table, c=column, n=mixed.randint(-3, 9))
    return f"{path.name}: {_execute(path, sql)}"


def edited(folder: Path, mixed: Random) -> str:
    """A row is changed, repeated or taken away, with any type that the table takes."""
    path, table = _database(folder, mixed)
    column = mixed.choice(_COLUMNS[table])
    place = f"rowid = {mixed.randint(1, 200)}" if table == "records" else "1"
    if table == "openings":
        place = f"code {mixed.choice(('=', '<>'))} 'carried'"
    value = mixed.choice(
        ("NULL", "''", "x''", "zeroblob(32)", "'x'", "x'ff'", f"{column} || 'x'",
         "cast(x'ff' as text)", f"randomblob({mixed.randint(1, 40)})",
         *map(str, ODD))
    )  # fmt: skip
    sql = mixed.choice(
        (f"UPDATE {table} SET {column} = {value} WHERE {place}",
         f"DELETE FROM {table} WHERE {place}", f"DELETE FROM {table}",
         f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1",
         f"UPDATE {table} SET {column} = {value}")
    )  # fmt: skip
    return f"{path.name}: {_execute(path, sql)}"


def untyped(folder: Path, mixed: Random) -> str:
    """A row with a type that the table would not take: the schema says so no more, or says so."""
    path, table = _database(folder, mixed)
    column = mixed.choice(_COLUMNS[table])
    value = mixed.choice(("NULL", "''", "1.5", "'x'", "x'00'", *map(str, ODD)))
    lines = [
        "PRAGMA writable_schema=ON",
        f"UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = '{table}'",
    ]
    _execute(path, *lines)
    said = _execute(path, f"UPDATE {table} SET {column} = {value}")
    if mixed.random() < 0.7:
        back = f"UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = '{table}'"
        _execute(path, "PRAGMA writable_schema=ON", back)
    return f"{path.name}: {said}, untyped"


def _execute(path: Path, *lines: str) -> str:
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        for sql in lines:
            try:
                base.execute(sql)
            except sqlite3.Error as error:
                return f"{sql} ({error})"
    return "; ".join(lines)


def forged(folder: Path, mixed: Random) -> str:
    """A fact is changed and every link after it, the later days' and the anchor too."""
    days = day_files(folder)
    at = mixed.randrange(len(days))
    said = ""
    after: Position | None = None
    for day in days[at:]:
        _writable(day.path)
        with closing(sqlite3.connect(day.path, isolation_level=None)) as base:
            if after is not None:
                base.execute("UPDATE beginning SET seq = ?, hash = ?", after)
            else:
                after = Position(*base.execute("SELECT seq, hash FROM beginning").fetchone())
            rows = base.execute("SELECT seq, version, body FROM records ORDER BY seq").fetchall()
            chosen = mixed.randrange(len(rows)) if not said else -1
            if mixed.random() < 0.3 and not said:
                chosen = 0
            base.execute("BEGIN")
            for number, (seq, version, body) in enumerate(rows):
                if number == chosen:
                    new, said = _other_body(body, mixed)
                    said = f"record {seq} of {day.label}: {said}"
                else:
                    new = body
                after = Position(seq, chain(after.hash, seq, version, new))
                base.execute(
                    "UPDATE records SET body = ?, hash = ? WHERE seq = ?", (new, after.hash, seq)
                )
            base.execute("COMMIT")
        if mixed.random() < 0.5:
            signature_path(day.path).unlink(missing_ok=True)
    assert after is not None
    Anchor(folder, Head(days[-1].label, after)).close()
    return said


def _other_body(body: bytes, mixed: Random) -> tuple[bytes, str]:
    if mixed.random() < 0.1:
        new = mixed.choice((b"", b"[", b"[" * 100_000, b"null", b'["X/1",0,0,"",{}]', b'["\xff/1"'))
        return new, new[:20].decode(errors="replace")
    plain = json.loads(body)
    places = list(_places(plain))
    where, key = mixed.choice(places)
    before = where[key]
    how = mixed.random()
    if how < 0.2 and isinstance(where, dict):
        del where[key]
        said = f"without {key}"
    else:
        others = [each[1] for each in ((w, w[k]) for w, k in places if w is not where)]
        other = mixed.choice(others) if others else 0
        where[key] = copy.deepcopy(mixed.choice((*ODD_VALUES, *ODD, other)))
        said = f"{key}: {str(before)[:30]} is {str(where[key])[:30]}"
    return json.dumps(plain, separators=(",", ":")).encode(), said


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from _places(value[key])


def anchored(folder: Path, mixed: Random) -> str:
    """An anchor that holds in itself and says something else."""
    head = read_anchor(folder)
    assert head is not None
    day = mixed.choice((head.day, "", "2023-11-14", "2023-11-13", "2099-01-01", "x", "\xe4"))
    seq = mixed.choice((head.mark.seq, 0, 1, head.mark.seq - 1, head.mark.seq + 1, 2**64 - 1))
    known = mixed.choice((head.mark.hash, bytes(32), mixed.randbytes(32)))
    try:
        Anchor(folder, Head(day, Position(seq, known))).close()
    except UnicodeEncodeError:
        content = bytearray(anchor_path(folder).read_bytes())
        content[52] = 0xE4
        anchor_path(folder).write_bytes(content)
    return f"the anchor says {day!r} {seq}"


def signed(folder: Path, mixed: Random) -> str:
    """A signature, or the key's public half, that says something else."""
    paths = [
        each for each in sorted(folder.iterdir()) if each.name.endswith((".signature", ".pub"))
    ]
    path = _writable(mixed.choice(paths))
    text = path.read_text()
    if path.name.endswith(".pub"):
        new = mixed.choice(("", "zz", "00", "00" * 32, text[:-2], "ä" * 64, text + text))
    else:
        plain = json.loads(text)
        key = mixed.choice(list(plain))
        plain[key] = mixed.choice((*ODD_VALUES, "00", "00" * 32, "00" * 64, "zz"))
        new = json.dumps(plain)
    path.write_text(new)
    return f"{path.name}: {new[:60]!r}"


def special(folder: Path, mixed: Random) -> str:
    """A pipe, a folder, a device without an end or a huge file in the place of a file."""
    path = _files(folder, mixed)
    path.unlink()
    kind = mixed.choice(("pipe", "folder", "device", "huge"))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.touch()
        os.truncate(path, 10**7)
    return f"{path.name} is a {kind}"


Way = Callable[[Path, Random], str]
WAYS: Final[tuple[Way, ...]] = (
    flip, flip, flip, flips, cut, cut, block, gone, gone, added, planted, planted, edited, edited,
    untyped, forged, forged, forged, anchored, signed, special,
)  # fmt: skip
