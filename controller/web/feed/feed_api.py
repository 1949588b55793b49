"""The AsyncAPI document of the feed: its events, and the schema of every fact.

Made from the classes that are sent, with the facts' schemas of the bus: one schema for both.
Source: https://www.asyncapi.com/docs/reference/specification/v3.0.0
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller import __version__
from controller.record.fact_schemas import components, fact_schemas, record_schema
from controller.web.feed.fact_event import ClockEvent, FactEvent, PublicEvent, ResetEvent
from controller.web.feed.public_facts import public_events, public_schemas
from controller.web.json_views import JSON

_ABOUT: Final = """\
Every fact of a table once and in order, as server-sent events of `GET /events/facts` (with the \
table's token). `id` is the number of the record: send it back as `Last-Event-ID`, or as \
`?after=N`, and the feed goes on after it; `after=0` begins with the first record that the table \
has, `?newest=N` so many records before the end. Without any it begins now. `GET /events/public` \
is what of it players may see, for everybody.

A fact's version stands in its name (`CardDealt/1`): what changes gets a new one. Kinds that you \
do not know are newer software's: pass over them. Cards that lie face down are commitments, opened \
by the `CardTurned` that turns them. `event: beat` comes while nothing happens.
"""
#: The name of each event, and what its data is.
EVENTS: Final[dict[str, type[msgspec.Struct]]] = {
    "fact": FactEvent,
    "clock": ClockEvent,
    "reset": ResetEvent,
}

#: The events of each stream, by the last part of its address.
CHANNELS: Final[dict[str, dict[str, type[msgspec.Struct]]]] = {
    "facts": EVENTS,
    "public": {**EVENTS, "fact": PublicEvent},
}


@lru_cache(maxsize=1)
def feed_api() -> dict[str, Any]:
    """The document, as JSON writes it."""
    messages = {
        kind.__name__: {
            "name": name, "contentType": JSON,
            "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        }
        for events in CHANNELS.values() for name, kind in events.items()
    }  # fmt: skip
    schemas = components([*EVENTS.values(), PublicEvent]) | fact_schemas() | public_schemas()
    schemas[FactEvent.__name__]["properties"]["record"] = record_schema()
    schemas[PublicEvent.__name__] = {"oneOf": list(public_events(schemas[PublicEvent.__name__]))}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "tablectl feed", "version": __version__, "description": _ABOUT},
        "defaultContentType": JSON,
        "channels": {
            channel: {
                "address": f"/events/{channel}",
                "messages": {
                    name: {"$ref": f"#/components/messages/{kind.__name__}"}
                    for name, kind in events.items()
                },
            }
            for channel, events in CHANNELS.items()
        },
        "operations": {
            channel: {
                "action": "send", "channel": {"$ref": f"#/channels/{channel}"},
                "messages": [
                    {"$ref": f"#/channels/{channel}/messages/{name}"} for name in events
                ],
            }
            for channel, events in CHANNELS.items()
        },
        "components": {"messages": messages, "schemas": schemas},
    }  # fmt: skip


async def feed_document(request: Request) -> Response:
    """The document, as it is served."""
    return Response(msgspec.json.encode(feed_api()), media_type=JSON)
