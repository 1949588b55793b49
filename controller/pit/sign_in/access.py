"""Who may ask for which route of the pit: every route and method stands here, or it does not start.

`tests/pit/sign_in/test_matrix.py` asks for every route as every role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from controller.pit.accounts.roles import OF_PEOPLE, PitRole


class UndeclaredRoute(Exception):
    """A route that says nobody who may ask for it, or a line here that is of no route."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask: one of `roles`, or anybody (None).

    `proven`: only whoever has given a password or passkey in the last minutes. `signed`: another
    program sends it, and a signature in it says whose it is; no page of the pit's own has to.
    """

    roles: frozenset[PitRole] | None
    proven: bool = False
    signed: bool = False

    def allows(self, roles: frozenset[PitRole]) -> bool:
        """Whether somebody with these roles may ask."""
        return self.roles is None or bool(self.roles & roles)


ANYBODY: Final = Access(None)
#: The house's provider, by what it has signed.
PROVIDER: Final = Access(None, signed=True)
SIGNED_IN: Final = Access(OF_PEOPLE)
#: Whoever is signed in, and has said so again lately.
PROVEN: Final = Access(OF_PEOPLE, proven=True)
#: A sight of the tables, and of nothing that is secret: every person, and machines.
LOOKS: Final = Access(frozenset(PitRole))
RECORDS: Final = Access(
    frozenset({PitRole.FLOOR, PitRole.PIT_BOSS, PitRole.AUDITOR, PitRole.ENGINEER, PitRole.MACHINE})
)
FIGURES: Final = Access(frozenset({PitRole.ENGINEER, PitRole.MACHINE}))
#: Who there is, and what they did.
WATCHES: Final = Access(frozenset({PitRole.PIT_BOSS, PitRole.AUDITOR, PitRole.ENGINEER}))
#: Money of tables, and what their rounds came to.
REPORTS: Final = Access(
    frozenset({
        PitRole.FLOOR, PitRole.PIT_BOSS, PitRole.CAGE, PitRole.AUDITOR, PitRole.MACHINE,
    })
)  # fmt: skip
#: What cameras saw of cards, and with them perhaps a dealer's hand: for who settles a dispute.
PICTURES: Final = Access(frozenset({PitRole.FLOOR, PitRole.PIT_BOSS, PitRole.AUDITOR}))
#: The shift that goes tells the shift that comes.
HANDOVERS: Final = Access(frozenset({PitRole.FLOOR, PitRole.PIT_BOSS, PitRole.AUDITOR}))
SIGNS_HANDOVERS: Final = Access(frozenset({PitRole.FLOOR, PitRole.PIT_BOSS}), proven=True)
#: What a table is asked for by the floor, and what changes how it plays.
ASKS_TABLES: Final = Access(frozenset({PitRole.FLOOR, PitRole.PIT_BOSS}))
SETS_TABLES: Final = Access(frozenset({PitRole.PIT_BOSS}), proven=True)
ENDS_FINDINGS: Final = Access(frozenset({PitRole.PIT_BOSS, PitRole.AUDITOR}), proven=True)
#: Who takes a table out of service, and puts it back.
RETIRES_TABLES: Final = Access(frozenset({PitRole.PIT_BOSS, PitRole.ENGINEER}), proven=True)
#: Records as they were archived, in a file.
TAKES_RECORDS: Final = Access(frozenset({PitRole.AUDITOR}))
#: Who may take an alert in hand; who must is the alert's own.
ANSWERS_ALERTS: Final = Access(
    frozenset({PitRole.FLOOR, PitRole.PIT_BOSS, PitRole.AUDITOR, PitRole.ENGINEER})
)
#: The cage, too: for fills alone.
TAKES_ALERTS: Final = Access(frozenset({PitRole.CAGE}) | (ANSWERS_ALERTS.roles or frozenset()))
CHANGES_USERS: Final = Access(frozenset({PitRole.ENGINEER}), proven=True)

ACCESS: Final[Mapping[str, Access]] = MappingProxyType({
    "GET /": SIGNED_IN,
    "GET /records": RECORDS,
    "GET /findings/{number:int}": ENDS_FINDINGS,
    "POST /findings/{number:int}": ENDS_FINDINGS,
    "POST /findings/{number:int}/branch": ENDS_FINDINGS,
    "GET /branches/{number:int}.jsonl": TAKES_RECORDS,
    "GET /tables/{table}": ASKS_TABLES,
    "GET /tables/{table}/live": SIGNED_IN,
    "POST /tables/{table}": ASKS_TABLES,
    "POST /tables/{table}/settings": SETS_TABLES,
    "GET /tables/{table}/service": RETIRES_TABLES,
    "POST /tables/{table}/service": RETIRES_TABLES,
    "POST /tables/{table}/service/back": RETIRES_TABLES,
    "GET /tables/{table}/chips": REPORTS,
    "GET /api/v1/tables/{table}/chips": REPORTS,
    "GET /reports": REPORTS,
    "GET /rounds": REPORTS,
    "GET /handover": HANDOVERS,
    "POST /handover": SIGNS_HANDOVERS,
    "POST /handover/{number:int}": SIGNS_HANDOVERS,
    "GET /rounds/{table}/{number:int}": REPORTS,
    "GET /api/v1/rounds": REPORTS,
    "GET /api/v1/rounds/{table}/{number}": REPORTS,
    "GET /api/v1/rounds/{table}/{number}/pictures": PICTURES,
    "GET /reports/{part}.csv": REPORTS,
    "GET /reports/{part}.parquet": REPORTS,
    "GET /api/v1/reports/{part}": REPORTS,
    "GET /events/wall": LOOKS,
    "GET /events/tables/{table}": LOOKS,
    "GET /alerts": SIGNED_IN,
    "POST /alerts/answer": TAKES_ALERTS,
    "POST /alerts/send": ANSWERS_ALERTS,
    "POST /alerts/forget": ANSWERS_ALERTS,
    "GET /api/v1/alerts": LOOKS,
    "POST /api/v1/alerts/undelivered/{number}/send": ANSWERS_ALERTS,
    "POST /api/v1/alerts/{number}/answer": TAKES_ALERTS,
    "GET /api/v1/records": RECORDS,
    "GET /api/v1/me": LOOKS,
    "GET /metrics": FIGURES,
    "GET /openapi.json": LOOKS,
    "GET /asyncapi.json": LOOKS,
    "GET /healthz": ANYBODY,
    "GET /static/{path:path}": ANYBODY,
    "GET /sign-in": ANYBODY,
    "POST /sign-in": ANYBODY,
    "GET /enter/{code}": ANYBODY,
    "POST /enter/{code}": ANYBODY,
    "GET /set-up/{code}": ANYBODY,
    "POST /set-up/{code}": ANYBODY,
    "POST /set-up/{code}/strength": ANYBODY,
    "POST /sign-out": SIGNED_IN,
    "GET /sign-in/provider": ANYBODY,
    "GET /sign-in/provider/back": ANYBODY,
    "GET /sign-in/provider/out": ANYBODY,
    "POST /sign-in/provider/logout": PROVIDER,
    "GET /prove/provider": SIGNED_IN,
    "GET /prove": SIGNED_IN,
    "POST /prove": SIGNED_IN,
    "POST /sign-in/passkey/begin": ANYBODY,
    "POST /sign-in/passkey": ANYBODY,
    "GET /sign-in/second": ANYBODY,
    "POST /sign-in/second": ANYBODY,
    "POST /sign-in/second/app": ANYBODY,
    "POST /passkeys/begin": PROVEN,
    "POST /passkeys/add": PROVEN,
    "POST /passkeys/remove": PROVEN,
    "GET /sessions": SIGNED_IN,
    "POST /sessions/end": SIGNED_IN,
    "POST /sessions/password": PROVEN,
    "POST /sessions/export": PROVEN,
    "GET /sessions/app": PROVEN,
    "POST /sessions/app": PROVEN,
    "POST /sessions/app/remove": PROVEN,
    "POST /sessions/recovery": PROVEN,
    "GET /users": WATCHES,
    "POST /users/add": CHANGES_USERS,
    "POST /users/roles": CHANGES_USERS,
    "POST /users/link": CHANGES_USERS,
    "POST /users/close": CHANGES_USERS,
    "POST /users/reopen": CHANGES_USERS,
    "POST /users/erase": CHANGES_USERS,
    "POST /users/export": CHANGES_USERS,
    "POST /users/end-sessions": CHANGES_USERS,
    "POST /users/factors": CHANGES_USERS,
    "GET /people": WATCHES,
    "GET /people/{table}": WATCHES,
    "POST /people/tables": CHANGES_USERS,
    "POST /people/accept": CHANGES_USERS,
    "GET /pin": SIGNED_IN,
    "POST /pin": PROVEN,
    "GET /audit": WATCHES,
    "GET /audit.csv": WATCHES,
})  # fmt: skip


#: Methods that somebody may name; others are words of whoever asks.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
#: Pages that are led to from every other one, and what they are called there.
_PAGES: Final = (
    ("/alerts", "Alerts"), ("/records", "Records"), ("/reports", "Reports"), ("/rounds", "Rounds"),
    ("/handover", "Handover"), ("/users", "Users"), ("/people", "People at tables"),
    ("/audit", "Audit"), ("/sessions", "My sessions"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page: its address on this pit, and its name."""

    path: str
    name: str


def pages_for(roles: frozenset[PitRole]) -> tuple[PageLink, ...]:
    """The pages that somebody with these roles may open."""
    return tuple(PageLink(*each) for each in _PAGES if ACCESS[f"GET {each[0]}"].allows(roles))


def answers_alerts(roles: frozenset[PitRole]) -> Literal["all", "fills", "none"]:
    """Which alerts somebody with these roles may have in hand."""
    if ANSWERS_ALERTS.allows(roles):
        return "all"
    return "fills" if TAKES_ALERTS.allows(roles) else "none"


class Declared:
    """The routes of an app with who may ask for each."""

    def __init__(self, routes: Iterable[BaseRoute], known: Mapping[str, Access] = ACCESS) -> None:
        """Raises `UndeclaredRoute`."""
        self.routes: list[tuple[Route, dict[str, Access]]] = []
        named: set[str] = set()
        for route in routes:
            if not isinstance(route, Route):
                raise UndeclaredRoute(f"{route!r} is no plain route: declare each of its own")
            methods = list(_names(route))
            if missing := [each for each in methods if each not in known]:
                raise UndeclaredRoute(f"{missing[0]}: say in sign_in/access.py who may ask for it")
            named.update(methods)
            by_method = {each.partition(" ")[0]: known[each] for each in methods}
            self.routes.append((route, by_method))
        if left := set(known) - named:
            raise UndeclaredRoute(f"{min(left)}: sign_in/access.py declares it, and it is no route")

    def access(self, scope: Scope) -> Access | None:
        """Who may ask for it; None: there is no such route, or not with that method."""
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        for route, by_method in self.routes:
            if route.matches(scope)[0] is not Match.NONE and method in by_method:
                return by_method[method]
        return None

    def name(self, scope: Scope) -> str:
        """What is asked for, as it is declared: nothing of the address that came."""
        if scope["method"] in _METHODS:
            for route, _ in self.routes:
                if route.matches(scope)[0] is not Match.NONE:
                    return f"{scope['method']} {route.path}"
        return "an address that is none"

    def is_act(self, scope: Scope) -> bool:
        """Whether a page is asked for at an address that has none: something is done there."""
        if scope["method"] not in {"GET", "HEAD"} or self.access(scope) is not None:
            return False
        return any(route.matches(scope)[0] is not Match.NONE for route, _ in self.routes)


def _names(route: Route) -> Iterator[str]:
    for method in sorted((route.methods or set()) - {"HEAD"}):
        yield f"{method} {route.path}"
