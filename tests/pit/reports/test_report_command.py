"""`tablectl pit CONFIG report`, by the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from controller.__main__ import main
from tests.pit.accounts.known import known_in
from tests.pit.reports.conftest import PlayedPit
from tests.support.dealt.days import CalendarPit
from tests.support.forms import long_only


@pytest.fixture
def config(tmp_path: Path, two_days_played: CalendarPit) -> Path:
    """A pit's configuration, with an archive and its books beside it."""
    known = known_in(tmp_path)
    PlayedPit(known, two_days_played)
    known.engine.dispose()
    path = tmp_path / "pit.toml"
    path.write_text(
        '[bus]\nservers = ["nats://127.0.0.1:4222"]\n[archive]\ndatabase = "sqlite:///pit.db"\n'
    )
    return path


def test_a_report_is_printed_whole_or_a_part_of_it_is_written(
    config: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["pit", str(config), "report", "--from", "2023-11-14", "--to", "2023-11-15"]) == 0
    text = capsysbinary.readouterr().out.decode()
    assert text.startswith("2023-11-14 to 2023-11-15")
    for title in ("Money by table", "Holds by reason", "Luck or leak"):
        assert title in text
    part = ["pit", str(config), "report", "--part", "money", "--format"]
    assert main([*part, "json"]) == 0
    (money,) = json.loads(capsysbinary.readouterr().out)
    assert money["rows"][0]["table"] == "T1"
    file = config.with_name("money.parquet")
    assert main([*part, "parquet", "--output", str(file)]) == 0
    assert pq.read_table(io.BytesIO(file.read_bytes())).num_rows == 1


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        (["--from", "2001-01-01"], 0, "Nothing was played in 2001-01-01"),
        long_only(["--format", "csv"], 2, "a file has one part"),
        (["--part", "weather"], 2, "is no part of a report"),
        long_only(["--by", "weather"], 2, "is nothing to sum up by"),
    ],
)
def test_what_cannot_be_said_is_said_in_words(
    config: Path, asked: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", str(config), "report", *asked]) == status
    assert said in capsys.readouterr().err
