"""Records to bytes and back: JSON, versioned, every field by name, sealed cards as commitments.

The bytes are what the hash chain covers; they are written once and never written anew. A record
of an unknown version or kind is an error, never skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, Generic, TypeVar, get_args

import msgspec

from controller.rules.cards import Card, card
from controller.rules.sealed import Sealed
from controller.table.facts import Fact, Record

VERSION: Final = 1

Opening = Callable[[str], Sealed | None]
"""From a commitment to the sealed card that it commits to, None where it is not to be had."""

_KINDS: Final[dict[str, type[Fact]]] = {each.__name__: each for each in get_args(Fact)}

#: The facts that hold a sealed card, and in which field.
_SEALED: Final = {
    kind: each.name
    for kind in get_args(Fact)
    for each in fields(kind)
    if "Sealed" in str(each.type)
}


class CodecError(ValueError):
    """Bytes that are no record of a version known here."""


_FactT = TypeVar("_FactT")


class _Line(msgspec.Struct, Generic[_FactT], array_like=True, forbid_unknown_fields=True):
    """A record without its sequence number, which the journal keeps beside it."""

    kind: str
    at_ms: int
    mono_ns: int
    cause: str
    fact: _FactT


def _plain(value: object) -> object:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Sealed):
        return value.digest
    raise TypeError(f"a record cannot hold {type(value).__name__}")


_ENCODE: Final = msgspec.json.Encoder(enc_hook=_plain).encode
#: A record's bytes begin with its kind: `["CardDealt",…`.
_BEFORE_KIND: Final = 2


def sealed_in(record: Record) -> Sealed | None:
    """The sealed card that a record holds, if any."""
    name = _SEALED.get(type(record.fact))
    seal: Sealed | None = getattr(record.fact, name) if name else None
    return seal


def encode(record: Record) -> bytes:
    """The bytes of a record."""
    fact = record.fact
    line = (type(fact).__name__, record.at_ms, record.mono_ns, record.cause, fact)
    return _ENCODE(line)


class Decoder:
    """Bytes to records; `opening` finds what a commitment commits to."""

    def __init__(self, opening: Opening) -> None:
        def revive(wanted: type, value: Any) -> object:
            if wanted is Card:
                return card(value)
            if wanted is Sealed:
                return opening(value) or Sealed(None, digest=value)
            raise TypeError(f"a record cannot hold {wanted.__name__}")

        self._lines: dict[bytes, msgspec.json.Decoder[_Line[Any]]] = {
            name.encode(): msgspec.json.Decoder(_Line[kind], dec_hook=revive)  # type: ignore[valid-type]
            for name, kind in _KINDS.items()
        }

    def decode(self, seq: int, version: int, body: bytes) -> Record:
        """The record at `seq`. Raises `CodecError`."""
        if version != VERSION:
            raise CodecError(
                f"record {seq} has format {version}, this software reads {VERSION}: "
                "start the software that wrote it"
            )
        kind = body[_BEFORE_KIND : body.find(b'"', _BEFORE_KIND)]
        try:
            line = self._lines[kind].decode(body)
        except KeyError:
            raise CodecError(f"record {seq} is of unknown kind {kind!r}") from None
        except (msgspec.DecodeError, ValueError) as error:
            raise CodecError(f"record {seq} cannot be read: {error}") from error
        return Record(seq, line.at_ms, line.mono_ns, line.cause, line.fact)
