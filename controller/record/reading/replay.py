"""Records replayed: rows to records to the states after them, what follows from nothing refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

from controller.record.codec import (
    CodecError,
    Decoder,
    NewerRecord,
    RecordOfOtherForm,
    build_told,
    kind_of,
)
from controller.record.files.chain_store import Row
from controller.record.files.database import (
    JournalDamaged,
    RecordNewer,
    RecordOfAnotherBuild,
)
from controller.record.files.openings import Openings
from controller.rules.engine.round import Round
from controller.rules.games.registry import UnknownGame
from controller.rules.sealed import Sealed
from controller.table.decide.judge import other_decisions
from controller.table.evolve.evolve import evolve
from controller.table.facts import (
    Record,
    ServiceStarted,
)
from controller.table.state.phases import Impossible
from controller.table.state.state import State


def sealed(_digest: str) -> Sealed | None:
    """Opens no card: an auditor does without."""
    return None


class Decoded:
    """Rows decoded, with the openings of a day or without any."""

    def __init__(self, openings: Openings | None = None) -> None:
        if openings is None:
            self._decoder = Decoder(sealed)
        else:
            self._decoder = Decoder(openings.open, hidden=openings.open_carried)
        self.decode = self._decoder.decode

    @property
    def build(self) -> str:
        """The build that wrote what was decoded last, as far as it is known; else empty."""
        return self._decoder.build

    def learn_build(self, after: Iterable[Row]) -> bool:
        """Who wrote the first records of a table is told by its start, just after them."""
        if not self._decoder.build:
            told = (build_told(row.body) for row in islice(after, _TO_A_START))
            self._decoder.build = next(filter(None, told), "")
            return bool(self._decoder.build)
        return False


#: A table's first start is told by one of so many records.
_TO_A_START: Final = 8


Judge = Callable[[State | None, Record], Round | None]
"""Asks whether a record follows by the rules; the script of the round in play after it."""


#: What code that trusts its facts raises for one that a table never wrote. Only a record whose
#: whole chain was rebuilt comes this far; a defect of ours shows as the same, and names itself.
UNFIT: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


def not_judged(state: State | None, record: Record) -> None:
    """What stands on record is trusted, as the chain is whole."""


def decoded_rows(path: Path, rows: Iterable[Row], decoded: Decoded) -> Iterator[tuple[Row, Record]]:
    """Every row with its record. Raises `RecordOfAnotherBuild`, `JournalDamaged`."""
    rows = iter(rows)
    for row in rows:
        try:
            record = decoded.decode(row.seq, row.version, row.body)
        except NewerRecord as error:
            raise RecordNewer(path, str(error)) from error
        except RecordOfOtherForm as error:
            # The chain that was checked so far says that these are the bytes that were written.
            raise RecordOfAnotherBuild(path, str(error)) from error
        except CodecError as error:
            if decoded.learn_build(rows):
                yield from decoded_rows(path, (row,), decoded)  # says whose it is
            raise JournalDamaged(path, str(error), row.seq - 1) from error
        yield row, record


def replayed(
    path: Path,
    rows: Iterable[Row],
    decoded: Decoded,
    state: State | None = None,
    judge: Judge = not_judged,
) -> Iterator[tuple[Row, Record, State]]:
    """Every record with the state after it; `state` is the one before the first.

    `judge` is asked about each record before it is applied.
    Raises `JournalDamaged` at the first that does not follow from the ones before it, `RecordNewer`
    at one that newer software wrote, `RecordOfAnotherBuild` at one that does not follow here and
    was decided by another revision of the table.
    """
    records = decoded_rows(path, rows, decoded)
    for row, record in records:
        try:
            state = evolve(state, record, judge(state, record))
        except UnknownGame as error:
            kind = f"{kind_of(row.body)}: there is no game {error.name!r} in this software"
            build = _starts(record, records) or decoded.build
            raise RecordNewer(path, str(NewerRecord(row.seq, kind, build))) from error
        except (Impossible, *UNFIT) as error:
            # Of Python's own errors the kind alone: the text may name a card that lies face down.
            why = str(error) if isinstance(error, Impossible) else type(error).__name__
            if state is not None and (other := other_decisions(state)):
                # Its bytes are those that were written; it is this software that fails with them.
                what = (
                    f"record {row.seq} was decided by tablectl {other.build} ({other.rules}), "
                    f"and does not follow here ({why}): start that"
                )
                raise RecordOfAnotherBuild(path, what) from error
            what = f"record {row.seq} does not follow from those before it ({why})"
            raise JournalDamaged(path, what, row.seq - 1) from error
        yield row, record, state


def _starts(first: Record, after: Iterator[tuple[Row, Record]]) -> str:
    """The build whose start is on record by the input that `first` is of; empty if none is.

    A start sets the table up first, and then says which build it is.
    """
    same = (record for _, record in takewhile(lambda each: each[1].cause == first.cause, after))
    return next((each.fact.software for each in same if isinstance(each.fact, ServiceStarted)), "")
