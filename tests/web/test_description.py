"""The API does what its description says, whatever is sent to it."""

from __future__ import annotations

import re
from typing import Any

import pytest
import schemathesis
from hypothesis import assume
from schemathesis.schemas import BaseSchema

from controller.host.service_log import LogRing
from controller.web.api.description import openapi
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.forms import examples, is_long_form
from tests.web.conftest import TOKEN, WRITER
from tests.web.desk import PlayedDesk

pytest_plugins = ["schemathesis.pytest.plugin"]

CASES, LONG_CASES = 10, 250
#: RFC 6265, 4.1.1: with anything else in it, a cookie arrives as another one, or as several.
COOKIE_VALUE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")


def described() -> BaseSchema:
    """The description of the web of a table where bets are open."""
    desk = PlayedDesk()
    desk.pit.shuffle()
    desk.pit.bet(1)
    app = create_app(desk, WebSettings(token=TOKEN, hosts=("testserver",), log=LogRing(100)))
    schema = schemathesis.openapi.from_dict(openapi(app))
    schema.app = app
    # Every boundary of every command is some 3,000 requests: the long form sends them.
    schema.config.phases.coverage.enabled = is_long_form()
    # A body that is wrong and too long, too, is refused for its length.
    refusals = schema.config.checks.negative_data_rejection
    refusals.expected_statuses = [*refusals.expected_statuses, "413"]
    return schema


schema = described()


@pytest.mark.leaky_ok("schemathesis keeps one thread with an event loop for the whole process")
@schema.parametrize()
@examples(CASES, long=LONG_CASES)
def test_every_answer_is_described(case: schemathesis.Case[Any]) -> None:
    assume(all(COOKIE_VALUE.fullmatch(str(each)) for each in case.cookies.values()))
    case.call_and_validate(headers=WRITER)
