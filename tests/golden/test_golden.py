"""Every golden round, through the engine of the live table, and each of them made unlawful."""

from __future__ import annotations

import copy
import json
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.commands.deal import answer, check, load_cases
from controller.rules.actions import Action
from controller.rules.cards import CardError, card
from controller.rules.games.registry import GAMES, game
from controller.rules.options import without_limits
from tests.rules.unlawful import copied
from tests.support.forms import quick_first

Case = dict[str, Any]

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.json"))
BY_GAME: dict[str, list[Any]] = {file.stem: list(load_cases(file)) for file in FILES}
CASES: list[Case] = list(chain.from_iterable(BY_GAME.values()))

golden = pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
#: In the quick form one case in six of each game.
SOME: list[Case] = [case for cases in BY_GAME.values() for case in cases[::6]]
some_golden = pytest.mark.parametrize(
    "case", quick_first(CASES, SOME), ids=lambda case: str(case["id"])
)
one_a_game = pytest.mark.parametrize("name", BY_GAME)


@golden
def test_golden_round(case: Case) -> None:
    assert check(case, answer(case)) == []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_golden_rounds_of_its_own(name: str) -> None:
    assert {case["game"] for case in BY_GAME[name]} == {name}


def test_no_two_golden_rounds_have_the_same_name() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)


@some_golden
def test_the_amounts_of_a_golden_round_add_up(case: Case) -> None:
    result = answer(case)["result"]
    put_in = {str(seat["seat"]): seat["bet"] for seat in case["seats"]}
    assert list(result["net"]) == list(put_in)
    if "pot" in result:
        assert sum(result["payout"].values()) == result["pot"]
        assert sum(result["net"].values()) == 0
        return
    for seat, net in result["net"].items():
        mine = [hand for hand in result["hands"] if str(hand["seat"]) == seat]
        assert sum(hand["net"] for hand in mine) == net
        assert net >= -sum(hand["wager"] for hand in mine)
        assert all(each["wager"] % (put_in[seat] // 2) == 0 for each in mine)


def test_a_wrong_expectation_is_noticed() -> None:
    for cases in BY_GAME.values():
        case = copy.deepcopy(cases[0])
        case["expected"]["net"]["1"] += 1
        assert any("net" in line for line in check(case, answer(case)))
        case = copy.deepcopy(next(each for each in cases if each["expected"]["steps"]))
        case["expected"]["steps"][0]["allowed"].append("deal again")
        assert any("allowed" in line for line in check(case, answer(case)))
        case = copy.deepcopy(cases[0])
        case["expected"] = {"refused": {"at": None}}
        assert check(case, answer(case)) == ["refused at None, got not refused"]


# -- refusals --


def refused_at(case: Case, **changes: Any) -> tuple[int | None, str]:
    refused = answer({**case, **changes})["refused"]
    return refused["at"], refused["why"]


@some_golden
def test_a_decision_too_many_or_too_few_is_refused_at_its_place(case: Case) -> None:
    decisions = case["decisions"]
    at, why = refused_at(case, decisions=[*decisions, {"action": "hit"}])
    assert (at, "left over" in why) == (len(decisions), True)
    if decisions:
        at, why = refused_at(case, decisions=decisions[:-1])
        assert (at, "no decision" in why) == (len(decisions) - 1, True)


@some_golden
def test_a_card_too_few_is_refused_as_no_decisions_fault(case: Case) -> None:
    at, why = refused_at(case, cards=case["cards"][: case["expected"]["used"] - 1])
    assert (at, "too few cards" in why) == (None, True)


@some_golden
def test_a_decision_that_is_not_allowed_is_refused_at_its_place(case: Case) -> None:
    free = [each for each in case["expected"]["steps"] if not each.get("forced")]
    for at, step in enumerate(free):
        others = [each.value for each in Action if each.value not in step["allowed"]]
        for action in others:
            decisions = copied(case["decisions"])
            decisions[at] = {"action": action}
            refusal, why = refused_at(case, decisions=decisions)
            assert refusal == at
            assert all(each in why for each in step["allowed"])


@some_golden
def test_a_decision_of_another_seat_is_refused_at_its_place(case: Case) -> None:
    for at, decision in enumerate(case["decisions"]):
        decisions = copied(case["decisions"])
        decisions[at] = {**decision, "seat": 99}
        refusal, why = refused_at(case, decisions=decisions)
        assert (refusal, "turn" in why) == (at, True)


def bad_cards(name: str, cards: list[str]) -> list[list[Any]]:
    pack = game(name).pack
    first = card(cards[0])
    bad: list[list[Any]] = [
        [first.code] * (pack.times(first) + 1),
        ["Zz", *cards[1:]],
        [None, *cards[1:]],
        [f" {first.code}", *cards[1:]],
    ]
    return bad if pack.jokers else [*bad, ["Jo", *cards[1:]]]


@one_a_game
def test_cards_that_are_not_in_the_pack_are_refused(name: str) -> None:
    case = BY_GAME[name][0]
    for cards in bad_cards(name, case["cards"]):
        at, why = refused_at(case, cards=cards)
        assert at is None
        assert "more often" in why or "no card" in why


@one_a_game
def test_seats_and_wagers_that_cannot_be_are_refused(name: str) -> None:
    case, seats = BY_GAME[name][0], game(name).seats
    bet = case["seats"][0]["bet"]
    numbers = [seat["seat"] for seat in case["seats"]]
    for bad in (
        [],
        list(range(1, seats.stop + 1)),
        [0, *numbers[1:]],
        [*numbers[:-1], seats.stop],
        [*numbers, numbers[-1]],
        ["1", *numbers[1:]],
        [*numbers, 3][::-1],
    ):
        at, why = refused_at(case, seats=[{"seat": seat, "bet": bet} for seat in bad])
        assert at is None, bad
        assert why
    for amount in (0, -2, None, 2.5, "2", True):
        bets = [{"seat": seat, "bet": amount} for seat in numbers]
        assert refused_at(case, seats=bets)[0] is None, amount


@one_a_game
def test_options_that_the_game_does_not_know_are_refused(name: str) -> None:
    case = BY_GAME[name][0]
    for options, says in (
        ({"surprise": 1}, "no option"),
        ({"smallest_chip": "50"}, "must be of type int"),
        ({"smallest_chip": 0}, "smallest_chip"),
        ({"min_bet": case["seats"][0]["bet"] + 1}, "under the minimum"),
    ):
        at, why = refused_at(case, options=options)
        assert (at, says in why) == (None, True), why


def test_an_unknown_game_is_refused() -> None:
    at, why = refused_at(CASES[0], game="whist")
    assert (at, "no game" in why) == (None, True)


@some_golden
def test_a_case_needs_no_more_than_its_limits(case: Case) -> None:
    """Table limits are not applied unless given: without them only the rules remain."""
    plays = game(case["game"])
    free = without_limits(plays.options, case.get("options") or {})
    assert check(case, answer({**case, "options": free})) == []


# -- the command --


def mixed() -> list[Case]:
    """One round of each game in turn, until all are dealt."""
    in_turn = chain.from_iterable(zip_longest(*BY_GAME.values()))
    return [case for case in in_turn if case is not None]


def test_deal_prints_a_json_list_of_a_mixed_file_in_its_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unlawful = {**CASES[0], "id": "not lawful", "cards": []}
    cases = [*mixed()[:50], unlawful, *mixed()[50:]]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(cases))
    assert main(["deal", str(file)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in printed] == [case["id"] for case in cases]
    assert printed[50] == {
        "id": "not lawful", "refused": {"at": None, "why": printed[50]["refused"]["why"]},
    }  # fmt: skip
    for case, answered in zip(cases, printed, strict=True):
        if case is not unlawful:
            assert check(case, answered) == []


def test_check_tells_by_its_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(mixed()))
    assert main(["deal", "--check", str(file)]) == 0
    broken = copy.deepcopy(mixed()[:7])
    broken[3]["expected"]["used"] = 99
    file.write_text(json.dumps(broken))
    capsys.readouterr()
    assert main(["deal", "--check", str(file)]) == 1
    out, err = capsys.readouterr()
    assert str(broken[3]["id"]) in out + err
    assert str(broken[2]["id"]) not in out + err
    file.write_text("{")
    assert main(["deal", str(file)]) == 2


def test_cards_have_the_codes_that_the_readme_says() -> None:
    assert card("Th").name == "Ten of hearts"
    assert card("Jo").name == "Joker"
    with pytest.raises(CardError):
        card("10h")
