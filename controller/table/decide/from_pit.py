"""Judges of what the pit asks for over the bus, and of its messages that the dealer has read.

The table decides by its own clock, its state and what the house allows; each command is on record
with its author, taken or not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from controller.rules.games.registry import game
from controller.rules.messages import Amount, Message, message
from controller.rules.options import OptionError, plain
from controller.rules.printed.rulebook import options_from_text
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.alarm_commands import acknowledge
from controller.table.decide.draft import Draft
from controller.table.decide.play import change_dealer, held
from controller.table.decide.setup import setup_problem, table_opened
from controller.table.inputs.pit import (
    MOST_LIFE_MS,
    OF_PIT_BOSSES,
    PIT_AUTHORS,
    PIT_BOSS,
    TOLERANCE_MS,
)
from controller.table.roles import Person, Role

#: Messages that nobody has read: more are refused, so that none is pushed out of sight.
MOST_NOTES: Final = 5
#: What may be asked while the table is held, too.
_WHEN_HELD: Final = (i.SendNote, i.AskFill, i.SilenceAlarms)


def put_asked(draft: Draft, asked: i.FromPit) -> None:
    """Record who asked for what."""
    draft.add(f.PitAsked(asked.act.do, asked.who, asked.role, asked.pit))


def from_pit(draft: Draft, asked: i.FromPit) -> Message | None:
    """Do what the pit asks for, where it is in time, allowed and possible now."""
    state, act = draft.state, asked.act
    if problem := _untimely(asked, draft.stamp.at_ms, state.pit.asked_ms):
        return problem
    if asked.role not in ((PIT_BOSS,) if act.do in OF_PIT_BOSSES else PIT_AUTHORS):
        return message("pit-author-may-not")
    if act.do not in state.setup.pit_acts:
        return message("house-keeps-it-at-the-table")
    if state.holds and not isinstance(act, _WHEN_HELD):
        return held(state)
    put_asked(draft, asked)
    # The pit has seen to it that they are whom it names.
    draft.stamp = replace(draft.stamp, by=(Person(asked.who, Role.FLOOR),))
    return _ACTS[type(act)](draft, act)


def take_directory(draft: Draft, report: i.DirectoryReport) -> Message | None:
    """Note which directory of people is in force, where it is another; never an older one."""
    known = draft.state.pit.directory
    if known is not None and (known.serial, known.digest) == (report.serial, report.digest):
        return None
    if known is not None and report.serial <= known.serial:
        return message("directory-is-older", serial=report.serial, known=known.serial)
    draft.add(
        f.DirectoryInstalled(
            report.serial, report.digest, report.roster, report.people, report.issued_ms,
            report.good_until_ms,
        )
    )  # fmt: skip
    return None


def _untimely(asked: i.FromPit, now_ms: int, newest_ms: int) -> Message | None:
    """Why it is too late, or not of now, by the table's clock; `newest_ms`: the newest command's
    time, from before which there are none, whatever the clock was set to since.
    """
    if asked.asked_ms > now_ms + TOLERANCE_MS:
        return message("pit-command-of-later", seconds=(asked.asked_ms - now_ms) // 1_000)
    if asked.expires_ms - asked.asked_ms > MOST_LIFE_MS:
        return message("pit-command-lasts-too-long", seconds=MOST_LIFE_MS // 1_000)
    if now_ms > asked.expires_ms + TOLERANCE_MS:
        return message("pit-command-is-late", seconds=(now_ms - asked.expires_ms) // 1_000)
    if newest_ms > asked.expires_ms + TOLERANCE_MS:
        return message("pit-command-is-old", seconds=(newest_ms - asked.expires_ms) // 1_000)
    return None


def _close_table(draft: Draft, act: i.CloseTable) -> Message | None:
    state = draft.state
    if state.pit.closed:
        return message("table-is-closed-already")
    if state.betting.wagers:  # those of a round in play are the round's
        return message("table-closes-without-bets")
    draft.add(f.PlayClosed())
    return None


def _open_table(draft: Draft, act: i.OpenTable) -> Message | None:
    if not draft.state.pit.closed:
        return message("table-is-open-already")
    draft.add(f.PlayOpened())
    return None


def _set_options(draft: Draft, act: i.SetOptions) -> Message | None:
    setup = draft.state.setup
    plays = game(setup.game)
    before = dict(setup.options)
    try:
        wanted = options_from_text(plays, (f"{name}={text}" for name, text in act.options))
        options = plain(plays.with_options({**before, **wanted}).options)
    except OptionError as error:
        return error.why
    configured = before | {each.name: each.configured for each in setup.set_by_pit}
    differing = tuple(
        i.SetByPit(name, value, configured[name])
        for name, value in sorted(options.items())
        if value != configured[name]
    )
    changed = replace(setup, options=tuple(sorted(options.items())), set_by_pit=differing)
    if changed == setup:
        return message("options-are-so-already")
    smallest = dict(options).get("smallest_chip")
    if isinstance(smallest, int) and any(each % smallest for each in setup.chips):
        return message("chips-of-the-rack-are-smaller", chip=Amount(smallest))
    opening = table_opened(changed)
    if setup_problem(draft.state, opening) is not None:
        return message("options-change-between-rounds")
    draft.add(opening)
    return None


def _send_note(draft: Draft, act: i.SendNote) -> Message | None:
    if not act.text.isprintable() or not act.text.strip():
        return message("note-is-no-line")
    return _put_note(draft, f.NoteSent(act.text.strip()))


def _ask_fill(draft: Draft, act: i.AskFill) -> Message | None:
    chip = draft.state.options.smallest_chip
    if act.amount % chip:
        return message("amount-not-in-chips", amount=Amount(act.amount), chip=Amount(chip))
    return _put_note(draft, f.FillAnnounced(act.amount))


def _put_note(draft: Draft, note: f.NoteSent | f.FillAnnounced) -> Message | None:
    if len(draft.state.pit.notes) >= MOST_NOTES:
        return message("too-many-notes", most=MOST_NOTES)
    draft.add(note)
    return None


def _silence(draft: Draft, act: i.SilenceAlarms) -> Message | None:
    return acknowledge(draft, i.Acknowledge(act.upto, pit=True))


_ACTS: Final[dict[type[Any], Callable[[Draft, Any], Message | None]]] = {
    i.CloseTable: _close_table,
    i.OpenTable: _open_table,
    i.SetOptions: _set_options,
    i.ChangeDealer: change_dealer,
    i.SendNote: _send_note,
    i.AskFill: _ask_fill,
    i.SilenceAlarms: _silence,
}


def read_note(draft: Draft, command: i.ReadNote) -> Message | None:
    """The dealer has read the oldest message of the pit."""
    notes = draft.state.pit.notes
    if not notes or notes[0].seq != command.note:
        return message("no-such-note")
    draft.add(f.NoteRead(command.note))
    return None
