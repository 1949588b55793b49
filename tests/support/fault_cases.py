"""What goes wrong at a table, where each ends, and the test that shows it; one list for the docs.

python -m tests.support.fault_cases > tests/world/FAULTS.md
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.irregularities.holds import Reason
from controller.table.views.english import say
from sim_hw.devices.faults import CameraFault, FaultKind


class End(Enum):
    """The named state in which a fault ends."""

    GOES_ON = "goes on"
    HELD = "held"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Case:
    """A fault, its end state with a word on it, and the test (file::name) that shows it."""

    fault: str
    end: End
    how: str
    proof: str


class Rain(NamedTuple):
    """What a fault of `sim_hw/rainy.toml` comes to; `reason` of the first hold, if it is held.

    `seen_late`: the reason where a busy service saw the card leave before it saw the plug gone.
    """

    fault: str
    reason: Reason | None
    how: str
    seen_late: Reason | None = None


_RAINY: Final = (
    "tests/world/faults/test_rainy_day.py::test_each_trouble_of_a_rainy_day_ends_as_it_should"
)
_NO_BEAM: Final = "tests/world/faults/test_rainy_day.py"
_KILLS: Final = (
    "tests/world/faults/test_crash_points.py"
    "::test_killed_at_many_moments_of_the_games_and_each_card_and_payout_is_there_once"
)
_DAMAGE: Final = "tests/record/files/test_damage.py"

RAIN: Final[dict[FaultKind, Rain]] = {
    FaultKind.MISS_CODE: Rain(
        "A card is not read (beam)", Reason.UNREADABLE, "it is entered by hand"
    ),
    FaultKind.GARBAGE: Rain(
        "A code is garbled", Reason.UNREADABLE, "it is entered by hand"
    ),
    FaultKind.DOUBLE: Rain(
        "One card is read twice (beam)", None, "it counts once: one card left the exit"
    ),
    FaultKind.PUSH_BACK: Rain(
        "A card is read, pushed back and drawn again", None, "it counts when it leaves"
    ),
    FaultKind.SPLIT: Rain("A code comes in two pieces", None, "it is one code"),
    FaultKind.MERGED: Rain(
        "Two codes come as one frame", Reason.UNREADABLE, "neither is believed"
    ),
    FaultKind.TWO_CODES: Rain(
        "Two cards come at once, the second is pushed back", Reason.UNREADABLE,
        "neither is believed, the one that left is entered",
    ),
    FaultKind.NOISE: Rain(
        "Random bytes before a code", Reason.UNREADABLE, "what they spoil is not believed"
    ),
    FaultKind.WRONG_RATE: Rain(
        "The scanner talks at a wrong rate for a while", Reason.UNREADABLE,
        "each card is entered by hand until it talks sense again",
    ),
    FaultKind.UNPLUG: Rain(
        "The scanner is unplugged between cards, and back", Reason.RECOUNT,
        "the felt is compared, what left meanwhile is entered", Reason.UNREADABLE,
    ),
    FaultKind.UNPLUG_IN_CODE: Rain(
        "The scanner is unplugged in mid-code, and back", Reason.RECOUNT,
        "the felt is compared, the card is entered", Reason.UNREADABLE,
    ),
    FaultKind.BEAM_STUCK: Rain(
        "A card is stuck in the exit", Reason.UNREADABLE, "it is entered by hand"
    ),
    FaultKind.BOUNCE: Rain("The contact of a button bounces", None, "it is one press"),
    FaultKind.LEAN: Rain("A hand leans on all buttons", None, "none was pressed"),
    FaultKind.POWER_CUT: Rain(
        "The service loses power in mid-round", Reason.RECOUNT,
        "the same step beneath it, the card that left meanwhile is entered",
    ),
}  # fmt: skip

_CAMERA: Final = "tests/world/test_camera_day.py::test_each_trouble_of_a_camera_ends_as_it_should"
#: By the faults of `sim_hw/rainy_camera.toml`.
RAIN_CAMERA: Final[dict[CameraFault, Rain]] = {
    CameraFault.HAND: Rain(
        "Fingers over a card before the camera", Reason.UNREADABLE, "it is entered by hand"
    ),
    CameraFault.BLUR: Rain(
        "The camera's picture is blurred", Reason.UNREADABLE, "it is entered by hand"
    ),
    CameraFault.BACK: Rain(
        "A card's back passes the camera", Reason.UNREADABLE, "it is looked at and entered"
    ),
    CameraFault.TWO: Rain(
        "A second card is in the camera's picture", Reason.UNREADABLE,
        "neither is told, the one that left is entered",
    ),
    CameraFault.FOREIGN: Rain(
        "A card with an index of another alphabet", Reason.UNREADABLE, "no card is told"
    ),
    CameraFault.BLINK: Rain(
        "The camera is lost in mid-card, and back", Reason.RECOUNT,
        "the felt is compared, the card is entered",
    ),
    CameraFault.FROZEN: Rain(
        "The camera sends the same picture for ever", Reason.UNREADABLE,
        "it is no card's; the camera is down as soon as that is certain",
    ),
    CameraFault.DARK: Rain(
        "The light of the shoe goes out", Reason.UNREADABLE,
        "entered by hand, then the camera is down until there is light",
    ),
    CameraFault.SMALL: Rain(
        "The camera comes back with another size of picture", Reason.RECOUNT,
        "it is refused, by its sizes, until it has the right one",
    ),
}  # fmt: skip


def held(reason: Reason, how: str) -> str:
    """How a hold is told in the table."""
    return f"*{say(IRREGULARITIES[reason].title)}*: {how}"


def _rain(each: Rain, proof: str = _RAINY) -> Case:
    if each.reason is None:
        return Case(each.fault, End.GOES_ON, each.how, proof)
    return Case(each.fault, End.HELD, held(each.reason, each.how), proof)


def _killed(where: str) -> Case:
    how = held(Reason.RECOUNT, "the same step beneath it, nothing lost, nothing twice")
    return Case(f"Killed {where}", End.HELD, how, _KILLS)


_BELOW: Final = "tests/world/faults/test_below.py"
_OUTSIDE: Final = "tests/world/faults/test_outside.py"
_KILLED: Final = "tests/record/copies/test_backup_killed.py"
_CUTS: Final = "tests/world/faults/test_power_cuts.py"
_COMPANY: Final = (
    "tests/world/faults/test_crash_points.py"
    "::test_across_a_kill_guarded_lights_are_held_and_what_takes_the_floor_stays_locked"
)
#: What only a real process can show: disk and clock fail below Python, processes are killed.
PROCESS: Final = (
    Case(
        "Killed with guarded lights", End.HELD, "every light says so within 3 s, until the next"
        " service speaks", _COMPANY,
    ),
    Case(
        "Killed while something waits for the floor", End.HELD,
        "what takes the floor takes it after the restart, too", _COMPANY,
    ),
    Case(
        "A sync stalls", End.GOES_ON, "SAFE until it is done",
        f"{_BELOW}::test_while_a_sync_stalls_safe_is_shown_and_then_the_table"
        "_goes_on",
    ),
    Case(
        "A sync fails (EIO)", End.STOPPED, "SAFE, the card is not believed, the sync not tried"
        " again", f"{_BELOW}::test_a_sync_that_fails_stops_the_table_and_is_not_tried_again",
    ),
    Case(
        "The disk takes no more (full, read-only)", End.STOPPED, "SAFE; all that was told is there",
        f"{_BELOW}::test_a_disk_that_takes_no_more_stops_the_table_and_nothing_that_was_told"
        "_is_lost",
    ),
    Case(
        "The wall clock steps: back an hour, forward ten years", End.GOES_ON,
        "in mid-round and across a kill",
        f"{_BELOW}::test_the_wall_clock_may_step_in_mid_round_and_across_a_kill",
    ),
    Case(
        "Power cut: writes that were not synced are dropped, torn, reordered", End.HELD,
        held(Reason.RECOUNT, "all that was shown to anybody is on record"),
        f"{_CUTS}::test_after_any_power_cut_all_that_was_shown_is_there_and_a_lying_disk_is_noticed",
    ),
    Case(
        "Power cut on a disk that only pretends to sync", End.STOPPED,
        "noticed at the start, SAFE; or all of it is there",
        f"{_CUTS}::test_after_any_power_cut_all_that_was_shown_is_there_and_a_lying_disk_is_noticed",
    ),
    Case(
        "Power cut in the very first start", End.GOES_ON, "the record is begun again, or whole",
        f"{_CUTS}::test_the_first_start_may_be_cut_off_anywhere",
    ),
    Case(
        "The process is stopped for longer than its watchdog waits", End.HELD,
        "the lights say so, the watchdog hears nothing; it goes on where it was if it may",
        f"{_OUTSIDE}::test_a_service_that_is_stopped_for_longer_than_its_watchdog_is_silent_to_it",
    ),
    Case(
        "The scanner comes back under another name", End.HELD,
        held(Reason.RECOUNT, "the by-id name leads to the new one"),
        f"{_OUTSIDE}::test_a_scanner_that_comes_back_under_another_name_is_taken_up_again",
    ),
    Case(
        "The scanner sends 10,000 frames a second", End.HELD,
        held(Reason.UNREADABLE, "bounded memory, no card believed, the pages answer"),
        f"{_OUTSIDE}::test_a_scanner_that_floods_is_held_in_bounded_memory_and_the_pages_answer",
    ),
    Case(
        "Random bytes for a second, half frames (exit at rest)", End.GOES_ON, "none is a card",
        f"{_OUTSIDE}::test_random_bytes_and_half_frames_are_no_cards",
    ),
    Case(
        "Pins cannot be had at the start", End.GOES_ON, "told and counted, lit when they are free",
        f"{_OUTSIDE}::test_pins_that_are_busy_at_the_start_are_told_and_the_lights_come_when_they"
        "_are_free",
    ),
    Case(
        "Lamps do not follow", End.GOES_ON, "told on the display and counted",
        f"{_OUTSIDE}::test_lamps_that_do_not_follow_are_told_and_counted",
    ),
    Case(
        "Stalled viewers, a thousand idle connections and a 5 MB body at once", End.GOES_ON,
        "cards go on, the body is refused; told to stop, the service ends in order",
        f"{_OUTSIDE}::test_stalled_viewers_a_thousand_idle_lines_and_a_huge_body_stop_no_card",
    ),
    Case(
        "The display's page is closed, or reads slowly", End.GOES_ON,
        "cards go on; it gets the newest picture when it is back",
        f"{_OUTSIDE}::test_stalled_viewers_a_thousand_idle_lines_and_a_huge_body_stop_no_card",
    ),
    Case(
        "A backup is killed", End.GOES_ON, "there is no half file under its name; the next one is"
        " whole, the journal untouched",
        f"{_KILLED}::test_a_killed_backup_leaves_no_half_file_and_the_next_one_is_whole",
    ),
    Case(
        "A restore is killed", End.STOPPED, "the old record, the new one, or damage that is"
        " noticed; the same command again goes through",
        f"{_KILLED}::test_a_killed_restore_loses_nothing_and_the_next_one_goes_through",
    ),
    Case(
        "Power cut after a start that followed a failed sync", End.HELD,
        held(Reason.RECOUNT, "what that start read was put on the disk first"),
        f"{_CUTS}::test_a_start_after_a_failed_sync_puts_what_it_reads_on_the_disk_first",
    ),
)  # fmt: skip

_BROKEN: Final = "tests/endurance/breaking/test_faults.py"


def _broken(fault: str, end: End, how: str, test: str) -> Case:
    return Case(f"{fault} (virtual time)", end, how, f"{_BROKEN}::{test}")


#: In virtual time (tests/endurance/breaking), in mid-round.
BREAKING: Final = (
    _broken(
        "The clock is set back an hour, or forward ten years", End.GOES_ON, "nothing minds",
        "test_the_clock_is_set_by_hours_or_years_and_nothing_minds",
    ),
    _broken(
        "The clock steps at every card of a round", End.GOES_ON, "nothing minds",
        "test_a_clock_that_steps_at_every_card_of_a_round_changes_nothing",
    ),
    _broken(
        "The process is stopped for 30 s while the dealer goes on", End.HELD,
        held(Reason.FLOOR, "the dealer misses the card on the display and calls; or it goes on"),
        "test_the_process_is_stopped_for_30_s_and_goes_on_where_it_was",
    ),
    _broken(
        "Random bytes on the scanner's line, and no card", End.GOES_ON, "they are no card",
        "test_random_bytes_without_a_card_are_no_card",
    ),
    _broken(
        "Half a code", End.HELD, held(Reason.UNREADABLE, "it is entered by hand"),
        "test_half_a_code_is_not_believed",
    ),
    _broken(
        "The scanner says 10,000 frames a second", End.HELD,
        held(Reason.UNREADABLE, "no card is made of them; what leaves meanwhile is entered"),
        "test_ten_thousand_frames_a_second_for_a_second_and_no_card_is_made_of_them",
    ),
    _broken(
        "A foreign card is in the shoe", End.HELD,
        held(Reason.IMPOSSIBLE, "only a new pack goes on"),
        "test_a_foreign_card_in_the_shoe_holds_the_table",
    ),
    _broken(
        "EIO or a failed sync, a full or read-only disk, at the row or at the anchor",
        End.STOPPED, "SAFE; once the disk is seen to, recount and on",
        "test_a_disk_that_cannot_be_written_stops_the_table",
    ),
    _broken(
        "The disk stalls for 5 s", End.GOES_ON, "SAFE until it is done",
        "test_a_disk_that_stalls_for_5_s_shows_safe_until_it_is_done",
    ),
    _broken(
        "A power cut drops, tears or reorders what was not synced", End.HELD,
        held(Reason.RECOUNT, "all that was told is there"),
        "test_a_power_cut_that_drops_or_reorders_what_was_not_synced_loses_nothing_told",
    ),
    _broken(
        "Killed before or after any write of a hidden card", End.HELD,
        held(Reason.RECOUNT, "its opening is there wherever its record is"),
        "test_killed_before_or_after_any_write_of_a_hidden_card",
    ),
)  # fmt: skip

CASES: Final = (
    *(_rain(each) for each in RAIN.values()),
    *(_rain(each, _CAMERA) for each in RAIN_CAMERA.values()),
    Case(
        "A card is not read (no beam)", End.HELD,
        held(Reason.FLOOR, "the display does not count it, the dealer calls, it is entered"),
        f"{_NO_BEAM}::test_without_a_beam_a_missed_card_is_called_for_and_entered",
    ),
    Case(
        "One card is read twice (no beam)", End.HELD,
        held(Reason.TWIN, "people say one, and it counts once"),
        f"{_NO_BEAM}::test_without_a_beam_people_tell_one_card_from_two_alike",
    ),
    Case(
        "Two cards alike, one after the other (no beam)", End.HELD,
        held(Reason.TWIN, "people say two, and both count"),
        f"{_NO_BEAM}::test_without_a_beam_people_tell_one_card_from_two_alike",
    ),
    Case(
        "Two cards alike, one after the other (beam)", End.GOES_ON, "both count",
        f"{_NO_BEAM}::test_with_a_beam_two_cards_alike_are_two_cards",
    ),
    Case(
        "A hidden card is not read", End.GOES_ON, "it is entered at its reveal",
        "tests/world/test_demo_day.py::test_a_hidden_card_that_was_not_read_is_entered_at_its_reveal",
    ),
    *(
        _killed(where)
        for where in (
            "before the write", "in the write, before the commit",
            "after the commit, before the lights", "after the lights, before the display",
            "in a checkpoint of the database", "in recovery",
        )
    ),
    Case(
        "Any bit of the store flipped, the store cut at any byte", End.STOPPED,
        "noticed at the start, SAFE, the damaged file kept; or harmless",
        f"{_DAMAGE}::test_a_spoilt_store_is_noticed_or_the_same",
    ),
    Case(
        "A file of the store is gone", End.STOPPED, "noticed at the start, SAFE",
        f"{_DAMAGE}::test_a_file_that_is_gone_is_noticed",
    ),
    Case(
        "The database was copied without its log", End.STOPPED, "noticed at the start, SAFE",
        f"{_DAMAGE}::test_a_database_that_was_copied_without_its_log_or_its_anchor_is_noticed",
    ),
    Case(
        "The record is of an older or newer format", End.STOPPED, "named, and not touched",
        f"{_DAMAGE}::test_an_older_or_newer_format_is_named_and_not_touched",
    ),
    Case(
        "The disk is full", End.STOPPED, "SAFE, and nothing that was told is lost",
        "tests/record/test_journal.py"
        "::test_a_full_disk_ends_the_journal_and_loses_nothing_that_was_acknowledged",
    ),
    Case(
        "The disk fills", End.GOES_ON, "told on every display before it is full",
        "tests/record/test_disk_space.py"
        "::test_a_disk_that_fills_is_on_every_display_and_in_the_record_before_it_is_full",
    ),
    Case(
        "A commit fails", End.STOPPED, "SAFE, the card is not believed",
        "tests/service/test_loop.py::test_a_failed_commit_shows_safe_and_believes_nothing",
    ),
    Case(
        "A commit is slow", End.GOES_ON, "SAFE until it is done",
        "tests/service/test_loop.py::test_a_slow_commit_shows_safe_until_it_is_done",
    ),
    Case(
        "A second service on the same record", End.STOPPED, "refused; the first goes on",
        "tests/service/test_loop.py::test_a_second_service_on_the_journal_is_refused",
    ),
    Case(
        "The service hangs", End.HELD, "the lights say so; it goes on where it was",
        "tests/world/faults/test_safe_lights.py::test_a_hung_service_shows_held_and_goes_on_where_it_was",
    ),
    Case(
        "The pins of the lights fail in the middle of a pattern", End.GOES_ON,
        "they come back with the newest picture",
        "tests/drivers/test_supervise.py"
        "::test_lights_that_fail_in_the_middle_of_a_pattern_come_back",
    ),
    Case(
        "A button is stuck", End.GOES_ON, "the device is down until it is free",
        "tests/drivers/panel/test_buttons.py::test_a_stuck_button_fails_the_device_until_it_is_free",
    ),
    Case(
        "A viewer does not read", End.GOES_ON, "slows nobody, gets the newest picture",
        "tests/web/test_events.py::test_a_slow_viewer_slows_nobody_and_gets_the_newest",
    ),
    Case(
        "A body that is too long", End.GOES_ON, "refused",
        "tests/web/test_admission.py::test_too_long_a_body_is_refused",
    ),
    Case(
        "The service is stopped while people look", End.STOPPED, "in good order",
        "tests/web/test_events.py::test_the_service_stops_while_people_look",
    ),
    Case(
        "2,000 connections that send nothing, half a request, or requests without end",
        End.GOES_ON, "the oldest go, cards are on time, and at once all is as before",
        "tests/world/faults/test_attacked.py::test_cards_go_on_while_thousands_connect",
    ),
    Case(
        "200 viewers who never read", End.GOES_ON, "the dealer's display has its own place",
        "tests/world/faults/test_attacked.py::test_viewers_who_never_read_keep_no_display_out",
    ),
    Case(
        "300 guesses of a PIN at once", End.GOES_ON,
        "one is judged; the lock-out is one record, and locks nobody out of a display that knows"
        " them",
        "tests/web/test_api.py"
        "::test_many_guesses_at_once_are_one_judged_pin_and_one_record",
    ),
    Case(
        "A log line that repeats itself", End.GOES_ON, "counted, so that it fills no disk",
        "tests/service/test_log_limit.py"
        "::test_what_repeats_itself_is_counted_and_other_lines_are_written",
    ),
    Case(
        "A scanner repeats itself 40,000 times", End.HELD,
        "counted in one record, said as a device in trouble; the next card is on record at once",
        "tests/world/faults/test_babbling.py"
        "::test_a_scanner_that_repeats_itself_keeps_no_card_back",
    ),
    Case(
        "The exit beam flaps", End.HELD, "a device in trouble, and few records",
        "tests/world/faults/test_babbling.py::test_a_beam_that_flaps_is_a_device_in_trouble",
    ),
    Case(
        "Something flaps before the camera", End.HELD,
        "a device in trouble, counted in one record; the next card is on record at once",
        "tests/drivers/shoe/test_camera_babble.py"
        "::test_something_that_flaps_in_the_picture_is_a_camera_in_trouble",
    ),
    Case(
        "A card leaves while the scanner is away (beam)", End.HELD,
        held(Reason.RECOUNT, "the beam counted it, nobody goes on before it is on record"),
        "tests/table/irregularities/test_recount.py"
        "::test_a_card_that_left_while_the_scanner_was_away_is_counted_named_and_entered",
    ),
    Case(
        "A card leaves while the scanner is away (no beam)", End.HELD,
        held(Reason.RECOUNT, "the blind count of the felt finds it, seat by seat"),
        "tests/table/irregularities/test_recount.py::test_without_a_beam_the_count_itself_finds_the_card",
    ),
    Case(
        "A card is put aside in a hold that never left", End.HELD,
        held(Reason.FLOOR, "not open: only a card that is missing by beam or count"),
        "tests/table/irregularities/test_recount.py"
        "::test_put_the_card_aside_counts_a_card_that_is_missing_and_no_ghost",
    ),
    Case(
        "The felt is counted wrongly", End.HELD,
        held(Reason.FLOOR, "nobody goes on from a count that does not agree"),
        "tests/table/irregularities/test_recount.py"
        "::test_the_floor_does_not_go_on_from_a_count_that_does_not_agree",
    ),
    Case(
        "The felt is counted wrongly, and the round voided", End.HELD,
        held(Reason.FLOOR, "a card that one count alone knows of is counted seat by seat first"),
        "tests/table/irregularities/test_recount.py::test_a_void_believes_no_count_that_is_one_number",
    ),
    Case(
        "A resolution is touched by mistake", End.GOES_ON, "it is undone, on record",
        "tests/table/irregularities/test_recount.py::test_a_way_on_that_is_undone_opens_its_hold_again",
    ),
    Case(
        "A card is drawn at any moment", End.HELD,
        "awaited, a hit of a hand that was asked, or held; no chips move",
        "tests/table/any_moment/test_drawn_at_any_moment.py::test_a_card_drawn_at_any_moment_of_any_game",
    ),
    Case(
        "A code comes after the prompt for a card that left before it", End.HELD,
        held(Reason.DRAWN, "it is nobody's hit"),
        "tests/table/any_moment/test_drawn_at_any_moment.py"
        "::test_a_card_that_had_left_before_the_hand_was_asked_is_no_hit",
    ),
    Case(
        "A spot is left out, noticed in the second pass", End.HELD,
        held(Reason.SKIPPED, "cards where the display shows them, or void; said so"),
        "tests/table/irregularities/test_irregularities.py"
        "::test_a_spot_left_out_that_is_noticed_in_the_second_pass_has_a_way_on",
    ),
    Case(
        "Twenty mistakes of a dealer in one shift", End.GOES_ON, "each has its way on",
        "tests/world/test_twenty_mistakes.py"
        "::test_twenty_mistakes_and_nothing_is_stuck_or_silently_wrong",
    ),
    Case(
        "The demo's service is killed", End.HELD,
        held(Reason.RECOUNT, "it is started again and goes on from its record, which stays"),
        "tests/world/faults/test_demo_killed.py"
        "::test_a_service_that_is_killed_is_started_again_and_goes_on_from_its_record",
    ),
    *PROCESS,
    *BREAKING,
)  # fmt: skip


def as_markdown() -> str:
    """The table for the docs."""
    rows = [
        f"| {case.fault} | **{case.end.value}** | {case.how} | `{_name(case.proof)}` |"
        for case in CASES
    ]
    return "\n".join([*_HEAD.splitlines(), *rows, ""])


_HEAD: Final = """\
# What goes wrong, and where it ends

Written by `python -m tests.support.fault_cases`; a test compares. Nothing is lost in any of these,
by the account of the simulated world.

- **goes on**: nobody has to do anything.
- **held**: the table stops, says why, and offers the lawful resolutions; also after a restart.
- **stopped**: the record cannot be trusted or written: SAFE, until people have seen to it.

| fault | ends | how | test |
|---|---|---|---|
"""


def _name(proof: str) -> str:
    return proof.removeprefix("tests/")


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
