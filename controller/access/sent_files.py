"""The files of people whom a pit sends to a table: its document, the table's key, names alone.

What opens them, with its library, is loaded with the key: a table of a pit that sends none, or of
none, does without.
"""

from __future__ import annotations

import stat
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from controller.access.directory import PeopleError
from controller.access.durable_file import put_in_place
from controller.people.document import MOST_BYTES, PeopleDocument, PeopleRefused, check_next
from controller.people.key_file import KEY_BYTES, made_file
from controller.rules.frozen import frozen

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey


class Overdue(Enum):
    """Who may act once the newest directory's time is over; the value is the configuration's."""

    #: Those in it, and the table's own people where there are any.
    KEEP = "keep"
    #: The table's own people alone.
    OWN = "own"


@frozen
class SentSettings:
    """Where the directory of `table` is kept (`path`), who signs it (`keys`, hex), to which key of
    the table it is sealed (`key_file`), and in which file the names alone stand for programs that
    say who an id on record is. `own` is the file of the table's own people, who may act while there
    is no directory, or an old one (`overdue`).
    """

    table: str
    path: Path
    keys: tuple[str, ...]
    key_file: Path
    names_file: Path
    own: Path | None = None
    overdue: Overdue = Overdue.KEEP


def own_key(path: Path) -> X25519PrivateKey:
    """A table's key, made where there is none. Raises `PeopleError`, also where others read it."""
    try:
        return _key_of(path, made_file(path))
    except PeopleError:
        raise
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no key"
        raise PeopleError(
            f"people.key_file: {path} cannot be used ({why}): `tablectl person key` makes one that"
            " the service may read, where there is none"
        ) from None


def _key_of(path: Path, secret: bytes) -> X25519PrivateKey:
    """Raises `OSError`, `PeopleError`, `ValueError`."""
    if len(secret) != KEY_BYTES:
        raise ValueError("it is no key")
    if path.stat().st_mode & stat.S_IRWXO:
        raise PeopleError(f"others may read {path}: chmod 600 {path}")
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(secret)


def read_body(path: Path) -> bytes:
    """What a file of a document holds; one byte more than any has, if it is longer.

    Raises `OSError`.
    """
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def examined(settings: SentSettings) -> PeopleDocument | None:
    """The document that lies there, None where none has come. Changes nothing.

    Raises `PeopleError`, also where there is no key; `PeopleRefused` for one that does not hold.
    """
    try:
        key = _key_of(settings.key_file, settings.key_file.read_bytes())
        body = read_body(settings.path)
    except FileNotFoundError as error:
        if error.filename == str(settings.path):
            return None
        raise PeopleError(
            f"people.key_file: there is no {settings.key_file}: make it with `tablectl person key`,"
            " and give its public half to the pit"
        ) from None
    except PeopleError:
        raise
    except (OSError, ValueError) as error:
        raise PeopleError(f"people: {error}") from None
    return opened(body, settings, key)


def opened(body: bytes, settings: SentSettings, key: X25519PrivateKey) -> PeopleDocument:
    """What a document for this table says. Raises `PeopleRefused`."""
    from controller.people.sealing import opened_document

    return opened_document(body, settings.table, settings.keys, key)


def take_file(settings: SentSettings, source: Path, now_ms: int) -> PeopleDocument:
    """Put a document of the file `source` in place of the one that is there, for a table with no
    bus; a running table takes it up by itself, and holds it against what is in force there.

    Raises `PeopleError`, `PeopleRefused`, `OSError`.
    """
    body = read_body(source)
    key = own_key(settings.key_file)
    document = opened(body, settings, key)
    try:
        before = opened(read_body(settings.path), settings, key)
    except (FileNotFoundError, PeopleRefused):
        check_next(document, None, now_ms)
    else:
        check_next(document, before.mark, now_ms)
    put_in_place(settings.path, body)
    return document
