"""Every catalogue is whole, of today's texts, and each translation takes what the English takes."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import Final

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from controller.languages.catalogue import (
    CONTEXTS,
    DEVICE,
    HERE,
    WORD,
    CatalogueDamaged,
    read_catalogue,
)
from controller.languages.languages import LANGUAGES, UnknownLanguage, language
from controller.languages.translation import CASES
from controller.record.reading.history import _is
from controller.rules.actions import Action, Place
from controller.rules.cards import JOKER, card
from controller.rules.hands import Total
from controller.rules.messages import Amount, Seat, Value, Words, message
from controller.rules.messages import Message as Said
from controller.rules.money import Odds
from controller.rules.spoken import speaking
from controller.table.roles import Person, PersonId, Role
from controller.table.views.english import ENGLISH, say
from controller.table.views.logbook import person_message
from controller.web.static_files import STATIC
from tests.languages.english_texts import STUDIO, english_texts, script_texts
from tests.languages.wordiest import WORDIEST

TRANSLATED: Final = tuple(code for code in LANGUAGES if code != "en")
#: What may follow a colon, beside the forms of a noun and the word that joins a list.
SPECS: Final = frozenset(
    {
        "",
        "capital",
        "sentence",
        "title",
        "lower",
        "key",
        "name",
        "code",
        "word",
        "halves",
        "number",
        "rank",
        ";",
        "/",
    }
    | set(CASES)
)
JOINED: Final = frozenset({"or", "and"})
every_language = pytest.mark.parametrize("code", TRANSLATED)


def entries(code: str) -> list[Message]:
    with (HERE / f"{code}.po").open("rb") as file:
        return [each for each in read_po(file, locale=code) if each.id]


def fields(template: str) -> list[tuple[str, str]]:
    """The names of a template's values, each with what follows its colon."""
    found = Formatter().parse(template)
    return sorted((name, spec or "") for _, name, spec, _ in found if name is not None)


@pytest.mark.long
def test_the_wordiest_language_has_most_to_write_on_a_page() -> None:
    written = {
        code: sum(map(len, spoken.page_texts.values()))
        for code in TRANSLATED
        if (spoken := language(code)) is not None
    }
    assert max(written, key=lambda code: written[code]) == WORDIEST


@every_language
def test_a_catalogue_has_exactly_what_the_displays_say(code: str) -> None:
    has = [(each.context, each.id) for each in entries(code)]
    wanted = {(each.context, each.english) for each in english_texts()}
    assert len(has) == len(set(has))
    assert set(has) == wanted, "bring it up to date: python -m tests.languages.update"
    assert [each.id for each in entries(code) if not each.string or each.fuzzy] == []


@every_language
def test_a_translation_takes_what_the_english_takes(code: str) -> None:
    forms = 3 if code == "lv" else 2
    for each in entries(code):
        english, translated = str(each.id), str(each.string)
        names = {name for name, _ in fields(english)}
        assert {name for name, _ in fields(translated)} == names, f"{each.context}: {english}"
        joined = {name for name, spec in fields(english) if spec in JOINED}
        for name, spec in fields(translated):
            if "|" in spec:
                assert spec.count("|") == forms - 1, f"{each.context}: {translated}"
            else:
                assert spec in SPECS or name in joined, f"{each.context}: {translated}"
        outside = len(english) - len(english.lstrip()), len(english) - len(english.rstrip())
        assert outside == (
            len(translated) - len(translated.lstrip()),
            len(translated) - len(translated.rstrip()),
        ), f"{each.context}: blanks of {english!r}"
        if each.context in (WORD, DEVICE):
            assert translated.count("|") in (0, len(CASES) - 1), translated


@every_language
def test_a_catalogue_says_that_nobody_has_read_it_yet(code: str) -> None:
    head = (HERE / f"{code}.po").read_text(encoding="utf-8").splitlines()[:4]
    assert any("A draft" in line for line in head)


def test_no_code_of_a_message_is_the_name_of_another_kind_of_text() -> None:
    assert not CONTEXTS & ENGLISH.catalogue.keys()


def test_a_message_has_one_english_text_whoever_says_it() -> None:
    said: dict[str, set[str]] = {}
    for context, english, _ in english_texts():
        if context not in CONTEXTS:
            said.setdefault(context, set()).add(english)
    assert {code for code, texts in said.items() if len(texts) > 1} == set()


@every_language
@pytest.mark.parametrize(
    ("value", "spec"),
    [
        (card("Kh"), "name"), (JOKER, "name"), (card("Kh"), ""), (card("Kh"), "code"),
        (Amount(-123_456_789), ""), (Odds(3, 2), ""), (Seat(0), ""), (Seat(3), "of"),
        (Seat(3), "title"), (Place(0, 1), "to"), (Place(3, 2), "at"), (Place(3, 0), ""),
        (Action.STAY_LOW, "capital"), (Total(17, True, 27), ""), (13, "halves"), ("scanner", "of"),
        (card("Kh"), "rank"), (card("9c"), "rank"), ("20.93", "number"),
        ("what somebody typed", "sentence"), (message("key-call-the-floor"), "key"),
    ],
)  # fmt: skip
def test_every_kind_of_value_is_written(code: str, value: Value, spec: str) -> None:
    spoken = language(code)
    assert spoken is not None
    written = spoken.write(value, spec, Words(dealer="operator", seat="box"))
    assert written
    assert "{" not in written
    assert "|" not in written


@pytest.mark.parametrize(
    ("code", "count", "said"),
    [
        ("fi", 1, "1 panos asetettu."), ("fi", 4, "4 panosta asetettu."),
        ("es", 1, "1 apuesta puesta."), ("es", 1_000_000, "1000000 apuestas puestas."),
        ("lv", 0, "0 likmju likts."), ("lv", 1, "1 likme likta."), ("lv", 2, "2 likmes liktas."),
        ("lv", 11, "11 likmju likts."), ("lv", 21, "21 likme likta."),
    ],
)  # fmt: skip
def test_a_noun_is_in_the_form_that_follows_its_number(code: str, count: int, said: str) -> None:
    spoken = language(code)
    assert spoken is not None
    assert spoken.say(message("bets-placed", bets=count)) == said


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("fi", "1\u00a0250,50 alittaa minimin 2\u00a0000,00"),
        ("de", "1.250,50 liegt unter dem Minimum 2.000,00"),
        ("lv", "1\u00a0250,50 ir zem minimuma 2\u00a0000,00"),
    ],
)
def test_amounts_are_written_as_people_there_write_them(code: str, said: str) -> None:
    spoken = language(code)
    assert spoken is not None
    under = message("wager-under-minimum", amount=Amount(125_050), least=Amount(200_000))
    assert spoken.say(under) == said


AINO: Final = PersonId("0e170001")


@every_language
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("asked", ["Aino", "aino"])
def test_a_person_is_found_by_name_in_the_logbook_of_any_language(
    code: str, role: Role, asked: str
) -> None:
    with speaking(language(code)):
        shown = say(person_message(Person(AINO, role), {AINO: "Aino"}))
    assert _is(asked, shown)
    assert not _is("Eino", shown)


def test_a_message_of_another_build_is_said_plainly() -> None:
    spoken = language("fi")
    assert spoken is not None
    assert spoken.say(Said("of-tomorrow", (("card", card("Kh")),))) == "of-tomorrow (card 13♥)"


@pytest.mark.parametrize("code", ["xx", "", "FI", "fi-FI", "../fi"])
def test_a_language_that_is_none_is_refused_with_those_that_there_are(code: str) -> None:
    with pytest.raises(UnknownLanguage, match="choose one of en, fi, sv, de, es, lv"):
        language(code)


@pytest.mark.parametrize("text", [b"\xff\xfe", b"no catalogue at all\n", b'msgid "a"\nmsgid "b"\n'])
def test_a_damaged_catalogue_is_refused_with_its_name(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "fi.po").write_bytes(text)
    with pytest.raises(CatalogueDamaged, match=r"fi\.po"):
        read_catalogue("fi", tmp_path)


def test_what_a_catalogue_lacks_is_no_translation(tmp_path: Path) -> None:
    po = 'msgctxt "stands"\nmsgid "stands"\nmsgstr ""\n\n#, fuzzy\nmsgctxt "wins"\nmsgid "wins"\n'
    (tmp_path / "fi.po").write_text(po + 'msgstr "voittaa"\n', encoding="utf-8")
    assert read_catalogue("fi", tmp_path).messages == {}


def test_the_words_of_a_script_are_found() -> None:
    source = 't("one"); t(\n  "two {x}", { x }); t(pot ? "three" : "four"); at("five"); out("six")'
    assert list(script_texts(source)) == ["one", "two {x}", "three", "four"]


#: A text of a script as people read it: a word with a large letter, and what follows a word.
SENTENCE: Final = re.compile(r"^\W*[A-Z][a-z]+(?:[ .:,…!?]|$)(?!-)")
#: Strings and templates; values in a template are taken out of it.
LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
VALUE: Final = re.compile(r"\$\{[^{}]*\}")
#: No texts: names of keys and headers, and the code of a Joker.
NO_TEXTS: Final = {"Authorization", "Bearer ", "Backspace", "Enter", "Esc", "Escape", "Jo"}


def untranslated(source: str) -> list[str]:
    """Texts of a script that do not go through `t`."""
    code = re.sub(r"/\*.*?\*/|(?m:^\s*//[^\n]*$)", "", source, flags=re.DOTALL)
    said = {each.replace('"', '\\"') for each in script_texts(code)}
    found = [VALUE.sub("", plain or made) for plain, made in LITERAL.findall(code)]
    return [
        each for each in found if SENTENCE.match(each) and each not in said and each not in NO_TEXTS
    ]


def test_no_script_says_a_sentence_past_its_words() -> None:
    found = {
        str(path): left
        for path in (*sorted(STATIC.rglob("*.js")), *STUDIO)
        if path.suffix == ".js"
        if (left := untranslated(path.read_text()))
    }
    assert found == {}


def test_a_sentence_past_the_words_is_found() -> None:
    source = """// Not this comment: "Some words here".
    say(t("Round begun"), "Not live: wait", "number amount"); el("p", {}, `Bet ${wager}`, "Print");
    event.key === "Enter";"""
    assert untranslated(source) == ["Not live: wait", "Bet ", "Print"]
