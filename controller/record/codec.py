"""Records to bytes and back: JSON, every field by name, sealed cards as commitments.

A line is `["CardDealt/1",at_ms,mono_ns,cause,{fields}]`: the kind of fact with its version first.
The bytes are what the hash chain covers; they are written once and never written anew. A record of
an unknown kind or version is an error, never skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, Generic, TypeVar, get_args

import msgspec

from controller.record.build import build
from controller.record.fact_kinds import KINDS, FactKinds
from controller.rules.cards import Card, card
from controller.rules.messages import Message, from_plain, to_plain
from controller.rules.sealed import Sealed
from controller.table.evolve.carry_over import from_forms, public_form
from controller.table.evolve.plain_form import NewerForm
from controller.table.facts import DayClosed, DayOpened, Fact, Record, ServiceStarted
from controller.table.gaming_day import CarryOver

#: The last moment that a date can say: 9999-12-31 23:59:59.999 UTC.
LAST_MS: Final = 253_402_300_799_999
#: The form of a line, raised when the line itself changes, not the facts in it.
VERSION: Final = 2

Opening = Callable[[str], Sealed | None]
"""From a commitment to the sealed card that it commits to, None where it is not to be had."""

HiddenOpening = Callable[[str], tuple[bytes, bytes] | None]
"""From the commitment to a carry-over's hidden part to its nonce and bytes, None as above."""


def no_hidden(_commitment: str) -> None:
    """Opens nothing: an auditor does without."""


#: The facts that hold a sealed card, and in which field: one each. A correction holds seals, too,
#: but of cards that a record before it, or what its day took over, has committed to.
_SEALED: Final = {
    kind: each.name
    for kind in get_args(Fact)
    for each in fields(kind)
    if "Sealed" in str(each.type)
}


class CodecError(ValueError):
    """Bytes that are no record known here; the text says why."""


class NewerRecord(CodecError):
    """A record of newer software: not damaged, and not to be touched by this software.

    `kind` is its kind and version (`CardDealt/2`), `build` what wrote it, empty if unknown.
    """

    def __init__(self, seq: int, kind: str, build: str) -> None:
        self.seq, self.kind, self.build = seq, kind, build
        writer = f"tablectl {build}" if build else "a newer tablectl"
        super().__init__(f"record {seq} ({kind}) was written by {writer}: start that, or newer")


class RecordOfOtherForm(CodecError):
    """A record in a form that is not read here: another build wrote it, and is to be started.

    Of who wrote it `build` is what is on record, empty where the text says what to do without.
    """

    def __init__(self, text: str, build: str = "") -> None:
        self.build = build
        super().__init__(f"{text}: tablectl {build} wrote it, start that" if build else text)


_FactT = TypeVar("_FactT")


class _Line(msgspec.Struct, Generic[_FactT], array_like=True, forbid_unknown_fields=True):
    """A record without its sequence number, which the journal keeps beside it."""

    kind: str
    at_ms: int
    mono_ns: int
    cause: str
    fact: _FactT


_AnyLine = _Line[dict[str, Any]]


def _plain(value: object) -> object:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Sealed):
        return value.digest
    if isinstance(value, Message):
        return to_plain(value)
    if isinstance(value, CarryOver):
        return {"fields": public_form(value), "hidden": value.hidden}
    raise TypeError(f"a record cannot hold {type(value).__name__}")


_ENCODE: Final = msgspec.json.Encoder(enc_hook=_plain).encode
_NAMES: Final = KINDS.names
#: A record's bytes begin with its kind and version: `["CardDealt/1",…`.
_BEFORE_NAME: Final = 2
#: The field by which a service that starts says which build it is, in every version of the fact.
_BUILD: Final = "software"


def seals_in(record: Record) -> list[Sealed]:
    """The sealed cards that a record holds."""
    fact = record.fact
    if isinstance(fact, DayOpened):
        return _sealed_below(fact.carried.fields) if fact.carried else []
    name = _SEALED.get(type(fact))
    seal: Sealed | None = getattr(fact, name) if name else None
    return [] if seal is None else [seal]


def commitments_in(record: Record) -> list[str]:
    """The commitments that a record holds: to sealed cards, to what a day takes over hidden, and
    to the key of commands' digests.
    """
    fact = record.fact
    found = [seal.digest for seal in seals_in(record)]
    if isinstance(fact, DayClosed):
        found.append(fact.hidden)
    if isinstance(fact, DayOpened) and fact.carried is not None:
        found += (fact.carried.hidden, fact.carried.fields["run"].print_key)
    if isinstance(fact, ServiceStarted):
        found.append(fact.print_key)
    return [each for each in found if each]


def _sealed_below(value: object) -> list[Sealed]:
    """Every sealed card that a value holds, at any depth."""
    if isinstance(value, Sealed):
        return [value]
    if isinstance(value, Mapping):
        return _sealed_below((*value.keys(), *value.values()))
    if isinstance(value, tuple | frozenset):
        return [seal for each in value for seal in _sealed_below(each)]
    if is_dataclass(value) and not isinstance(value, type | Enum):
        return [seal for each in fields(value) for seal in _sealed_below(getattr(value, each.name))]
    return []


def encode(record: Record) -> bytes:
    """The bytes of a record."""
    fact = record.fact
    return _ENCODE((_NAMES[type(fact)], record.at_ms, record.mono_ns, record.cause, fact))


def kind_of(body: bytes) -> str:
    """The kind and version that a record's bytes name: `CardDealt/1`."""
    return body[_BEFORE_NAME : body.find(b'"', _BEFORE_NAME)].decode(errors="replace")


def build_told(body: bytes) -> str:
    """The build that a start tells, or what a day takes over, in whatever form; else empty."""
    try:
        fact = msgspec.json.decode(body)[-1]
        found = fact[_BUILD] if _BUILD in fact else fact["carried"]["fields"]["run"][_BUILD]
    except (msgspec.DecodeError, RecursionError, LookupError, TypeError):
        return ""
    return found if isinstance(found, str) else ""


@cache
def _names_of_starts(kinds: FactKinds) -> frozenset[bytes]:
    """Of the kinds of facts that tell a build, the names: there are a hundred to look through."""
    return frozenset(
        name.encode()
        for kind, name in kinds.names.items()
        if any(field.name == _BUILD for field in fields(kind))
    )


class Decoder:
    """Bytes to records, in the order of the record; `opening` finds what a commitment commits to.

    `build` is the one that wrote what was decoded last, as far as a start on record, or what the
    day takes over, told it; or whoever has looked further on. It stays empty where records are not
    all `of_one_table`.
    """

    def __init__(
        self, opening: Opening, kinds: FactKinds = KINDS, hidden: HiddenOpening = no_hidden, *,
        of_one_table: bool = True,
    ) -> None:  # fmt: skip
        def revive(wanted: type, value: Any) -> object:
            if wanted is Card:
                return card(value)
            if wanted is Message:
                return from_plain(value)
            if wanted is Sealed:
                return opening(value) or Sealed(None, digest=value)
            if wanted is CarryOver:
                found = hidden(value["hidden"])
                parts = (found[0], msgspec.json.decode(found[1])) if found else None
                return from_forms(value["fields"], value["hidden"], parts, opening)
            raise TypeError(f"a record cannot hold {wanted.__name__}")

        self.build = ""
        self._of_one_table = of_one_table
        self._kinds = kinds
        self._lines: dict[bytes, msgspec.json.Decoder[_Line[Any]]] = {
            name.encode(): msgspec.json.Decoder(_Line[kind], dec_hook=revive)  # type: ignore[valid-type]
            for kind, name in kinds.names.items()
        }
        self._starts = _names_of_starts(kinds)

    def decode(self, seq: int, version: int, body: bytes) -> Record:
        """The record at `seq`.

        Raises `NewerRecord` for one of newer software, `RecordOfOtherForm`, `CodecError`.
        """
        if version > VERSION:
            raise NewerRecord(seq, f"format {version}", self.build)
        if version < VERSION:
            raise RecordOfOtherForm(
                f"record {seq} has format {version}, this software reads {VERSION}: it is of a"
                " tablectl before its first release; keep the file, and begin a new record"
            )
        name = body[_BEFORE_NAME : body.find(b'"', _BEFORE_NAME)]
        lines = self._lines.get(name)
        try:
            line = lines.decode(body) if lines else self._other(seq, name.decode(), body)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            if isinstance(error, CodecError):
                raise
            if isinstance(error.__cause__, NewerForm):
                raise NewerRecord(seq, f"{name.decode()}: {error.__cause__}", self.build) from error
            raise self._unreadable(f"record {seq} cannot be read", body, error) from error
        if not 0 <= line.at_ms <= LAST_MS:
            raise CodecError(f"record {seq} is of no time that a clock shows")
        if self._of_one_table:
            self._learn_build(name, line.fact)
        return Record(seq, line.at_ms, line.mono_ns, line.cause, line.fact)

    def _learn_build(self, name: bytes, fact: object) -> None:
        if name in self._starts:
            self.build = getattr(fact, _BUILD)
        elif isinstance(fact, DayOpened) and fact.carried is not None:
            self.build = fact.carried.fields["run"].software

    def _unreadable(self, what: str, body: bytes, error: Exception) -> CodecError:
        """Bytes that fit no kind as it is here: of the build that wrote them, if that is another.

        What no build can have written is JSON of no kind, or comes of this very build.
        """
        wrote = self.build or build_told(body)
        if isinstance(error, msgspec.ValidationError) and wrote not in ("", build()):
            return RecordOfOtherForm(f"{what} here ({error})", wrote)
        return CodecError(f"{what}: {error}")

    def _other(self, seq: int, name: str, body: bytes) -> _Line[Any]:
        """A line of another version than today's. Raises `CodecError`, `NewerRecord`."""
        line = msgspec.json.decode(body, type=_AnyLine)
        if self._kinds.is_newer(name):
            told = line.fact.get(_BUILD)
            raise NewerRecord(seq, name, told if isinstance(told, str) else self.build)
        upgraded = self._kinds.upgraded(name, line.fact)
        if upgraded is None:
            raise CodecError(f"record {seq} is of unknown kind {name!r}")
        today, fact = upgraded
        line = msgspec.structs.replace(line, kind=today, fact=fact)
        return self._lines[today.encode()].decode(msgspec.json.encode(line))
