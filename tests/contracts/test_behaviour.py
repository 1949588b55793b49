"""No game changes what it does without a new revision; words may change freely."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from controller.rules.actions import Outcome
from controller.rules.cards import Rank
from controller.rules.english import ENGLISH
from controller.rules.game import Game
from controller.rules.games import (
    blackjack,
    casino_7_27,
    finnish_27,
    nearest,
    seven_27,
    twenty_one_24_27,
)
from controller.rules.games.registry import GAMES
from controller.rules.hands import Total, hard_under, soft_under
from controller.rules.messages import message
from controller.rules.money import Odds
from controller.rules.script import felt
from controller.rules.script.felt import Result
from tests.contracts import behaviour
from tests.support.forms import long_only

EVERY_GAME = [pytest.param(each, id=each.name) for each in GAMES.values()]
ONE_GAME = [
    pytest.param(each, id=each.name, marks=() if each.name == "blackjack" else pytest.mark.long)
    for each in GAMES.values()
]

WHAT_TO_DO = """{identity} does otherwise than its digests say: {parts}.
Not meant: look for what changed; files in controller/rules are shared by several games.
Meant: raise REVISION in the game's file, then `python -m tests.contracts.behaviour {name}`, and
note the change in CHANGELOG.md. tests/contracts/behaviour/README.md has more."""


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_a_game_does_what_its_revision_did(plays: Game) -> None:
    digests = behaviour.committed(plays.name).get(str(plays.revision), {})
    made = behaviour.digests(plays)
    parts = ", ".join(part for part in made if made[part] != digests.get(part))
    assert not parts, WHAT_TO_DO.format(identity=plays.identity, name=plays.name, parts=parts)


@pytest.mark.long
@pytest.mark.parametrize("plays", EVERY_GAME)
def test_a_game_does_what_its_revision_did_in_many_more_rounds(plays: Game) -> None:
    digests = behaviour.committed(plays.name)[str(plays.revision)]
    changed = behaviour.long_digest(plays) != digests["long"]
    assert not changed, WHAT_TO_DO.format(
        identity=plays.identity, name=plays.name, parts="many rounds"
    )


@pytest.mark.parametrize("name", GAMES)
def test_digests_are_kept_of_revisions_that_there_were(name: str) -> None:
    revisions = [int(number) for number in behaviour.committed(name)]
    assert revisions == list(range(1, GAMES[name].revision + 1))


@pytest.mark.long
def test_a_revision_is_not_written_twice(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plays = GAMES["seven-twenty-seven"]
    monkeypatch.setattr(behaviour, "FOLDER", tmp_path)
    monkeypatch.setattr(behaviour, "LONG_ROUNDS", 1)
    path = behaviour.write(plays)
    written = path.read_text()
    with pytest.raises(behaviour.AlreadyWritten, match="seven-twenty-seven/1"):
        behaviour.write(plays)
    behaviour.write(plays, anew=True)
    assert path.read_text() == written


# -- a changed rule is noticed, changed words are not --


#: The parts that are quick to make anew.
QUICK = ("golden", "rounds")
#: Sheets of all ways to set a table are dear, and their words are of one kind.
SET_UPS = 4


def small(plays: Game, parts: Iterable[str] = QUICK, most: int | None = None) -> dict[str, str]:
    forget()
    return behaviour.digests(plays, 6, parts, most)


@cache
def as_it_is(
    plays: Game, parts: tuple[str, ...] = QUICK, most: int | None = None
) -> dict[str, str]:
    return small(plays, parts, most)


def forget() -> None:
    """Drop what the deciding functions remember of the rules as they were."""
    modules = [each for name, each in sys.modules.items() if name.startswith("controller.rules")]
    for module in (*modules, behaviour):
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


@pytest.fixture(autouse=True)
def nothing_remembered(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whoever changes a rule leaves nothing that was worked out by it."""
    yield
    if "monkeypatch" in request.fixturenames:
        forget()


def changed_parts(plays: Game, monkeypatch: pytest.MonkeyPatch, at: Any, **to: Any) -> set[str]:
    before = as_it_is(plays)
    for name, value in to.items():
        assert hasattr(at, name)
        monkeypatch.setattr(at, name, value)
    after = small(plays)
    return {part for part in before if before[part] != after[part]}


RULES_CHANGED = [
    ("21-24-27", twenty_one_24_27, {"DEALER_HITS": (hard_under(22), soft_under(24))}),
    ("21-24-27", twenty_one_24_27, {"WEAK_STANDS": (hard_under(15), soft_under(22))}),
    ("21-24-27", twenty_one_24_27, {"KING": Rank.QUEEN}),
    ("finnish-27", finnish_27, {"DEALER_HITS": (hard_under(23), soft_under(24))}),
    ("finnish-27", finnish_27, {"WEAK_HITS": (hard_under(14), soft_under(24))}),
    ("finnish-27", finnish_27, {"INITIAL_BONUS": {}}),
    ("finnish-27", finnish_27, {"SPADES_8_9_10": finnish_27.SUITED_8_9_10}),
    ("casino-7-27", casino_7_27, {"DEALER_STANDS": 22}),
    ("casino-7-27", casino_7_27, {"LOW": 8}),
    ("blackjack", blackjack, {"OPERATOR_STANDS": 18}),
    ("blackjack", blackjack, {"INSURANCE_PAYS": Odds(3, 1)}),
    ("seven-twenty-seven", seven_27, {"LOW": 15}),
    ("seven-twenty-seven", seven_27, {"ACE_GAIN": 18}),
]


@pytest.mark.parametrize(
    ("name", "module", "to"),
    [each if at % 5 == 0 else long_only(*each) for at, each in enumerate(RULES_CHANGED)],
    ids=lambda each: str(each)[:40],
)
def test_a_changed_rule_changes_the_digests(
    name: str, module: Any, to: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "rounds" in changed_parts(GAMES[name], monkeypatch, module, **to)


def nearer_otherwise(player: Total, dealer: Total) -> Result:
    """Equal totals lose."""
    equal = not dealer.bust and player.points == dealer.points
    if equal:
        return Result(Outcome.LOSE, message("loses-to", player=1, dealer=1))
    return nearest.nearer(player, dealer)


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_a_changed_comparison_changes_every_game_that_uses_it(
    plays: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = as_it_is(plays)
    for module in (twenty_one_24_27, finnish_27, blackjack):
        name = "nearer" if module is blackjack else "outcome"
        monkeypatch.setattr(module, name, nearer_otherwise)
    changed = small(plays) != before
    assert changed is (plays.name in ("21-24-27", "finnish-27", "blackjack"))


@pytest.mark.parametrize("plays", EVERY_GAME)
def test_a_shared_rule_changes_every_game_that_it_touches(
    plays: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A doubled wager that is three times the first: of the games where a wager is doubled."""

    def double(hand: felt.Hand) -> None:
        hand.doubled = True
        if hand.wager is not None:
            hand.wager *= 3

    parts = changed_parts(plays, monkeypatch, felt.Hand, double=double)
    assert bool(parts) is (plays.name in ("finnish-27", "blackjack"))


@pytest.mark.parametrize("plays", ONE_GAME)
def test_another_reason_on_record_changes_the_digests(
    plays: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = ("options", *QUICK)
    before = as_it_is(plays, parts)
    script = plays.script

    def other(*arguments: Any) -> Any:
        steps = script(*arguments)
        answer = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration:
                return
            result = step.hand.result
            if result is not None:
                step.hand.result = result._replace(why=message("why-not"))
            answer = yield step

    object.__setattr__(plays, "script", other)
    try:
        after = small(plays, parts)
    finally:
        object.__setattr__(plays, "script", script)
    assert before["rounds"] != after["rounds"]
    assert before["options"] == after["options"]


@pytest.mark.parametrize("plays", ONE_GAME)
def test_changed_words_change_no_digest(plays: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    before = as_it_is(plays, behaviour.PARTS, SET_UPS)
    for code in plays.words.reasons:
        monkeypatch.setitem(plays.words.reasons, code, "other words")
    for code in ("sheet-values", "sheet-must", "sheet-loses", "sheet-any", "total-hard"):
        monkeypatch.setitem(ENGLISH.catalogue, code, f"On {ENGLISH.catalogue[code]}")
    sheet = plays.sheet(plays.options)
    assert sheet[0].title.startswith("On ")
    assert small(plays, behaviour.PARTS, SET_UPS) == before
