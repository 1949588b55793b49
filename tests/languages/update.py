"""Bring the catalogues up to what the code says: `python -m tests.languages.update`.

Texts that are new come in without a translation, those that nothing says any more go. A text that
was reworded keeps its translation, marked fuzzy: it does not count until somebody has read it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from controller.languages.catalogue import CONTEXTS, HERE
from controller.languages.languages import LANGUAGES
from tests.languages.english_texts import EnglishText, english_texts

HEADER: Final = """\
# {name}: the displays of tablectl.
#
# A draft: nobody whose first language it is has read it yet.
#
# The context of an entry is the code of a message, or says what kind of text it is. Names in braces
# stand for values and stay as they are; what may follow a colon in them, README.md says.
#"""


def updated(old: Catalog, texts: list[EnglishText], code: str) -> Catalog:
    """The catalogue with exactly these texts, and what `old` has for them."""
    new = Catalog(
        locale=code, project="tablectl", charset="utf-8",
        header_comment=HEADER.format(name=LANGUAGES[code]),  # type: ignore[index]
    )  # fmt: skip
    exact = {(each.context, each.id): each for each in old if each.id}
    by_code = {each.context: each for each in old if each.id and each.context not in CONTEXTS}
    for context, english, where in texts:
        known = exact.get((context, english))
        before = known or by_code.get(context)
        new.add(
            english, before.string if before else "", context=context,
            user_comments=before.user_comments if before else (),
            flags={"fuzzy"} if before and (known is None or before.fuzzy) else (),
            auto_comments=[where] if where else (),
        )  # fmt: skip
    return new


def write(catalogue: Catalog, path: Path) -> None:
    """Write it without what changes by itself, so that nothing differs where nothing changed."""
    # Babel takes a text in braces for one of `str.format`, and lays it open to a compiler's checks.
    for each in catalogue:
        if isinstance(each, Message):
            each.flags.discard("python-brace-format")
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, omit_header=False, sort_output=False)
    text = path.read_text(encoding="utf-8")
    lines = [
        line
        for line in text.splitlines()
        if not line.startswith(('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By'))
        and not line.startswith(('"Last-Translator', '"Language-Team', '"Report-Msgid'))
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Update every catalogue, and say how much of each is missing."""
    texts = english_texts()
    for code in LANGUAGES:
        path = HERE / f"{code}.po"
        if code == "en":
            continue
        old = Catalog(locale=code)
        if path.exists():
            with path.open("rb") as file:
                old = read_po(file, locale=code)
        new = updated(old, texts, code)
        write(new, path)
        missing = sum(1 for each in new if each.id and (not each.string or each.fuzzy))
        sys.stdout.write(f"{code}: {len(texts)} texts, {missing} without a translation\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
