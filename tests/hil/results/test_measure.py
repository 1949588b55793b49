"""Declared measurements, the bench's file, and the comparison of pictures."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hil.bench_file import BenchError, is_bench, load_bench
from tests.hil.results.compare import difference
from tests.hil.results.measure import Measurements, MeasurementVerdict, quantile

HERE = Path(__file__).parents[1]


def test_a_value_is_within_its_limits_or_outside_or_not_measured() -> None:
    measure = Measurements()
    scan = measure("scan to lamp", unit="ms", at_most=20)
    rounds = measure("rounds", unit="rounds", at_least=20)
    heat = measure("temperature", unit="C", at_least=0, at_most=80)
    assert [each.verdict for each in measure.declared] == [MeasurementVerdict.NOT_MEASURED] * 3
    assert measure.bad == [scan, rounds, heat]
    scan.take(20)
    rounds.take(19)
    assert (scan.verdict, rounds.verdict) == (MeasurementVerdict.WITHIN, MeasurementVerdict.OUTSIDE)
    assert measure.bad == [rounds, heat]
    assert str(scan) == "scan to lamp: 20 ms within limits (at most 20 ms)"
    assert str(rounds) == "rounds: 19 rounds outside limits (at least 20 rounds)"
    assert str(heat) == "temperature: not measured (at least 0, at most 80 C)"


def test_a_figure_is_declared_once_with_a_limit_and_taken_once() -> None:
    measure = Measurements()
    with pytest.raises(ValueError, match="has no limit"):
        measure("scan to lamp", unit="ms")
    one = measure("scan to lamp", unit="ms", at_most=20)
    with pytest.raises(ValueError, match="declared already"):
        measure("scan to lamp", unit="ms", at_most=30)
    with pytest.raises(ValueError, match="is no value"):
        one.take(math.nan)
    one.take(1)
    with pytest.raises(ValueError, match="measured already"):
        one.take(1)


def test_a_quantile_is_one_of_the_values() -> None:
    values = [float(each) for each in range(1, 101)]
    assert [quantile(values, share) for share in (0.5, 0.99, 1.0)] == [50, 99, 100]
    assert quantile([3.0], 0.5) == 3.0


@pytest.mark.parametrize("name", ["sim.toml", "sim_quick.toml"])
def test_the_simulated_benches_are_benches(name: str) -> None:
    assert is_bench(HERE / name)
    assert load_bench(HERE / name).rig.simulated


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[rig]\nsimulated = true\n[bench]\nname = 'a'", "table and rig are both simulated, or"),
        ("[rig]\n[bench]\nname = 'a'", "rig.host and table.url are missing"),
        ("[rig]\n[bench]\nname = 'a'\ncolour = 1", "bench.colour is no key of a bench: remove it"),
        ("[rig]\n[lamps]", "unknown section [lamps]: remove it"),
        ("[rig]\n[bench]", "[bench]: "),
        ("[rig]\n[bench]\nname = 'a'\nsuites = ['dance']", "bench.suites: dance is none: choose"),
        (
            "[rig]\nhost = 'r'\n[table]\nurl = 'u'\n[bench]\nname = 'a'\ngames = ['blackjack']",
            "table.configs has no configuration for blackjack",
        ),
        (
            "[rig]\n[bench]\nname = 'a'\ngames = ['poker']",
            "bench.games: poker is none that is dealt",
        ),
        ("[rig]\n[bench]\nname = 'a'\ngames = []", "bench.games is empty: name one"),
        ("[rig]\n[bench]\nname = 'a'\nsuites = []", "bench.suites is empty: name one"),
        ("[rig]\n[bench]\nname = 'a'\ncuts = 0", "bench.cuts is 0: at least 1"),
        ("[rig]\n[bench]\nname = 'a'\nrounds = -3", "bench.rounds is -3: at least 1"),
        ("[rig]\n[bench]\nname = 'a'\npassing_ms = 6000", "bench.passing_ms is 6000: 100 to 5000"),
    ],
)
def test_a_bench_that_makes_no_sense_says_what_to_change(
    tmp_path: Path, text: str, why: str
) -> None:
    path = tmp_path / "bench.toml"
    path.write_text(text)
    with pytest.raises(BenchError) as refused:
        load_bench(path)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("games", "dealt"),
    [("['blackjack', '21-24-27']", "21-24-27"), ("['casino-7-27', 'blackjack']", "casino-7-27")],
)
def test_a_suite_deals_a_game_that_the_bench_has(tmp_path: Path, games: str, dealt: str) -> None:
    path = tmp_path / "bench.toml"
    both = "[rig]\nsimulated = true\n[table]\nsimulated = true\n"
    path.write_text(f"{both}[bench]\nname = 'a'\ngames = {games}")
    assert load_bench(path).game() == dealt
    assert load_bench(path).game("blackjack") == "blackjack"


def test_a_tables_own_configuration_is_no_bench(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nname = "T1"')
    assert not is_bench(path)
    assert not is_bench(tmp_path / "nothing")


def page(word: str) -> bytes:
    """A picture of a dark display with one word on it."""
    drawn = np.full((720, 1280, 3), 24, np.uint8)
    cv2.putText(drawn, word, (80, 400), cv2.FONT_HERSHEY_SIMPLEX, 4, (230, 230, 230), 8)
    return cv2.imencode(".png", drawn)[1].tobytes()


def test_another_word_on_the_display_is_found_and_a_soft_picture_is_not_held_against_it() -> None:
    shown = page("Stand or hit?")
    assert difference(shown, shown).worst == 0
    drawn = cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    soft = cv2.imencode(".jpg", cv2.resize(drawn, (1920, 1080)), [cv2.IMWRITE_JPEG_QUALITY, 70])
    assert difference(soft[1].tobytes(), shown).worst < 0.06
    assert difference(page("Stand or hot?"), shown).worst > 0.06
    assert difference(page(""), shown).worst > 0.2
    with pytest.raises(ValueError, match="no picture"):
        difference(b"GIF", shown)
