"""An archive of tables that were played here, with its books."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

from controller.bus.messages import batch
from controller.pit.archive.books.follower import Follower
from controller.pit.archive.store import Store
from controller.record.days.gaming_day import rows_of
from controller.record.files.head_anchor import genesis
from controller.record.reading.expected import Holders
from controller.table.facts import Record
from tests.pit.archive.messages import mark_before
from tests.support.dealt.journals import identity_of


class Archived:
    """An archive in `engine`'s database; `follower` keeps its books as they come."""

    def __init__(self, engine: Engine, archived_ms: int = 5_000) -> None:
        """`archived_ms`: when all of it came."""
        self.engine = engine
        self.store = Store(engine, lambda: archived_ms)
        self.store.load()
        #: Without expectations of other options than the default ones.
        self.nowhere = Path("nowhere")
        self.follower = self.another()

    def another(self) -> Follower:
        """A follower that begins where the books are."""
        return Follower(self.engine, Holders(self.nowhere), lambda: 5_000, write_ms=0)

    def add(self, table: str, records: list[Record], first: int = 1, last: int = 0) -> None:
        """Archive records of a table, as its forwarder would send them."""
        identity = identity_of(table)
        rows = list(rows_of(records, genesis(identity)))
        some = rows[first - 1 : last or None]
        mark = mark_before(rows, first, identity)
        for at in range(0, len(some), 100):
            self.store.take([(table, batch(table, identity, mark, some[at : at + 100]))])
            mark = mark_before(rows, some[min(at + 100, len(some)) - 1].seq + 1, identity)

    def keep(self) -> None:
        """Keep the books up to where the archive is."""
        while self.follower.follow():
            pass
