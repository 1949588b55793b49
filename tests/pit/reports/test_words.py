"""Words of several pages: kinds by their names, and rounds that were put right."""

from __future__ import annotations

import pytest

from controller.pit.reports.words import in_words, put_right


@pytest.mark.parametrize(
    ("corrections", "void", "words"),
    [
        (1, False, "corrected"),
        (2, False, "corrected, 2 times"),
        (0, True, "made void"),
        (3, True, "made void"),
    ],
)
def test_what_became_of_a_round_that_was_put_right(
    corrections: int, void: bool, words: str
) -> None:
    assert put_right(corrections, void=void) == words


def test_a_name_on_record_is_words() -> None:
    assert in_words("bets_differ") == "bets differ"
