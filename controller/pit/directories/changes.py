"""What is done about people at tables, on the pages or on the command line: each act audited."""

from __future__ import annotations

from dataclasses import dataclass

from controller.people.document import MOST_NAME
from controller.pit.accounts import users
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.accounts.users import UserRefused
from controller.pit.directories import rows


@dataclass(frozen=True, slots=True)
class AtTables:
    """Who may act at tables, changed by `who`, from an address. Every method blocks."""

    accounts: Accounts
    who: Identity
    address: str = ""

    def set_tables(self, user: int, tables: frozenset[str]) -> None:
        """Let a user act at these tables, and at no other. Raises `UserRefused`."""
        with self.accounts.engine.begin() as connection:
            found = users.by_id(connection, user)
            if PitRole.MACHINE in found.roles:
                raise UserRefused("A machine acts at no table")
            if tables and len(found.name) > MOST_NAME:
                raise UserRefused(f"A name at tables has {MOST_NAME} characters at most")
            rows.set_tables(connection, user, tables)
            about = f"{found.name}: {', '.join(sorted(tables)) or 'none'}"
            record_act(
                connection, self._now_ms, self.who.name, AuditAct.SET_TABLES, about, self.address
            )

    def set_pin(self, user: int, pin: bytes) -> None:
        """Keep the encrypted hash of a user's PIN. Raises `UserRefused`."""
        with self.accounts.engine.begin() as connection:
            found = users.by_id(connection, user)
            rows.set_pin(connection, user, pin, self._now_ms)
            record_act(
                connection, self._now_ms, self.who.name, AuditAct.SET_PIN, found.name, self.address
            )

    def person(self, user: int) -> str:
        """Who a user is on the records of tables; empty: nobody there yet."""
        with self.accounts.engine.connect().execution_options(reads_only=True) as connection:
            return rows.person_of(connection, user)

    @property
    def _now_ms(self) -> int:
        return self.accounts.clock_ms()
