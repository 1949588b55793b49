"""What the pages themselves say, in the reader's language: their HTML, and words for their scripts.

A page is written in English. Its texts, and attributes that people read, are replaced as it is
served; its scripts find theirs (`static/drawing/words.js`) in a block of data in its head.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

#: A text between tags, and the attributes that people read or hear.
_TEXT: Final = re.compile(r"(?<=>)([^<>]*\w[^<>]*)(?=<)")
_ATTRIBUTE: Final = re.compile(r'(?<=\s)(aria-label|title|placeholder|alt)="([^"]*\w[^"]*)"')
_LANGUAGE: Final = '<html lang="en">'


def texts_of(page: str) -> Iterator[str]:
    """The English texts of a page, in the order in which they stand."""
    for found in _TEXT.finditer(page):
        yield _plain(found[1])
    for found in _ATTRIBUTE.finditer(page):
        yield _plain(found[2])


def translated(page: str, code: str, words: Mapping[str, str]) -> str:
    """The page in the language `code`; what its `words` lack stays English."""

    def text(found: re.Match[str]) -> str:
        whole = found[1]
        lead = whole[: len(whole) - len(whole.lstrip())]
        rest = whole[len(whole.rstrip()) :]
        said = words.get(_plain(whole))
        return whole if said is None else f"{lead}{html.escape(said, quote=False)}{rest}"

    def attribute(found: re.Match[str]) -> str:
        said = words.get(_plain(found[2]))
        return found[0] if said is None else f'{found[1]}="{html.escape(said)}"'

    page = _ATTRIBUTE.sub(attribute, _TEXT.sub(text, page))
    # Within HTML no data may look like the end of its block.
    data = msgspec.json.encode(words).decode().replace("<", "\\u003c")
    block = f'<script type="application/json" id="words">{data}</script>\n'
    page = page.replace(_LANGUAGE, f'<html lang="{code}">', 1)
    return page.replace("</head>", f"{block}</head>", 1)


def _plain(text: str) -> str:
    """A text as people read it: blanks as one, entities as their letters."""
    return html.unescape(" ".join(text.split()))
