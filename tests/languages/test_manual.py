"""The manual is in the reader's language, and quotes keys as the displays of that language do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from controller.devices.inputs import Button
from controller.languages.languages import LANGUAGES, language
from controller.manual.command_list import COMMANDS
from controller.manual.manual import Manual, manual
from controller.rules.messages import Message, Words, message
from controller.rules.spoken import speaking
from controller.table.alarms import AlarmTimes
from tests.languages.pseudo import pseudo_language
from tests.languages.test_rule_sheets import CITED
from tests.languages.test_views import NAMES_OF, WORD
from tests.support.pit import setup

SETUP: Final = replace(setup(5), chips=(100, 500))
TRANSLATED: Final = [code for code in LANGUAGES if code != "en"]
#: What is typed: commands, sections of the configuration, names of buttons.
TYPED: Final = re.compile(
    rf"tablectl ({'|'.join(COMMANDS)})|\[\w+\]|{'|'.join(each.value for each in Button)}"
)
#: A key as a text of the manual quotes it, and where a catalogue has its words.
QUOTED: Final[dict[str, Message | str]] = {
    "Seen": message("key-acknowledge"),
    "Something happened": "Something happened",
    "Table stopped": message("safe-lead"),
}


def in_language(code: str) -> Manual:
    with speaking(language(code)):
        return manual(SETUP, AlarmTimes())


def texts(book: Manual) -> Iterator[str]:
    for part in book.parts:
        yield part.title
        for section in part.sections:
            yield section.title
            yield from section.lines
            if section.grid:
                yield from section.grid.head
                for row in section.grid.rows:
                    yield from row


def test_the_manual_says_nothing_past_the_catalogue() -> None:
    with speaking(pseudo_language()):
        book = manual(SETUP, AlarmTimes())
    configuration = book.parts[-1].sections[-1].grid
    assert configuration is not None
    keys = {row[2] for row in configuration.rows}
    left = [
        each
        for each in texts(book)
        if not TYPED.fullmatch(each)
        and each not in keys
        and WORD.search(CITED.sub("", NAMES_OF.sub("", each)))
    ]
    assert left == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_it_has_the_same_parts_in_every_language(code: str) -> None:
    english, there = in_language("en"), in_language(code)
    assert [each.name for each in there.parts] == [each.name for each in english.parts]
    assert len(list(texts(there))) == len(list(texts(english)))


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_typed_is_the_same_in_every_language(code: str) -> None:
    """Commands, paths and addresses between backticks are not translated."""
    for english, there in zip(texts(in_language("en")), texts(in_language(code)), strict=True):
        assert there.split("`")[1::2] == english.split("`")[1::2], there


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_key_that_the_manual_quotes_is_labelled_so(code: str) -> None:
    said = list(texts(in_language(code)))
    spoken = language(code)
    for english, label in QUOTED.items():
        key = f"“{english}”"
        if spoken is not None:
            words = label if isinstance(label, Message) else spoken.page_texts[label]
            key = spoken.write(words, "key", Words())
        assert any(key in each for each in said), key


def test_every_key_that_the_english_manual_quotes_is_looked_up_here() -> None:
    quoted = {each for text in texts(in_language("en")) for each in re.findall("“(.*?)”", text)}
    labels = {"Pack loaded", "Cut made", "No more bets", "Done"}
    assert quoted - labels == set(QUOTED)
