"""The archive's transactions: records, cursor and derived rows together, or nothing of it. Blocks.

Two pits on one database cannot write the same record twice: a cursor is moved only from where it
was read (`Overtaken`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from controller.bus.messages import STREAM, HeadNews, RecordBatch, position_of
from controller.pit.archive.branches.rewind import rewind
from controller.pit.archive.branches.rows import BranchRow, end, waiting
from controller.pit.archive.commit import (
    ArchiveCommit,
    Known,
    Overtaken,
    Taken,
    known_hash,
    known_table,
)
from controller.pit.archive.cursor import Cursor, look_at_head
from controller.pit.archive.findings.finding_rows import add_finding, settle, tables_found
from controller.pit.archive.findings.findings import SETTLED_BY_RECORDS, ArchiveFinding, FindingKind
from controller.pit.archive.heads import SaidByHeads
from controller.pit.archive.of_a_table import is_there_already
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import written_in_turn
from controller.record.codec import Decoder
from controller.record.files.head_anchor import Position
from controller.rules.sealed import Sealed

#: More are open only where somebody floods the bus with them.
MOST_FINDINGS: Final = 10_000


def _sealed(_digest: str) -> Sealed | None:
    """Opens no card: the archive has none of the openings."""
    return None


class Store:
    """The archive in `engine`'s database, for one thread."""

    def __init__(self, engine: Engine, clock_ms: Callable[[], int]) -> None:
        self._engine = engine
        self._clock_ms = clock_ms
        self._known: dict[str, Known] = {}
        #: Tables of which something may be open: the others need no look.
        self._found: set[str] = set()
        self._decode: Final = Decoder(_sealed, of_one_table=False).decode

    def load(self) -> None:
        """Read where every table stands."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(s.TABLES)).mappings().all()
            self._found = tables_found(connection, MOST_FINDINGS)
        self._known = {each["name"]: known_table(each) for each in rows}

    def cursor(self, name: str) -> Cursor | None:
        """Where the archive is in a table's record; None for a table that it does not have."""
        known = self._known.get(name)
        return known.cursor if known is not None else None

    @property
    def cursors(self) -> dict[str, Cursor]:
        """Where the archive is in every table's record."""
        return {name: each.cursor for name, each in self._known.items()}

    def take(self, batches: Iterable[tuple[str, RecordBatch]], buffer: int = 0) -> Taken:
        """Archive what came under tables' names; `buffer`: how far the broker's buffer was read.

        Raises `Overtaken`, `sqlalchemy.exc.DBAPIError`; nothing was written then.
        """
        before = dict(self._known)
        try:
            with written_in_turn(self._engine), self._engine.begin() as connection:
                commit = ArchiveCommit(
                    connection, self._known, self._found, self._decode, self._clock_ms()
                )
                return commit.take(batches, buffer)
        except IntegrityError as error:
            self._known = before
            if not is_there_already(error):
                raise
            raise Overtaken(str(error.orig)) from error
        except BaseException:
            self._known = before
            raise

    def found_of(self, kind: FindingKind) -> set[str]:
        """The tables of which a finding of that kind is open."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            return tables_found(connection, MOST_FINDINGS, kind)

    def hear(self, said: SaidByHeads) -> None:
        """Hold heads against the archive; add what is found, and note what is over.

        Raises `sqlalchemy.exc.DBAPIError`; nothing was written then.
        """
        found = list(said.found)
        over: list[tuple[str, Collection[FindingKind]]] = [
            (name, (kind,)) for name, kind in said.over
        ]
        compared = [each for each in said.compared if self._says_anything(*each)]
        if compared:
            with self._engine.connect().execution_options(reads_only=True) as connection:
                # Of a table that plays heads are behind: no head waits for whoever writes.
                for name, news, before in compared:
                    known = self._known[name]
                    hashes = known_hash(connection, known.id)
                    if (finding := look_at_head(known.cursor, news, hashes, before)) is not None:
                        found.append((name, finding))
                    elif known.cursor.at.seq == news.head.seq:
                        over.append((name, SETTLED_BY_RECORDS))
        self._note(found, [each for each in over if each[0] in self._found])

    def _says_anything(self, name: str, news: HeadNews, _before: int) -> bool:
        """Whether the database has to be asked: not for a head that is the archive's, of a table of
        which nothing is open, as every few seconds of every table at rest.
        """
        known = self._known.get(name)
        if known is None:  # renamed meanwhile
            return False
        return known.cursor.at != position_of(news.head) or name in self._found

    def find(self, name: str, finding: ArchiveFinding) -> None:
        """Add a finding, or count it again while it is open."""
        self._note([(name, finding)], [])

    def _note(
        self, found: Sequence[tuple[str, ArchiveFinding]],
        over: Sequence[tuple[str, Collection[FindingKind]]],
    ) -> None:  # fmt: skip
        """Add findings, and note which are over, in one transaction."""
        if not found and not over:
            return
        self._found.update(name for name, _ in found)
        now_ms = self._clock_ms()
        with written_in_turn(self._engine), self._engine.begin() as connection:
            for name, finding in found:
                add_finding(connection, name, finding, now_ms)
            for name, kinds in over:
                settle(connection, name, kinds, now_ms)
            still = tables_found(connection, MOST_FINDINGS)
        self._found = still

    def waiting_branches(self) -> list[BranchRow]:
        """What people have said of two histories of a table, and is not done yet."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            return waiting(connection)

    def hash_of(self, name: str, seq: int) -> bytes | None:
        """The hash of a table's archived record; None: the archive does not have it."""
        with self._engine.connect().execution_options(reads_only=True) as connection:
            return known_hash(connection, self._known[name].id)(seq)

    def no_branch(self, branch: BranchRow, why: str) -> None:
        """Note why nothing can be done of what was said."""
        with self._engine.begin() as connection:
            end(connection, branch.number, self._clock_ms(), why)

    def set_aside(self, branch: BranchRow, cursor: Cursor, at: Position) -> None:
        """The table's own history stands after `at`: set aside what is archived up to `cursor`.

        Raises `Overtaken`; nothing was written then.
        """
        name, known, now_ms = branch.table, self._known[branch.table], self._clock_ms()
        if known.cursor != cursor:
            raise Overtaken(f"{name} is no longer at record {cursor.at.seq}")
        now = known
        with self._engine.begin() as connection:
            aside = None
            if at != cursor.at:
                now = rewind(connection, self._decode, name, known, at, branch.number, now_ms)
                aside = (at.seq + 1, cursor.at)
            end(connection, branch.number, now_ms, aside=aside)
            settle(connection, name, SETTLED_BY_RECORDS, now_ms)
        self._known[name] = now

    def buffer_read(self) -> int:
        """How far the broker's buffer was read, as far as is known."""
        with self._engine.connect() as connection:
            query = select(s.BUFFER.c.seq).where(s.BUFFER.c.stream == STREAM)
            return connection.execute(query).scalar() or 0
