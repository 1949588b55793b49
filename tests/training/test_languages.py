"""The report of a training in the trainer's language: nothing of it goes past the catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from controller.languages.languages import language
from controller.rules.spoken import speaking
from controller.training.kinds import KINDS
from controller.training.names import MEANINGS, mistake_name
from controller.training.page import page
from controller.training.text import as_text
from tests.languages.pseudo import greek, pseudo_language
from tests.languages.test_views import NAMES_OF, WORD
from tests.training.records import TrainedDealer, trained

#: Commands, addresses and codes; keys of the dealer as they are named.
TYPED: Final = re.compile(
    r"tablectl \S+ \S+ --\S+ \d+( --before \d+)?|<style>.*?</style>|<[^>]*>|\b(min|next)\b"
    r"|\b[a-z]+(-[a-z]+)+\b",
    re.DOTALL,
)


def english_in(text: str) -> list[str]:
    left = NAMES_OF.sub("", TYPED.sub("\n", text))
    return [each for each in left.splitlines() if WORD.search(each)]


def test_nothing_of_it_is_past_the_catalogue() -> None:
    made = trained()
    for kind in KINDS:
        made.trouble(kind)
    with speaking(pseudo_language()):
        found = made.report
        assert len({each.kind for each in found.troubles}) == len(KINDS)
        assert english_in("\n".join(as_text(found, Path("t")))) == []
        assert english_in(page(found)) == []


def test_before_anything_is_dealt_it_is_not_in_english_either() -> None:
    with speaking(pseudo_language()):
        found = TrainedDealer().report
        assert english_in("\n".join(as_text(found, Path("t")))) == []
        assert english_in(page(found)) == []


def test_a_sentence_past_the_catalogue_is_found() -> None:
    assert english_in(f"  {greek('deal on')}\n  dealt on 3 s") == ["  dealt on 3 s"]


def test_every_kind_of_mistake_has_a_name_and_says_what_it_is() -> None:
    with speaking(pseudo_language()):
        assert [kind for kind in MEANINGS if WORD.search(mistake_name(kind))] == []
    assert {each.kind for each in trained().report.mistakes} <= MEANINGS.keys()


@pytest.mark.parametrize(
    ("code", "says"),
    [("fi", "0 kierrosta ajassa"), ("de", "0 Runden in"), ("lv", "0 raundu laikā")],
)
def test_numbers_have_the_nouns_of_the_language(code: str, says: str) -> None:
    with speaking(language(code)):
        found = TrainedDealer().report
        assert says in "\n".join(as_text(found, Path("t")))
        assert f'<html lang="{code}">' in page(found)
