"""What the web of a table starts with: its settings, the house's style, and its socket."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Final

from controller.access.directory import PeopleError
from controller.access.sent_people import SentPeople
from controller.access.staff import Staff
from controller.access.token import TokenError, read_token
from controller.assembly.cannot_start import CannotStart
from controller.config.configuration import Config
from controller.host.service_log import LogRing
from controller.web.server.listening import bound_socket, cannot_listen, start_listening
from controller.web.settings import WebSettings, page_languages

#: How long the web may take to let its viewers go when the service stops.
WEB_STOP_S: Final = 2
#: A style is a few rules; it is kept in memory.
OVERLAY_CSS_CHARS: Final = 262_144


def web_settings(
    config: Config, log_: LogRing | None = None, sent: SentPeople | None = None
) -> WebSettings:
    """The settings of the web; `sent` are the people whom the pit sends.

    Raises `TokenError`, `PeopleError`, `CannotStart`.
    """
    web = config.web
    record = config.record.folder
    counts = record.with_name(f"{record.name}.pins")
    source = sent or config.people_file
    people = None if source is None else Staff(source, counts=counts)
    try:
        return WebSettings(
            token=read_token(web.token_file), people=people, hosts=web.hosts, origins=web.origins,
            frame_ancestors=web.frame_ancestors, max_viewers=web.max_viewers,
            log=log_, record=record, overlay_css=overlay_style(web.overlay_css),
            languages=page_languages(web.language, web.dealer_language, web.players_language),
        )  # fmt: skip
    except (TokenError, PeopleError):
        raise
    except ValueError as error:
        raise CannotStart(f"web.{error}") from None


def overlay_style(path: Path | None) -> str:
    """The house's own style of the overlay. Raises `CannotStart`."""
    if path is None:
        return ""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"web.overlay_css: {path} cannot be read as a style: {error}") from None
    if len(text) > OVERLAY_CSS_CHARS:
        raise CannotStart(
            f"web.overlay_css: {path} has more than {OVERLAY_CSS_CHARS} letters: leave pictures out"
        )
    return text


def bind(host: str, port: int) -> socket.socket:
    """A socket that is bound to that port (0: any). Raises `CannotStart`."""
    try:
        return bound_socket(host, port)
    except OSError as error:
        raise CannotStart(cannot_listen(host, port, error)) from None


def listen(bound: socket.socket) -> None:
    """Let connections come in, once the table is there. Raises `CannotStart`."""
    try:
        start_listening(bound)
    except OSError as error:
        host, port = bound.getsockname()[:2]
        raise CannotStart(cannot_listen(host, port, error)) from None
