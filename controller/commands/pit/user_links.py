"""Users from the command line: added, and given links that work once. Nothing secret is typed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.pit.accounts import users
from controller.pit.accounts.accounts import Accounts
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.people import COMMAND_LINE, People
from controller.pit.accounts.roles import PitRole, read_roles
from controller.pit.accounts.users import User, UserRefused
from controller.pit.archive.storage.database import (
    NO_ANSWER,
    ArchiveRefused,
    open_database,
    why_none,
)
from controller.pit.server.running import wall_ms
from controller.pit.server.settings import PitConfig, PitRefused, load_pit


def add_user(path: Path, name: str, roles: str) -> str:
    """Add a user to the pit that `path` configures; the link or token for it.

    Raises `ConfigError`, `PitRefused`.
    """
    config = load_pit(path)
    with people_in(config) as people:
        try:
            user, secret = people.add(name, read_roles(roles))
        except ValueError as error:
            raise PitRefused(str(error)) from error
        return _secret(config, user, secret, Purpose.SET_UP)


def link_of(path: Path, name: str, *, enters: bool) -> str:
    """A link for a user that works once: to sign in, or to set a password; a machine's token.

    Raises `ConfigError`, `PitRefused`.
    """
    config = load_pit(path)
    purpose = Purpose.SIGN_IN if enters else Purpose.SET_UP
    with people_in(config) as people:
        user = _named(people, name)
        try:
            secret = people.link(user.id, purpose)
        except UserRefused as error:
            raise PitRefused(str(error)) from error
        return _secret(config, user, secret, purpose)


def reset_user(path: Path, name: str) -> str:
    """Take a user's second factors away; what was done, in words.

    Raises `ConfigError`, `PitRefused`.
    """
    with people_in(load_pit(path)) as people:
        user = _named(people, name)
        people.take_factors(user.id)
        return f"{user.name} has no app, passkey or recovery code any more, and is signed out"


def _named(people: People, name: str) -> User:
    login = users.login_of(name)
    listed = people.listed()
    for each in listed:
        if each.login == login:
            return each
    names = ", ".join(each.name for each in listed) or "nobody"
    raise PitRefused(f"there is no user {name}. Known here: {names}")


def _become_owner(config: PitConfig) -> None:
    """Root goes on as the owner of an archive's folder: the pit could not use a file of root's."""
    file = config.archive.file(config.base)
    if file is None or os.geteuid() != 0 or not file.parent.is_dir():
        return
    owner = file.parent.stat()
    if owner.st_uid:
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)


@contextmanager
def people_in(config: PitConfig) -> Iterator[People]:
    """The users of a pit, changed by whoever has its command line.

    Raises `PitRefused`, also where the database does not take what was to be changed.
    """
    _become_owner(config)
    try:
        engine = open_database(config.archive.url(config.base))
    except (ArchiveRefused, OSError) as error:
        raise PitRefused(str(error)) from error
    try:
        yield People(Accounts(engine, wall_ms, config.sign_in.lifetime), COMMAND_LINE)
    except NO_ANSWER as error:
        raise PitRefused(
            f"archive.database does not take it ({why_none(error)}): nothing was changed. `tablectl"
            " doctor CONFIG` looks at its disk and its server"
        ) from error
    finally:
        engine.dispose()


def _secret(config: PitConfig, user: User, secret: str, purpose: Purpose) -> str:
    if PitRole.MACHINE in user.roles:
        return secret
    web = config.web
    scheme = "http" if web.cert_file is None else "https"
    address = web.address or f"{scheme}://127.0.0.1:{web.port}"
    return f"{address}/{purpose.value}/{secret}"
