"""The configuration of a nats-server for a pit: who may say and hear what. Pure.

A table may publish under its own subjects alone, and hear what the pit asks it; its answers come
back under an inbox of its own, so that no table can listen to another's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.bus.messages import PREFIX, TABLE, Topic, subject

#: Who the pit is to the server.
PIT: Final = "pit"
_INBOX: Final = "_INBOX"


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """Where the server keeps what it buffers, and its certificates; `tls_*` empty: none."""

    store: str
    tls_cert: str = ""
    tls_key: str = ""
    tls_ca: str = ""


def inbox(user: str) -> str:
    """Where answers to that user go."""
    return f"{_INBOX}.{user}"


def server_conf(
    listen: str, files: ServerFiles, passwords: Mapping[str, str], *, store_gb: float = 10
) -> str:
    """The file. `passwords` are those of the tables and of `PIT`, best as bcrypt (`nats server
    passwd`). Raises `ValueError` for a table whose name cannot stand in a subject.
    """
    users = []
    for user, password in sorted(passwords.items()):
        if not TABLE.fullmatch(user):
            raise ValueError(f"{user!r} cannot stand in a subject: use letters, digits, - and _")
        users.append(_user(user, password))
    lines = [
        f"listen: {json.dumps(listen)}",
        "jetstream {",
        f"  store_dir: {json.dumps(files.store)}",
        f"  max_file_store: {round(store_gb * 1_000_000_000)}",
        "}",
        *_tls(files),
        "authorization {",
        "  users = [",
        *users,
        "  ]",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _tls(files: ServerFiles) -> list[str]:
    if not files.tls_cert:
        return []
    named = {"cert_file": files.tls_cert, "key_file": files.tls_key, "ca_file": files.tls_ca}
    given = [f"  {key}: {json.dumps(value)}" for key, value in named.items() if value]
    return ["tls {", *given, "}"]


def _user(user: str, password: str) -> str:
    if user == PIT:
        says = [subject("*", Topic.REFILL), "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"]
        hears = [f"{PREFIX}.>", f"{inbox(PIT)}.>"]
    else:
        says = [subject(user, each) for each in (Topic.RECORDS, Topic.HEAD, Topic.STATUS)]
        hears = [subject(user, Topic.REFILL), f"{inbox(user)}.>"]
    permissions = (
        f"publish: {json.dumps(says)}, subscribe: {json.dumps(hears)}, allow_responses: true"
    )
    return (
        f"    {{ user: {json.dumps(user)}, password: {json.dumps(password)}, "
        f"permissions: {{ {permissions} }} }}"
    )
