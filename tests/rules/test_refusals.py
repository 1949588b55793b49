"""What is not lawful is refused, at the right decision, and nothing else ever happens."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.commands.deal import answer
from tests.reference import GAMES, play_case
from tests.rules.rounds import pack_of, seeded_case
from tests.rules.unlawful import copied, lawful_cases, opinion, refused_at
from tests.support.forms import examples, is_long_form, quick_first

ROUNDS = 30 if is_long_form() else 10
#: Rounds in which a decision is left out, added or exchanged: only some have one.
CHANGED_ROUNDS = 400 if is_long_form() else 120
WORDS = (
    "stand", "hit", "double", "split", "surrender", "stay-low", "stay-high", "insurance",
    "no-insurance", "pass", "bet", "call", "raise", "fold", "card", "no-card",
)  # fmt: skip
NO_ACTION: tuple[Any, ...] = ("", "Stand", "shuffle", None, 7, True, [], {}, ["hit"], 1.5)
NO_AMOUNT: tuple[Any, ...] = (0, 1, 1_000, -1, 2.5, "5", False, [], {})
NO_DECISION: tuple[Any, ...] = ("stand", 3, None, [], True)

every_game = pytest.mark.parametrize("game", GAMES)
some_games = pytest.mark.parametrize("game", quick_first(GAMES, ["blackjack"]))


@every_game
def test_every_action_that_is_not_allowed_is_refused_where_it_is_said(game: str) -> None:
    tried = 0
    for case, free in lawful_cases(game, 11, ROUNDS):
        for at, allowed in enumerate(free):
            for word in (*WORDS, *NO_ACTION):
                if word in allowed:
                    continue
                wrong = copied(case)
                wrong["decisions"][at]["action"] = word
                assert refused_at(wrong) == at, (case["id"], at, word)
                tried += 1
    assert tried > 200


@every_game
def test_a_decision_said_for_another_seat_is_refused(game: str) -> None:
    tried = 0
    for case, free in lawful_cases(game, 12, ROUNDS):
        for at in range(len(free)):
            wrong = copied(case)
            for seat in (0, 8, "1", 1.5, [1]):
                wrong["decisions"][at]["seat"] = seat
                assert refused_at(wrong) == at, (case["id"], at, seat)
                tried += 1
    assert tried > 50


@every_game
def test_an_amount_is_refused_where_none_is_asked(game: str) -> None:
    tried = 0
    for case, free in lawful_cases(game, 13, ROUNDS):
        for at in range(len(free)):
            wrong = copied(case)
            for amount in NO_AMOUNT:
                wrong["decisions"][at]["amount"] = amount
                assert refused_at(wrong) == at, (case["id"], at, amount)
                tried += 1
    assert tried > 50


@every_game
def test_a_decision_left_out_added_or_exchanged_is_refused_as_the_second_opinion_says(
    game: str,
) -> None:
    """The rules may bear the change out: then both play it, to the same end."""
    mixed = random.Random(14)
    tried: Counter[str] = Counter()
    for case, _ in lawful_cases(game, 14, CHANGED_ROUNDS):
        wrong = copied(case)
        said = wrong["decisions"]
        if not said:
            continue
        at = mixed.randrange(len(said))
        change = mixed.choice(("drop", "add", "last", "exchange", "cards", "swap"))
        if change == "drop":
            del said[at]
        elif change == "add":
            said.insert(at, {"action": mixed.choice(WORDS[:9])})
        elif change == "last":
            said.append(dict(mixed.choice(said)))
        elif change == "exchange":
            said[at]["action"] = mixed.choice(WORDS[:9])
        elif change == "cards":
            del wrong["cards"][mixed.randrange(len(wrong["cards"])) :]
        else:
            one, two = mixed.choices(range(len(wrong["cards"])), k=2)
            cards = wrong["cards"]
            cards[one], cards[two] = cards[two], cards[one]
        expected = opinion(wrong)
        assert refused_at(wrong) == expected, (case["id"], change)
        if expected == "nowhere":
            assert answer(wrong)["result"]["net"] == play_case(wrong)["net"]
        tried[f"{change}: {'played' if expected == 'nowhere' else 'refused'}"] += 1
    assert tried["last: refused"] > 3
    assert tried["cards: refused"] > 3
    assert tried["swap: played"] > 2
    assert tried["drop: refused"] > 3


@every_game
def test_decisions_that_are_no_objects_are_refused_where_they_stand(game: str) -> None:
    for case, free in lawful_cases(game, 15, ROUNDS):
        for at in range(len(free)):
            for thing in NO_DECISION:
                wrong = copied(case)
                wrong["decisions"][at] = thing
                assert refused_at(wrong) == at


@every_game
def test_too_few_cards_are_refused_as_no_decisions_fault(game: str) -> None:
    for case, _ in lawful_cases(game, 16, ROUNDS):
        result = answer(case)["result"]
        for left in range(result["used"]):
            assert refused_at({**case, "cards": case["cards"][:left]}) is None


@some_games
def test_a_card_that_comes_more_often_than_it_is_in_the_pack_is_refused(game: str) -> None:
    for case, _ in lawful_cases(game, 17, ROUNDS):
        pack = Counter(pack_of(game, case["options"]))
        for kind, times in pack.items():
            more = times - case["cards"].count(kind)
            assert refused_at({**case, "cards": case["cards"] + [kind] * more}) == "nowhere"
            assert refused_at({**case, "cards": case["cards"] + [kind] * (more + 1)}) is None
        if "Jo" not in pack:
            assert refused_at({**case, "cards": [*case["cards"], "Jo"]}) is None


#: Whatever JSON can hold.
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=8)
    | st.sampled_from([*WORDS, "Ah", "Jo", "3:2", "finnish-27", 10**30, "9" * 30, "\x00", "²:1"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)  # fmt: skip


def spots(thing: Any) -> list[tuple[Any, Any]]:
    """Every place within a case where something else could stand."""
    keys = list(thing) if isinstance(thing, dict) else list(range(len(thing)))
    found = [(thing, key) for key in keys]
    for key in keys:
        if isinstance(thing[key], dict | list):
            found += spots(thing[key])
    return found


@examples(40, long=2_000)
@given(data=st.data(), game=st.sampled_from(GAMES), number=st.integers(0, 200))
def test_whatever_stands_in_a_case_it_is_played_or_refused(
    data: st.DataObject, game: str, number: int
) -> None:
    case, _ = seeded_case(f"20/{game}/{number}")
    for _ in range(data.draw(st.integers(1, 3))):
        where = spots(case)
        holder, key = where[data.draw(st.integers(0, len(where) - 1))]
        holder[key] = data.draw(ANYTHING)
    at = refused_at(case)
    assert at is None or at == "nowhere" or type(at) is int


@examples(25, long=500)
@given(
    case=st.dictionaries(
        st.sampled_from(["id", "game", "seats", "cards", "decisions", "options"]), ANYTHING
    )
)
def test_whatever_a_case_is_made_of_it_is_refused(case: dict[str, Any]) -> None:
    assert refused_at(case) != "nowhere"
