"""Accounts of a pit with a database of their own, and cheap hashes: a test proves no cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from argon2 import PasswordHasher
from sqlalchemy import Engine

from controller.pit.accounts.accounts import Accounts, SignedIn
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.passwords import Passwords
from controller.pit.accounts.people import COMMAND_LINE, People
from controller.pit.accounts.roles import PitRole
from controller.pit.accounts.sessions import Client, Lifetime
from controller.pit.archive.storage.database import open_database

PASSWORD = "quiet otters juggle lanterns"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
HERE = Client("192.0.2.7", "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36")
BEGAN_MS = 1_760_000_000_000


class SetClock:
    """A wall clock that a test sets."""

    def __init__(self) -> None:
        self.now_ms = BEGAN_MS

    def __call__(self) -> int:
        return self.now_ms


class KnownAccounts:
    """Accounts, their clock, and short ways to users and sessions."""

    def __init__(self, engine: Engine, clock_ms: Callable[[], int] | None = None) -> None:
        """`clock_ms`: the real one, say; otherwise `clock`, which a test sets."""
        self.engine = engine
        self.clock = SetClock()
        self.accounts = Accounts(engine, clock_ms or self.clock, Lifetime(), Passwords(CHEAP))
        self.people = People(self.accounts, COMMAND_LINE)

    def add(self, name: str, *roles: PitRole) -> int:
        """A user who has set `PASSWORD`; its number."""
        user, code = self.people.add(name, frozenset(roles))
        self.accounts.set_up(code, PASSWORD, HERE)
        return user.id

    def machine(self, name: str = "prometheus") -> str:
        """A machine's token."""
        return self.people.add(name, frozenset({PitRole.MACHINE}))[1]

    def enters(self, number: int) -> SignedIn:
        """A user signs in by a link."""
        return self.accounts.enter(self.people.link(number, Purpose.SIGN_IN), HERE)

    def sign_in(self, name: str, password: str = PASSWORD, **named: str) -> SignedIn:
        """A user signs in by a password that is enough."""
        begun = self.accounts.sign_in(name, password, HERE, **named)
        assert isinstance(begun, SignedIn)
        return begun


def database_in(folder: Path) -> Path:
    """Where the file of SQLite lies."""
    return folder / "pit.db"


def known_in(folder: Path, clock_ms: Callable[[], int] | None = None) -> KnownAccounts:
    """Accounts in a file of SQLite, by default a new one."""
    return KnownAccounts(open_database(f"sqlite:///{database_in(folder)}"), clock_ms)
