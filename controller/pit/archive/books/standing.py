"""Tables whose books stand, because something in their records cannot be kept: named, tried again.

What a table records is its own: no other table's books wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from sqlalchemy import Engine, select

from controller.host.defects import report
from controller.pit.archive.findings.finding_rows import add_finding, settle
from controller.pit.archive.findings.findings import ArchiveFinding, FindingKind
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import written_in_turn

#: Books that stand are tried again this often: the software is another one, or the history is.
AGAIN_MS: Final = 60_000


class StandingBooks:
    """Tables, by the ids of their rows in `engine`'s database, whose books stand."""

    def __init__(self, engine: Engine, clock_ms: Callable[[], int]) -> None:
        self._engine = engine
        self._clock_ms = clock_ms
        #: When each is tried again; None: not looked up since the start.
        self._again_ms: dict[int, int] | None = None

    def load(self) -> None:
        """Look up, once, what stood before the start: it is tried at once."""
        if self._again_ms is not None:
            return
        query = select(s.TABLES.c.id).join(s.FINDINGS, s.FINDINGS.c.name == s.TABLES.c.name).where(
            s.FINDINGS.c.kind == FindingKind.BOOKS.value, s.FINDINGS.c.settled_ms.is_(None)
        )  # fmt: skip
        with self._engine.connect().execution_options(reads_only=True) as connection:
            self._again_ms = dict.fromkeys(connection.scalars(query), 0)

    def waits(self, id_: int) -> bool:
        """Whether a table's books stand, and are not to be tried yet."""
        assert self._again_ms is not None
        # A clock that is set back is no reason to wait longer.
        return 0 < self._again_ms.get(id_, 0) - self._clock_ms() <= AGAIN_MS

    def try_all(self) -> None:
        """Try all of them: of some table another history stands."""
        self._again_ms = dict.fromkeys(self._again_ms or (), 0)

    def stands(self, id_: int, written: int, error: Exception) -> None:
        """A table's books are written up to there, and stand. Raises `SQLAlchemyError`."""
        assert self._again_ms is not None
        if not self._again_ms.get(id_):
            # Never its text, which may be what a card or a person is called.
            report(f"the books of a table stand after its record {written}", error)
        text = (
            "its books stand before this record: it or one of the next says what this software"
            f" cannot keep ({type(error).__name__}). Reports of this table end there; its record is"
            " archived on. The pit's log says where; it is tried again every minute"
        )
        with written_in_turn(self._engine), self._engine.begin() as connection:
            name = connection.scalar(select(s.TABLES.c.name).where(s.TABLES.c.id == id_))
            assert name is not None
            finding = ArchiveFinding(FindingKind.BOOKS, written + 1, text)
            add_finding(connection, name, finding, self._clock_ms())
        self._again_ms[id_] = self._clock_ms() + AGAIN_MS

    def go_on(self, ids: Iterable[int]) -> None:
        """These tables' books were written: what stood is over. Raises `SQLAlchemyError`."""
        assert self._again_ms is not None
        over = [each for each in ids if each in self._again_ms]
        if not over:
            return
        with written_in_turn(self._engine), self._engine.begin() as connection:
            names = connection.scalars(select(s.TABLES.c.name).where(s.TABLES.c.id.in_(over)))
            for name in list(names):
                settle(connection, name, (FindingKind.BOOKS,), self._clock_ms())
        for each in over:
            del self._again_ms[each]
