"""What a gaming day takes over from the one before, field by field, and what it does not, and why.

Every field of `State` and of its parts has a rule here; a test fails for one that has none. The
names on record are older than some parts: they stay what they are, whatever is moved here. What
would tell cards that lie face down, or that were burned, goes with the openings of sealed cards
(`HIDDEN`): an auditor who has no openings derives the rest, whose digest `DayClosed` names.
People's PINs and their hashes are no part of a state, so that none can be carried.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from hashlib import sha256
from itertools import islice
from typing import Any, Final, get_type_hints

from controller.rules.game import Game
from controller.table.evolve.plain_form import FormError, NewerForm, Opening, PlainForm, default_of
from controller.table.facts import DayClosed, DayOpened
from controller.table.gaming_day import CarryOver
from controller.table.growing import changed
from controller.table.inputs.pit import LATEST_MS
from controller.table.shoe.ledger import Ledger
from controller.table.shoe.shoe import Shoe
from controller.table.state.answers import Answers
from controller.table.state.state import State

#: Fields of the state that the next day takes over as they are; "part.field" is one of a part.
CARRIED: Final = (
    "terms.setup", "terms.setup_seq", "shoe", "clock.table_ns", "clock.since_seq", "clock.since_ms",
    "run.software", "run.decisions", "run.card_sources", "run.simulated", "run.alarm_times",
    "run.print_key",
    "run.devices", "betting.spots", "phase", "people.dealer",
    "betting.wagers", "betting.last_wagers", "betting.button", "remote.window", "remote.players",
    "rounds.latest", "rounds.past", "rounds.pictures", "rounds.decided_at",
    "aftermath.kept_cards", "ledger", "aftermath.recount",
    "holds", "alarms", "counts.rounds", "counts.holds", "counts.alarms",
    "commands.refusal", "commands.answered", "pit.closed", "pit.notes",
    "pit.asked_ms", "pit.asked_seq", "pit.directory", "money",
)  # fmt: skip
#: Fields that are not taken over, each with its reason.
DROPPED: Final[Mapping[str, str]] = {
    "terms.game": "made of the setup again",
    "clock.seq": "the number of the record that opens the day",
    "clock.at_ms": "the time of the record that opens the day",
    "clock.mono_ns": "the time of the record that opens the day",
    "day": "what the record that opens the day says",
    "rounds.script": "of the round in play; it is made again from the round that is on record",
    "remote.clapper_due_ns": "of some seconds; a day that is closed meanwhile ends it",
    "remote.closed_windows": "of the day that ends: bets of the next round are open since",
    "aftermath.resolved": "a new day has begun since: it is not undone, but corrected",
    "rounds.turn_ns": "of the round in play, by the clock of the service's run",
    "aftermath.held_until_ns": (
        "by the clock of the service's run; between rounds no card is on its way"
    ),
    "people.wrong_pins": "of the day that ends; whoever asks about it looks there",
    "commands.named": "an entry is confirmed by the very next command, or not at all",
}
#: Fields of parts that stand on record by themselves, under the field's name; the others that are
#: taken over stand there with their part.
ALONE: Final = frozenset(
    {
        "terms.setup", "terms.setup_seq", "run.devices", "betting.spots", "people.dealer",
        "remote.window", "remote.players", "aftermath.kept_cards", "aftermath.recount",
    }
)  # fmt: skip
#: Parts of what is taken over that would tell hidden cards: they go with the openings.
HIDDEN: Final[Mapping[str, frozenset[str]]] = {
    # Serial numbers that left the shoe: those that were not seen belong to hidden cards.
    "Shoe": frozenset({"serials"}),
    # Serial numbers of packs, and weights that burned cards have a part in.
    "Ledger": frozenset({"serials", "known", "watches"}),
}

_TYPES: Final = get_type_hints(State)


def _name(path: str) -> str:
    part, _, leaf = path.partition(".")
    return leaf if path in ALONE else part


#: Where in a state each name on record has its value: a part, and a field of it, empty for all.
_PLACES: Final[Mapping[str, tuple[str, str]]] = {
    _name(path): (part, leaf if path in ALONE else "")
    for path in CARRIED
    for part, _, leaf in [path.partition(".")]
}
#: Fields of parts that do not stand on record with their part.
_GONE: Final[Mapping[str, frozenset[str]]] = {
    part: frozenset(
        leaf
        for path in (*DROPPED, *ALONE)
        for of, _, leaf in [path.partition(".")]
        if of == part and leaf
    )
    for part in _TYPES
}
_LEFT_OUT: Final = {_TYPES[part].__name__: gone for part, gone in _GONE.items() if gone}


def _type(name: str) -> Any:
    part, leaf = _PLACES[name]
    return get_type_hints(_TYPES[part])[leaf] if leaf else _TYPES[part]


_FORM: Final = PlainForm(tuple(map(_type, _PLACES)), {**HIDDEN, **_LEFT_OUT})
_HIDDEN_TYPES: Final = {"Shoe": get_type_hints(Shoe), "Ledger": get_type_hints(Ledger)}
_HIDDEN_FORM: Final = PlainForm(
    tuple(_HIDDEN_TYPES[kind][name] for kind, names in HIDDEN.items() for name in sorted(names))
)


def carry_over(state: State, nonce: bytes = b"") -> CarryOver:
    """What the day after the one of `state` takes over; its hidden part committed to by `nonce`."""
    taken = {name: _taken(state, *place) for name, place in _PLACES.items()}
    if state.day is not None:
        # Keys of the day that ends; those of the day before it have had their time.
        first_seq, answers = state.day.first_seq, state.commands.answered
        answered = Answers.of((key, each) for key, each in answers if each.seq >= first_seq)
        taken["commands"] = changed(taken["commands"], {"answered": answered})
        if 0 < state.pit.asked_seq < first_seq:
            # Whatever was asked for before its key was forgotten is late from here on.
            asked_ms = state.pit.asked_ms + LATEST_MS
            taken["pit"] = changed(taken["pit"], {"asked_ms": asked_ms, "asked_seq": 0})
    hidden = canonical(hidden_form(CarryOver(taken)))
    return CarryOver(taken, hidden_commitment(nonce, hidden), nonce)


def _taken(state: State, part: str, leaf: str) -> Any:
    """What is taken over of a part; what does not stand on record with it is at its default."""
    value = getattr(state, part)
    if leaf:
        return getattr(value, leaf)
    if not (gone := _GONE[part]):
        return value
    return changed(
        value, {each.name: default_of(each) for each in fields(value) if each.name in gone}
    )


def in_parts(carried: CarryOver, game: Game) -> dict[str, Any]:
    """What is taken over, by the parts of a state whose game is `game`."""
    parts: dict[str, Any] = {}
    alone: dict[str, dict[str, Any]] = {"terms": {"game": game}}
    for name, value in carried.fields.items():
        part, leaf = _PLACES[name]
        if leaf:
            alone.setdefault(part, {})[leaf] = value
        else:
            parts[part] = value
    for part, values in alone.items():
        parts[part] = replace(parts[part], **values) if part in parts else _TYPES[part](**values)
    return parts


def next_day(state: State, closed: DayClosed, nonce: bytes) -> DayOpened:
    """What opens the day after the one that `closed` closed; `state` is the table after that.

    `nonce` is that of the commitment `closed.hidden`.
    """
    carried = carry_over(state, nonce)
    return DayOpened(closed.next_label, closed.next_ends_ms, closed.schedule, carried)


def public_form(carried: CarryOver) -> dict[str, Any]:
    """The part that stands on record, as plain data; sealed cards are commitments."""
    return {name: _FORM.plain(value) for name, value in carried.fields.items()}


def hidden_form(carried: CarryOver) -> dict[str, Any]:
    """The part that goes with the openings, as plain data."""
    parts = {"Shoe": carried.fields["shoe"], "Ledger": carried.fields["ledger"]}
    return {
        kind: {name: _HIDDEN_FORM.plain(getattr(parts[kind], name)) for name in sorted(names)}
        for kind, names in HIDDEN.items()
    }


def from_forms(
    public: Mapping[str, Any],
    commitment: str,
    hidden: tuple[bytes, Mapping[str, Any]] | None,
    opening: Opening,
) -> CarryOver:
    """What was carried over, from its plain data.

    `hidden` is what opens the commitment to the hidden part, and that part; None: it is empty.
    Raises `FormError`, `NewerForm`.
    """
    nonce, parts = hidden or (b"", {})
    for name in public:
        if name not in _PLACES:
            raise NewerForm(f"State.{name} is not known to this software")
    found = {name: _FORM.value(plain, opening) for name, plain in public.items()}
    for kind, field in (("Shoe", "shoe"), ("Ledger", "ledger")):
        if field not in found:
            raise FormError(f"State.{field} is missing")
        secret = {
            name: _HIDDEN_FORM.value(plain, opening) for name, plain in parts.get(kind, {}).items()
        }
        found[field] = replace(found[field], **secret)
    return CarryOver(found, commitment, nonce, public)


def canonical(form: Mapping[str, Any]) -> bytes:
    """The bytes of plain data, the same for the same data."""
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(carried: CarryOver) -> str:
    """The digest of what is carried over, hexadecimal, as `DayClosed` names it."""
    return sha256(canonical(public_form(carried))).hexdigest()


def hidden_commitment(nonce: bytes, hidden: bytes) -> str:
    """The commitment, hexadecimal, to the canonical bytes of the part that is hidden."""
    return hmac.digest(nonce, hidden, "sha256").hex()


def covers(recorded: Any, derived: Any) -> bool:
    """Whether plain data on record is what this software derives, which may know more fields."""
    if isinstance(recorded, dict) and isinstance(derived, dict):
        return all(key in derived and covers(recorded[key], derived[key]) for key in recorded)
    if isinstance(recorded, list) and isinstance(derived, list):
        return len(recorded) == len(derived) and all(map(covers, recorded, derived))
    return bool(recorded == derived)


def _first_key(one: Any, other: Any) -> Iterator[str]:
    """The first key in which two objects differ; none of other data."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = (each for each in one if one[each] != other.get(each))
        yield from islice(keys, 1)


def difference(one: CarryOver, other: CarryOver) -> str:
    """The first field in which two differ, hidden parts included; empty if they do not."""
    mine, theirs = public_form(one), public_form(other)
    for name in _PLACES:
        if mine[name] != theirs[name]:
            return ".".join((name, *_first_key(mine[name], theirs[name])))
    if hidden_form(one) != hidden_form(other):
        return "what goes with the openings"
    return ""
