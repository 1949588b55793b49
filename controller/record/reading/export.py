"""Records as an auditor's program reads them: typed columns, or JSON that holds all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from controller.record.files.span import Span
from controller.record.reading.history import LoggedRecord, logged_records
from controller.record.reading.report_text import clock
from controller.rules.cards import Card
from controller.rules.sealed import Sealed

#: The columns of a table of records, and what stands in them; an empty cell: it has none.
COLUMNS: Final = {
    "seq": "the record's number",
    "at": "wall time, UTC",
    "at_ms": "the same in ms since the epoch",
    "day": "gaming day",
    "round": "number of the round",
    "kind": "what happened",
    "text": "the same in words",
    "seat": "seat or box; 0 is the dealer",
    "hand": "hand of the seat; 0 is a side bet",
    "card": "code of a card that lies face up",
    "sealed": "commitment to a card that lies face down",
    "action": "a player's action",
    "amount": "minor units",
    "net": "the player's gain, or the players' in all; minor units",
    "hold": "number of the hold",
    "device": "name of the device or reader",
    "marks": "what it is to be noticed for, separated by spaces",
    "by": "ids of who gave their PINs, each with the role of then: id:role, separated by spaces",
    "reason": "what they typed",
    "took_ms": "how long what it ends had lasted",
    "picture": "name of a picture that may be shown",
    "cause": "id of the input that led to it",
    "mono_ns": "monotonic clock of the service's run",
    "version": "version of the kind of fact",
    "hash": "the record's link of the chain",
}


def rows(folder: Path, first: str = "", last: str = "") -> Iterator[dict[str, object]]:
    """Every record by the names of `COLUMNS`; None where it has none. Raises `JournalError`.

    No hidden card is in it before its reveal: what is not turned is a commitment.
    """
    for each in logged_records(Span(folder, first, last)):
        yield _row(each)


def _row(each: LoggedRecord) -> dict[str, object]:
    fact, line = each.record.fact, each.line
    name, at_ms, mono_ns, cause, _ = json.loads(each.row.body)
    kind, _, version = name.partition("/")
    card = getattr(fact, "card", None)
    action = getattr(fact, "action", None)
    by = [f"{person.id}:{person.role.value}" for person in getattr(fact, "by", ())]
    return {
        "seq": each.row.seq, "at": clock(at_ms), "at_ms": at_ms,
        "day": each.state.day.label if each.state.day else None,
        "round": line.round or None, "kind": kind, "text": line.text,
        "seat": getattr(fact, "seat", None), "hand": getattr(fact, "hand", None),
        "card": card.code if isinstance(card, Card) else None,
        "sealed": card.digest if isinstance(card, Sealed) else None,
        "action": None if action is None else action.value,
        "amount": getattr(fact, "amount", None), "net": getattr(fact, "net", None),
        "hold": line.hold or None,
        "device": getattr(fact, "device", None) or getattr(fact, "source", None),
        "marks": " ".join(line.marks), "by": " ".join(by), "reason": line.reason,
        "took_ms": line.took_ms, "picture": line.picture, "cause": cause, "mono_ns": mono_ns,
        "version": int(version), "hash": each.row.hash.hex(),
    }  # fmt: skip


def json_lines(folder: Path, first: str = "", last: str = "") -> Iterator[bytes]:
    """Every record as JSON: what its row says, and the whole fact. Raises `JournalError`."""
    for each in logged_records(Span(folder, first, last)):
        # The fact's own bytes: they are what the chain covers.
        fact = msgspec.json.decode(each.row.body, type=list[msgspec.Raw])[-1]
        shown = {name: value for name, value in _row(each).items() if value not in (None, "")}
        yield msgspec.json.encode({**shown, "fact": fact})
