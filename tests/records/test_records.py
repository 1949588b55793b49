"""Every record that was ever kept: opened, played on, verified, replayed, exported, corrected."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.__main__ import main
from controller.people.document import roster_digest
from controller.record.journal import Journal
from controller.record.reading.round_report import report
from controller.record.reading.rounds import rounds
from controller.record.reading.verify import verify
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.irregularities.holds import Resolution
from controller.table.state.phases import Phase
from tests.records.dealing import PEOPLE, corrected, left_in_shoe, square
from tests.records.make import EXPECTED, SETS, expected, round_of
from tests.support.dealt.croupier import ROUND_BOUND, Croupier
from tests.support.dealt.days import CalendarPit, commits, some_round
from tests.support.forms import quick_first

KEPT = sorted(each.parent for each in SETS.glob(f"*/*/{EXPECTED}"))
NAMES = [f"{each.parent.name}-{each.name}" for each in KEPT]
#: The quick form reads the newest set, and of each older one the game that hides cards.
QUICK = [each for each in KEPT if each.name == "blackjack"]


#: Of these the oldest and the newest: whatever is done with a record that has been read.
ENDS = [QUICK[0], QUICK[-1]]


def copied(source: Path, folder: Path) -> Path:
    """A copy of a kept record: what is kept is never touched."""
    return shutil.copytree(source, folder / source.name, copy_function=shutil.copyfile)


@pytest.fixture(params=quick_first(KEPT, QUICK), ids=NAMES)
def record_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return copied(request.param, tmp_path)


@pytest.fixture(params=quick_first(KEPT, ENDS), ids=NAMES)
def record_at_an_end(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """In the quick form one of the oldest form, and one of the newest."""
    return copied(request.param, tmp_path)


def said(record_folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((record_folder / EXPECTED).read_text())
    return found


def test_records_of_every_game_are_kept() -> None:
    assert {each.name for each in KEPT} == set(GAMES)


def test_a_set_is_kept_of_the_rules_and_decisions_of_now(tmp_path: Path) -> None:
    """Whoever raises a revision keeps a set of it: `python -m tests.records.make NAME`."""
    judged = set()
    for number, each in enumerate(reversed(KEPT)):
        if each.name in judged:
            continue
        copy = shutil.copytree(each, tmp_path / str(number), copy_function=shutil.copyfile)
        if not verify(copy).not_judged:
            judged.add(each.name)
    assert judged == set(GAMES)


def test_a_kept_record_holds_and_says_what_it_always_said(
    record_folder: Path, long_form: bool
) -> None:
    """And is replayed without its openings: in the quick form its last round."""
    assert verify(record_folder).signed
    assert expected(record_folder) == said(record_folder)
    for line in [*rounds(record_folder)][0 if long_form else -1 :]:
        assert report(record_folder, line.number).replay.steps


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_kept_record_is_exported(
    form: str, record_at_an_end: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(record_at_an_end), "--format", form]) == 0
    lines = len(capsys.readouterr().out.splitlines())
    assert lines - (form == "csv") == said(record_at_an_end)["head"][0]


def play_on(record_folder: Path, after: Callable[[CalendarPit, Croupier], None]) -> None:
    """Start on the record as a table does, finish the round in play, and do what comes after."""
    with closing(Journal(record_folder)) as journal:
        state = journal.recover()
        assert state is not None
        pit = CalendarPit(state.setup.game, state.setup.seats, began=state)
        while pit.state.holds:
            assert pit.resolve(Resolution.COUNT).refused == ""
        croupier = Croupier(pit, Random(5), shoe=left_in_shoe(pit.state, Random(6)))
        for place, hand in hands_down(pit):
            croupier.down.setdefault(place, []).extend(hand)
        for _ in range(ROUND_BOUND):
            if pit.state.step is None:
                break
            croupier.answer(pit.state.step)
            square(pit)
        assert pit.state.phase is not Phase.ROUND
        after(pit, croupier)
        for commit in commits(pit.records):
            journal.write(commit)
    found = verify(record_folder)
    assert found.problems == []
    assert found.head.seq == pit.state.seq


def hands_down(pit: CalendarPit) -> list[Any]:
    """The cards that lie face down, by the openings of the record."""
    from tests.support.dealt.croupier import Physical

    found = []
    for seal, place in lying(pit):
        kind = seal.open()
        if kind is not None:
            found.append((place, [Physical(kind, seal.open_serial())]))
    return found


def lying(pit: CalendarPit) -> list[Any]:
    state = pit.state
    if state.rounds.latest is None or state.step is None:
        return []
    felt = state.rounds.latest.felt
    hands = (*felt.hands, felt.dealer)
    return [(seal, hand.place) for hand in hands for seal in hand.face_down]


def test_a_kept_record_is_played_on_and_closed(record_at_an_end: Path) -> None:
    def rounds_and_a_new_day(pit: CalendarPit, croupier: Croupier) -> None:
        some_round(croupier)
        assert pit.close_day().refused == ""
        if pit.state.remote.window is not None:
            pit.give(i.TimerFired())  # bets were open for their time, in the night
        some_round(croupier)

    play_on(record_at_an_end, rounds_and_a_new_day)
    assert len(verify(record_at_an_end).days) == len(said(record_at_an_end)["days"]) + 1


def test_a_kept_record_is_corrected(record_at_an_end: Path) -> None:
    before = {each.number: round_of(each) for each in rounds(record_at_an_end)}

    def correct(pit: CalendarPit, croupier: Croupier) -> None:
        corrected(pit, 2)

    play_on(record_at_an_end, correct)
    after = {each.number: round_of(each) for each in rounds(record_at_an_end)}
    assert before.keys() == after.keys()


@pytest.mark.parametrize("game", quick_first(GAMES, ["blackjack"]))
def test_a_record_says_by_which_directory_who_could_act_and_who_dealt(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids and roles are at the pit: by their digest it is shown that they were these."""
    kept = SETS / "2026-11-28-people" / game
    folder = shutil.copytree(kept, tmp_path / game, copy_function=shutil.copyfile)
    assert main(["export", str(folder), "--format", "jsonl"]) == 0
    lines = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    said = [
        (each["day"], each["kind"], each["fact"])
        for each in lines
        if each["kind"] in ("DirectoryInstalled", "DealerChanged")
    ]
    found = [(day, fact.get("serial"), fact.get("roster", fact.get("person")))
             for day, _, fact in said]  # fmt: skip
    assert found == [
        ("2023-11-14", 1, roster_digest("T1", PEOPLE)), ("2023-11-14", None, PEOPLE[0].id),
        ("2023-11-15", 2, roster_digest("T1", PEOPLE[1:])), ("2023-11-15", None, PEOPLE[1].id),
    ]  # fmt: skip
    with closing(Journal(folder)) as journal:
        state = journal.recover()
    assert state is not None
    assert state.pit.directory is not None
    assert (state.pit.directory.serial, state.people.dealer) == (2, PEOPLE[1].id)
    # A name is on no record.
    written = b"".join(each.read_bytes() for each in folder.iterdir() if each.is_file())
    assert not any(each.name.encode() in written for each in PEOPLE)
