"""A table that was renamed: what is archived of it goes on under its new name. Blocks."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, select, update

from controller.pit.accounts.audit.acts import AuditAct
from controller.pit.accounts.audit.log import record_act
from controller.pit.archive.findings.finding_rows import settle
from controller.pit.archive.findings.findings import FindingKind
from controller.pit.archive.retired import put_back
from controller.pit.archive.storage import schema as s
from controller.pit.archive.storage.database import written_in_turn


class NotRenamed(ValueError):
    """A table that cannot be renamed so; the text says why."""


def rename(engine: Engine, old: str, new: str, who: str, now_ms: int) -> None:
    """Let the record of `old` go on as that of `new`, which has spoken with it already.

    Findings and branches go with it; the audit has it. A pit that runs takes it up by itself.
    Raises `NotRenamed`, `sqlalchemy.exc.DBAPIError`; nothing was changed then.
    """
    with written_in_turn(engine), engine.begin() as connection:
        names = set(connection.scalars(select(s.TABLES.c.name).where(s.TABLES.c.name == old)))
        if not names:
            raise NotRenamed(f"The archive has no table {old}: look at its name on /records")
        if connection.scalar(select(s.TABLES.c.id).where(s.TABLES.c.name == new)) is not None:
            raise NotRenamed(f"The archive has a table {new} already, with a record of its own")
        if not _has_spoken(connection, old, new):
            raise NotRenamed(
                f"Nothing has come under the name of {new} with the record of {old}: rename the"
                " table first, and wait for the finding on /records"
            )
        connection.execute(update(s.TABLES).where(s.TABLES.c.name == old).values(name=new))
        # What was found under the new name was of this.
        settle(connection, new, tuple(FindingKind), now_ms)
        for table in (s.FINDINGS, s.BRANCHES):
            connection.execute(update(table).where(table.c.name == old).values(name=new))
        put_back(connection, old)
        record_act(connection, now_ms, who, AuditAct.RENAMED_TABLE, f"{old}: {new}", "")


def _has_spoken(connection: Connection, old: str, new: str) -> bool:
    """Whether the finding is open that the record of one came under the name of the other."""
    found = connection.scalars(
        select(s.FINDINGS.c.text).where(
            s.FINDINGS.c.name == new, s.FINDINGS.c.kind == FindingKind.TWO_NAMES.value,
            s.FINDINGS.c.settled_ms.is_(None),
        )
    )  # fmt: skip
    return any(f"as that of {old}:" in each for each in found)
