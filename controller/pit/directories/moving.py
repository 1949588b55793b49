"""Moves the people of a table that kept its own to this pit: whoever an id is on its records, they
stay. Blocks.

A table that ran alone has ids of its own for people whom other tables know by other ones. They are
kept: the directory of a table names everybody by the id that stands on its records, and the pit
knows whose ids these are. What cannot be told from the file alone is refused, all at once, and
nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sqlalchemy import Connection, insert, select

from controller.pit.accounts import users
from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.accounts.schema import TABLE_IDS, TABLE_PEOPLE
from controller.pit.accounts.users import User, login_of
from controller.pit.directories import rows
from controller.pit.directories.rows import role_at_tables
from controller.table.roles import Role


@dataclass(frozen=True, slots=True)
class OwnPerson:
    """Somebody in the file of a table's own people: `name` is empty where it was forgotten, `role`
    None where they may not act there any more.
    """

    id: str
    name: str
    role: Role | None


class MoveKind(Enum):
    """What is done about one of them; the value is what people read."""

    NEW = "a new user here"
    KNOWN = "the user of that name here"
    LEFT = "may not act there any more: the id stays theirs"
    CLOSED = "has left here: the account is closed, and lets them in nowhere"
    MOVED = "moved before: nothing is changed"


@dataclass(frozen=True, slots=True)
class PersonMove:
    """One of them, what is done, and the user's name here (empty: there is none)."""

    person: OwnPerson
    kind: MoveKind
    name: str = ""
    user: int | None = None
    is_other_id: bool = False

    @property
    def words(self) -> str:
        """What is done, in a line."""
        role = f", {self.person.role.value}" if self.person.role else ""
        called = f" as {self.name}" if self.name and self.name != self.person.name else ""
        also = "; other tables know them by another id" if self.is_other_id else ""
        who = self.person.name or "(forgotten)"
        return f"{self.person.id}  {who}{role}{called}: {self.kind.value}{also}"

    @property
    def kept(self) -> str:
        """The same for the audit, of which no row can be changed: it names users alone, who stand
        there by number.
        """
        role = f", {self.person.role.value}" if self.person.role else ""
        called = f" as {self.name}" if self.name else ""
        also = "; other tables know them by another id" if self.is_other_id else ""
        return f"{self.person.id}{role}{called}: {self.kind.value}{also}"


class MoveRefused(ValueError):
    """Nothing is moved; `problems` say of each whom it is about, and what to do."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def plan_moves(
    connection: Connection, table: str, people: Sequence[OwnPerson], names: Mapping[str, str]
) -> list[PersonMove]:
    """What is to be done. `names` are names here of those who are called otherwise there.

    Raises `MoveRefused`.
    """
    problems = [f"there is nobody called {name} in the file" for name in _unknown(people, names)]
    moves: list[PersonMove] = []
    for each in people:
        try:
            moves.append(_move(connection, table, each, names.get(each.name, each.name)))
        except ValueError as error:
            problems.append(str(error))
    known: dict[str, str] = {}
    for move in moves:
        if move.kind in (MoveKind.NEW, MoveKind.KNOWN):
            before = known.setdefault(login_of(move.name), move.person.id)
            if before != move.person.id:
                problems.append(
                    f"{before} and {move.person.id} would both be {move.name}: they are two people"
                    " at the table, so name one of them otherwise (--as)"
                )
    if problems:
        raise MoveRefused(problems)
    return moves


def carry_out(
    connection: Connection, table: str, moves: Sequence[PersonMove], now_ms: int, who: Identity
) -> None:
    """Do what was planned, each with a row of the audit. Raises `users.UserRefused`."""
    for move in moves:
        if move.kind is MoveKind.MOVED:
            continue
        user = _user_of(connection, move, now_ms)
        connection.execute(
            insert(TABLE_IDS).values(
                name=table, person=move.person.id, user_id=user, called=move.person.name
            )
        )
        if user is not None and move.kind in (MoveKind.NEW, MoveKind.KNOWN):
            rows.name_person(connection, user, move.person.id)
            rows.add_table(connection, user, table)
        record_act(connection, now_ms, who.name, AuditAct.MOVED_PERSON, f"{table}: {move.kept}", "")


def _user_of(connection: Connection, move: PersonMove, now_ms: int) -> int | None:
    if move.kind is not MoveKind.NEW:
        return move.user
    assert move.person.role is not None
    role = PitRole.FLOOR if move.person.role is Role.FLOOR else PitRole.DEALER
    return users.make(connection, move.name, frozenset({role}), now_ms).id


def _unknown(people: Sequence[OwnPerson], names: Mapping[str, str]) -> Iterator[str]:
    there = {each.name for each in people}
    return (name for name in names if name not in there)


def _move(connection: Connection, table: str, person: OwnPerson, name: str) -> PersonMove:
    """Raises `ValueError`, which says what is in the way."""
    ids = TABLE_IDS.c
    query = select(ids.called).where(ids.name == table, ids.person == person.id)
    before = connection.execute(query).scalar()
    if before is not None:
        if person.name and before and before != person.name:
            raise ValueError(
                f"{person.id} was {before} when {table} was moved, and is {person.name} in the file"
                " now: an id is never given to anybody else"
            )
        return PersonMove(person, MoveKind.MOVED)
    user = users.by_login(connection, login_of(name)) if name else None
    for other, called in _others(connection, person.id):
        is_same = called == person.name if other is None else user is not None and user.id == other
        if person.name and called and not is_same:
            raise ValueError(
                f"{person.id} is {called} in this pit, and {person.name} at {table}: one id, two"
                " names. If they are one person, say so by --as; if not, give them another id at"
                " the table (`tablectl person remove`, then `add` under another name)"
            )
    if person.role is None:
        return PersonMove(person, MoveKind.LEFT, user=None if user is None else user.id)
    if user is None:
        return PersonMove(person, MoveKind.NEW, name)
    if user.closed_ms is not None:
        return PersonMove(person, MoveKind.CLOSED, user.name, user.id)
    _check_role(table, person, user)
    other_id = rows.person_of(connection, user.id) not in ("", person.id)
    return PersonMove(person, MoveKind.KNOWN, user.name, user.id, other_id)


def _check_role(table: str, person: OwnPerson, user: User) -> None:
    """Raises `ValueError` where it is another one here: a role is the same at every table."""
    assert person.role is not None
    if PitRole.MACHINE in user.roles:
        raise ValueError(f"{user.name} is a machine in this pit: name {person.name} otherwise")
    here = role_at_tables(user.roles)
    if here is not person.role:
        is_here = here.value if here else "nothing"
        raise ValueError(
            f"{person.name} is {person.role.value} at {table}, and {is_here} here, at every table:"
            " give them one role first, on /users or by `tablectl person add` at the table"
        )


def _others(connection: Connection, person: str) -> Iterator[tuple[int | None, str]]:
    """Whose id it is already, here or from another table."""
    names = {each.id: each.name for each in users.listed(connection)}
    now = select(TABLE_PEOPLE.c.user_id).where(TABLE_PEOPLE.c.person == person)
    for user in connection.scalars(now):
        yield user, names[user]
    before = select(TABLE_IDS.c.user_id, TABLE_IDS.c.called).where(TABLE_IDS.c.person == person)
    for user, called in connection.execute(before):
        yield user, names[user] if user is not None else called
