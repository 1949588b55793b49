"""`decide`: from a state and an input to records. Total: bad input gives a refusal, never an error.

The order of the questions is the order of what matters: was this very input answered already,
does the sender see the table as it is, is the table held, and only then what is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from controller.devices.inputs import Condition, Health, Press, Reading, SpotSensed
from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide import alarm_commands, bets, money, play
from controller.table.decide.cards import shoe_end
from controller.table.decide.cards.readings import deal_kept, read
from controller.table.decide.cards.recount import recount
from controller.table.decide.consequences.round_in_play import resumed
from controller.table.decide.corrections import correct, release_with_round
from controller.table.decide.day_end import (
    check_day,
    check_jump,
    check_start,
    close_day,
    open_first_day,
    remove_days,
)
from controller.table.decide.draft import Draft
from controller.table.decide.from_pit import from_pit, put_asked, read_note, take_directory
from controller.table.decide.incidents import happened
from controller.table.decide.remote_players import clapper, windows
from controller.table.decide.remote_players.seats import (
    leave_seat,
    mark_away,
    not_theirs,
    take_seat,
)
from controller.table.decide.resolutions.resolve import resolve
from controller.table.decide.resolutions.undo import undo
from controller.table.decide.setup import (
    as_set_by_pit,
    reload,
    setup_problem,
    table_opened,
)
from controller.table.evolve.evolve import evolve
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.queries.device_failures import on_trial
from controller.table.state.answers import KEYS_A_DAY
from controller.table.state.state import State


class Decision(NamedTuple):
    """What an input leads to. `state` is valid once `records` are written, and not before.

    No records: the input was answered before or a moment ago, `refused` says how, or a timer fired
    too early.
    `refused` is None when the input was accepted.
    """

    records: tuple[f.Record, ...]
    state: State
    refused: Message | None = None
    seq: int = 0


#: The same refusal of a reading is on record once in this long: nobody deals faster, and a reader
#: that reports cards without an end does not fill the disk.
AGAIN_MS: Final = 1_000
#: What does no harm if it is done twice, and helps a table that has no keys left.
_ONCE_OR_TWICE: Final = (i.CloseDay, i.CallFloor)


class NotOpened(Exception):
    """Another input than `Start` on an empty record: a defect of the service."""


def decide(state: State | None, table_input: i.TableInput, stamp: i.Stamp) -> Decision:
    """The decision on `table_input` at a table in `state`.

    Raises `NotOpened` where the table has no records yet and `table_input` is not `Start`.
    """
    if isinstance(table_input, i.Start):
        return _start(state, table_input, stamp)
    if state is None:
        raise NotOpened("the service starts the table before it takes inputs")
    refused: Message | None = None
    if stamp.key:
        if (known := state.commands.answered.get(stamp.key)) is not None:
            if known.print == i.print_of(stamp.cause):
                return Decision((), state, known.refused, known.seq)
            refused = message("key-is-of-another-command")
            stamp = replace(stamp, cause=f"reused:{stamp.key}")
        elif state.commands.answered.today >= KEYS_A_DAY:
            # It could not be distinguished from its repetition.
            stamp = replace(stamp, cause=f"unkept:{stamp.key}")
            if not isinstance(table_input, _ONCE_OR_TWICE):
                refused = message("too-many-keys", keys=KEYS_A_DAY)
    draft = Draft(state, stamp)
    refused = refused or _judge(draft, table_input, stamp)
    # A late bet holds the table, and only then do windows follow: a hold stops their clock.
    if not refused and draft.state.betting.spots:
        bets.hold_late_bets(draft)
    if not refused and draft.state.setup.windows is not None:
        windows.follow(draft)
    if refused and isinstance(table_input, Reading) and _refused_just_now(state, refused, stamp):
        return Decision((), state, refused, state.seq)
    if refused:
        # A refused input changes nothing: what the judge had drafted is dropped.
        draft = Draft(state, stamp)
        if isinstance(table_input, i.FromPit):
            put_asked(draft, table_input)
        draft.add(f.Refused(_name(table_input), refused))
    if draft.records:
        check_jump(draft, state)
    return Decision(tuple(draft.records), draft.state, refused, draft.state.seq)


def _refused_just_now(state: State, refused: Message, stamp: i.Stamp) -> bool:
    """Whether the newest record but for devices' health says the same, a moment ago."""
    return (
        refused.code in ("too-many-holds", "more-cards-than-the-pack")
        and state.commands.refusal == refused
        and abs(stamp.at_ms - state.clock.at_ms) < AGAIN_MS
    )


def _judge(draft: Draft, table_input: i.TableInput, stamp: i.Stamp) -> Message | None:
    # Two people may look at one table: a press on an old picture would mean something else now.
    if stamp.view_seq is not None and stamp.view_seq < draft.state.clock.since_seq:
        return message("table-has-moved-on")
    if type(table_input) not in _ALLOWED_ON_TRIAL and (tried := on_trial(draft.state)):
        return tried
    if stamp.player and (theirs := not_theirs(draft.state, table_input, stamp.player)):
        return theirs
    if draft.state.holds and type(table_input) not in _ALLOWED_WHEN_HELD:
        return play.held(draft.state)
    return _JUDGES[type(table_input)](draft, table_input)


def _name(table_input: i.TableInput) -> str:
    """The input's name on record, such as `press:next`; it never names a card."""
    if isinstance(table_input, Press):
        return f"press:{table_input.button.value}"
    if isinstance(table_input, Reading):
        return f"reading:{table_input.source}"
    if isinstance(table_input, SpotSensed):
        return f"spot:{table_input.source}"
    if isinstance(table_input, i.FromPit):
        return f"pit:{table_input.act.do}"
    return getattr(table_input, "do", type(table_input).__name__)


def _start(state: State | None, table_input: i.Start, stamp: i.Stamp) -> Decision:
    first: tuple[f.Record, ...] = ()
    before = state
    if state is None:
        opening = table_opened(table_input.setup)
        first = (f.Record(1, stamp.at_ms, stamp.mono_ns, stamp.cause, opening),)
        state = evolve(None, first[0])
    draft = Draft(resumed(state), stamp)
    if before is None:
        open_first_day(draft)
    if state.setup != (wanted := as_set_by_pit(table_input.setup, state.setup)):
        opening = table_opened(wanted)
        if problem := setup_problem(draft.state, opening):
            return Decision((), state, problem)
        draft.add(opening)
    draft.add(
        f.ServiceStarted(
            table_input.software,
            table_input.card_sources,
            table_input.simulated,
            table_input.alarms,
            print_key=table_input.print_key,
        )
    )
    _hold_without_rules(draft)
    release_with_round(draft, Resolution.VOID)  # what an older revision left open
    if before is not None:
        check_start(draft, before)
    if before is not None:
        windows.stop_for_restart(draft, before)
    recount(draft, message("service-started-again"))
    windows.follow(draft)
    return Decision((*first, *draft.records), draft.state, None, draft.state.seq)


def _hold_without_rules(draft: Draft) -> None:
    """A round in play by rules that this build does not carry: only the floor can void it here.

    Started again under a build that has them, the round goes on.
    """
    state = draft.state
    held = next((each for each in state.holds if each.reason is Reason.REVISION), None)
    in_play = state.in_play
    if held is not None and (in_play is None or state.rounds.script is not None):
        draft.add(f.HoldReleased(held.number, Resolution.RESUMED))
    elif held is None and in_play is not None and state.rounds.script is None:
        why = message(
            "round-of-another-build",
            round=in_play.number,
            rules=in_play.rules,
            build=in_play.build,
        )
        draft.hold(Reason.REVISION, why, about=in_play.number)


def _health(draft: Draft, table_input: Health) -> Message | None:
    state = draft.state
    known = state.run.devices.get(table_input.device)
    if table_input.condition is Condition.DOWN:
        why = table_input.why or message("device-does-not-answer")
        if known != why:
            draft.add(f.DeviceDown(table_input.device, why))
        if table_input.device in state.run.card_sources:
            recount(draft, message("reader-was-lost", device=table_input.device))
        return None
    draft.add(f.DeviceUp(table_input.device))
    if table_input.device in state.run.card_sources:
        recount(draft, message("reader-was-away", device=table_input.device))
    return None


def _fire(draft: Draft, table_input: i.TimerFired) -> Message | None:
    windows.fire(draft)
    clapper.fire(draft)
    return alarm_commands.fire(draft, table_input)


def _wrong_pins(draft: Draft, table_input: i.PinReport) -> Message | None:
    draft.add(f.WrongPins(table_input.person, table_input.wrong, table_input.locked_s))
    return None


def _press(draft: Draft, table_input: Press) -> Message | None:
    return play.press(draft, table_input.button)


def _press_button(draft: Draft, table_input: i.PressButton) -> Message | None:
    return play.press(draft, table_input.button)


_JUDGES: Final[dict[type[Any], Callable[[Draft, Any], Message | None]]] = {
    Reading: read,
    Press: _press,
    Health: _health,
    SpotSensed: bets.sense_spot,
    i.PressButton: _press_button,
    i.PlaceWager: bets.place_wager,
    i.RemoveWager: bets.remove_wager,
    i.RepeatWagers: bets.repeat_wagers,
    i.CloseBets: bets.close_bets,
    i.Decide: play.decide_hand,
    i.ConfirmWager: play.confirm_wager,
    i.DeclineWager: play.decline_wager,
    i.TurnCard: play.turn,
    i.ReportPeek: play.peek,
    i.ConfirmSettled: play.settle,
    i.LoadPack: shoe_end.load_pack,
    i.ScanPack: shoe_end.scan_pack,
    i.ScanRest: shoe_end.scan_rest,
    i.CloseShoe: shoe_end.close_shoe,
    i.CutShoe: play.cut_shoe,
    i.ChangeDealer: play.change_dealer,
    i.CallFloor: play.call_floor,
    i.Happened: happened,
    i.DealKept: deal_kept,
    i.Correct: correct,
    i.Resolve: resolve,
    i.Undo: undo,
    i.Acknowledge: alarm_commands.acknowledge,
    i.TimerFired: _fire,
    i.CloseDay: close_day,
    i.Reload: reload,
    i.DayCheck: check_day,
    i.RemoveDays: remove_days,
    i.PinReport: _wrong_pins,
    i.DirectoryReport: take_directory,
    i.FromPit: from_pit,
    i.ReadNote: read_note,
    i.OpenRack: money.open_rack,
    i.CloseRack: money.close_rack,
    i.SignSlip: money.sign_slip,
    i.BuyIn: money.buy_in,
    i.ChangeBox: money.change_box,
    i.CountBox: money.count_box,
    i.VoidSlip: money.void_slip,
    i.OpenBets: windows.open_bets,
    i.TakeSeat: take_seat,
    i.LeaveSeat: leave_seat,
    i.MarkAway: mark_away,
    i.Clap: clapper.clap,
}

#: While new software is tried: what devices and clocks report, and a call for the floor.
_ALLOWED_ON_TRIAL: Final = frozenset(
    {
        Reading,
        Health,
        SpotSensed,
        i.TimerFired,
        i.DayCheck,
        i.PinReport,
        i.Acknowledge,
        i.CallFloor,
        i.DirectoryReport,
    }
)
#: A button is judged by itself: calling the floor is possible while the table is held.
_ALLOWED_WHEN_HELD: Final = frozenset(
    {
        Reading, Press, i.PressButton, Health, SpotSensed, i.Resolve, i.Undo, i.CallFloor,
        i.Happened, i.Correct,
        i.Acknowledge, i.TimerFired, i.CloseDay, i.DayCheck, i.Reload, i.PinReport,
        i.DirectoryReport,
        i.RemoveDays, i.FromPit, i.ReadNote,
        # Chips come and go whatever is settled meanwhile.
        i.OpenRack, i.CloseRack, i.SignSlip, i.BuyIn, i.ChangeBox, i.CountBox, i.VoidSlip,
        # Players come and go while the floor is asked.
        i.TakeSeat, i.LeaveSeat, i.MarkAway,
    }
)  # fmt: skip
