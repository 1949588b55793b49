"""A journal played again from its first record by the rules, here or in a process of its own:
`python -m controller.record.replay_process JOURNAL LAST COMPARE [quietly]`, which answers in JSON.

In a process of its own it costs the table nothing: for `tablectl verify`, which checks the hash
chain meanwhile, and for the check of the checkpoint that a table began from
(`controller.record.recheck`).
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from controller.record.chain_store import Reader, Row
from controller.record.codec import CodecError, Decoder, Opening
from controller.record.database import JournalDamaged, JournalError
from controller.record.head_anchor import START
from controller.record.openings import Openings
from controller.record.snapshot import pack
from controller.rules.sealed import Sealed, commitment
from controller.rules.steps import Misfit, Reveal
from controller.table.evolve.evolve import evolve
from controller.table.facts import CardTurned, KeptCardUsed, Record
from controller.table.phases import Impossible
from controller.table.state import State

#: How a process of its own is started; the journal, the last record and the one to compare follow.
COMMAND: Final = (sys.executable, "-P", "-m", "controller.record.replay_process")

#: The last word of the command where nothing else on the machine may be disturbed.
QUIETLY: Final = "quietly"
#: Of all programs of the table this one goes first when memory runs out (proc(5)).
OOM_SCORE_ADJ: Final = 500


class Rerun(msgspec.Struct, frozen=True):
    """How far the records follow from one another, and what keeps them from going further.

    `seq` and `hash` (hexadecimal) are the last record that follows, `rounds` how many rounds were
    played. `state` is the digest of the packed state after the record to compare, empty if that was
    not reached. `problem` is empty if nothing is wrong.
    """

    seq: int
    hash: str
    rounds: int
    state: str
    problem: str


def digest(packed: bytes) -> str:
    """The digest of a packed state."""
    return hashlib.sha256(packed).hexdigest()


def sealed(_digest: str) -> Sealed | None:
    """Opens no card: an auditor does without."""
    return None


def played(
    journal: Path, rows: Iterable[Row], opening: Opening = sealed
) -> Iterator[tuple[Row, Record, State]]:
    """Every record with the state after it.

    Raises `JournalDamaged` at the first that does not follow from the ones before it.
    """
    decode = Decoder(opening).decode
    state: State | None = None
    for row in rows:
        try:
            record = decode(row.seq, row.version, row.body)
            if type(record.fact) is CardTurned:
                _check_turned(state, record.fact)
            elif type(record.fact) is KeptCardUsed:
                _check_kept(state, record.fact)
            state = evolve(state, record)
        except (CodecError, Impossible, Misfit) as error:
            what = f"record {row.seq} does not follow from those before it ({error})"
            raise JournalDamaged(journal, what, row.seq - 1) from error
        yield row, record, state


def _check_turned(state: State | None, fact: CardTurned) -> None:
    """A card that is turned must be the one that was committed to when it was dealt."""
    if state is None or not fact.nonce:
        return
    step = state.step
    if isinstance(step, Reveal) and step.card.digest != commitment(
        bytes.fromhex(fact.nonce), fact.card, fact.serial
    ):
        raise Impossible("the card that was turned is not the one that was dealt face down")


def _check_kept(state: State | None, fact: KeptCardUsed) -> None:
    """A card that is dealt after it was kept must be the one that was committed to."""
    if state is None or not state.kept or fact.card is None:
        return
    seal = state.kept[0]
    opened = commitment(bytes.fromhex(fact.nonce), fact.card, fact.serial)
    if not isinstance(seal, Sealed) or seal.digest != opened:
        raise Impossible("the card that was dealt is not the one that was kept")


def rerun(journal: Path, rows: Iterable[Row], compare: int = 0) -> Rerun:
    """Play `rows` of `journal` again; `compare` is the record after which the state is digested."""
    # What a state holds of hidden cards' serial numbers takes the openings to compare.
    openings = Openings(journal, missing_is_damage=False) if compare else None
    row: Row | None = None
    state: State | None = None
    found = problem = ""
    try:
        for row, _, state in played(journal, rows, openings.open if openings else sealed):
            if row.seq == compare:
                found = digest(pack(state))
    except JournalDamaged as error:
        problem = str(error)
    finally:
        if openings:
            openings.close()
    if row is None or state is None:
        return Rerun(0, START.hash.hex(), 0, "", problem)
    return Rerun(row.seq, row.hash.hex(), state.rounds_played, found, problem)


def command(journal: Path, last: int, compare: int) -> tuple[str, ...]:
    """The command that plays a journal again up to record `last`, and compares at `compare`."""
    return (*COMMAND, str(journal), str(last), str(compare))


def command_quiet(journal: Path, last: int) -> tuple[str, ...]:
    """The same at the lowest priority, the hash chain included; it compares at the last record."""
    return (*command(journal, last, last), QUIETLY)


class Elsewhere:
    """A journal that is played again in a process of its own, while this one does its part."""

    def __init__(self, journal: Path, last: int, compare: int) -> None:
        self._process = subprocess.Popen(command(journal, last, compare), stdout=subprocess.PIPE)

    def result(self) -> Rerun:
        """Wait for it. Raises `JournalError` if the process ended without an answer."""
        answer, _ = self._process.communicate()
        if self._process.returncode != 0:
            status = self._process.returncode
            raise JournalError(f"the journal was not played again to its end (status {status})")
        return msgspec.json.decode(answer, type=Rerun)

    def close(self) -> None:
        """End it, whatever it is at; safe to call twice."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def _become_quiet() -> None:
    """Run, and use the disk, only when nobody else wants to. Refusals cost time, nothing else."""
    with suppress(OSError):
        os.nice(19)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE_ADJ))


def main(words: Sequence[str]) -> None:
    """Answer the command. Raises `JournalError` where there is nothing to be read."""
    journal, last, compare = Path(words[0]), int(words[1]), int(words[2])
    quiet = words[3:] == [QUIETLY]
    if quiet:
        _become_quiet()
    with closing(Reader(journal)) as reader:
        rows = reader.rows() if quiet else reader.unchecked(last)
        answer = rerun(journal, islice(rows, last), compare)
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
