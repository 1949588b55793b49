"""Tables of a pit that take their people from it, and what they put on record, in one process."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.bus.messages import batch
from controller.people.document import PeopleDocument, PeopleRefused, check_next
from controller.people.sealing import opened_document, table_public
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.archive.store import Store
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.directories.settings import PeopleSettings
from controller.record.days.gaming_day import rows_of
from controller.record.files.head_anchor import Position, genesis
from controller.table.facts import DirectoryInstalled, Record
from tests.people.documents import KEY, KEYS
from tests.pit.accounts.known import KnownAccounts
from tests.support.dealt.journals import identity_of, records


class PitTable:
    """A table: its key, the directory in force there, its record as the archive has it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.key = X25519PrivateKey.generate()
        self.people: PeopleDocument | None = None
        self.refused: list[str] = []
        self._at = genesis(identity_of(name))
        self._to_come: list[Record] = list(records(5, 3))
        self._seq = len(self._to_come)

    def take(self, body: bytes, now_ms: int, keys: tuple[str, ...] = KEYS) -> None:
        """As a table does: what holds is in force, and on its record."""
        try:
            document = opened_document(body, self.name, keys, self.key)
            check_next(document, self.people.mark if self.people else None, now_ms)
        except PeopleRefused as error:
            self.refused.append(error.why.value)
            return
        if document == self.people:
            return
        self.people, head = document, document.head
        self._seq += 1
        fact = DirectoryInstalled(
            head.serial, document.digest, document.roster, len(document.people), head.issued_ms,
            head.good_until_ms,
        )  # fmt: skip
        self._to_come.append(Record(self._seq, now_ms, 0, "pins", fact))

    def archive(self, store: Store) -> None:
        """Its record reaches the archive."""
        made = list(rows_of(self._to_come, self._at))
        if made:
            store.take([(self.name, batch(self.name, identity_of(self.name), self._at, made))])
            self._at, self._to_come = Position(made[-1].seq, made[-1].hash), []

    @property
    def who(self) -> list[str]:
        return [each.name for each in self.people.people] if self.people else []


class PitOfTables:
    """A pit with its keeper of directories, over the accounts of a test."""

    def __init__(self, known: KnownAccounts, folder: Path, *names: str) -> None:
        self.known = known
        self.tables = {name: PitTable(name) for name in names or ("T1",)}
        self.pins = AppSecrets(bytes(range(32)))
        keys = {name: table_public(each.key) for name, each in self.tables.items()}
        self.settings = PeopleSettings(14, keys)
        self.keeper = self.new_keeper()
        self.store = Store(known.engine, known.clock)
        self.store.load()
        self.is_connected = True
        self.sent: list[bytes] = []

    def new_keeper(self) -> DirectoryKeeper:
        return DirectoryKeeper(self.known.engine, self.settings, KEY, self.pins, self.known.clock)

    async def send(self, name: str, body: bytes) -> bool:
        if self.is_connected:
            self.sent.append(body)
            self.tables[name].take(body, self.known.clock())
        return self.is_connected

    async def look(self) -> None:
        """The keeper looks, tables record, the archive gets it, the keeper looks again."""
        await self.keeper.look(self.send)
        for each in self.tables.values():
            each.archive(self.store)
        await self.keeper.look(self.send)

    def standing(self, name: str = "T1") -> str:
        [found] = [each for each in self.keeper.standings() if each.name == name]
        return found.standing.name
