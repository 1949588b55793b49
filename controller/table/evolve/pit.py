"""What the pit's word changes at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.table import facts as f
from controller.table.evolve.shoe import Changes
from controller.table.growing import changed
from controller.table.state.parts import DirectoryMark, PitNote
from controller.table.state.phases import Impossible
from controller.table.state.state import State


def _asked(state: State, fact: f.PitAsked, at_ms: int) -> Changes:
    # Set back, a clock would let in again what was decided once its key is forgotten.
    newest_ms = max(state.pit.asked_ms, at_ms)
    return {"pit": changed(state.pit, {"asked_ms": newest_ms, "asked_seq": state.seq + 1})}


def _closed(state: State, fact: f.PlayClosed, at_ms: int) -> Changes:
    return {"pit": changed(state.pit, {"closed": True})}


def _opened(state: State, fact: f.PlayOpened, at_ms: int) -> Changes:
    return {"pit": changed(state.pit, {"closed": False})}


def _directory_installed(state: State, fact: f.DirectoryInstalled, at_ms: int) -> Changes:
    mark = DirectoryMark(fact.serial, fact.digest, fact.good_until_ms)
    return {"pit": changed(state.pit, {"directory": mark})}


def _note_sent(state: State, fact: f.NoteSent, at_ms: int) -> Changes:
    return _with_note(state, PitNote(state.seq + 1, at_ms, text=fact.text))


def _fill_announced(state: State, fact: f.FillAnnounced, at_ms: int) -> Changes:
    return _with_note(state, PitNote(state.seq + 1, at_ms, amount=fact.amount))


def _with_note(state: State, note: PitNote) -> Changes:
    return {"pit": changed(state.pit, {"notes": (*state.pit.notes, note)})}


def _note_read(state: State, fact: f.NoteRead, at_ms: int) -> Changes:
    left = tuple(each for each in state.pit.notes if each.seq != fact.note)
    if left == state.pit.notes:
        raise Impossible(f"there is no message {fact.note} to be read")
    return {"pit": changed(state.pit, {"notes": left})}


#: Which function says what a fact of the pit changes.
PIT_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.PitAsked: _asked,
    f.PlayClosed: _closed,
    f.PlayOpened: _opened,
    f.DirectoryInstalled: _directory_installed,
    f.NoteSent: _note_sent,
    f.FillAnnounced: _fill_announced,
    f.NoteRead: _note_read,
}
