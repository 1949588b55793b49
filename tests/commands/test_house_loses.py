"""A house that loses by its own options reads it wherever they are chosen or looked at."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.assembly.wiring import load
from controller.commands.doctor import start
from controller.commands.doctor.finding import CheckVerdict
from controller.config.configuration import Config
from controller.record.reading.expected import known_edge
from controller.rules.games.registry import GAMES, game
from controller.rules.printed.rulebook import rule_book
from controller.service.house_edges import log_edge
from controller.service.status_view import status
from tests.support.patience import PATIENCE_S
from tests.web.desk import PlayedDesk

SAID = "THE HOUSE LOSES: the players' edge is 20.93 %"


def configured(folder: Path, name: str) -> Path:
    path = folder / "table.toml"
    assert main(["init", "--yes", "--game", name, str(path)]) == 0
    return path


def test_whoever_configures_a_game_at_which_the_house_loses_reads_so_in_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = configured(tmp_path, "casino-7-27")
    assert SAID in capsys.readouterr().out, "init"
    config = load(path)
    finding = start._options(config)
    assert finding.verdict is CheckVerdict.NOTE
    assert SAID in finding.why
    with caplog.at_level(logging.WARNING):
        log_edge(config.game, known_edge(config.record.folder, config.game))
    assert SAID in caplog.text, "the log of a start"
    assert main(["rules", "casino-7-27"]) == 0
    assert SAID.upper() in capsys.readouterr().out, "the rules"
    assert rule_book(game("casino-7-27")).house_loses
    desk = PlayedDesk()
    desk.open_anew(name="casino-7-27")
    assert SAID in status(desk).house_loses, "the status page"


def with_options(folder: Path, name: str, options: str) -> Config:
    """A table whose options nobody computed."""
    path = configured(folder, name)
    path.write_text(f"{path.read_text()}\n[options]\n{options}\n")
    config = load(path)
    known = known_edge(config.record.folder, config.game)
    assert known is None or not known.exact
    return config


@pytest.mark.long  # it computes the edge: some seconds
def test_the_doctor_computes_what_nobody_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A fresh checkout compiles first, and beside the other lanes it has a tenth of a core.
    monkeypatch.setattr(start, "_COMPUTE_S", 10 * PATIENCE_S)
    finding = start._options(with_options(tmp_path, "casino-7-27", "decks = 6"))
    assert finding.verdict is CheckVerdict.NOTE
    assert "the players' edge is 20.9 % (exact, best play" in finding.why


FOUND = json.dumps({"edge_per_cent": -1.25, "wager": 1_000})


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (["echo", FOUND], "THE HOUSE LOSES: the players' edge is 1.25 %"),
        (["sh", "-c", "echo 'odds need numpy' >&2; exit 2"], "not known: odds need numpy"),
        (["sleep", "60"], "not known: it takes longer than 0 s; a running table computes it"),
        (["/not/there"], "not known: [Errno 2] No such file"),
    ],
)
def test_the_doctor_waits_only_so_long_and_says_what_it_knows(
    program: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = with_options(tmp_path, "finnish-27", "bonus_999_mixed = 5000")
    monkeypatch.setattr(start, "command_for", lambda *_: program)
    monkeypatch.setattr(start, "_COMPUTE_S", 0.2 if program[0] == "sleep" else 60.0)
    finding = start._options(config)
    assert finding.verdict is CheckVerdict.NOTE
    assert why in finding.why


@pytest.mark.parametrize("name", sorted(GAMES.keys() - {"casino-7-27"}))
def test_a_house_that_does_not_lose_is_not_alarmed(name: str) -> None:
    assert game(name).warning == ""
    assert status(PlayedDesk()).house_loses == ""
