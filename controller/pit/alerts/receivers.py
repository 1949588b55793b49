"""Everybody that the configuration names as a receiver of alerts."""

from __future__ import annotations

from pathlib import Path

from controller.pit.alerts.apprise_receiver import read_apprise
from controller.pit.alerts.sender import AlertReceiver
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.webhook import read_webhooks
from controller.pit.house_time import UTC_HOUSE, HouseTime


def read_receivers(
    settings: AlertSettings, base: Path, house: HouseTime = UTC_HOUSE
) -> tuple[AlertReceiver, ...]:
    """The receivers, with secrets and addresses read from files in `base`; people are told times of
    the house.

    Raises `ReceiverRefused`.
    """
    return (*read_webhooks(settings.webhooks, base), *read_apprise(settings.apprise, base, house))
