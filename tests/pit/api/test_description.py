"""The pit's API does what its description says, whatever is sent to it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import given
from schemathesis.checks import positive_data_acceptance
from schemathesis.schemas import BaseSchema

from controller.pit.accounts.roles import PitRole
from controller.pit.api.answers import ANSWERS
from controller.pit.sign_in.cookies import SESSION
from tests.pit.accounts.known import known_in
from tests.pit.reports.conftest import PlayedPit
from tests.pit.sign_in.pages_of import OWN
from tests.records.dealing import two_days
from tests.support.forms import examples

CASES, LONG_CASES = 5, 250
#: Of somebody who may ask for everything; filled in by `described`.
HEADERS: dict[str, str] = {}


@pytest.fixture(scope="module")
def described() -> Iterator[BaseSchema]:
    """The description of a pit whose table was played, and somebody who asks it."""
    with tempfile.TemporaryDirectory() as folder:
        known = known_in(Path(folder))
        pit = PlayedPit(known, two_days("21-24-27"))
        found = schemathesis.openapi.from_dict(pit.app.openapi())
        found.app = pit.app
        roles = (PitRole.PIT_BOSS, PitRole.AUDITOR, PitRole.ENGINEER)
        session = known.enters(known.add("Aino", *roles)).session
        HEADERS.update(OWN, Host="pit.example", Cookie=f"{SESSION}={session}")
        yield found
        known.engine.dispose()


@pytest.mark.leaky_ok("schemathesis keeps one thread with an event loop for the whole process")
@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_every_answer_is_described(described: BaseSchema, name: str) -> None:
    method, _, path = name.partition(" ")
    cases = described[path][method].as_strategy()

    @given(cases)
    @examples(CASES, long=LONG_CASES)
    def asked(case: schemathesis.Case[Any]) -> None:
        # A table that is not there, days in the wrong order: refused, though of the right form.
        case.call_and_validate(headers=HEADERS, excluded_checks=[positive_data_acceptance])

    asked()
