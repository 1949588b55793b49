"""Seven Twenty-Seven: what is not lawful is refused, and the decision at fault is named."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.commands.deal import answer
from tests.rules.games import seven_reference as reference
from tests.rules.games.seven_proof import by_the_reference, random_case, round_of
from tests.support.forms import examples

Case = dict[str, Any]


def at_a(case: Case, *actions: str) -> list[int]:
    return [at for at, each in enumerate(case["decisions"]) if each["action"] in actions]


def spoil(case: Case, at: int, kind: str) -> None:
    """Make the decision `at` one that is refused."""
    said = case["decisions"][at]
    low = case["options"].get("min_raise", case["options"].get("smallest_chip", 1))
    match kind:
        case "not allowed":
            allowed = case["expected"]["steps"][at]["allowed"]
            other = {"pass": "call", "fold": "pass", "card": "call"}[allowed[0]]
            case["decisions"][at] = {"seat": said["seat"], "action": other}
        case "no such action":
            said["action"] = "double up"
        case "amount missing":
            del said["amount"]
        case "amount that is none":
            said["amount"] = str(said["amount"])
        case "amount where none is taken":
            said["amount"] = low
        case "nothing where none is taken":
            said["amount"] = 0
        case "too small":
            said["amount"] = low - case["options"].get("smallest_chip", 1)
        case "too large":
            said["amount"] = case["options"]["max_raise"] + 1
        case "not whole chips":
            said["amount"] = low + 1
        case "wrong seat":
            said["seat"] = next(
                each["seat"] for each in case["seats"] if each["seat"] != said["seat"]
            )
        case "left over":
            case["decisions"].append(copy.deepcopy(said))
        case "missing":
            del case["decisions"][at:]


#: What is spoiled, and at which decisions it can be.
ANY = ("pass", "bet", "call", "raise", "fold", "card", "no-card")
AMOUNTS = ("bet", "raise")
PLAIN = ("pass", "call", "fold", "card", "no-card")
SPOILED = {
    "not allowed": ANY,
    "no such action": ANY,
    "amount missing": AMOUNTS,
    "amount that is none": AMOUNTS,
    "amount where none is taken": PLAIN,
    "nothing where none is taken": PLAIN,
    "too small": AMOUNTS,
    "too large": AMOUNTS,
    "not whole chips": AMOUNTS,
    "wrong seat": ANY,
    "left over": ANY,
    "missing": ANY,
}


@pytest.mark.parametrize("kind", SPOILED)
def test_a_decision_at_fault_is_named(kind: str) -> None:
    spoiled = 0
    for seed in range(80):
        case = random_case(seed)
        if kind == "not whole chips" and case["options"].get("smallest_chip", 1) == 1:
            continue
        if kind == "too large" and "max_raise" not in case["options"]:
            continue
        places = at_a(case, *SPOILED[kind])
        if not places:
            continue
        at = random.Random(seed).choice(places)
        spoil(case, at, kind)
        wanted = len(case["decisions"]) - 1 if kind == "left over" else at
        refused = answer(case)["refused"]
        assert (refused["at"], bool(refused["why"])) == (wanted, True), (seed, refused)
        spoiled += 1
    assert spoiled > 20


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seats": [{"seat": seat, "bet": 1} for seat in (1, 2, 3)]}, "4 to 10"),
        ({"seats": [{"seat": seat, "bet": 1} for seat in range(1, 12)]}, "from 1 to 10"),
        ({"seats": [{"seat": seat, "bet": 1} for seat in (1, 2, 3, 3)]}, "each once"),
        ({"seats": [{"seat": seat, "bet": 1} for seat in (1, 3, 2, 4)]}, "in order"),
        ({"seats": [{"seat": seat, "bet": seat} for seat in (1, 2, 3, 4)]}, "the same ante"),
        ({"seats": [{"seat": seat, "bet": 0} for seat in (1, 2, 3, 4)]}, "minimum"),
        ({"seats": [{"seat": seat, "bet": None} for seat in (1, 2, 3, 4)]}, "whole number"),
        ({"seats": [{"seat": seat, "bet": 1.5} for seat in (1, 2, 3, 4)]}, "whole number"),
        ({"options": {"ante": 2}}, "the ante is"),
        ({"options": {"smallest_chip": 2}}, "minimum"),
        ({"options": {"min_raise": 3, "max_raise": 2}}, "min_raise"),
        ({"options": {"max_raises_per_round": 101}}, "0 to 100"),
        ({"options": {"showdown": "high card"}}, "showdown must be"),
        ({"options": {"decks": 2}}, "no option 'decks'"),
        ({"cards": ["Ah", "Ah", *reference.DECK[2:]]}, "more often"),
        ({"cards": ["Jo", *reference.DECK[:20]]}, "more often"),
        ({"cards": reference.DECK[:7]}, "too few"),
        ({"cards": []}, "too few"),
        ({"cards": None}, "must be a list"),
        ({"decisions": None}, "must be a list"),
    ],
)
def test_a_set_up_or_a_card_at_fault_is_reported(changes: Case, why: str) -> None:
    case = round_of(4, "1 bet 5, 2 fold, 3 fold, 4 fold") | changes
    refused = answer(case)["refused"]
    assert refused["at"] is None
    assert why in refused["why"]


def test_too_few_cards_for_a_card_that_was_asked_for() -> None:
    said = "1 pass, 2 pass, 3 pass, 4 pass, 1 card"
    assert answer(round_of(4, said, used=8))["refused"]["at"] is None
    refused = by_the_reference(round_of(4, said, used=8))["refused"]
    assert refused == {"at": None, "why": "too few cards"}


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 60) | st.floats(0, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
said = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.integers(0, 5) | junk,
        "action": st.sampled_from([*ANY, "hit", "stand", "split"]) | junk,
        "amount": st.integers(-1, 12) | junk,
    },
)


@examples(40, long=800)
@given(decisions=st.lists(said | junk, max_size=3), extra=st.dictionaries(
    st.sampled_from(["seats", "cards", "options"]), junk, max_size=1))  # fmt: skip
def test_whatever_is_given_is_answered(decisions: list[Any], extra: Case) -> None:
    """A file that nobody checked never ends the command: each case gets its result or refusal."""
    answered = answer({**round_of(4, "1 pass"), "decisions": decisions, **extra})
    assert ("result" in answered) != ("refused" in answered)
    if "refused" in answered:
        assert answered["refused"]["why"]
