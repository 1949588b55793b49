"""The provider that the configuration names, with its secret; what it needs is an extra."""

from __future__ import annotations

import ssl
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.pit.sign_in.oidc.refusals import ProviderRefused
from controller.pit.sign_in.oidc.settings import OidcSection

if TYPE_CHECKING:
    from controller.pit.sign_in.oidc.provider import Provider

_SHORTEST: Final = 16


def read_provider(section: OidcSection, base: Path, clock_ms: Callable[[], int]) -> Provider:
    """The provider; files are named from `base`. Raises `ProviderRefused`."""
    try:
        from controller.pit.sign_in.oidc.fetch import Fetch  # noqa: PLC0415  (an extra)
        from controller.pit.sign_in.oidc.provider import Provider  # noqa: PLC0415
    except ImportError as error:
        raise ProviderRefused(
            "oidc: sign-in by a provider needs Authlib, which is not installed: "
            "pip install 'tablectl[oidc]', or take the section out"
        ) from error

    secret = read_secret(section, base)
    try:
        file = None if section.ca_file is None else str(base / section.ca_file)
        context = ssl.create_default_context(cafile=file)
    except OSError as error:
        raise ProviderRefused(f"oidc.ca_file cannot be used ({error}): name a PEM file") from error
    return Provider(section, secret, Fetch(context), lambda: clock_ms() // 1_000)


def read_secret(section: OidcSection, base: Path) -> str:
    """What the provider knows this pit by; empty: its name alone. Raises `ProviderRefused`."""
    if section.secret_file is None:
        return ""
    path, named = base / section.secret_file, "oidc.secret_file"
    try:
        mode = path.stat().st_mode
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ProviderRefused(f"{named} cannot be read ({error}): the pit must find it") from error
    if mode & stat.S_IRWXO:
        raise ProviderRefused(
            f"{named}: everybody on this machine may read {path}: chmod 640 or less"
        )
    if len(secret) < _SHORTEST or not (secret.isascii() and secret.isprintable()):
        raise ProviderRefused(
            f"{named}: it is no secret of {_SHORTEST} characters or more: copy the one that the"
            " provider made"
        )
    return secret
