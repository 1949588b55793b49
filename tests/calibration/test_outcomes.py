"""What readings come to: the table of mistaken cards, and how many misreads remain possible."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from calibration.outcomes import Confusion, upper_bound
from controller.rules.cards import JOKER, card


@pytest.mark.parametrize("of", [1, 59, 1_500, 100_000])
def test_none_in_n_leaves_what_the_formula_says(of: int) -> None:
    assert upper_bound(0, of) == pytest.approx(1 - 0.05 ** (1 / of), rel=1e-9)


@pytest.mark.parametrize(("wrong", "of"), [(1, 10), (5, 50), (30, 900), (899, 900)])
def test_at_the_bound_so_few_would_be_seen_once_in_twenty(wrong: int, of: int) -> None:
    most = Fraction(upper_bound(wrong, of))
    few = range(wrong + 1)
    more = range(wrong + 1, of + 1)
    shorter = few if len(few) < len(more) else more  # each term is dear: the two add up to 1
    share = sum(comb(of, k) * most**k * (1 - most) ** (of - k) for k in shorter)
    probability = share if shorter is few else 1 - share
    assert float(probability) == pytest.approx(0.05, rel=1e-6)


def test_all_wrong_leaves_everything_possible() -> None:
    assert upper_bound(10, 10) == 1.0


@pytest.mark.parametrize(("wrong", "of"), [(0, 0), (2, 1), (-1, 5)])
def test_a_count_that_cannot_be_is_refused(wrong: int, of: int) -> None:
    with pytest.raises(ValueError, match="no count"):
        upper_bound(wrong, of)


def rows(confusion: Confusion) -> dict[str, dict[str, str]]:
    """The text's tables: for each row its cells by column."""
    found: dict[str, dict[str, str]] = {}
    names: list[str] = []
    table = ""
    for line in confusion.text().splitlines():
        title, cells = line[:22].strip(), line[22:].split()
        if ":" in title:
            table, names = title, cells
        else:
            found[f"{table} {title}"] = dict(zip(names, cells, strict=True))
    return found


def test_a_table_for_each_style_names_what_was_taken_for_what() -> None:
    confusion = Confusion()
    for shown, read_as in (("Jh", "Jh"), ("Jh", "Ah"), ("Jd", None), ("Tc", "Ts"), ("Tc", "Tc")):
        confusion.add("finnish", card(shown), card(read_as) if read_as else None)
    confusion.add("standard", JOKER, card("As"))
    found = rows(confusion)
    assert found["finnish: rank shown"]["J"] == "3"
    assert found["finnish: rank not read"]["J"] == "1"
    assert {at: cell for at, cell in found["finnish: rank read as A"].items() if cell != "."} == {
        "J": "1"
    }
    assert "finnish: rank read as 10" not in found, "right ranks are in no cell"
    assert found["finnish: suit shown"] == {"♣": "2", "♦": "1", "♥": "2", "♠": "0", "Jo": "0"}
    assert found["finnish: suit read as ♠"]["♣"] == "1"
    assert found["standard: rank read as A"]["Jo"] == "1"
    assert found["standard: suit read as ♠"]["Jo"] == "1"
