"""The configuration of a nats-server for a pit: who may say and hear what. Pure.

A table may publish under its own subjects alone, and hear what the pit asks it; its answers come
back under an inbox of its own, so that no table can listen to another's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from controller.bus.messages import PREFIX, TABLE, Topic, last_people, subject
from controller.rules.frozen import frozen

#: Who the pit is to the server.
PIT: Final = "pit"
_INBOX: Final = "_INBOX"
#: What a table says, and what the pit says to tables.
_OF_TABLES: Final = (Topic.RECORDS, Topic.HEAD, Topic.STATUS)
_TO_TABLES: Final = (Topic.REFILL, Topic.COMMAND, Topic.PEOPLE, Topic.PICTURES)
#: The JetStream domain of an operator's server; a site's is the site.
HEADQUARTERS: Final = "HEADQUARTERS"


def mirrored(site: str) -> str:
    """Where the JetStream of a site is spoken to from the operator's server."""
    return f"$JS.{site}.API"


@frozen
class ServerFiles:
    """Where the server keeps what it buffers, and its certificates; `tls_*` empty: none."""

    store: str
    tls_cert: str = ""
    tls_key: str = ""
    tls_ca: str = ""


@frozen
class Uplink:
    """A site's server as a leaf of the operator's: its name there, and how it reaches it.

    `site` is the domain of its JetStream too, by which the operator's server mirrors its buffer.
    `url` has the password (`tls://SITE:PASSWORD@HOST:PORT`); `ca` is the operator's authority,
    empty: the system's.
    """

    site: str
    url: str
    ca: str = ""


@frozen
class Leaves:
    """Where the operator's server takes the servers of sites, and the password of each.

    `commands`: headquarters' pit may send commands to tables of sites, which take them where their
    own configuration names its key.
    """

    listen: str
    passwords: Mapping[str, str]
    commands: bool = False


def inbox(user: str) -> str:
    """Where answers to that user go."""
    return f"{_INBOX}.{user}"


def server_conf(
    listen: str, files: ServerFiles, passwords: Mapping[str, str], *, store_gb: float = 10,
    up: Uplink | None = None, leaves: Leaves | None = None,
) -> str:  # fmt: skip
    """The file. `passwords` are those of the tables and of `PIT`, best as bcrypt (`nats server
    passwd`). Raises `ValueError` for a table or site whose name cannot stand in a subject.
    """
    sites = [*(leaves.passwords if leaves else ()), *([up.site] if up else ())]
    for name in (*passwords, *sites):
        if not TABLE.fullmatch(name):
            raise ValueError(f"{name!r} cannot stand in a subject: use letters, digits, - and _")
    domain = up.site if up else HEADQUARTERS if leaves else ""
    lines = [
        f"listen: {json.dumps(listen)}",
        "jetstream {",
        f"  store_dir: {json.dumps(files.store)}",
        f"  max_file_store: {round(store_gb * 1_000_000_000)}",
        *([f"  domain: {json.dumps(domain)}"] if domain else []),
        "}",
        *_tls(files),
        *(_up(up) if up else []),
        *(_leaves(leaves, files) if leaves else []),
        "authorization {",
        "  users = [",
        *(_user(user, password) for user, password in sorted(passwords.items())),
        *(_sites(leaves) if leaves else ()),
        "  ]",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _up(up: Uplink) -> list[str]:
    """Heads, statuses and questions cross as somebody at the other end asks for them; records are
    fetched out of the buffer.
    """
    tls = [f"      tls {{ ca_file: {json.dumps(up.ca)} }}"] if up.ca else []
    return [
        "leafnodes {", "  remotes = [", "    {", f"      url: {json.dumps(up.url)}", *tls,
        "    }", "  ]", "}",
    ]  # fmt: skip


def _leaves(leaves: Leaves, files: ServerFiles) -> list[str]:
    """No users of their own: only those of `authorization` may have permissions."""
    return [
        "leafnodes {", f"  listen: {json.dumps(leaves.listen)}",
        *(f"  {line}" for line in _tls(files)), "}",
    ]  # fmt: skip


def _sites(leaves: Leaves) -> list[str]:
    return [
        _site(site, leaves.passwords, commands=leaves.commands) for site in sorted(leaves.passwords)
    ]


def _site(site: str, passwords: Mapping[str, str], *, commands: bool) -> str:
    """A site's broker as a user: it commands no buffer but its own, and neither hears what other
    sites say nor answers for them, or asks tables. `commands`: it hears those of headquarters.
    """
    others = [mirrored(each) for each in sorted({*passwords, HEADQUARTERS} - {site})]
    foreign = ["$JS.API.>", *(f"{each}.>" for each in others)]
    says = [*(subject("*", each) for each in _TO_TABLES), f"{mirrored(site)}.>", *foreign]
    hears = [*(subject("*", each) for each in _OF_TABLES), *foreign]
    # Whoever is at a site's tables, its own pit says.
    hears += [f"{inbox(PIT)}.>", subject("*", Topic.PEOPLE)]
    hears += [] if commands else [subject("*", Topic.COMMAND)]
    return (
        f"    {{ user: {json.dumps(site)}, password: {json.dumps(passwords[site])}, "
        f'allowed_connection_types: ["LEAFNODE"], permissions: {{ '
        f"publish: {{ deny: {json.dumps(says)} }}, subscribe: {{ deny: {json.dumps(hears)} }} }} }}"
    )


def _tls(files: ServerFiles) -> list[str]:
    if not files.tls_cert:
        return []
    named = {"cert_file": files.tls_cert, "key_file": files.tls_key, "ca_file": files.tls_ca}
    settings = [f"  {key}: {json.dumps(value)}" for key, value in named.items() if value]
    return ["tls {", *settings, "}"]


def _user(user: str, password: str) -> str:
    if user == PIT:
        says = [*(subject("*", each) for each in _TO_TABLES), "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"]
        hears = [f"{PREFIX}.>", f"{inbox(PIT)}.>"]
    else:
        says = [*(subject(user, each) for each in _OF_TABLES), last_people(user)]
        hears = [*(subject(user, each) for each in _TO_TABLES), f"{inbox(user)}.>"]
    permissions = [f"publish: {json.dumps(says)}", f"subscribe: {json.dumps(hears)}"]
    if user != PIT:
        # Nobody asks the pit anything over the bus. Were it allowed to answer, the server would
        # note where to for each message of the buffer, and walk through 4,096 notes a message.
        permissions.append("allow_responses: true")
    return (
        f"    {{ user: {json.dumps(user)}, password: {json.dumps(password)}, "
        f"permissions: {{ {', '.join(permissions)} }} }}"
    )
