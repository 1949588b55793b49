"""Which facts are public, and which of their fields; the schema of a public fact.

Public is what players may see: rounds, windows, seats, the shoe, that the table is held. People's
ids, what they typed, names of pictures, devices, the house's chips and what the pit asks are not.
Each kind and each field is named here, so that a new one is not shown before somebody says so (a
test asks for it). A card that lies face down is a commitment, as on record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Final, NamedTuple

import msgspec

from controller.record.fact_kinds import KINDS, FactKinds
from controller.record.fact_schemas import Schema, fact_schemas
from controller.table import facts as f
from controller.table.evolve.plain_form import default_of

#: The fields of each public fact that are shown.
SHOWN: Final[Mapping[type, tuple[str, ...]]] = {
    f.TableOpened: ("pack",),
    f.ServiceStarted: ("simulated",),
    f.DayOpened: ("label", "ends_ms"),
    f.DayClosed: ("label", "next_label"),
    f.PlayClosed: (),
    f.PlayOpened: (),
    f.PackLoaded: ("number", "cards", "burns", "counted"),
    f.ShoeCut: ("at", "declared"),
    f.CutCardSeen: (),
    f.ShoeRejected: (),
    f.DiscardsReturned: (),
    f.ShoeReconciled: ("number", "left"),
    f.CardBurned: ("card", "set_aside"),
    f.CardKept: ("card",),
    f.KeptCardUsed: ("card", "nonce", "serial"),
    f.CardLeftUnread: (),
    f.DealerChanged: ("burns",),
    f.WagerPlaced: ("seat", "amount"),
    f.WagerRemoved: ("seat",),
    f.BetsClosed: ("number", "wagers", "game", "revision", "options", "felt"),
    f.DummyBegan: ("number", "seat", "game", "revision", "options", "felt"),
    f.CardDealt: ("card", "seat", "hand", "why", "forced", "felt"),
    f.CardDealtDown: ("card", "seat", "hand", "why", "forced", "felt"),
    f.CardTurned: ("card", "seat", "hand", "nonce", "serial", "felt"),
    f.DealerPeeked: ("natural", "felt"),
    f.Decided: ("seat", "hand", "action", "by_draw", "amount", "why", "felt"),
    f.WagerAdded: ("seat", "hand", "action", "amount", "felt"),
    f.WagerDeclined: ("seat", "hand", "action", "amount", "felt"),
    f.HandSettled: ("seat", "hand", "outcome", "wager", "net", "why", "felt"),
    f.RoundEnded: ("number", "net"),
    f.RoundVoided: ("number", "owed"),
    f.SettledRoundVoided: ("number", "owed", "day"),
    f.RoundCorrected: ("number", "net", "owed", "wagers", "opening", "steps", "day"),
    f.HoldRaised: ("number", "reason", "round"),
    f.HoldReleased: ("number", "resolution"),
    f.WindowOpened: ("kind", "seat", "hand", "length_ms", "closes_at_ms"),
    f.LastCalled: (),
    f.WindowStopped: ("left_ms",),
    f.WindowResumed: ("closes_at_ms",),
    f.WindowExpired: ("kind", "seat", "hand"),
    f.SeatTaken: ("seat",),
    f.SeatReserved: ("seat",),
    f.SeatLeft: ("seat", "after_round"),
    f.PlayerAway: ("seat",),
    f.PlayerBack: ("seat",),
    f.ClapperBegan: ("length_ms",),
    f.ClapperEnded: (),
}
#: Kinds that are not public.
WITHHELD: Final = (
    f.AlarmTimesSet, f.DayRescheduled, f.ClockDoubted, f.DayOverdue, f.DayRemoved, f.DeviceUp,
    f.DeviceDown, f.PackOpened, f.PackCardCounted, f.RestOpened, f.RestCounted, f.PackDoubted,
    f.CardNamed, f.FeltCounted, f.ResolutionChosen, f.ResolutionUndone, f.AlarmEscalated,
    f.AlarmAcknowledged, f.AlarmAnswered, f.Refused, f.WrongPins, f.ChipsChanged, f.PitAsked,
    f.NoteSent, f.FillAnnounced, f.NoteRead, f.RackOpened, f.RackClosed, f.SlipSigned,
    f.ChipsBought, f.DropBoxChanged, f.SoftCounted, f.SlipVoided, f.DirectoryInstalled,
)  # fmt: skip
#: What a public fact's schema is called beside that of the whole one.
_PUBLIC: Final = "Public{name}"
_BEFORE_NAME: Final = 2


class PublicLine(NamedTuple):
    """What a record shows: its kind with its version, its wall time, the shown fields as JSON."""

    kind: str
    at_ms: int
    fact: bytes


class _RecordBytes(msgspec.Struct, array_like=True):
    kind: str
    at_ms: int
    mono_ns: int
    cause: str
    fact: msgspec.Raw


class PublicFacts:
    """Makes public lines of a record's bytes, by the kinds of facts that are known."""

    def __init__(self, kinds: FactKinds = KINDS) -> None:
        self._kinds = kinds
        self._public = {kinds.names[kind]: shown for kind, shown in SHOWN.items()}
        #: What older records lack, since these fields were added later: as the codec reads them.
        self._later = {
            kinds.names[kind]: {each.name: each for each in fields(kind) if _has_default(each)}
            for kind in SHOWN
        }
        #: None: every field is shown, and always there, so that the fact's own bytes are.
        self._shown = {
            name: None if len(shown) == len(fields(kind)) and not self._later[name] else shown
            for kind, shown in SHOWN.items()
            for name in [kinds.names[kind]]
        }
        self._known = frozenset(kinds.names.values())
        self._line = msgspec.json.Decoder(_RecordBytes).decode
        self._fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
        self._encode = msgspec.json.Encoder().encode

    def of(self, body: bytes) -> PublicLine | None:
        """What is public of a record; None where nothing is.

        Raises `msgspec.DecodeError` for bytes that are no record, `KeyError` for a kind that is
        not known, or without one of its fields.
        """
        name = body[_BEFORE_NAME : body.find(b'"', _BEFORE_NAME)].decode(errors="replace")
        if name in self._known and name not in self._shown:
            return None
        line = self._line(body)
        fact = bytes(line.fact)
        if name in self._known:
            shown = self._shown[name]
        else:
            name, fact = self._upgraded(name, fact)
            shown = self._public.get(name)
            if shown is None:
                return None
        if shown is not None:
            whole, later = self._fields(fact), self._later[name]
            fact = self._encode(
                {
                    each: default_of(later[each]) if each in later and each not in whole
                    else whole[each]
                    for each in shown
                }
            )  # fmt: skip
        return PublicLine(name, line.at_ms, fact)

    def _upgraded(self, name: str, fact: bytes) -> tuple[str, bytes]:
        """A fact of an older version in today's form."""
        found = self._kinds.upgraded(name, msgspec.json.decode(fact, type=dict[str, Any]))
        if found is None:
            raise KeyError(name)
        return found[0], self._encode(found[1])


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def public_schemas() -> dict[str, Schema]:
    """The schema of each public fact, by its name: that of the whole fact without what is not
    shown.
    """
    whole, found = fact_schemas(), {}
    for kind, shown in SHOWN.items():
        schema = whole[kind.__name__]
        found[_PUBLIC.format(name=kind.__name__)] = {
            **{name: value for name, value in schema.items() if name != "required"},
            "title": _PUBLIC.format(name=kind.__name__),
            "properties": {each: schema["properties"][each] for each in shown},
            "required": list(shown),
        }
    return found


def public_events(schema: Schema) -> Iterator[Schema]:
    """The schema of a public event, for each kind of fact; `schema` is that of all of them."""
    for kind in SHOWN:
        common = {
            "kind": {"const": KINDS.names[kind]},
            "fact": {"$ref": f"#/components/schemas/{_PUBLIC.format(name=kind.__name__)}"},
        }
        yield {**schema, "properties": {**schema["properties"], **common}}
