"""Every English text that a display says, as a catalogue names it: its context and the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from controller.assembly.certificates import NETWORKS
from controller.config.device_sections import DEVICES
from controller.languages.catalogue import ACTION, CARD, DEVICE, FORM, PAGE, WORD
from controller.manual.manual import manual
from controller.record.disk_space import COPY, DAYS, DISK, PICTURES
from controller.rules.actions import Action
from controller.rules.english import write
from controller.rules.games.registry import GAMES, game
from controller.rules.messages import Language
from controller.rules.spoken import speaking
from controller.table.alarms import BUS, ODDS, AlarmTimes
from controller.table.queries.device_failures import SOFTWARE
from controller.table.views.english import ENGLISH
from controller.web.page_words import texts_of
from controller.web.static_files import STATIC
from tests.support.pit import setup

#: A text of a page's script: what `t` is called with, also one of two (`t(pot ? "…" : "…")`).
_SAID: Final = re.compile(r'\bt\(\s*(?:[\w.]+ \? "((?:[^"\\]|\\.)*)" : )?"((?:[^"\\]|\\.)*)"')
#: Why a player's wish is not done, which the page says.
_NOT_DONE: Final = re.compile(r'(?:NotDone|_not_done)\(\s*"((?:[^"\\]|\\.)*)"')
_STUDIO: Final = Path(__file__).parents[2] / "sim_hw" / "studio"
STUDIO: Final = (
    _STUDIO / "static" / "play.html", _STUDIO / "static" / "play.js", _STUDIO / "guests.py",
    _STUDIO / "web.py",
)  # fmt: skip
#: What is watched as devices are.
WATCHED: Final = (DISK, COPY, DAYS, PICTURES, SOFTWARE, NETWORKS, ODDS, BUS)
_RANKS: Final = (
    "Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen",
    "King", "Joker",
)  # fmt: skip
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


class EnglishText(NamedTuple):
    """A text to be translated; `where` tells a translator where it is read."""

    context: str
    english: str
    where: str = ""


def script_texts(source: str) -> Iterator[str]:
    """What a script says through `t`, in the order in which it stands there."""
    for found in _SAID.finditer(source):
        for each in found.groups():
            if each is not None:
                yield each.replace('\\"', '"')


def pages() -> Iterator[EnglishText]:
    """What the pages say themselves, each text once."""
    listed: set[str] = set()
    for path in sorted(STATIC.rglob("*")):
        if path.suffix not in (".html", ".js"):
            continue
        source = path.read_text()
        for english in (texts_of if path.suffix == ".html" else script_texts)(source):
            if english not in listed:
                listed.add(english)
                yield EnglishText(PAGE, english, str(path.relative_to(STATIC)))


def studio() -> Iterator[EnglishText]:
    """What the page of a studio's players says beside the table's pages, whose words it takes."""
    said = {each.english for each in pages()}
    for path in STUDIO:
        source = path.read_text()
        if path.suffix == ".py":
            texts: Iterator[str] = (each[1] for each in _NOT_DONE.finditer(source))
        else:
            texts = (texts_of if path.suffix == ".html" else script_texts)(source)
        for english in texts:
            if english not in said:
                said.add(english)
                yield EnglishText(PAGE, english, f"sim_hw/studio/{path.name}")


def messages() -> Iterator[EnglishText]:
    """The messages of the table, of its devices and of every game, by their codes."""
    for code, template in ENGLISH.catalogue.items():
        yield EnglishText(code, template)
    for name in GAMES:
        for code, template in game(name).words.reasons.items():
            if code not in ENGLISH.catalogue:
                yield EnglishText(code, template, name)


def words() -> Iterator[EnglishText]:
    """What values are written with."""
    for each in Action:
        yield EnglishText(ACTION, each.value.replace("-", " "))
    cases = "four cases with | between: nominative, of, to, at"
    found = {each for name in GAMES for each in game(name).words[:2]}
    for word in sorted(found):
        yield EnglishText(WORD, word, cases)
    for name in (*DEVICES, *WATCHED):
        yield EnglishText(DEVICE, name, f"a device; {cases}")
    for name in (*_RANKS, *_SUITS, "{rank} of {suit}"):
        yield EnglishText(CARD, name)
    yield EnglishText(FORM, "“{key}”", "the label of a key")
    yield EnglishText(FORM, "{pays} to {per}", "odds")
    yield EnglishText(FORM, "{seat}, hand {hand}")
    yield EnglishText(FORM, "the side bet of {seat}", f"{cases}; the seat comes in the second")


class _Heard(Language):
    """English, and what was asked of it that has no code."""

    def __init__(self) -> None:
        super().__init__(write, ENGLISH.catalogue)
        self.texts: dict[tuple[str, str], None] = {}

    def text(self, context: str, english: str) -> str:
        self.texts[context, english] = None
        return english


def manuals() -> Iterator[EnglishText]:
    """What the manual of a table says in any of its sections."""
    heard = _Heard()
    with speaking(heard):
        # A rack of chips brings its section; all else is there at any table.
        manual(replace(setup(5), chips=(100, 500)), AlarmTimes())
    for context, english in heard.texts:
        yield EnglishText(context, english)


def english_texts() -> list[EnglishText]:
    """All of them."""
    return [*messages(), *words(), *manuals(), *pages(), *studio()]
