"""RULINGS.md: every citation leads to a ruling, every house option to its description."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from controller.rules.games.registry import GAMES
from controller.rules.options import about

ROOT = Path(__file__).parents[2]
RULINGS = ROOT / "controller" / "rules" / "RULINGS.md"
TEXT = RULINGS.read_text("utf-8")

#: Each ruling is a row of a table that begins with its identifier.
MADE = re.findall(r"^\| ((?:F27|G21|C727|V727|BJ)-A\d+)\b", TEXT, re.MULTILINE)
SECTIONS = re.findall(r"^## (\d+)\. ", TEXT, re.MULTILINE)

#: `F27-A3`, and short forms: `F27-A2, A3`, `V727-A1 to V727-A10`, `F27-A16/A17`.
CITED = re.compile(r"\b(F27|G21|C727|V727|BJ)-(A\d+(?:(?:, | and | to |/)A\d+)*)")


def citations(text: str) -> list[str]:
    """Every ruling that a text names."""
    return [
        f"{game}-{number}"
        for game, numbers in CITED.findall(text)
        for number in re.findall(r"A\d+", numbers)
    ]


def sources() -> list[Path]:
    """Every text file of the tree."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False
    )
    if listed.returncode or not listed.stdout:
        pytest.skip("the tree is no git repository here: its files are not known")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    wanted = {".py", ".md", ".json", ".js", ".toml", ".html"}
    return [path for path in paths if path.suffix in wanted and path.is_file()]


def test_short_forms_are_read() -> None:
    assert citations("(F27-A2, A3; C727-A9 and A10, F27-A16/A17, BJ-A1 to BJ-A9)") == [
        "F27-A2", "F27-A3", "C727-A9", "C727-A10", "F27-A16", "F27-A17", "BJ-A1", "BJ-A9",
    ]  # fmt: skip


def test_each_ruling_is_made_once() -> None:
    assert [ruling for ruling, times in Counter(MADE).items() if times > 1] == []
    assert len(MADE) == 18 + 6 + 10 + 10 + 9


def test_every_citation_leads_to_a_ruling() -> None:
    lost = {
        f"{path.relative_to(ROOT)}: {cited}"
        for path in sources()
        for cited in citations(path.read_text("utf-8"))
        if cited not in MADE
    }
    assert lost == set()


def test_every_section_that_is_cited_is_there() -> None:
    named = re.compile(r"RULINGS\.md, section (\d+)")
    cited = {found for path in sources() for found in named.findall(path.read_text("utf-8"))}
    assert cited == set(SECTIONS) == {"1", "2", "3", "4", "5"}


@pytest.mark.parametrize("name", GAMES)
def test_every_house_option_is_in_the_table_of_rulings(name: str) -> None:
    rows = [row for row in TEXT.splitlines() if row.startswith(("| all", f"| {name} |"))]
    for option, about_it in about(GAMES[name].options).items():
        row = next((row for row in rows if f"`{option}`" in row), "")
        assert row, option
        for cited in citations(about_it.ruling):
            assert cited in citations(row), option
