"""House options of every game: typed, named as in the rulings, refused with what is allowed."""

from __future__ import annotations

import random
from enum import Enum
from typing import Any

import pytest
from hypothesis import given

from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.money import Odds
from controller.rules.options import About, OptionError, about, plain, plain_value
from tests.contracts.rounds import random_options
from tests.contracts.test_games import every_game, seeds
from tests.support.forms import examples

EVERY_GAME: dict[str, tuple[object, ...]] = {
    "min_bet": (1_000,),
    "max_bet": (100_000,),
    "smallest_chip": (50,),
}
BURNS: dict[str, tuple[object, ...]] = {"burn_after_shuffle": (1,), "burn_on_dealer_change": (0,)}

#: "House options" of the rulings: the first value is the default, more are the choices.
RULINGS: dict[str, dict[str, tuple[object, ...]]] = {
    "finnish-27": EVERY_GAME | BURNS | {
        "penetration_cards": (243,),
        "double_after_split": (True, False),
        "forced_play": ("hit_or_stand", "after_hit"),
        "bonus_999_mixed": (9_000,),
        "bonus_999_suited": (99_000,),
        "bonus_999_jackpot": (999_000,),
    },
    "21-24-27": EVERY_GAME | BURNS | {"penetration_cards": (243,)},
    "casino-7-27": EVERY_GAME | BURNS | {
        "penetration_cards": (312,),
        "decks": (8, 6),
        "low_pays": ("3:1",),
        "high_pays": ("1:1",),
        "seven_27_pays": ("25:1",),
    },
    "seven-twenty-seven": EVERY_GAME | {
        "ante": (1_000,),
        "min_raise": (1_000,),
        "max_raise": (10_000,),
        "max_raises_per_round": (100,),
        "showdown": ("nearest", "over-is-bust", "under-trumps-over"),
        "first_card": ("down", "up"),
        "free_ace": (False, True),
    },
    "blackjack": EVERY_GAME | BURNS | {
        "penetration_cards": (312,),
        "blackjack_pays": ("3:2", "6:5", "1:1"),
        "peek": (False, True),
        "double_after_split": (False, True),
        "resplit": (False, True),
        "max_hands": (4, 3, 2),
        "offers": ("prompt", "only"),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", RULINGS)
def test_the_options_of_a_game_are_those_of_the_rulings(name: str) -> None:
    options = game(name).options
    known = {
        key: tuple(map(plain_value, option.choices or (getattr(options, key),)))
        for key, option in about(options).items()
    }
    assert known == RULINGS[name]


@every_game
def test_every_option_says_what_it_means_and_its_default_is_the_first_choice(plays: Game) -> None:
    for name, option in about(plays.options).items():
        assert ENGLISH.template(option.meaning.code, plays.words), name
        if option.choices:
            assert option.choices[0] == getattr(plays.options, name), name


@every_game
def test_an_unknown_option_is_refused_with_those_that_there_are(plays: Game) -> None:
    with pytest.raises(OptionError) as refused:
        plays.with_options({"no_such": 1})
    said = str(refused.value)
    assert plays.name in said
    assert "'no_such'" in said
    assert all(name in said for name in about(plays.options))


def wrong_values(value: object, option: About) -> list[object]:
    """Values that an option cannot have: other types, and words and odds that are no choice."""
    wrong: list[object] = [None, 1.5, [1], {"a": 1}, "", "no such thing"]
    if isinstance(value, Odds):
        wrong += [3, "3", "3-2", "0:1", "1:0", "-1:1", "3:2 ", "1:1000000000"]
        wrong += ["7:5"] if option.choices else []
    elif isinstance(value, Enum):
        wrong += [0, True, value]
    elif isinstance(value, bool):
        wrong += [0, 1, "true"]
    else:
        wrong += [True, False, "10", -1]
        wrong += [10**6] if option.choices else []
    return wrong


@every_game
def test_a_value_of_a_wrong_type_or_that_is_no_choice_is_refused_by_name(plays: Game) -> None:
    for name, option in about(plays.options).items():
        for wrong in wrong_values(getattr(plays.options, name), option):
            with pytest.raises(OptionError) as refused:
                plays.with_options({name: wrong})
            assert name in str(refused.value), wrong


@every_game
def test_a_refused_choice_names_every_choice(plays: Game) -> None:
    for name, option in about(plays.options).items():
        if option.choices and not isinstance(option.choices[0], bool):
            value = option.choices[0]
            wrong = 10**6 if type(value) is int else "9:8" if isinstance(value, Odds) else "?"
            with pytest.raises(OptionError) as refused:
                plays.with_options({name: wrong})
            assert all(str(plain_value(each)) in str(refused.value) for each in option.choices)


@every_game
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"min_bet": 2_000, "max_bet": 1_000}, "max_bet"),
        ({"min_bet": 0}, "min_bet"),
        ({"min_bet": 990}, "whole number of smallest chips"),
        ({"smallest_chip": 0}, "smallest_chip"),
        ({"max_bet": 10**12 + 50}, "max_bet"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    plays: Game, options: dict[str, object], says: str
) -> None:
    with pytest.raises(OptionError, match=says):
        plays.with_options(options)


@every_game
@examples(12, long=600)
@given(seed=seeds)
def test_options_written_down_and_read_again_are_the_same(plays: Game, seed: int) -> None:
    changed = random_options(plays, random.Random(seed))
    written = plain(changed.options)
    assert all(type(each) in (int, str, bool) for each in written.values())
    again = plays.with_options(written)
    assert again.options == changed.options
    assert plain(again.options) == written
    assert (again.name, again.pack) == (changed.name, changed.pack)
    assert changed.with_options({}).options == changed.options


@every_game
@examples(6, long=300)
@given(seed=seeds)
def test_the_game_itself_keeps_its_own_options(plays: Game, seed: int) -> None:
    before = plain(plays.options)
    random_options(plays, random.Random(seed))
    assert plain(plays.options) == before


def test_the_cut_follows_the_decks() -> None:
    casino = game("casino-7-27")
    six = casino.with_options({"decks": 6})
    assert (six.pack.size, six.options.cut_after) == (312, 234)
    assert casino.with_options({"decks": 6, "penetration_cards": 200}).options.cut_after == 200
    assert six.with_options({"decks": 8}).options.cut_after == 312
    assert six.with_options({"min_bet": 2_000}).options.cut_after == 234
    with pytest.raises(OptionError, match="penetration_cards"):
        casino.with_options({"decks": 6, "penetration_cards": 312})


@every_game
def test_the_cut_is_three_quarters_of_the_pack(plays: Game) -> None:
    options: Any = plays.options
    if "penetration_cards" not in about(options):
        assert (options.cut_after, options.burns(dealer_change=False)) == (1, 0)
        return
    assert options.cut_after == options.penetration_cards == plays.pack.size * 3 // 4
    for wrong in (0, plays.pack.size):
        with pytest.raises(OptionError, match="penetration_cards"):
            plays.with_options({"penetration_cards": wrong})
    burning: Any = plays.with_options({"burn_after_shuffle": 3, "burn_on_dealer_change": 2})
    assert burning.options.burns(dealer_change=False) == 3
    assert burning.options.burns(dealer_change=True) == 2
    for name in ("burn_after_shuffle", "burn_on_dealer_change"):
        with pytest.raises(OptionError, match=name):
            plays.with_options({name: 11})


@every_game
@examples(10, long=500)
@given(seed=seeds)
def test_a_wager_is_refused_where_its_payouts_could_not_be_made_of_chips(
    plays: Game, seed: int
) -> None:
    mixed = random.Random(seed)
    changed = random_options(plays, mixed)
    chip, odds = changed.options.smallest_chip, changed.pays(changed.options)
    for _ in range(20):
        amount = mixed.randint(1, 40 * changed.options.min_bet)
        payable = all(amount * each.pays % (each.per * chip) == 0 for each in odds)
        low, high = changed.options.min_bet, changed.options.max_bet
        lawful = payable and amount % chip == 0 and low <= amount <= high
        if (problem := changed.wager_problem(amount)) is None:
            assert lawful, amount
        elif not plays.vying:
            assert not lawful, problem


def test_of_a_wrong_value_40_characters_are_repeated() -> None:
    with pytest.raises(OptionError) as error:
        game("blackjack").with_options({"blackjack_pays": "x" * 1_000})
    assert f"'{'x' * 39}" in str(error.value)
    assert "x" * 40 not in str(error.value)
