"""Faults that real processes alone show, and those of a world that is broken by a seed."""

from __future__ import annotations

from typing import Final

from controller.table.irregularities.holds import Reason
from tests.support.faults.fault_case import Case, FaultEnd, held

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
        "Killed with guarded lights", FaultEnd.HELD,
        "every light says so within 3 s, until the next service speaks", _COMPANY,
    ),
    Case(
        "Killed while something waits for the floor", FaultEnd.HELD,
        "what takes the floor takes it after the restart, too", _COMPANY,
    ),
    Case(
        "A sync stalls", FaultEnd.GOES_ON, "SAFE until it is done",
        f"{_BELOW}::test_while_a_sync_stalls_safe_is_shown_and_then_the_table"
        "_goes_on",
    ),
    Case(
        "A sync fails (EIO)", FaultEnd.STOPPED, "SAFE, the card is not believed, the sync not tried"
        " again", f"{_BELOW}::test_a_sync_that_fails_stops_the_table_and_is_not_tried_again",
    ),
    Case(
        "The disk takes no more (full, read-only)", FaultEnd.STOPPED,
        "SAFE; all that was told is there",
        f"{_BELOW}::test_a_disk_that_takes_no_more_stops_the_table_and_nothing_that_was_told"
        "_is_lost",
    ),
    Case(
        "The wall clock steps: back an hour, forward ten years", FaultEnd.GOES_ON,
        "in mid-round and across a kill",
        f"{_BELOW}::test_the_wall_clock_may_step_in_mid_round_and_across_a_kill",
    ),
    Case(
        "Power cut: writes that were not synced are dropped, torn, reordered", FaultEnd.HELD,
        held(Reason.RECOUNT, "all that was shown to anybody is on record"),
        f"{_CUTS}::test_after_any_power_cut_all_that_was_shown_is_there_and_a_lying_disk_is_noticed",
    ),
    Case(
        "Power cut on a disk that only pretends to sync", FaultEnd.STOPPED,
        "noticed at the start, SAFE; or all of it is there",
        f"{_CUTS}::test_after_any_power_cut_all_that_was_shown_is_there_and_a_lying_disk_is_noticed",
    ),
    Case(
        "Power cut in the very first start", FaultEnd.GOES_ON,
        "the record is begun again, or whole",
        f"{_CUTS}::test_the_first_start_may_be_cut_off_anywhere",
    ),
    Case(
        "The process is stopped for longer than its watchdog waits", FaultEnd.HELD,
        "the lights say so, the watchdog hears nothing; it goes on where it was if it may",
        f"{_OUTSIDE}::test_a_service_that_is_stopped_for_longer_than_its_watchdog_is_silent_to_it",
    ),
    Case(
        "The scanner comes back under another name", FaultEnd.HELD,
        held(Reason.RECOUNT, "the by-id name leads to the new one"),
        f"{_OUTSIDE}::test_a_scanner_that_comes_back_under_another_name_is_taken_up_again",
    ),
    Case(
        "The scanner sends 10,000 frames a second", FaultEnd.HELD,
        held(Reason.UNREADABLE, "bounded memory, no card believed, the pages answer"),
        f"{_OUTSIDE}::test_a_scanner_that_floods_is_held_in_bounded_memory_and_the_pages_answer",
    ),
    Case(
        "Random bytes for a second, half frames (exit at rest)", FaultEnd.GOES_ON, "none is a card",
        f"{_OUTSIDE}::test_random_bytes_and_half_frames_are_no_cards",
    ),
    Case(
        "Pins cannot be had at the start", FaultEnd.GOES_ON,
        "told and counted, lit when they are free",
        f"{_OUTSIDE}::test_pins_that_are_busy_at_the_start_are_told_and_the_lights_come_when_they"
        "_are_free",
    ),
    Case(
        "Lamps do not follow", FaultEnd.GOES_ON, "told on the display and counted",
        f"{_OUTSIDE}::test_lamps_that_do_not_follow_are_told_and_counted",
    ),
    Case(
        "Stalled viewers, a thousand idle connections and a 5 MB body at once", FaultEnd.GOES_ON,
        "cards go on, the body is refused; told to stop, the service ends in order",
        f"{_OUTSIDE}::test_stalled_viewers_a_thousand_idle_lines_and_a_huge_body_stop_no_card",
    ),
    Case(
        "The display's page is closed, or reads slowly", FaultEnd.GOES_ON,
        "cards go on; it gets the newest picture when it is back",
        f"{_OUTSIDE}::test_stalled_viewers_a_thousand_idle_lines_and_a_huge_body_stop_no_card",
    ),
    Case(
        "A backup is killed", FaultEnd.GOES_ON,
        "there is no half file under its name; the next one is whole, the journal untouched",
        f"{_KILLED}::test_a_killed_backup_leaves_no_half_file_and_the_next_one_is_whole",
    ),
    Case(
        "A restore is killed", FaultEnd.STOPPED, "the old record, the new one, or damage that is"
        " noticed; the same command again goes through",
        f"{_KILLED}::test_a_killed_restore_loses_nothing_and_the_next_one_goes_through",
    ),
    Case(
        "Power cut after a start that followed a failed sync", FaultEnd.HELD,
        held(Reason.RECOUNT, "what that start read was put on the disk first"),
        f"{_CUTS}::test_a_start_after_a_failed_sync_puts_what_it_reads_on_the_disk_first",
    ),
)  # fmt: skip

_BROKEN: Final = "tests/endurance/breaking/test_faults.py"


def _broken(fault: str, end: FaultEnd, how: str, test: str) -> Case:
    return Case(f"{fault} (virtual time)", end, how, f"{_BROKEN}::{test}")


#: In virtual time (tests/endurance/breaking), in mid-round.
BREAKING: Final = (
    _broken(
        "The clock is set back an hour, or forward ten years", FaultEnd.GOES_ON, "nothing minds",
        "test_the_clock_is_set_by_hours_or_years_and_nothing_minds",
    ),
    _broken(
        "The clock steps at every card of a round", FaultEnd.GOES_ON, "nothing minds",
        "test_a_clock_that_steps_at_every_card_of_a_round_changes_nothing",
    ),
    _broken(
        "The process is stopped for 30 s while the dealer goes on", FaultEnd.HELD,
        held(Reason.FLOOR, "the dealer misses the card on the display and calls; or it goes on"),
        "test_the_process_is_stopped_for_30_s_and_goes_on_where_it_was",
    ),
    _broken(
        "Random bytes on the scanner's line, and no card", FaultEnd.GOES_ON, "they are no card",
        "test_random_bytes_without_a_card_are_no_card",
    ),
    _broken(
        "Half a code", FaultEnd.HELD, held(Reason.UNREADABLE, "it is entered by hand"),
        "test_half_a_code_is_not_believed",
    ),
    _broken(
        "The scanner says 10,000 frames a second", FaultEnd.HELD,
        held(Reason.UNREADABLE, "no card is made of them; what leaves meanwhile is entered"),
        "test_ten_thousand_frames_a_second_for_a_second_and_no_card_is_made_of_them",
    ),
    _broken(
        "A foreign card is in the shoe", FaultEnd.HELD,
        held(Reason.IMPOSSIBLE, "only a new pack goes on"),
        "test_a_foreign_card_in_the_shoe_holds_the_table",
    ),
    _broken(
        "EIO or a failed sync, a full or read-only disk, at the row or at the anchor",
        FaultEnd.STOPPED, "SAFE; once the disk is seen to, recount and on",
        "test_a_disk_that_cannot_be_written_stops_the_table",
    ),
    _broken(
        "The disk stalls for 5 s", FaultEnd.GOES_ON, "SAFE until it is done",
        "test_a_disk_that_stalls_for_5_s_shows_safe_until_it_is_done",
    ),
    _broken(
        "A power cut drops, tears or reorders what was not synced", FaultEnd.HELD,
        held(Reason.RECOUNT, "all that was told is there"),
        "test_a_power_cut_that_drops_or_reorders_what_was_not_synced_loses_nothing_told",
    ),
    _broken(
        "Killed before or after any write of a hidden card", FaultEnd.HELD,
        held(Reason.RECOUNT, "its opening is there wherever its record is"),
        "test_killed_before_or_after_any_write_of_a_hidden_card",
    ),
)  # fmt: skip
