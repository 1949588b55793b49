"""Every route, asked for as every role: deny by default, made from the routes themselves."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from controller.pit.accounts.roles import OF_PEOPLE, PitRole
from controller.pit.sign_in.access import ACCESS, Access, Declared, UndeclaredRoute
from tests.pit.accounts.known import KnownAccounts
from tests.pit.sign_in.pages_of import ORIGIN, Browser

pytestmark = pytest.mark.anyio

#: Who may ask, in the order of `PitRole` (Viewer, Dealer, Floor, pit Boss, Cage, Auditor, Engineer,
#: Machine) and N for nobody who is signed in. What is written here is what the house is promised.
PROMISED = {
    "GET /": "VDFBCAE",
    "GET /records": "FBAEM",
    "GET /findings/{number:int}": "BA",
    "POST /findings/{number:int}": "BA",
    "POST /findings/{number:int}/branch": "BA",
    "GET /branches/{number:int}.jsonl": "A",
    "GET /tables/{table}": "FB",
    "GET /tables/{table}/live": "VDFBCAE",
    "POST /tables/{table}": "FB",
    "POST /tables/{table}/settings": "B",
    "GET /tables/{table}/service": "BE",
    "POST /tables/{table}/service": "BE",
    "POST /tables/{table}/service/back": "BE",
    "GET /tables/{table}/chips": "FBCAM",
    "GET /api/v1/tables/{table}/chips": "FBCAM",
    "GET /reports": "FBCAM",
    "GET /rounds": "FBCAM",
    "GET /handover": "FBA",
    "POST /handover": "FB",
    "POST /handover/{number:int}": "FB",
    "GET /rounds/{table}/{number:int}": "FBCAM",
    "GET /api/v1/rounds": "FBCAM",
    "GET /api/v1/rounds/{table}/{number}": "FBCAM",
    "GET /api/v1/rounds/{table}/{number}/pictures": "FBA",
    "GET /reports/{part}.csv": "FBCAM",
    "GET /reports/{part}.parquet": "FBCAM",
    "GET /api/v1/reports/{part}": "FBCAM",
    "GET /events/wall": "VDFBCAEM",
    "GET /events/tables/{table}": "VDFBCAEM",
    "GET /alerts": "VDFBCAE",
    "POST /alerts/answer": "FBCAE",
    "POST /alerts/send": "FBAE",
    "POST /alerts/forget": "FBAE",
    "GET /api/v1/alerts": "VDFBCAEM",
    "POST /api/v1/alerts/undelivered/{number}/send": "FBAE",
    "POST /api/v1/alerts/{number}/answer": "FBCAE",
    "GET /api/v1/records": "FBAEM",
    "GET /api/v1/me": "VDFBCAEM",
    "GET /metrics": "EM",
    "GET /openapi.json": "VDFBCAEM",
    "GET /asyncapi.json": "VDFBCAEM",
    "GET /healthz": "VDFBCAEMN",
    "GET /static/{path:path}": "VDFBCAEMN",
    "GET /sign-in": "VDFBCAEMN",
    "POST /sign-in": "VDFBCAEMN",
    "GET /enter/{code}": "VDFBCAEMN",
    "POST /enter/{code}": "VDFBCAEMN",
    "GET /set-up/{code}": "VDFBCAEMN",
    "POST /set-up/{code}": "VDFBCAEMN",
    "POST /set-up/{code}/strength": "VDFBCAEMN",
    "POST /sign-out": "VDFBCAE",
    "GET /sign-in/provider": "VDFBCAEMN",
    "GET /sign-in/provider/back": "VDFBCAEMN",
    "GET /sign-in/provider/out": "VDFBCAEMN",
    "POST /sign-in/provider/logout": "VDFBCAEMN",
    "GET /prove/provider": "VDFBCAE",
    "GET /prove": "VDFBCAE",
    "POST /prove": "VDFBCAE",
    "POST /sign-in/passkey/begin": "VDFBCAEMN",
    "POST /sign-in/passkey": "VDFBCAEMN",
    "GET /sign-in/second": "VDFBCAEMN",
    "POST /sign-in/second": "VDFBCAEMN",
    "POST /sign-in/second/app": "VDFBCAEMN",
    "POST /passkeys/begin": "VDFBCAE",
    "POST /passkeys/add": "VDFBCAE",
    "POST /passkeys/remove": "VDFBCAE",
    "GET /sessions": "VDFBCAE",
    "POST /sessions/end": "VDFBCAE",
    "POST /sessions/password": "VDFBCAE",
    "POST /sessions/export": "VDFBCAE",
    "GET /sessions/app": "VDFBCAE",
    "POST /sessions/app": "VDFBCAE",
    "POST /sessions/app/remove": "VDFBCAE",
    "POST /sessions/recovery": "VDFBCAE",
    "GET /users": "BAE",
    "POST /users/add": "E",
    "POST /users/roles": "E",
    "POST /users/link": "E",
    "POST /users/close": "E",
    "POST /users/erase": "E",
    "POST /users/export": "E",
    "POST /users/reopen": "E",
    "POST /users/end-sessions": "E",
    "POST /users/factors": "E",
    "GET /people": "BAE",
    "GET /people/{table}": "BAE",
    "POST /people/tables": "E",
    "POST /people/accept": "E",
    "GET /pin": "VDFBCAE",
    "POST /pin": "VDFBCAE",
    "GET /audit": "BAE",
    "GET /audit.csv": "BAE",
}
LETTERS = dict(zip(PitRole, "VDFBCAEM", strict=True))
#: They go on until somebody leaves: only their heads are asked for.
STREAMS = "/events/"


def routes(app: FastAPI) -> list[tuple[str, str]]:
    """Every route and method of the app, whatever is declared."""
    return [
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route)
        for method in sorted((route.methods or set()) - {"HEAD"})
    ]


async def is_let_in(browser: Browser, headers: dict[str, str], method: str, path: str) -> bool:
    asked = path.replace("{code}", "no-such-code").replace("{path:path}", "drawing/tokens.css")
    asked = asked.replace("{number:int}", "1")
    method = "HEAD" if path.startswith(STREAMS) else method
    own = {"Origin": ORIGIN} if method == "POST" else {}
    answer = await browser.http.request(method, asked, headers={**own, **headers})
    if answer.status_code in {401, 403}:
        refused = answer.headers["content-type"].startswith("application/json")
        # A link that does not work is refused on a page, to whoever asks for it.
        assert refused or "{code}" in path or path == "/sign-in/provider/back"
        return not refused
    return True


def declared(access: Access) -> set[str]:
    """Who may ask by what is declared, as letters."""
    roles = {*LETTERS} if access.roles is None else access.roles
    return {LETTERS[each] for each in roles} | ({"N"} if access.roles is None else set())


def test_who_may_ask_is_declared_as_it_is_promised() -> None:
    assert {name: declared(access) for name, access in ACCESS.items()} == {
        name: set(each) for name, each in PROMISED.items()
    }


def some_of(name: str, at: int) -> set[str]:
    """Who asks for a route in the quick form: nobody, two who may and one who may not, in turn."""
    may = [each for each in LETTERS.values() if each in PROMISED[name]]
    may_not = [each for each in LETTERS.values() if each not in PROMISED[name]]
    asked = {"N", may[at % len(may)], may[(at + 1) % len(may)]}
    return asked | {may_not[at % len(may_not)]} if may_not else asked


async def test_who_may_ask_for_what(known: KnownAccounts, app: FastAPI, long_form: bool) -> None:
    askers: list[tuple[str, Browser, dict[str, str]]] = [("N", Browser(app), {})]
    for role in sorted(OF_PEOPLE, key=list(PitRole).index):
        number = known.add(role.value, role)
        askers.append((LETTERS[role], Browser(app, known.enters(number).session), {}))
    token = {"Authorization": f"Bearer {known.machine()}"}
    askers.append((LETTERS[PitRole.MACHINE], Browser(app), token))
    everybody = {letter for letter, _, _ in askers}
    assert {f"{method} {path}" for method, path in routes(app)} == set(PROMISED)
    # The session that the others need is ended by it: the last of all.
    last = sorted(routes(app), key=lambda each: each[1] == "/sign-out")
    for at, (method, path) in enumerate(last):
        name = f"{method} {path}"
        asked = everybody if long_form or path == "/sign-out" else some_of(name, at)
        let_in = {
            letter
            for letter, browser, headers in askers
            if letter in asked and await is_let_in(browser, headers, method, path)
        }
        assert let_in == asked & set(PROMISED[name]), name


async def test_what_no_page_of_the_pits_own_sends_writes_nothing(
    known: KnownAccounts, app: FastAPI
) -> None:
    session = known.enters(known.add("Aino", *OF_PEOPLE)).session
    for browser in (Browser(app, session), Browser(app)):
        taken = set()
        for method, path in routes(app):
            if method in {"GET", "HEAD"}:
                continue
            asked = path.replace("{code}", "no-such-code").replace("{number:int}", "1")
            answer = await browser.http.request(method, asked)
            if answer.status_code not in {401, 403}:
                taken.add(f"{method} {path}")
        assert taken == {"POST /sign-in/provider/logout"}, "a signature says whose it is"


async def test_what_is_not_there_says_so_to_people_who_are_signed_in_alone(
    known: KnownAccounts, app: FastAPI
) -> None:
    signed_in = Browser(app, known.enters(known.add("Aino", PitRole.VIEWER)).session)
    assert (await signed_in.get("/nothing", {})).status_code == 404
    assert (await signed_in.http.delete("/records", headers={"Origin": ORIGIN})).status_code == 405
    assert (await Browser(app).get("/nothing", {})).status_code == 401
    assert (await Browser(app).http.delete("/records")).status_code == 401


@pytest.mark.parametrize(
    ("route", "said"),
    [
        (Route("/new", lambda _: PlainTextResponse("x"), methods=["GET"]), "GET /new"),
        (Route("/", lambda _: PlainTextResponse("x"), methods=["POST"]), "POST /"),
        (Mount("/under", app=PlainTextResponse("x")), "no plain route"),
    ],
)
async def test_a_route_that_says_nobody_who_may_ask_does_not_start(
    app: FastAPI, route: Route | Mount, said: str
) -> None:
    with pytest.raises(UndeclaredRoute, match=said):
        Declared([*app.routes, route])
    with pytest.raises(UndeclaredRoute, match="no route"):
        Declared(app.routes[1:])
