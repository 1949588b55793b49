"""What a gaming day takes over from the one before, field by field, and what it does not, and why.

Every field of `State` and of its parts has a rule here; a test fails for one that has none. What
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
    "setup", "setup_seq", "shoe", "clock.table_ns", "clock.since_seq", "clock.since_ms",
    "run.software", "run.decisions", "run.card_sources", "run.simulated", "run.alarm_times",
    "run.print_key",
    "devices", "spots", "phase", "dealer",
    "betting.wagers", "betting.last_wagers", "betting.button", "window", "players",
    "rounds.latest", "rounds.past", "rounds.pictures", "rounds.decided_at", "kept_cards", "ledger",
    "recount",
    "holds", "alarms", "counts.rounds", "counts.holds", "counts.alarms",
    "commands.refusal", "commands.answered", "pit.closed", "pit.notes",
    "pit.asked_ms", "pit.asked_seq", "pit.directory", "money",
)  # fmt: skip
#: Fields that are not taken over, each with its reason.
DROPPED: Final[Mapping[str, str]] = {
    "game": "made of the setup again",
    "seq": "the number of the record that opens the day",
    "clock.at_ms": "the time of the record that opens the day",
    "clock.mono_ns": "the time of the record that opens the day",
    "day": "what the record that opens the day says",
    "script": "of the round in play; it is made again from the round that is on record",
    "clapper_due_ns": "of some seconds; a day that is closed meanwhile ends it",
    "closed_windows": "of the day that ends: bets of the next round are open since",
    "resolved": "a new day has begun since: it is not undone, but corrected",
    "turn_ns": "of the round in play, by the clock of the service's run",
    "held_until_ns": "by the clock of the service's run; between rounds no card is on its way",
    "wrong_pins": "of the day that ends; whoever asks about it looks there",
    "commands.named": "an entry is confirmed by the very next command, or not at all",
}
#: Parts of what is taken over that would tell hidden cards: they go with the openings.
HIDDEN: Final[Mapping[str, frozenset[str]]] = {
    # Serial numbers that left the shoe: those that were not seen belong to hidden cards.
    "Shoe": frozenset({"serials"}),
    # Serial numbers of packs, and weights that burned cards have a part in.
    "Ledger": frozenset({"serials", "known", "watches"}),
}

_TYPES: Final = get_type_hints(State)
#: The state's own fields of which something is taken over, and the dropped fields of its parts.
_NAMES: Final = tuple(dict.fromkeys(each.partition(".")[0] for each in CARRIED))
_DROPPED_IN: Final[Mapping[str, frozenset[str]]] = {
    part: frozenset(leaf for each in DROPPED for of, _, leaf in [each.partition(".")] if of == part)
    for part in _NAMES
}
_LEFT_OUT: Final = {_TYPES[part].__name__: gone for part, gone in _DROPPED_IN.items() if gone}
_FORM: Final = PlainForm(tuple(_TYPES[name] for name in _NAMES), {**HIDDEN, **_LEFT_OUT})
_HIDDEN_TYPES: Final = {"Shoe": get_type_hints(Shoe), "Ledger": get_type_hints(Ledger)}
_HIDDEN_FORM: Final = PlainForm(
    tuple(_HIDDEN_TYPES[kind][name] for kind, names in HIDDEN.items() for name in sorted(names))
)


def carry_over(state: State, nonce: bytes = b"") -> CarryOver:
    """What the day after the one of `state` takes over; its hidden part committed to by `nonce`."""
    taken = {name: _without_dropped(name, getattr(state, name)) for name in _NAMES}
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


def _without_dropped(name: str, value: Any) -> Any:
    """A field of the state with what its part drops at its default."""
    if not (gone := _DROPPED_IN[name]):
        return value
    return changed(
        value, {each.name: default_of(each) for each in fields(value) if each.name in gone}
    )


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
        if name not in _NAMES:
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
    for name in _NAMES:
        if mine[name] != theirs[name]:
            return ".".join((name, *_first_key(mine[name], theirs[name])))
    if hidden_form(one) != hidden_form(other):
        return "what goes with the openings"
    return ""
