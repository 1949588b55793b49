"""What a pit stands on: the broker with its buffer, the archive's database. Both are only asked."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from nats.errors import Error as NatsError
from nats.js.errors import APIError, NotFoundError

from controller.bus.connection import BusClient
from controller.bus.messages import STREAM, Topic, subject
from controller.bus.server_conf import PIT, inbox
from controller.commands.doctor.finding import CheckFinding, bad, good, not_yet, note
from controller.config.bus_section import BusSection
from controller.pit.accounts import users
from controller.pit.archive.storage.database import (
    ArchiveRefused,
    SchemaState,
    look_at,
    looked_into,
)
from controller.pit.server.settings import PitConfig

#: What a pit asks tables for since their cards are seen in its replay.
_PICTURES: Final = subject("doctor", Topic.PICTURES)
#: A server that does not answer within this many seconds is away.
ANSWER_S: Final = 3


class _BrokerRefused(Exception):
    """The broker was not reached, or is none for us; the text says why."""


def broker(section: BusSection, *, pit_runs: bool) -> Iterator[CheckFinding]:
    """Whether the broker is there, knows the pit, and has a buffer, which a running pit makes."""
    what = f"bus, {', '.join(section.servers)}"
    try:
        password = _password(section)
        context = section.context()
    except (OSError, UnicodeDecodeError) as error:
        mend = "write the password there, or name PEM files that the service may read"
        yield bad("bus.files", f"{what}, its files", str(error), mend)
        return
    try:
        seen = asyncio.run(_look(section, password, context))
    except _BrokerRefused as error:
        yield bad("bus", what, str(error), _mend_of(str(error)))
        return
    if seen.has_buffer:
        yield good("bus", f"{what}, with a buffer for records")
    elif pit_runs:
        yield bad(
            "bus", what, "The pit runs, and the broker has no buffer for records",
            "give the broker's jetstream a max_file_store above archive.buffer_gb; journalctl -u"
            " tablectl-pit says more",
        )  # fmt: skip
    else:
        yield not_yet("bus", what, "The first start makes the buffer for records")
    if not seen.gives_pictures:
        yield note(
            "bus.pictures", what, "Its configuration is of before: it lets the pit ask tables for"
            " no pictures of cards",
            "write it anew with `tablectl broker`, and have the server read it",
        )  # fmt: skip


def _password(section: BusSection) -> str | None:
    if section.password_file is None:
        return None
    return section.password_file.read_text(encoding="utf-8").strip()


class _BrokerSeen(NamedTuple):
    """What a broker has, and lets the pit ask for."""

    has_buffer: bool
    gives_pictures: bool


async def _look(
    section: BusSection, password: str | None, context: ssl.SSLContext | None
) -> _BrokerSeen:
    """Raises `_BrokerRefused`."""
    client = BusClient()
    why: list[str] = []

    async def failed(error: Exception) -> None:
        why.append(str(error) or type(error).__name__)

    try:
        await client.connect(
            list(section.servers), name="tablectl doctor", tls=context, allow_reconnect=False,
            max_reconnect_attempts=1, reconnect_time_wait=0, connect_timeout=ANSWER_S,
            inbox_prefix=inbox(PIT), error_cb=failed, user=section.user or None,
            password=password,
        )  # fmt: skip
        # Nobody answers a question without an address, if a table of that name is there at all.
        await client.publish(_PICTURES, b"")
        try:
            await client.jetstream(timeout=ANSWER_S).stream_info(STREAM)
            has_buffer = True
        except NotFoundError:
            has_buffer = False
        return _BrokerSeen(has_buffer, not any(_PICTURES in each.lower() for each in why))
    except (NatsError, APIError, OSError, TimeoutError) as error:
        others = [each for each in why if _PICTURES not in each.lower()]
        said = others[-1] if others else str(error) or type(error).__name__
        raise _BrokerRefused(said) from error
    finally:
        with suppress(NatsError, OSError):
            await client.close()


def _mend_of(said: str) -> str:
    if "uthorization" in said:
        return "bus.user and the file of its password have to be those that the broker knows"
    if "certificate" in said.lower() or "ssl" in said.lower():
        return "bus.ca_file names the authority that signed the broker's certificate"
    return "see that the broker runs, with the configuration that `tablectl broker` writes"


def database(config: PitConfig) -> CheckFinding:
    """Whether the archive's database is there and has a schema that this software knows."""
    what = f"archive, {config.archive.database}"
    try:
        state = look_at(config.archive.url(config.base))
    except (ArchiveRefused, OSError) as error:
        return bad("archive", what, str(error), "change [archive], or start the database")
    match state:
        case SchemaState.NONE:
            return not_yet("archive", what, "The first start makes its tables")
        case SchemaState.OLDER:
            return note(
                "archive", what, "The next start brings its tables up to date, and older software"
                " does not read them then", "back the database up before",
            )  # fmt: skip
        case SchemaState.NEWEST:
            return good("archive", what)


def user_names(config: PitConfig) -> list[str]:
    """The names of the pit's users and what they sign in by; empty where no archive says them."""
    try:
        with looked_into(config.archive.url(config.base)) as connection:
            return users.names(connection) if connection is not None else []
    except (ArchiveRefused, OSError):
        return []  # the finding "archive" says why
