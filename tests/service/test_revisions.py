"""A record that outlives its software: rules are changed between two runs on one record.

Yesterday's figures stand, the table plays on, and whoever asks is told by which build a round can
be judged, corrected or finished.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands.terminal.status import EXIT_BAD, EXIT_OTHER_BUILD
from controller.devices.inputs import Reading
from controller.rules.actions import Action, Outcome
from controller.rules.cards import card
from controller.rules.games import twenty_one_24_27
from controller.rules.games.registry import GAMES
from controller.rules.hands import Total
from controller.rules.messages import message
from controller.rules.script.felt import Result
from controller.rules.sealed import Sealed
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.state.phases import Phase
from controller.table.state.state import State
from tests.service.test_loop import ask, deal_to_the_first_choice, draw, running
from tests.support.pit import SCANNER

pytestmark = pytest.mark.anyio

GAME = "21-24-27"
BUILD = "0.0-test"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: object) -> tuple[int, str]:
        status = main([str(word) for word in words])
        return status, capsys.readouterr().out

    return command


async def count(service: Service, hold: int) -> str:
    """People count as many cards on the felt as are shown."""
    cards = state_of(service).cards_shown
    return await ask(service, i.Resolve(hold, Resolution.COUNT, cards=cards))


def raise_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next build carries the second revision of the game alone."""
    monkeypatch.setitem(GAMES, GAME, replace(GAMES[GAME], revision=2))


def change_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the next build every hand pushes, and nobody has raised the revision."""

    def pushes(player: Total, dealer: Total) -> Result:
        return Result(Outcome.PUSH, message("equals", player=player, dealer=dealer))

    monkeypatch.setattr(twenty_one_24_27, "outcome", pushes)


def state_of(service: Service) -> State:
    assert service.state is not None
    return service.state


async def one_round(service: Service) -> None:
    """The first round: seat 1 wins 10.00 with 23 against the dealer's bust."""
    await deal_to_the_first_choice(service)
    assert await ask(service, i.Decide(1, Action.STAND)) == ""
    await draw(service, "Qc")
    assert await ask(service, i.ConfirmSettled(1)) == ""


async def to_a_second_round(service: Service) -> None:
    """The second round, up to the choice of seat 1."""
    assert await ask(service, i.PlaceWager(1, 2_000)) == ""
    assert await ask(service, i.CloseBets()) == ""
    await draw(service, "Ks 9h 9s 7h")
    assert await ask(service, i.CloseBets()) != ""  # the cards have been read by then


async def test_a_raised_revision_leaves_yesterday_as_it_was_and_the_table_plays_on(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        await one_round(service)
        played = state_of(service).rounds.past
    before = run("replay", path), run("replay", path, "--round", 1), run("export", path)
    raise_revision(monkeypatch)
    assert (run("replay", path), run("replay", path, "--round", 1), run("export", path)) == before
    async with running(path) as (service, _):
        assert state_of(service).rounds.past == played
        hold = state_of(service).holds[0]
        assert hold.reason is Reason.RECOUNT
        assert await count(service, hold.number) == ""
        await to_a_second_round(service)
        second = state_of(service).in_play
        assert second is not None
        assert (second.rules, second.number) == (f"{GAME}/2", 2)
        edit = i.EditAsked(0, EditKind.REPLACE, "Kd")
        refused = await ask(service, i.Correct(1, (edit,), "misread"))
        assert f"{GAME}/1" in refused
        assert BUILD in refused
    status, out = run("verify", path)
    assert status == EXIT_OTHER_BUILD
    assert f"not judged: {GAME}/1, use build {BUILD}" in out
    assert "the chain holds" in out


async def test_a_round_in_play_of_another_revision_holds_the_table_and_can_be_voided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        await one_round(service)
        await to_a_second_round(service)
    raise_revision(monkeypatch)
    async with running(path) as (service, wall):
        state = state_of(service)
        held = next(each for each in state.holds if each.reason is Reason.REVISION)
        shown = next(each for each in wall.shown[-1].dealer.holds if each.number == held.number)
        assert f"{GAME}/1" in shown.text
        assert BUILD in shown.text
        assert [key.command["resolution"] for key in shown.resolutions] == ["void"]
        recount = next(each for each in state.holds if each.reason is Reason.RECOUNT)
        for way in (Resolution.ENTER_CARD, Resolution.FACE_DOWN):
            assert await ask(service, i.Resolve(recount.number, way, "Th")) != ""
        await service.offer(Reading(SCANNER, Sealed(card("Th")), apart=True))
        assert await count(service, recount.number) == ""
        late = next(e for e in state_of(service).holds if e.reason is Reason.UNEXPECTED)
        assert await ask(service, i.Resolve(late.number, Resolution.SET_ASIDE)) == ""
        assert await ask(service, i.Decide(1, Action.STAND)) != ""
        assert await ask(service, i.Resolve(held.number, Resolution.VOID)) == ""
        state = state_of(service)
        assert state.phase is Phase.BETTING
        (owed,) = state.holds
        assert owed.reason is Reason.DIFFERENCE
        assert await ask(service, i.Resolve(owed.number, Resolution.SQUARED)) == ""
        assert state.rounds.past[-1].void
        assert state.rounds.past[-2].net == 1_000
        assert await ask(service, i.PlaceWager(1, 2_000)) == ""
        assert await ask(service, i.CloseBets()) == ""
        assert state_of(service).step is not None


async def test_a_round_in_play_is_finished_by_the_build_that_began_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        await one_round(service)
        await to_a_second_round(service)
    with monkeypatch.context() as newer:
        raise_revision(newer)
        async with running(path) as (service, _):
            assert state_of(service).held_for(Reason.REVISION)
    async with running(path) as (service, _):
        state = state_of(service)
        assert not state.held_for(Reason.REVISION)
        (recount,) = state.holds
        assert await count(service, recount.number) == ""
        assert await ask(service, i.Decide(1, Action.STAND)) == ""
        await draw(service, "Qd")
        assert await ask(service, i.ConfirmSettled(1)) == ""
        assert [each.net for each in state_of(service).rounds.past] == [1_000, 2_000]


async def test_a_rule_that_changed_under_its_revision_is_found_by_verify_and_stops_nothing(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        await one_round(service)
    before = run("replay", path), run("replay", path, "--round", 1), run("export", path)
    change_a_rule(monkeypatch)
    assert (run("replay", path), run("replay", path, "--round", 1), run("export", path)) == before
    async with running(path) as (service, _):
        state = state_of(service)
        assert state.rounds.past[-1].net == 1_000
        assert await count(service, state.holds[0].number) == ""
        assert await ask(service, i.PlaceWager(1, 2_000)) == ""
    status, out = run("verify", path)
    assert status == EXIT_BAD
    assert "does not follow from those before it by the rules" in out
    assert "The chain is whole" in out


async def test_a_round_in_play_that_this_build_would_play_otherwise_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    async with running(path) as (service, _):
        await deal_to_the_first_choice(service)
        assert await ask(service, i.Decide(1, Action.STAND)) == ""
        await draw(service, "Qc")
        assert await ask(service, i.CloseBets()) != ""  # the card has been read by then
    change_a_rule(monkeypatch)
    async with running(path) as (service, _):
        state = state_of(service)
        assert state.held_for(Reason.REVISION)
        held = next(each for each in state.holds if each.reason is Reason.REVISION)
        assert await ask(service, i.Resolve(held.number, Resolution.VOID)) == ""
        assert state_of(service).rounds.past[-1].void
