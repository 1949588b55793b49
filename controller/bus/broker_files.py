"""Writes what a nats-server needs: its configuration, and a password for everybody it lets in."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from controller.bus.broker_settings import BrokerConfig, SiteSection
from controller.bus.server_conf import PIT, Leaves, ServerFiles, Uplink, server_conf

CONF: Final = "nats-server.conf"
PASSWORDS: Final = "passwords"
_SECRET_BYTES: Final = 32


def write_broker(config: BrokerConfig, to: Path) -> list[Path]:
    """Write the configuration and the passwords that are not there yet below `to`; what is new.

    A password that is there stays: who has it goes on. Raises `OSError`, `UnicodeDecodeError`.
    """
    broker, hq = config.broker, config.headquarters
    folder = to / PASSWORDS
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    new: list[Path] = []
    users = _passwords(folder, (PIT, *broker.tables), new)
    leaves = Leaves(hq.listen, _passwords(folder, hq.sites, new), hq.commands) if hq else None
    up = _uplink(config.site, config.base) if config.site else None
    files = ServerFiles(broker.store, broker.cert_file, broker.key_file, broker.ca_file)
    text = server_conf(broker.listen, files, users, store_gb=broker.store_gb, up=up, leaves=leaves)
    if _write(to / CONF, text):
        new.insert(0, to / CONF)
    return new


def _passwords(folder: Path, names: Iterable[str], new: list[Path]) -> dict[str, str]:
    """The password of each, made where there is none."""
    found = {}
    for name in names:
        path = folder / name
        if not path.exists():
            _write(path, secrets.token_urlsafe(_SECRET_BYTES) + "\n")
            new.append(path)
        found[name] = path.read_text(encoding="utf-8").strip()
    return found


def _uplink(site: SiteSection, base: Path) -> Uplink:
    password = (base / site.password_file).read_text(encoding="utf-8").strip()
    scheme, place = urlsplit(site.headquarters)[:2]
    # A leaf speaks plainly by `nats-leaf`.
    scheme = "tls" if scheme == "tls" else "nats-leaf"
    return Uplink(
        site.name, f"{scheme}://{site.name}:{quote(password, safe='')}@{place}", site.ca_file
    )


def _write(path: Path, text: str) -> bool:
    """Write what nobody else may read, whole or not at all; whether it was another text."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    fresh = path.with_name(f".{path.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
    return True
