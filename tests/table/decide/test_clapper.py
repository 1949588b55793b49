"""The clapper: between rounds all spots flash a code, from a moment on record, and then no more."""

from __future__ import annotations

from controller.devices.lights import CLAP_MS, LOOKS, Pattern
from controller.devices.scene import Light
from controller.table import facts as f
from controller.table import inputs as i
from tests.support.dealt.days import on_the_next_day
from tests.support.pit import Pit, setup

SEATS = 3
BETTING = (Light.BET, Light.EMPTY, Light.EMPTY)


def betting() -> Pit:
    pit = Pit(setup(SEATS))
    pit.shuffle()
    pit.bet(1)
    return pit


def test_all_spots_flash_for_as_long_as_the_code_takes_and_go_back() -> None:
    pit = betting()
    answer = pit.give(i.Clap())
    assert [each.fact for each in answer.records] == [f.ClapperBegan(CLAP_MS)]
    pit.expect(lights=[Light.CLAP] * SEATS)
    pit.wait(CLAP_MS / 1_000 - 2)
    pit.expect(lights=[Light.CLAP] * SEATS)
    assert pit.give(i.Clap()).code == "clapper-runs"
    pit.wait(3)
    assert pit.records[-1].fact == f.ClapperEnded()
    pit.expect(lights=list(BETTING))
    assert not pit.give(i.Clap()).refused


def test_in_a_round_and_while_the_table_is_held_the_lights_are_the_dealers() -> None:
    pit = betting()
    pit.no_more_bets()
    assert pit.give(i.Clap()).code == "no-clapper-in-a-round"
    pit = betting()
    pit.press("call")
    assert pit.give(i.Clap()).refused
    pit.expect(lights=[Light.HELD] * SEATS)


def test_a_round_that_begins_meanwhile_has_its_lights() -> None:
    pit = betting()
    pit.give(i.Clap())
    pit.no_more_bets()
    pit.expect(lights=[Light.CARD, Light.EMPTY, Light.EMPTY])


def test_a_gaming_day_that_begins_meanwhile_ends_it() -> None:
    pit = betting()
    pit.give(i.Clap())
    assert on_the_next_day(pit.state).remote.clapper_due_ns is None


def test_the_code_is_like_itself_at_no_other_moment_and_flashes_at_most_three_times_a_second() -> (
    None
):
    step = 50
    lit = [Pattern.CLAP.lit(at) for at in range(0, CLAP_MS, step)]
    for shift in range(6, len(lit) - 6):
        moved = [False] * shift + lit[:-shift]
        same = sum(one is other for one, other in zip(lit, moved, strict=True))
        assert same < 0.75 * len(lit), shift * step
    begins = [at for at in range(1, len(lit)) if lit[at] and not lit[at - 1]]
    for at in begins:
        assert sum(at <= other < at + 1_000 // step for other in begins) <= 3
    assert LOOKS[Light.CLAP].pattern is Pattern.CLAP
