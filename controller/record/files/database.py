"""A file of a record on a disk: its format, and what may be wrong with it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

FORMAT: Final = 2
#: The format of the journals of 0.1.0, which were one file each.
_OLD_FORMAT: Final = 1
#: How every file of SQLite begins.
_SQLITE: Final = b"SQLite format 3\0"
#: Small pages: a commit writes whole pages, and a record is about 200 bytes. DECISIONS.md, 3
#: says 1024, which was measured before this.
PAGE_BYTES: Final = 512
#: How long SQLite waits for another reader's lock; a commit never waits longer than this for one.
BUSY_TIMEOUT_S: Final = 5.0
#: What reading a spoilt file raises; the second where it spoils the text of SQLite's own complaint.
UNREADABLE: Final = (sqlite3.Error, UnicodeDecodeError)
#: No small file of a record (anchor, signature, key) comes near to this.
_SMALL_BYTES: Final = 65_536
#: The mode of a closed day's files.
READ_ONLY: Final = 0o400

RESTORE: Final = (
    "Leave these files as they are. Put back a backup or the second copy with `tablectl restore`"
)


class JournalError(Exception):
    """The record is not available. The text says what happened and what to do."""


class JournalBusy(JournalError):
    """Another service has this record."""


class RecordOfAnotherBuild(JournalError):
    """Only another build can read it. Nothing is wrong with it, and nothing of it was changed."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}. Nothing was changed")


class RecordNewer(RecordOfAnotherBuild):
    """Newer software wrote it."""


class JournalDamaged(JournalError):
    """Something of `path` was changed, lost or is not ours; `whole` is the last record before."""

    def __init__(self, path: Path, what: str, whole: int) -> None:
        self.path = path
        readable = f"Records 1 to {whole} are whole. " if whole else ""
        super().__init__(f"{path}: {what}. {readable}{RESTORE}")
        self.whole = whole


def read_small(path: Path) -> bytes:
    """The bytes of a small file. Raises `OSError`, for what is no such file, too.

    A pipe in its place would be waited for, and a device be read without an end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no regular file")
        content = os.read(descriptor, _SMALL_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(content) > _SMALL_BYTES:
        raise OSError(f"{path} has more than {_SMALL_BYTES} bytes")
    return content


def copy_small(source: Path, target: Path) -> None:
    """Copy a small file, durably. Raises `OSError`, for what is no such file, too."""
    content = read_small(source)
    with target.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def check_regular(path: Path) -> None:
    """Raises `JournalDamaged` where a pipe, a device or a folder stands for a file of SQLite's."""
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
        try:
            found = each.stat().st_mode
        except OSError:
            continue  # not there, or not to be looked at: SQLite says so
        if not stat.S_ISREG(found):
            raise JournalDamaged(each, "it is no regular file", 0)


def wal_path(base: Path) -> Path:
    """SQLite's write-ahead log beside a file."""
    return base.with_name(base.name + "-wal")


def is_there(path: Path) -> bool:
    """Whether there is such a file with something in it."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def may_read(path: Path) -> bool:
    """Whether there is such a file, with something in it, which this user may read."""
    return is_there(path) and os.access(path, os.R_OK)


def read_only(path: Path, schema: Sequence[str]) -> sqlite3.Connection | None:
    """A connection that cannot write; None where the file was begun and nothing is in it yet.

    Raises `JournalDamaged` where the file holds anything else than the tables of `schema`.
    """
    check_regular(path)
    if not os.access(path.parent, os.W_OK):
        # SQLite shares its index through a file beside: where none can be made, a copy is read.
        with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
            try:
                for each in (path, wal_path(path)):
                    if each.exists():
                        shutil.copyfile(each, Path(folder, each.name))
            except OSError as error:
                raise JournalError(
                    f"{path} cannot be copied to be read ({error}): check who may read it, and "
                    "that there is room for temporary files"
                ) from error
            # The names go at once, the copy stays for as long as it is open.
            return _connected(Path(folder, path.name), path, schema)
    return _connected(path, path, schema)


def _connected(file: Path, path: Path, schema: Sequence[str]) -> sqlite3.Connection | None:
    """A read-only connection to `file`, which stands for `path`."""
    address = f"{file.resolve().as_uri()}?mode=ro"
    base: sqlite3.Connection | None = None
    try:
        # Transactions are begun by hand: Python's own would begin at the first INSERT, and not
        # IMMEDIATE. Whoever starts a table opens its files, the writer's thread goes on with them.
        base = sqlite3.connect(
            address, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        if _is_empty(base):
            base.close()
            return None
        _check_format(path, base, schema)
    except BaseException as error:
        if base is not None:
            base.close()
        if isinstance(error, sqlite3.OperationalError):
            text = f"{path} cannot be opened ({error}): check the disk, and who may read the file"
            raise JournalError(text) from error
        if isinstance(error, UNREADABLE):
            raise JournalDamaged(path, f"it cannot be opened ({error})", 0) from error
        raise
    return base


def read_write(path: Path, schema: Sequence[str]) -> sqlite3.Connection:
    """A durable connection; a file with nothing in it gets `schema`.

    A file that is made is for its owner alone, and so is what SQLite makes beside it: that takes
    the mode of the file. Raises `sqlite3.Error`, `OSError`.
    """
    check_regular(path)
    with suppress(FileExistsError):
        # Never opened where it exists: with any descriptor of a file that a process closes, the
        # locks go which SQLite has on it in that process.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    base = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        # First of all: with the first page, and with WAL, the size is what it is.
        base.execute(f"PRAGMA page_size={PAGE_BYTES}")
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        if _is_empty(base):
            base.execute("BEGIN IMMEDIATE")
            for each in schema:
                base.execute(each)
            base.execute(f"PRAGMA user_version={FORMAT}")
            base.execute("COMMIT")
        else:
            _check_format(path, base, schema)
    except BaseException:
        base.close()
        raise
    return base


def _is_empty(base: sqlite3.Connection) -> bool:
    """Whether the file was begun and nothing is in it yet."""
    known = base.execute("PRAGMA user_version").fetchone()[0]
    return bool(known == 0 and base.execute("PRAGMA schema_version").fetchone()[0] == 0)


def _check_format(path: Path, base: sqlite3.Connection, schema: Sequence[str]) -> None:
    """Raises `JournalDamaged` for another schema than `schema`, `RecordNewer`, `JournalError`.

    A trigger, a view or an index that was planted would act when a record is written or read. The
    schema is raised with the format: one that is ours, under another number, is damage.
    """
    known = base.execute("PRAGMA user_version").fetchone()[0]
    found = base.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid").fetchall()
    ours = [sql for _, _, sql in found] == [*schema]
    if ours and known == FORMAT:
        return
    if ours:
        raise JournalDamaged(path, f"its header says format {known}, which its tables are not", 0)
    if known == FORMAT:
        others = [f"{kind} {name}" for kind, name, sql in found if sql not in schema]
        what = f"there is also {', '.join(others)}" if others else "a table of it is gone"
        raise JournalDamaged(path, f"its tables are not those of a record: {what}", 0)
    if known == _OLD_FORMAT:
        raise JournalError(old_journal(path))
    if known > FORMAT:
        what = f"its format {known} is that of a newer tablectl: start that, or newer"
        raise RecordNewer(path, what)
    if known != FORMAT:
        raise JournalError(
            f"{path} has format {known}, this software reads and writes {FORMAT}: "
            "start the software that wrote it, or name another record"
        )


def not_a_folder(path: Path) -> str:
    """What is said of a file where the folder of a record should be."""
    with path.open("rb") as file:
        if file.read(len(_SQLITE)) == _SQLITE:
            return old_journal(path)
    return f"{path} is a file, not the folder of a record; nothing was changed"


def old_journal(path: Path) -> str:
    """What is said of a journal of 0.1.0."""
    return (
        f"{path} is a journal of tablectl 0.1.0, which this software does not read: name another "
        "folder for the record; nothing was changed"
    )
