"""What no answer of the pit says, and how answers for programs are marked."""

from __future__ import annotations

import ast
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

import controller.pit
from controller.pit.accounts.roles import PitRole
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import ORIGIN, Browser

pytestmark = pytest.mark.anyio
#: Of these a request could make code, files or commands of its own.
DANGEROUS = frozenset(
    {"pickle", "marshal", "shelve", "subprocess", "xml", "lxml", "yaml", "ctypes"}
)
CALLS = frozenset({"eval", "exec", "compile", "system", "popen", "__import__"})


async def test_an_error_of_ours_says_nothing_of_itself(
    known: KnownAccounts, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(user: int | None = None) -> None:
        raise RuntimeError(f"471108 of {user}")

    monkeypatch.setattr(known.accounts, "listed_sessions", wrong)
    session = known.enters(known.add("Aino", PitRole.VIEWER)).session
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    browser = Browser(app, session)
    async with httpx.AsyncClient(
        transport=transport, base_url=ORIGIN, cookies=browser.http.cookies
    ) as asks:
        answer = await asks.get("/sessions", headers={"Accept": "text/html"})
    assert answer.status_code == 500
    assert answer.text == "Internal Server Error"


async def test_answers_for_programs_are_files_and_pages_are_none(
    known: KnownAccounts, app: FastAPI
) -> None:
    browser = Browser(app, known.enters(known.add("Aino", PitRole.FLOOR)).session)
    for path in ("/api/v1/me", "/api/v1/records", "/api/v1/nothing"):
        answer = await browser.get(path)
        assert answer.headers["content-disposition"] == 'attachment; filename="api.json"', path
    assert "content-disposition" not in (await browser.get("/sessions")).headers


async def test_no_answer_lets_another_site_read_or_says_what_serves_it(
    known: KnownAccounts, app: FastAPI
) -> None:
    browser = Browser(app, known.enters(known.add("Aino", PitRole.FLOOR)).session)
    for path in ("/", "/api/v1/me", "/sign-in", "/healthz", "/nothing"):
        headers = (await browser.get(path, {"Origin": "https://elsewhere.example"})).headers
        told = {each.lower() for each in headers}
        assert not {each for each in told if each.startswith("access-control-")}, path
        assert not told & {"server", "x-powered-by", "via"}, path


def test_nothing_of_the_pit_runs_what_somebody_sent() -> None:
    found = []
    for path in Path(controller.pit.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = {node.module or ""}
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                names = {node.func.id} & CALLS
                found += [f"{path.name}: {each}" for each in names]
                continue
            else:
                continue
            found += [
                f"{path.name}: {each}" for each in names if each.partition(".")[0] in DANGEROUS
            ]
    assert found == []


def test_no_script_of_the_pit_makes_markup_or_code_of_a_text() -> None:
    static = Path(controller.pit.__file__).parent / "static"
    files = [each for each in static.rglob("*.js") if "vendor" not in each.parts]
    assert len(files) > 10
    words = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(")
    found = [
        f"{each.name}: {word}" for each in files for word in words
        if word in each.read_text(encoding="utf-8")
    ]  # fmt: skip
    assert found == []
