"""Messages: a code and parameters that survive the record; words only when they are shown."""

from __future__ import annotations

import inspect
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.actions import Action, Outcome, Place
from controller.rules.cards import DECK_52, JOKER, card
from controller.rules.english import ENGLISH, write
from controller.rules.game import Game
from controller.rules.games.registry import GAMES
from controller.rules.hands import Total
from controller.rules.messages import (
    Amount,
    Language,
    Message,
    Seat,
    Words,
    from_plain,
    message,
    params_of,
    to_plain,
)
from controller.rules.money import Odds
from controller.rules.sealed import Sealed
from tests.support.message_codes import MessageCall, made_in, problems

NUMBERS = st.integers(-(10**12), 10**12)
SINGLE = st.one_of(
    NUMBERS,
    st.text(max_size=20),
    st.sampled_from([*DECK_52, JOKER]),
    st.builds(Amount, NUMBERS),
    st.builds(Seat, st.integers(0, 16)),
    st.builds(Place, st.integers(0, 16), st.integers(0, 9)),
    st.sampled_from(Action),
    st.builds(Total, st.integers(0, 99), st.booleans(), st.sampled_from((21, 27))),
    st.builds(Odds, st.integers(1, 99), st.integers(1, 99)),
)
NAMES = st.sampled_from(("player", "dealer", "amount", "why"))


def messages(values: st.SearchStrategy[object]) -> st.SearchStrategy[Message]:
    return st.builds(
        lambda code, params: message(code, **params),
        st.sampled_from(("hand-beats", "wager-under")),
        st.dictionaries(NAMES, values, max_size=3),
    )


ANY = st.recursive(SINGLE, lambda inner: messages(inner) | st.lists(inner, max_size=3).map(tuple))


@given(messages(ANY))
def test_a_message_is_the_same_after_the_record(said: Message) -> None:
    again = from_plain(json.loads(json.dumps(to_plain(said))))
    assert again == said
    assert hash(again) == hash(said)
    assert repr(again) == repr(said)
    assert pickle.loads(pickle.dumps(said)) == said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("draw a card", "Draw a card."), ("stand or hit?", "Stand or hit?"), ("bust!", "Bust!")],
)
def test_a_sentence_ends_once(text: str, sentence: str) -> None:
    assert write(text, "sentence", Words()) == sentence


def test_the_order_of_parameters_does_not_matter() -> None:
    assert message("a", one=1, two=2) == message("a", two=2, one=1)
    assert message("a", one=1) != message("a", one=2)
    assert message("a") != message("b")
    assert message("a", one=1) != message("a", one=Amount(1))
    assert message("a") != "a"


@pytest.mark.parametrize(
    "value",
    [Sealed(card("Kh")), (1, Sealed(card("Kh"))), None, 1.5, True, Outcome.WIN, {"card": "Kh"}],
    ids=repr,
)
def test_what_a_message_cannot_hold(value: object) -> None:
    with pytest.raises(TypeError, match="a message cannot hold") as refused:
        message("card-read", card=value)  # type: ignore[arg-type]
    assert "Kh" not in str(refused.value)


def test_a_message_cannot_be_changed() -> None:
    said = message("card-read", card=card("Kh"))
    with pytest.raises(AttributeError):
        said.code = "other"
    assert said["card"] is card("Kh")


@pytest.mark.parametrize(
    "data",
    [
        None, 5, "ab", [], ["code"], ["code", []], ["code", {"card": None}], [5.5, {}, 1],
        ["code", {"card": {"card": "Xx"}}], ["code", {"card": {"sealed": "Kh"}}],
        ["code", {"who": {"place": [1, 2, 3]}}], ["code", {"who": {}}],
        ["code", {"total": {"total": [1]}}], ["code", {"a": {"seat": 1, "amount": 2}}],
    ],
    ids=repr,
)  # fmt: skip
def test_data_that_is_no_message(data: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_plain(data)


@pytest.mark.parametrize(
    ("value", "spec", "said"),
    [
        (card("Th"), "", "10♥"),
        (card("Kh"), "name", "King of hearts"),
        (JOKER, "name", "Joker"),
        (card("Kh"), "code", "Kh"),
        (Amount(125_050), "", "1,250.50"),
        (Seat(3), "", "box 3"),
        (Seat(0), "", "the operator"),
        (Place(0), "", "the operator"),
        (Place(3), "", "box 3"),
        (Place(3, 2), "", "box 3, hand 2"),
        (Place(3, 0), "", "the side bet of box 3"),
        (Action.STAY_LOW, "", "stay low"),
        (Total(17, True), "", "soft 17"),
        (Odds(3, 2), "", "3 to 2"),
        (5, "", "5"),
        ("cable out", "", "cable out"),
    ],
    ids=str,
)
def test_values_in_english(value: object, spec: str, said: str) -> None:
    assert write(value, spec, Words("operator", "box")) == said  # type: ignore[arg-type]


LANGUAGE = Language(
    write,
    {
        "missing": "{cards:card|cards} missing",
        "choose": "{action} is not allowed: {why}; choose {options:or}",
        "list": "{options}",
        "last-place": "{who} is last",
        "shared": "a table's words",
    },
)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (message("missing", cards=1), "1 card missing"),
        (message("missing", cards=5), "5 cards missing"),
        (
            message(
                "choose",
                action=Action.HIT,
                why=message("missing", cards=2),
                options=(Action.STAND, Action.DOUBLE, Action.SPLIT),
            ),
            "hit is not allowed: 2 cards missing; choose stand, double or split",
        ),
        (message("list", options=(card("Th"), card("9c"))), "10♥, 9♣"),
        (message("list", options=(card("Th"),)), "10♥"),
        (message("list", options=()), ""),
        (message("last-place", who=Seat(2)), "seat 2 is last"),
    ],
    ids=str,
)
def test_a_message_in_words(said: Message, words: str) -> None:
    assert LANGUAGE.say(said) == words


def test_a_games_own_words_come_first() -> None:
    own = Words("operator", "box", {"shared": "the game's words"})
    assert LANGUAGE.say(message("shared")) == "a table's words"
    assert LANGUAGE.say(message("shared"), own) == "the game's words"
    assert LANGUAGE.say(message("last-place", who=Seat(2)), own) == "box 2 is last"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (message("of-another-build"), "of-another-build"),
        (message("of-another-build", amount=Amount(500), to=Seat(1)),
         "of-another-build (amount 5.00, to seat 1)"),
        (message("missing", packs=2), "missing (packs 2)"),
    ],
    ids=str,
)  # fmt: skip
def test_words_of_another_build_are_said_plainly(said: Message, words: str) -> None:
    assert LANGUAGE.say(said) == words


def test_text_that_people_typed_is_no_template() -> None:
    typed = message("list", options=("{who} {0} {", "%s"))
    assert LANGUAGE.say(typed) == "{who} {0} {, %s"


def test_a_code_has_one_template() -> None:
    with pytest.raises(ValueError, match="shared has two templates"):
        Language(write, LANGUAGE.catalogue, {"shared": "others"})


def test_the_parameters_of_a_template() -> None:
    assert list(params_of("{cards:card|cards} of {pack} {{}}")) == ["cards", "pack"]


def test_the_check_of_codes_and_words(tmp_path: Path) -> None:
    source = tmp_path / "some.py"
    source.write_text('message("a", one=1)\nx = message("b")\nmessage("a", two=2)\n')
    made = made_in(tmp_path)
    assert made[:2] == [
        MessageCall("a", frozenset({"one"}), f"{source}:1"),
        MessageCall("b", frozenset(), f"{source}:2"),
    ]
    assert problems(made[:2], {"a": "{one}", "b": "words"}) == []
    assert problems(made, {"a": "{one}", "b": "words"}) == [
        f"{source}:3: a has other parameters than at {source}:1"
    ]
    assert problems(made[:2], {"a": "{two}", "c": "left over"}) == [
        f"{source}:1: a has {{'one'}}, its words use {{'two'}}",
        f"{source}:2: b has no words",
        "c has words and is never said",
    ]
    source.write_text("message(code)\n")
    with pytest.raises(AssertionError, match="write the code out"):
        made_in(source)
    source.write_text('message("a", **params)\n')
    with pytest.raises(AssertionError, match="write the parameters out"):
        made_in(source)


CONTROLLER = Path(__file__).parents[2] / "controller"
RULES = CONTROLLER / "rules"
#: Who says what a game is worth, in the words of `english/odds.py`.
ODDS = tuple(
    CONTROLLER / each for each in ("odds", "service/odds/expectation_files.py", "web/api/odds.py")
)


def test_every_message_of_the_rules_has_words() -> None:
    of_games = {code for each in GAMES.values() for code in each.words.reasons}
    made = [each for each in made_in(RULES, *ODDS) if each.code not in of_games]
    assert problems(made, ENGLISH.catalogue) == []


@pytest.mark.parametrize("plays", GAMES.values(), ids=list(GAMES))
def test_every_reason_of_a_game_has_words(plays: Game) -> None:
    source = Path(inspect.getfile(plays.script))
    made = [each for each in made_in(source) if each.code not in ENGLISH.catalogue]
    assert problems(made, plays.words.reasons) == []


@pytest.mark.parametrize("plays", GAMES.values(), ids=list(GAMES))
def test_a_game_words_nothing_anew_that_the_engine_says(plays: Game) -> None:
    assert plays.words.reasons.keys().isdisjoint(ENGLISH.catalogue)
