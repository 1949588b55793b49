"""A new game is one file and one line: War is put into the list, and everything deals it."""

from __future__ import annotations

import inspect
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from controller.__main__ import main
from controller.commands.deal import answer, check
from controller.config.load import check_config
from controller.config.problems import ConfigError
from controller.devices.scene import Light
from controller.rules.games import registry as games
from controller.rules.options import OptionError
from controller.table import inputs as i
from sim_hw.settings import WorldError, parse_settings
from tests.contracts import test_games, test_hidden_cards, test_house_options
from tests.contracts.war import GAME
from tests.sim_hw.test_settings import settings_data as set_up
from tests.support.pit import opened
from tests.table.any_moment import test_any_game

Case = dict[str, Any]


@pytest.fixture(autouse=True)
def war(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line in `controller/rules/games/registry.py`."""
    monkeypatch.setitem(games.GAMES, GAME.name, GAME)


# -- what every game keeps to --


MODULES: tuple[ModuleType, ...] = (
    test_games, test_hidden_cards, test_house_options, test_any_game,
)  # fmt: skip


def every_contract() -> Iterator[Any]:
    """The tests that are made for every game, with their other parameters."""
    for module in MODULES:
        for name, contract in vars(module).items():
            marks = [each for each in getattr(contract, "pytestmark", []) if name[:5] == "test_"]
            parameters = [each.args for each in marks if each.name == "parametrize"]
            if not any(names == "plays" for names, *_ in parameters):
                continue
            others = [each for each in parameters if each[0] != "plays"]
            for values in itertools.product(*(each[1] for each in others)):
                chosen: dict[str, Any] = {}
                for (names, *_), value in zip(others, values, strict=True):
                    one = isinstance(names, str)
                    chosen |= {names: value} if one else dict(zip(names, value, strict=True))
                which = "-".join(map(str, chosen.values()))
                yield pytest.param(contract, chosen, id=f"{name}-{which}" if which else name)


@pytest.mark.parametrize(("contract", "others"), list(every_contract()))
def test_war_keeps_to_what_every_game_keeps_to(
    contract: Callable[..., None], others: dict[str, Any]
) -> None:
    contract(plays=GAME, **others)


def test_every_contract_was_found() -> None:
    found = {each.values[0].__name__ for each in every_contract()}
    per_game = [
        name
        for module in MODULES
        for name, each in vars(module).items()
        if name.startswith("test_") and "plays: Game" in inspect.getsource(each)
    ]
    assert len(per_game) > 30
    assert found == set(per_game)


# -- cases --


def case(cards: str, *actions: str, seats: int = 1, **options: Any) -> Case:
    return {
        "id": cards,
        "game": "war",
        "seats": [{"seat": seat, "bet": 1_000} for seat in range(1, seats + 1)],
        "cards": cards.split(),
        "decisions": [{"action": each} for each in actions],
        "options": options,
    }


@pytest.mark.parametrize(
    ("dealt", "net"),
    [
        (case("Kh 9c"), 1_000),
        (case("9h Kc"), -1_000),
        (case("Ah Kc"), 1_000),
        (case("9h 9c", "surrender"), -500),
        (case("9h 9c Kh Qh", "double"), 1_000),
        (case("9h 9c Qh Kh", "double"), -2_000),
        (case("9h 9c Kd Kh", "double"), 1_000),
        (case("9h 9c Kd Kh", "double", ties_win=False), 0),
        (case("9h 9c Kd Qh", "double", war_pays="1:1"), 2_000),
        (case("9h 9d 9c Kd 2h", "double", "surrender", seats=2), 500),
    ],
)
def test_war_is_dealt_and_paid(dealt: Case, net: int, tmp_path: Path) -> None:
    result = answer(dealt)["result"]
    assert sum(result["net"].values()) == net
    assert result["used"] == len(dealt["cards"])
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([{**dealt, "expected": result}]))
    assert main(["deal", "--check", str(file)]) == 0


@pytest.mark.parametrize(
    ("dealt", "at"),
    [
        (case("9h 9c", "stand"), 0),
        (case("9h 9c"), 0),
        (case("9h Kc", "double"), 0),
        (case("9h 9c Kd Qh", "double", "double"), 1),
        (case("9h"), None),
        (case("Jo 9h"), None),
        (case("9h 9c", "surrender", decks=7), None),
        (case("9h 9c", "surrender", smallest_chip=1_000), None),
    ],
)
def test_what_is_not_lawful_at_war_is_refused(dealt: Case, at: int | None) -> None:
    refused = {**dealt, "expected": {"refused": {"at": at}}}
    assert check(refused, answer(dealt)) == []


def test_the_published_edge_of_war_is_found_and_a_loss_is_told() -> None:
    assert GAME.edge_text == "house edge 2.88 % (exact, from a full shoe)"
    assert "THE HOUSE LOSES" in GAME.with_options({"war_pays": "1:1"}).edge_text


# -- at the table --


def test_a_war_at_the_table() -> None:
    pit = opened(2, "war")
    assert not pit.bet(1).refused
    assert not pit.bet(2, 2_000).refused
    pit.no_more_bets()
    pit.expect(next="Card to seat 1")
    pit.deal("9h Ks 9c")
    pit.expect(next="Pay seat 2: 20.00", why="King beats 9.")
    pit.press("next")
    pit.expect(next="Seat 1: surrender or double?", why="Both have 9")
    assert "not allowed" in (pit.say("hit").refused or "")
    pit.say("double")
    pit.expect(next="Seat 1 doubles: 10.00")
    pit.give(i.ConfirmWager(1, 1))
    pit.deal("2h 2d")
    pit.expect(next="Pay seat 1: 10.00", why="2 wins the war against 2.")
    assert pit.lights == [Light.WON.value, Light.EMPTY.value]
    pit.settle_all()
    assert pit.state.counts.rounds == 1


# -- what else knows games --


def test_a_table_can_be_configured_for_war(tmp_path: Path) -> None:
    raw: dict[str, Any] = {
        "table": {"name": "W1", "game": "war", "seats": 5},
        "record": {"folder": "record"},
        "web": {"token_file": "token"},
        "options": {"decks": 8, "war_pays": "1:1"},
    }
    config = check_config(raw, tmp_path / "table.toml")
    assert config.game.pack.decks == 8
    assert dict(config.setup.options)["penetration_cards"] == 312
    raw["options"] = {"decks": 7}
    with pytest.raises((ConfigError, OptionError), match="decks must be 6 or 8"):
        _ = check_config(raw, tmp_path / "table.toml").game


def test_the_simulated_world_can_be_set_up_for_war() -> None:
    settings = parse_settings(set_up(game="war", options={"decks": 8}))
    assert settings.game.name == "war"
    with pytest.raises(WorldError, match="decks must be"):
        parse_settings(set_up(game="war", options={"decks": 7}))


def test_the_rules_of_war_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "war " in capsys.readouterr().out
    assert main(["rules", "war", "--option", "ties_win=false"]) == 0
    text = capsys.readouterr().out
    assert "An equal second card pushes" in text
    assert "house edge" in text.lower()
    assert main(["rules", "war", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "war"
    assert main(["rules", "war", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("# War")
    assert main(["rules", "war", "--option", "decks=7"]) == 2
    assert "6 or 8" in capsys.readouterr().err
