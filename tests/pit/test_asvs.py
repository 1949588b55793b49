"""What is said of the pit and ASVS: no requirement is left out, and no yes is unproved."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

LIST: Final = Path(__file__).parents[2] / "controller" / "pit" / "ASVS.md"
#: Requirements of levels 1 and 2 of ASVS 4.0.3, by section, but those that were deleted.
ASKED: Final = {
    "1.1": "1-7", "1.2": "1-4", "1.4": "1,4-5", "1.5": "1-4", "1.6": "1-4", "1.7": "1-2",
    "1.8": "1-2", "1.9": "1-2", "1.10": "1", "1.11": "1-2", "1.12": "2", "1.14": "1-6",
    "5.1": "1-5", "5.2": "1-8", "5.3": "1-10", "5.4": "1-3", "5.5": "1-4",
    "6.1": "1-3", "6.2": "1-6", "6.3": "1-2", "6.4": "1-2",
    "7.1": "1-4", "7.2": "1-2", "7.3": "1,3-4", "7.4": "1-3",
    "8.1": "1-4", "8.2": "1-3", "8.3": "1-8",
    "9.1": "1-3", "9.2": "1-4", "10.2": "1-2", "10.3": "1-3", "11.1": "1-8",
    "13.1": "1,3-5", "13.2": "1-3,5-6", "13.3": "1-2", "13.4": "1-2",
    "14.1": "1-4", "14.2": "1-6", "14.3": "2-3", "14.4": "1-7", "14.5": "1-4",
}  # fmt: skip


def spread(numbers: str) -> list[int]:
    """`1,4-5` as 1, 4 and 5."""
    found: list[int] = []
    for each in numbers.split(","):
        low, _, high = each.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def rows() -> list[list[str]]:
    """Each row's cells: the requirements, what is asked, what the pit does, what proves it."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [
        [cell.strip() for cell in each.strip("|").split("|")]
        for each in lines if re.match(r"\| \d", each)
    ]  # fmt: skip


def named(cell: str) -> list[str]:
    """The requirements that a row stands for: `5.3.1 to 5.3.3, 5.3.9`."""
    found: list[str] = []
    for each in re.sub(r"\(.*\)", "", cell).split(","):
        first, _, last = (part.strip() for part in each.partition(" to "))
        section, _, low = first.rpartition(".")
        high = last.rpartition(".")[2] or low
        if not low.isdecimal():
            continue  # a row of a whole section
        found += [f"{section}.{number}" for number in range(int(low), int(high) + 1)]
    return found


def test_no_requirement_of_the_levels_is_left_out_and_none_is_made_up() -> None:
    asked = {f"{section}.{each}" for section, text in ASKED.items() for each in spread(text)}
    listed = [each for row in rows() for each in named(row[0])]
    chapters = {each.partition(".")[0] for each in asked}
    of_these = [each for each in listed if each.partition(".")[0] in chapters]
    assert asked - set(of_these) == set(), "they have no row"
    assert set(of_these) - asked == set(), "the standard does not ask for them at these levels"
    assert len(of_these) == len(set(of_these)), "one has two rows"
    assert len(asked) > 150


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0].replace(" ", "_"))
def test_whoever_says_yes_names_what_proves_it(row: list[str]) -> None:
    assert len(row) == 4
    said = re.search(r"\b(yes|no|partly|none)\b", row[2])
    assert said, "say yes, no, partly or none"
    if said[1] == "yes":
        assert "`" in row[3], "a yes has a test, or a place in the code"
