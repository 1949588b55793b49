"""The service's log, to be downloaded by whoever may: with the token, and as the floor."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from controller.access.staff import NotProven, Staff
from controller.host.service_log import LogRing
from controller.rules.messages import message
from controller.table.roles import Role
from controller.table.views.english import say
from controller.web.api.command_bodies import Proof
from controller.web.api.described_routes import DescribedRoutes
from controller.web.problems import RequestRejected, documented, not_proven

NAME: Final = "tablectl.log"


class LogAsked(BaseModel):
    """Who asks for the log, where the table knows its people: somebody of the floor."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    people: Annotated[tuple[Proof, ...], Field(max_length=2)] = ()


def log_routes(log: LogRing, people: Staff | None) -> DescribedRoutes:
    """The address of the log. It is a write, so that admission asks for the token."""
    routes = DescribedRoutes("/api/v1", documented(421))
    text = {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Its lines."}

    @routes.post(
        "/log", response_class=Response, takes_token=True,
        responses={200: text, **documented(400, 401, 403, 413, 415, 422, 429)},
    )  # fmt: skip
    async def download(asked: LogAsked) -> Response:
        """The newest lines of the service's log, for the floor. No card is in it."""
        if people is not None:
            try:
                proven = await people.prove([(each.name, each.pin) for each in asked.people])
            except NotProven as error:
                raise not_proven(error) from None
            if not any(each.role is Role.FLOOR for each in proven):
                raise RequestRejected(403, say(message("log-is-for-the-floor")))
        elif asked.people:
            raise RequestRejected(403, say(message("table-knows-no-people")))
        headers = {"Content-Disposition": f'attachment; filename="{NAME}"'}
        return Response(log.text, media_type="text/plain; charset=utf-8", headers=headers)

    return routes
