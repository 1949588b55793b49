"""What goes wrong at a table, where each ends, and the test that shows it; one list for the docs.

python -m tests.support.faults.fault_cases > tests/world/FAULTS.md
"""

from __future__ import annotations

import sys
from typing import Final

from controller.table.irregularities.holds import Reason
from tests.support.faults.fault_case import Case, FaultEnd, held
from tests.support.faults.process_faults import BREAKING, PROCESS
from tests.support.faults.rain import RAIN, RAIN_CAMERA, killed, rain

_NO_BEAM: Final = "tests/world/faults/test_rainy_day.py"
_DAMAGE: Final = "tests/record/files/test_damage.py"

_CAMERA: Final = "tests/world/test_camera_day.py::test_each_trouble_of_a_camera_ends_as_it_should"

CASES: Final = (
    *(rain(each) for each in RAIN.values()),
    *(rain(each, _CAMERA) for each in RAIN_CAMERA.values()),
    Case(
        "A card is not read (no beam)", FaultEnd.HELD,
        held(Reason.FLOOR, "the display does not count it, the dealer calls, it is entered"),
        f"{_NO_BEAM}::test_without_a_beam_a_missed_card_is_called_for_and_entered",
    ),
    Case(
        "One card is read twice (no beam)", FaultEnd.HELD,
        held(Reason.TWIN, "people say one, and it counts once"),
        f"{_NO_BEAM}::test_without_a_beam_people_tell_one_card_from_two_alike",
    ),
    Case(
        "Two cards alike, one after the other (no beam)", FaultEnd.HELD,
        held(Reason.TWIN, "people say two, and both count"),
        f"{_NO_BEAM}::test_without_a_beam_people_tell_one_card_from_two_alike",
    ),
    Case(
        "Two cards alike, one after the other (beam)", FaultEnd.GOES_ON, "both count",
        f"{_NO_BEAM}::test_with_a_beam_two_cards_alike_are_two_cards",
    ),
    Case(
        "A hidden card is not read", FaultEnd.GOES_ON, "it is entered at its reveal",
        "tests/world/test_demo_day.py::test_a_hidden_card_that_was_not_read_is_entered_at_its_reveal",
    ),
    *(
        killed(where)
        for where in (
            "before the write", "in the write, before the commit",
            "after the commit, before the lights", "after the lights, before the display",
            "in a checkpoint of the database", "in recovery",
        )
    ),
    Case(
        "Any bit of the store flipped, the store cut at any byte", FaultEnd.STOPPED,
        "noticed at the start, SAFE, the damaged file kept; or harmless",
        f"{_DAMAGE}::test_a_spoilt_store_is_noticed_or_the_same",
    ),
    Case(
        "A file of the store is gone", FaultEnd.STOPPED, "noticed at the start, SAFE",
        f"{_DAMAGE}::test_a_file_that_is_gone_is_noticed",
    ),
    Case(
        "The database was copied without its log", FaultEnd.STOPPED, "noticed at the start, SAFE",
        f"{_DAMAGE}::test_a_database_that_was_copied_without_its_log_or_its_anchor_is_noticed",
    ),
    Case(
        "The record is of an older or newer format", FaultEnd.STOPPED, "named, and not touched",
        f"{_DAMAGE}::test_an_older_or_newer_format_is_named_and_not_touched",
    ),
    Case(
        "The disk is full", FaultEnd.STOPPED, "SAFE, and nothing that was told is lost",
        "tests/record/test_journal.py"
        "::test_a_full_disk_ends_the_journal_and_loses_nothing_that_was_acknowledged",
    ),
    Case(
        "The disk fills", FaultEnd.GOES_ON, "told on every display before it is full",
        "tests/record/test_disk_space.py"
        "::test_a_disk_that_fills_is_on_every_display_and_in_the_record_before_it_is_full",
    ),
    Case(
        "A commit fails", FaultEnd.STOPPED, "SAFE, the card is not believed",
        "tests/service/test_loop.py::test_a_failed_commit_shows_safe_and_believes_nothing",
    ),
    Case(
        "A commit is slow", FaultEnd.GOES_ON, "SAFE until it is done",
        "tests/service/test_loop.py::test_a_slow_commit_shows_safe_until_it_is_done",
    ),
    Case(
        "A second service on the same record", FaultEnd.STOPPED, "refused; the first goes on",
        "tests/service/test_loop.py::test_a_second_service_on_the_journal_is_refused",
    ),
    Case(
        "The service hangs", FaultEnd.HELD, "the lights say so; it goes on where it was",
        "tests/world/faults/test_safe_lights.py::test_a_hung_service_shows_held_and_goes_on_where_it_was",
    ),
    Case(
        "The pins of the lights fail in the middle of a pattern", FaultEnd.GOES_ON,
        "they come back with the newest picture",
        "tests/drivers/test_supervise.py"
        "::test_lights_that_fail_in_the_middle_of_a_pattern_come_back",
    ),
    Case(
        "A button is stuck", FaultEnd.GOES_ON, "the device is down until it is free",
        "tests/drivers/panel/test_buttons.py::test_a_stuck_button_fails_the_device_until_it_is_free",
    ),
    Case(
        "A viewer does not read", FaultEnd.GOES_ON, "slows nobody, gets the newest picture",
        "tests/web/test_events.py::test_a_slow_viewer_slows_nobody_and_gets_the_newest",
    ),
    Case(
        "A body that is too long", FaultEnd.GOES_ON, "refused",
        "tests/web/admission/test_admission.py::test_too_long_a_body_is_refused",
    ),
    Case(
        "The service is stopped while people look", FaultEnd.STOPPED, "in good order",
        "tests/web/test_events.py::test_the_service_stops_while_people_look",
    ),
    Case(
        "2,000 connections that send nothing, half a request, or requests without end",
        FaultEnd.GOES_ON, "the oldest go, cards are on time, and at once all is as before",
        "tests/world/faults/test_attacked.py::test_cards_go_on_while_thousands_connect",
    ),
    Case(
        "200 viewers who never read", FaultEnd.GOES_ON, "the dealer's display has its own place",
        "tests/world/faults/test_attacked.py::test_viewers_who_never_read_keep_no_display_out",
    ),
    Case(
        "300 guesses of a PIN at once", FaultEnd.GOES_ON,
        "one is judged; the lock-out is one record, and locks nobody out of a display that knows"
        " them",
        "tests/web/test_api.py"
        "::test_many_guesses_at_once_are_one_judged_pin_and_one_record",
    ),
    Case(
        "A log line that repeats itself", FaultEnd.GOES_ON, "counted, so that it fills no disk",
        "tests/service/test_log_limit.py"
        "::test_what_repeats_itself_is_counted_and_other_lines_are_written",
    ),
    Case(
        "A scanner repeats itself 40,000 times", FaultEnd.HELD,
        "counted in one record, said as a device in trouble; the next card is on record at once",
        "tests/world/faults/test_babbling.py"
        "::test_a_scanner_that_repeats_itself_keeps_no_card_back",
    ),
    Case(
        "The exit beam flaps", FaultEnd.HELD, "a device in trouble, and few records",
        "tests/world/faults/test_babbling.py::test_a_beam_that_flaps_is_a_device_in_trouble",
    ),
    Case(
        "Something flaps before the camera", FaultEnd.HELD,
        "a device in trouble, counted in one record; the next card is on record at once",
        "tests/drivers/shoe/test_camera_babble.py"
        "::test_something_that_flaps_in_the_picture_is_a_camera_in_trouble",
    ),
    Case(
        "A card leaves while the scanner is away (beam)", FaultEnd.HELD,
        held(Reason.RECOUNT, "the beam counted it, nobody goes on before it is on record"),
        "tests/table/irregularities/test_recount.py"
        "::test_a_card_that_left_while_the_scanner_was_away_is_counted_named_and_entered",
    ),
    Case(
        "A card leaves while the scanner is away (no beam)", FaultEnd.HELD,
        held(Reason.RECOUNT, "the blind count of the felt finds it, seat by seat"),
        "tests/table/irregularities/test_recount.py::test_without_a_beam_the_count_itself_finds_the_card",
    ),
    Case(
        "A card is put aside in a hold that never left", FaultEnd.HELD,
        held(Reason.FLOOR, "not open: only a card that is missing by beam or count"),
        "tests/table/irregularities/test_ghost_cards.py"
        "::test_put_the_card_aside_counts_a_card_that_is_missing_and_no_ghost",
    ),
    Case(
        "The felt is counted wrongly", FaultEnd.HELD,
        held(Reason.FLOOR, "nobody goes on from a count that does not agree"),
        "tests/table/irregularities/test_ghost_cards.py"
        "::test_the_floor_does_not_go_on_from_a_count_that_does_not_agree",
    ),
    Case(
        "The felt is counted wrongly, and the round voided", FaultEnd.HELD,
        held(Reason.FLOOR, "a card that one count alone knows of is counted seat by seat first"),
        "tests/table/irregularities/test_ghost_cards.py::test_a_void_believes_no_count_that_is_one_number",
    ),
    Case(
        "A resolution is touched by mistake", FaultEnd.GOES_ON, "it is undone, on record",
        "tests/table/irregularities/test_undo.py::test_a_way_on_that_is_undone_opens_its_hold_again",
    ),
    Case(
        "A card is drawn at any moment", FaultEnd.HELD,
        "awaited, a hit of a hand that was asked, or held; no chips move",
        "tests/table/any_moment/test_drawn_at_any_moment.py::test_a_card_drawn_at_any_moment_of_any_game",
    ),
    Case(
        "A code comes after the prompt for a card that left before it", FaultEnd.HELD,
        held(Reason.DRAWN, "it is nobody's hit"),
        "tests/table/any_moment/test_drawn_at_any_moment.py"
        "::test_a_card_that_had_left_before_the_hand_was_asked_is_no_hit",
    ),
    Case(
        "A spot is left out, noticed in the second pass", FaultEnd.HELD,
        held(Reason.SKIPPED, "cards where the display shows them, or void; said so"),
        "tests/table/irregularities/test_reported.py"
        "::test_a_spot_left_out_that_is_noticed_in_the_second_pass_has_a_way_on",
    ),
    Case(
        "Twenty mistakes of a dealer in one shift", FaultEnd.GOES_ON, "each has its way on",
        "tests/world/test_twenty_mistakes.py"
        "::test_twenty_mistakes_and_nothing_is_stuck_or_silently_wrong",
    ),
    Case(
        "The demo's service is killed", FaultEnd.HELD,
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

Written by `python -m tests.support.faults.fault_cases`; a test compares. Nothing is lost in any
of these, by the account of the simulated world.

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
