"""The API token: a secret in a file that the service alone may read."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from controller.access.private_file import read_private

MIN_CHARS: Final = 24
MAX_CHARS: Final = 256


class TokenError(ValueError):
    """The token cannot be read or written, or is no secret; the text says what to do."""


def read_token(path: Path) -> str:
    """The token in `path`. Raises `TokenError`, also where others may read the file."""
    try:
        content, mode = read_private(path)
        token = content.decode("ascii").strip()
    except FileNotFoundError:
        raise TokenError(
            f"there is no token {path}: make one with `tablectl token {path}`"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise TokenError(f"the token {path} cannot be read: {error}") from error
    # systemd lets the service's user in by an ACL, whose mask stands where the group's bits were.
    credential = os.environ.get("CREDENTIALS_DIRECTORY") == str(path.parent)
    if mode & (stat.S_IRWXO if credential else stat.S_IRWXG | stat.S_IRWXO):
        raise TokenError(f"others may read the token {path}: chmod 600 {path}")
    if not MIN_CHARS <= len(token) <= MAX_CHARS or not token.isprintable() or " " in token:
        raise TokenError(
            f"the token in {path} must be {MIN_CHARS} to {MAX_CHARS} characters without spaces: "
            f"make one with `tablectl token {path}`"
        )
    return token


def write_token(path: Path) -> str:
    """Write a new random token to `path`, which must not exist yet. Raises `TokenError`."""
    token = secrets.token_urlsafe(32)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise TokenError(
            f"{path} exists already: remove it first if it is to be replaced"
        ) from None
    except OSError as error:
        raise TokenError(f"the token {path} cannot be written: {error.strerror}") from error
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(token + "\n")
        file.flush()
        os.fsync(file.fileno())
    return token
