"""What the pit may ask of a table: in time, allowed, possible; once; on record with its author."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.inputs import Condition, Health
from controller.rules.messages import message
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.inputs.pit import MOST_LIFE_MS, PIT_ACTS, TOLERANCE_MS
from controller.table.irregularities.holds import Resolution
from controller.table.roles import PersonId, pit_person
from controller.table.state.phases import Phase
from controller.table.views.public import public
from tests.support.dealt.days import CalendarPit
from tests.support.pit import Pit, PitAnswer, setup

AUTHOR = pit_person(17)
WHICH = "0f1e2d3c"


def table() -> Pit:
    """A shuffled table whose house allows the pit everything."""
    made = Pit(replace(setup(3), pit_acts=PIT_ACTS, roles=True))
    made.shuffle()
    return made


def ask(
    pit: Pit, act: i.PitAct, *, role: str = "pit_boss", late_ms: int = 0, key: str = ""
) -> PitAnswer:
    """The pit asks for an act, which arrives `late_ms` after its expiry (before: negative)."""
    now_ms = pit.state.clock.at_ms + 1_000
    expires_ms = now_ms - (late_ms or -9_000)
    asked = i.FromPit(act, AUTHOR, role, WHICH, expires_ms - 10_000, expires_ms)
    return pit.give(asked, key=key)


def test_a_closed_table_takes_no_bets_until_it_is_opened() -> None:
    pit = table()
    assert not ask(pit, i.CloseTable()).refused
    assert pit.bet(1).refused == "The table is closed: the pit opens it"
    assert pit.display.headline == "The table is closed"
    assert public(pit.state).closed
    assert public(pit.state).who == "pit boss"
    assert ask(pit, i.CloseTable()).refused == "The table is closed already"
    assert not ask(pit, i.OpenTable()).refused
    assert not pit.bet(1).refused


def test_a_round_in_play_is_played_to_its_end_at_a_table_that_is_closed() -> None:
    pit = table()
    pit.bet(1)
    assert ask(pit, i.CloseTable()).code == "table-closes-without-bets"
    pit.no_more_bets()
    assert not ask(pit, i.CloseTable()).refused
    pit.deal("Kh 9c 9d")
    pit.say("stand")
    pit.deal("Ks")
    pit.settle_all()
    assert pit.state.phase is Phase.BETTING
    assert pit.display.headline == "The table is closed"
    assert pit.give(i.RepeatWagers()).code == "table-is-closed"


def test_what_changes_play_waits_for_the_end_of_a_round() -> None:
    pit = table()
    pit.bet(1)
    pit.no_more_bets()
    assert pit.state.phase is Phase.ROUND
    assert ask(pit, i.SetOptions((("max_bet", "5000"),))).code == "options-change-between-rounds"
    assert ask(pit, i.ChangeDealer("")).code == "dealers-change-between-rounds"


def test_the_pit_is_told_who_deals_and_for_what_stakes() -> None:
    pit = table()
    assert public(pit.state).deals == ""
    assert not ask(pit, i.ChangeDealer("0f1e2d3c")).refused
    assert not ask(pit, i.SetOptions((("max_bet", "5000"), ("min_bet", "500")))).refused
    dealer = PersonId("0f1e2d3c")
    assert public(pit.state).deals == "person 0f1e2d3c"
    assert public(pit.state, {dealer: "Aino Virtanen"}).deals == "Aino Virtanen"
    assert public(pit.state).stakes == (500, 5_000)
    assert not ask(pit, i.ChangeDealer("")).refused
    assert public(pit.state).deals == "", "somebody deals whom nobody has named"


def test_limits_of_the_pit_outlive_a_restart_until_the_file_says_otherwise() -> None:
    pit = table()
    assert not ask(pit, i.SetOptions((("max_bet", "5000"), ("min_bet", "500")))).refused
    assert pit.bet(1, 6_000).refused
    pit.start()
    assert dict(pit.state.setup.options)["max_bet"] == 5_000
    assert public(pit.state).set_by_pit == ("max_bet", "min_bet")
    configured = dict(pit.setup.options)
    pit.setup = replace(pit.setup, options=tuple(sorted({**configured, "max_bet": 20_000}.items())))
    pit.start()
    assert dict(pit.state.setup.options)["max_bet"] == 20_000, "the file is the newer word"
    assert dict(pit.state.setup.options)["min_bet"] == 500


def test_options_of_the_pit_that_no_longer_go_with_the_file_are_dropped() -> None:
    """The file's least wager is above the pit's largest: the table starts by the file."""
    pit = table()
    ask(pit, i.SetOptions((("max_bet", "5000"),)))
    options = {**dict(pit.setup.options), "min_bet": 10_000}
    pit.setup = replace(pit.setup, options=tuple(sorted(options.items())))
    pit.start()
    assert pit.state.setup == pit.setup
    assert not ask(pit, i.SendNote("it runs")).refused


def test_an_option_set_back_is_the_configurations_again() -> None:
    pit = table()
    usual = str(dict(pit.setup.options)["min_bet"])
    ask(pit, i.SetOptions((("min_bet", "500"),)))
    assert not ask(pit, i.SetOptions((("min_bet", usual),))).refused
    assert pit.state.setup == pit.setup


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((("max_bet", "5O00"),), "whole number"),
        ((("max_wager", "500"),), "max_wager"),
        ((("max_bet", "1"),), "min_bet"),
        ((("max_bet", "100000"),), "so already"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: tuple[tuple[str, str], ...], why: str
) -> None:
    pit = table()
    before = pit.state.setup
    answer = ask(pit, i.SetOptions(options))
    assert why in answer.refused
    assert pit.state.setup == before


def test_a_message_stays_until_the_dealer_has_read_it_and_refuses_no_press() -> None:
    pit = table()
    shown_seq = pit.display.seq
    ask(pit, i.SendNote("Seat 3 is to be called Ms Ek"))
    ask(pit, i.AskFill(500_000))
    assert pit.display.note == "The pit: Seat 3 is to be called Ms Ek"
    assert not pit.give(i.PlaceWager(1, 1_000), view_seq=shown_seq).refused, (
        "his picture is not old"
    )
    [key] = [each for each in pit.display.keys if each.command["do"] == "read_note"]
    number = key.command["note"]
    assert isinstance(number, int)
    assert not pit.give(i.ReadNote(number)).refused
    assert "5,000.00" in pit.display.note
    assert pit.give(i.ReadNote(number)).code == "no-such-note"


def test_messages_nobody_reads_are_not_pushed_out_of_sight() -> None:
    pit = table()
    for number in range(5):
        assert not ask(pit, i.SendNote(f"message {number}")).refused
    assert ask(pit, i.SendNote("one more")).code == "too-many-notes"
    assert ask(pit, i.SendNote("\x1b[2J")).code == "note-is-no-line"
    assert pit.display.note == "The pit: message 0"


def test_a_fill_is_whole_chips() -> None:
    assert ask(table(), i.AskFill(1_001)).code == "amount-not-in-chips"


def test_a_held_table_takes_messages_and_nothing_that_goes_on() -> None:
    pit = table()
    pit.give(i.CallFloor())
    assert "held" in ask(pit, i.CloseTable()).refused
    assert not ask(pit, i.SendNote("I am on my way")).refused
    assert pit.state.holds, "the hold is settled at the table"
    assert "on my way" in pit.display.note
    assert all(each.command["do"] != "read_note" for each in pit.display.keys)


def test_alarms_are_silenced_by_the_floor_that_the_pit_vouches_for() -> None:
    pit = table()
    pit.give(Health("scanner", Condition.DOWN, message("device-stopped", device="scanner")))
    newest = max(each.number for each in pit.state.alarms)
    assert not ask(pit, i.SilenceAlarms(newest)).refused
    assert all(each.acknowledged for each in pit.state.alarms)
    assert "user 17 of the pit" in str(public(pit.state).alarms)


def test_what_the_house_keeps_at_the_table_is_refused() -> None:
    pit = Pit(setup(3))
    pit.shuffle()
    assert ask(pit, i.CloseTable()).code == "house-keeps-it-at-the-table"
    pit.setup = replace(pit.setup, pit_acts=("send_note",))
    pit.start()
    assert ask(pit, i.CloseTable()).code == "house-keeps-it-at-the-table"
    assert not ask(pit, i.SendNote("hello")).refused


def test_neither_a_late_command_nor_one_of_another_clock_acts() -> None:
    pit = table()
    assert not ask(pit, i.SendNote("in time"), late_ms=TOLERANCE_MS).refused
    late = ask(pit, i.CloseTable(), late_ms=TOLERANCE_MS + 1)
    assert late.why == message("pit-command-is-late", seconds=TOLERANCE_MS // 1_000)
    now_ms = pit.state.clock.at_ms + 1_000
    early = i.FromPit(i.CloseTable(), AUTHOR, "pit_boss", WHICH, now_ms + 6_000, now_ms + 9_000)
    assert pit.give(early).why == message("pit-command-of-later", seconds=6)
    now_ms += 1_000
    long = i.FromPit(i.CloseTable(), AUTHOR, "pit_boss", WHICH, now_ms, now_ms + MOST_LIFE_MS + 1)
    most_s = MOST_LIFE_MS // 1_000
    assert pit.give(long).why == message("pit-command-lasts-too-long", seconds=most_s)
    assert not pit.state.pit.closed


def test_only_the_floor_and_pit_bosses_ask() -> None:
    pit = table()
    for role in ("viewer", "dealer", "machine", "", "floor"):
        assert ask(pit, i.CloseTable(), role=role).code == "pit-author-may-not"
    for role in ("viewer", "dealer", "machine", ""):
        assert ask(pit, i.SendNote("hello"), role=role).code == "pit-author-may-not"
    assert not ask(pit, i.SendNote("hello"), role="floor").refused


def test_a_repeated_command_acts_once_also_after_a_restart() -> None:
    pit = table()
    now_ms = pit.state.clock.at_ms
    asked = i.FromPit(i.SendNote("once"), AUTHOR, "floor", WHICH, now_ms, now_ms + 20_000)
    first = pit.give(asked, key="pit-1")
    pit.start()
    again = pit.give(asked, key="pit-1")
    assert (again.records, again.seq) == ((), first.seq)
    assert len(pit.state.pit.notes) == 1


def test_a_clock_that_is_set_back_lets_in_nothing_older_than_the_newest_command() -> None:
    pit = table()
    now_ms = pit.state.clock.at_ms
    old = i.FromPit(i.CloseTable(), AUTHOR, "pit_boss", WHICH, now_ms, now_ms + 10_000)
    pit.wait(3_600)
    pit.give(i.RemoveWager(1))  # its record has the time
    assert not ask(pit, i.SendNote("of later")).refused
    pit.wait(1, wall_s=-3_600)
    # The newest was made 3,602 s after it (each input takes the pit's clock a second), and it was
    # good for 10.
    assert pit.give(old).why == message("pit-command-is-old", seconds=3_592)
    assert not pit.state.pit.closed
    pit.start()
    assert pit.give(old).code == "pit-command-is-old", "also after a restart"


def test_the_newest_command_acts_once_when_its_key_is_long_forgotten() -> None:
    pit = CalendarPit("21-24-27")
    pit.setup = replace(pit.setup, pit_acts=PIT_ACTS)
    pit.start()
    now_ms = pit.state.clock.at_ms
    newest = i.FromPit(i.SendNote("once"), AUTHOR, "floor", WHICH, now_ms, now_ms + 60_000)
    assert not pit.give(newest, key="pit-1").refused
    pit.close_day()
    assert pit.state.commands.answered.get("k:pit-1") is not None
    pit.close_day()
    assert pit.state.commands.answered.get("k:pit-1") is None
    pit.wait(1, wall_s=(now_ms - pit.state.clock.at_ms) / 1_000)
    assert pit.give(newest, key="pit-1").code == "pit-command-is-old"
    assert len(pit.state.pit.notes) == 1


def test_who_asked_is_on_record_whether_it_was_taken_or_not() -> None:
    pit = table()
    done = ask(pit, i.CloseTable()).records
    refused = ask(pit, i.CloseTable(), role="floor").records
    assert [each.fact for each in done] == [
        f.PitAsked("close_table", AUTHOR, "pit_boss", WHICH), f.PlayClosed(),
    ]  # fmt: skip
    assert [type(each.fact) for each in refused] == [f.PitAsked, f.Refused]
    assert refused[0].fact == f.PitAsked("close_table", AUTHOR, "floor", WHICH)


def directory(serial: int, digest: str = "ab") -> i.DirectoryReport:
    return i.DirectoryReport(serial, digest * 32, "cd" * 32, 3, 1_000, 2_000)


def in_force(pit: Pit) -> int:
    found = pit.state.pit.directory
    return found.serial if found else 0


def test_which_directory_of_people_is_in_force_is_on_record_and_never_goes_back() -> None:
    pit = table()
    taken = pit.give(directory(7))
    assert [each.fact for each in taken.records] == [
        f.DirectoryInstalled(7, "ab" * 32, "cd" * 32, 3, 1_000, 2_000)
    ]
    assert pit.give(directory(7)).records == (), "it is said once"
    assert pit.give(directory(6)).code == "directory-is-older"
    assert pit.give(directory(7, "ef")).code == "directory-is-older"
    assert in_force(pit) == 7
    assert not pit.give(directory(8, "ef")).refused
    assert in_force(pit) == 8


def test_people_change_in_a_round_and_at_a_held_table_and_disturb_neither() -> None:
    pit = table()
    pit.bet(1)
    pit.no_more_bets()
    before = pit.display.headline
    assert not pit.give(directory(1)).refused
    assert pit.display.headline == before
    pit.scanner_down()
    assert pit.state.holds
    assert not pit.give(directory(2)).refused


def test_the_next_day_knows_which_directory_is_in_force() -> None:
    pit = CalendarPit("21-24-27")
    pit.start()
    pit.give(directory(7))
    pit.close_day()
    assert in_force(pit) == 7
    assert pit.give(directory(6)).code == "directory-is-older"


def test_a_table_is_not_closed_over_bets_that_wait_for_another_shoe() -> None:
    pit = Pit(replace(setup(3, penetration_cards=3), pit_acts=PIT_ACTS))
    pit.shuffle()
    pit.bet(2)
    for code in ("Td", "Tc"):
        pit.deal(code)
        pit.resolve(Resolution.SET_ASIDE)
    assert pit.state.phase is Phase.SHUFFLE
    # Closed, it would give nobody a bet back.
    assert ask(pit, i.CloseTable()).code == "table-closes-without-bets"
