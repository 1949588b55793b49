"""In which language a request is answered: `?lang=fi`; without it a page as the table says, and
everything else in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from controller.languages.languages import UnknownLanguage, language
from controller.rules.spoken import speaking
from controller.web.problems import problem


class ReaderLanguage:
    """Middleware: whatever is said for a request is said in its language."""

    def __init__(self, app: ASGIApp, pages: Mapping[str, str]) -> None:
        """`pages`: the languages of pages by their paths, where it is not English."""
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the language that is asked for; an unknown one is a problem (400)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        # The rules that are opened from a display are read where it is.
        page = f"/{query['at'][0]}" if "at" in query else scope["path"]
        usual = self._pages.get(page) or self._pages.get(scope["path"], "en")
        try:
            reader = language(query["lang"][0] if "lang" in query else usual)
        except UnknownLanguage as error:
            text = f"{error}, and write it as ?lang=en"
            await problem(400, text[:1].upper() + text[1:])(scope, receive, send)
            return
        with speaking(reader):
            await self._app(scope, receive, send)
