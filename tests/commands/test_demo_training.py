"""`tablectl demo --train`: what cannot be is refused with what to do; the world knows the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands.demo.files import write_files
from controller.commands.demo.order import DemoOrder, TrainingOrder, check_order
from controller.commands.demo.training import LiveReport
from controller.commands.terminal.status import EXIT_USAGE
from sim_hw.settings import Training, load_settings


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--train", "--headless", "--rounds", "2"], "leave --headless out"),
        (["--train", "--studio"], "leave --studio out"),
        (["--train", "--pit"], "leave --pit out"),
        (["--train", "--minutes", "-1"], "--minutes: from 0 (no end) to 1000"),
        (["--train", "--minutes", "nan"], "--minutes: from 0"),
        (["--train", "--target", "0"], "--target: from 1 to 1000 rounds an hour"),
        (["--train", "--rounds", "-2"], "--rounds: 0 or more"),
        (["--trouble", "few"], "--trouble: it goes with --train"),
        (["--minutes", "5"], "--minutes: it goes with --train"),
        (["--pit", "--target", "5"], "--target: it goes with --train"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_to_do(
    asked: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *asked]) == EXIT_USAGE
    assert says in capsys.readouterr().err


def test_trouble_of_no_known_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--train", "--trouble", "lots"])
    assert ended.value.code == EXIT_USAGE
    said = capsys.readouterr().err.replace("'", "")  # newer Pythons write the choices without
    assert "choose from none, few, some, many" in said


def order(folder: Path, training: TrainingOrder, rounds: int = 7) -> DemoOrder:
    return DemoOrder(
        "blackjack", 3, 1, 1.0, rounds, False, None, 8028, folder, training=training
    )  # fmt: skip


@pytest.mark.parametrize(
    ("training", "expected"),
    [
        (TrainingOrder(), Training("some", 105.0, 7, 0.0)),
        (TrainingOrder("many", 20.0, 90.0), Training("many", 90.0, 7, 20.0)),
    ],
)
def test_the_world_is_told_what_is_asked(
    tmp_path: Path, training: TrainingOrder, expected: Training
) -> None:
    asked = order(tmp_path, training)
    check_order(asked)
    write_files(asked, tmp_path, 9)
    settings = load_settings(tmp_path / "world.json")
    assert settings.training == expected
    assert settings.rounds == 0


def test_a_training_in_which_nothing_happened_says_that_there_is_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = LiveReport(tmp_path, "token")
    live.look()
    live.finish()
    assert "There is no report of this training: there is no training in" in capsys.readouterr().out


@pytest.mark.parametrize("form", [[], ["--json"], ["--html"]])
def test_a_folder_without_a_training_is_named(
    tmp_path: Path, form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["training", str(tmp_path), *form]) == EXIT_USAGE
    assert f"there is no training in {tmp_path}" in capsys.readouterr().err


def test_a_training_of_which_nothing_is_on_record_yet_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "training.jsonl").write_text("")
    assert main(["training", str(tmp_path)]) == EXIT_USAGE
    assert "nothing is on record in" in capsys.readouterr().err
