"""Alerts to whatever Apprise reaches: mail, telephones, chats (an extra)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.pit.alerts.deliveries import AlertMessage, Delivery
from controller.pit.alerts.sender import ReceiverRefused
from controller.pit.alerts.settings import AppriseService
from controller.pit.house_time import UTC_HOUSE, HouseTime

#: How an event looks where a service has colours or signs: Apprise's own kinds.
_LOOKS: Final = {
    "opened": "warning", "escalated": "failure", "answered": "info", "reopened": "failure",
    "ended": "success",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AppriseReceiver:
    """A service by its name; `service` is Apprise's object of it. Times are said by `house`."""

    name: str
    service: Any = field(repr=False)
    house: HouseTime = UTC_HOUSE

    def send(self, delivery: Delivery, _: int) -> str:
        """Why the service did not take it; empty: it did. Blocks."""
        message = msgspec.json.decode(delivery.body, type=AlertMessage)
        title, body = in_words(message, self.house)
        taken = self.service.notify(title=title, body=body, notify_type=_LOOKS[message.event])
        return "" if taken else "Apprise says above why, as far as it knows"


def in_words(message: AlertMessage, house: HouseTime = UTC_HOUSE) -> tuple[str, str]:
    """What people read: a title, and the rest."""
    alert = message.alert
    where = {"": "Pit", "*": "Several tables"}.get(alert.table, alert.table)
    became = {
        "opened": f"the {alert.who} must act",
        "escalated": f"nobody answered, the {alert.who} must act",
        "answered": f"{alert.answered_by} has it in hand",
        "reopened": f"nobody has it in hand any more, the {alert.who} must act",
        "ended": "it is over",
    }[message.event]
    since = f"{house.minute(alert.since_ms)} {house.zone}"
    return f"{where}: {became}", f"{alert.text}\nSince {since}. Alert {alert.number}."


def read_apprise(
    services: Sequence[AppriseService], base: Path, house: HouseTime = UTC_HOUSE
) -> tuple[AppriseReceiver, ...]:
    """The services, with their addresses read from files in `base`. Raises `ReceiverRefused`."""
    if not services:
        return ()
    try:
        import apprise  # noqa: PLC0415  (an extra; its import takes a second)
    except ImportError as error:
        raise ReceiverRefused(
            f"alerts.apprise: {services[0].name} needs Apprise, which is not installed: "
            "pip install 'tablectl[apprise]', or take it out"
        ) from error

    # Their debug lines say addresses, and with them passwords.
    for each in ("apprise", "urllib3"):
        logging.getLogger(each).setLevel(logging.WARNING)
    asset = apprise.AppriseAsset(app_id="tablectl", app_desc="Alerts of a pit", async_mode=False)
    return tuple(_receiver(apprise.Apprise(asset=asset), each, base, house) for each in services)


def _receiver(made: Any, service: AppriseService, base: Path, house: HouseTime) -> AppriseReceiver:
    named = f"alerts.apprise: address_file of {service.name}"
    try:
        address = (base / service.address_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ReceiverRefused(f"{named} cannot be read ({error}): the pit must find it") from error
    # Two in one would be notified twice where one of them is away.
    if len(address.split()) != 1 or not made.add(address) or len(made) != 1:
        raise ReceiverRefused(
            f"{named} holds no address that Apprise knows: write one, such as mailto://…"
        )
    return AppriseReceiver(service.name, made, house)
