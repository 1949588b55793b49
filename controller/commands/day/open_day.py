"""`tablectl day show` and `close`: the gaming day that is open, asked of its running table."""

from __future__ import annotations

import argparse
import http.client
import json
import secrets
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import click

from controller.access.token import TokenError, read_token
from controller.assembly.wiring import load
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.configuration import Config
from controller.config.problems import ConfigError

TIMEOUT_S: Final = 15.0
#: Where root finds the token that systemd hands to the service as a credential.
BESIDE: Final = "api-token"


class NotAnswered(Exception):
    """The table cannot be asked, or has no gaming day; the text says what to do."""


def run(arguments: argparse.Namespace) -> int:
    """Ask the running table; the exit status."""
    try:
        config = load(arguments.config)
        status = _ask(config, "GET", "/api/v1/table")
        if status.get("day") is None:
            raise NotAnswered("no gaming day is open, or the table is stopped: look at its page")
        if arguments.action == "show":
            print(_day_text(config, status["day"]))
            return 0
        return _close(arguments, config, status)
    except (ConfigError, TokenError) as error:
        return fail(str(error), EXIT_CONFIG)
    except click.Abort:
        return fail("given up: the day stays open", EXIT_USAGE)
    except NotAnswered as error:
        return fail(str(error), EXIT_BAD)


def _close(arguments: argparse.Namespace, config: Config, status: dict[str, Any]) -> int:
    """Close the day, with name and PIN where the table knows its people."""
    token_file: Path | None = arguments.token_file
    beside = config.base / BESIDE
    configured = config.web.token_file
    token = read_token(token_file or (beside if not configured.exists() else configured))
    people = []
    if status["roles"]:
        name = arguments.name or click.prompt("Floor")
        people.append({"name": name, "pin": _typed_pin()})
    asked = {"do": "close_day", "people": people}
    answer = _ask(config, "POST", "/api/v1/commands", asked, token)
    if not answer.get("accepted"):
        return fail(str(answer.get("refused") or answer.get("detail")), EXIT_BAD)
    print(f"gaming day {status['day']['label']} is closed")
    print(_day_text(config, _ask(config, "GET", "/api/v1/table")["day"]))
    return 0


def _typed_pin() -> str:
    """Not shown at a terminal; one line from a pipe."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    pin: str = click.prompt("PIN", hide_input=True)
    return pin


def _day_text(config: Config, day: dict[str, Any]) -> str:
    ends = datetime.fromtimestamp(day["ends_ms"] / 1000, UTC).astimezone(
        ZoneInfo(config.record.zone)
    )
    return f"gaming day {day['label']}, ends {ends:%Y-%m-%d %H:%M} {config.record.zone}"


def _ask(
    config: Config, method: str, path: str, body: dict[str, Any] | None = None, token: str = ""
) -> dict[str, Any]:
    """What the running table answers. Raises `NotAnswered`."""
    host, port = config.web.host, config.web.port
    headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotAnswered(
            f"no table answers at {host}:{port} ({error}): is its service running?"
        ) from None
    finally:
        connection.close()
    return answer
