"""The AsyncAPI document of the bus: subjects, headers, and the schema of every message and fact.

Made from the classes that the messages are made of, so that it cannot say anything else than what
is sent. AsyncAPI 3.0, told from the table's end: what it sends, and what it answers.
Source: https://www.asyncapi.com/docs/reference/specification/v3.0.0
"""

from __future__ import annotations

from typing import Any, Final

from controller import __version__
from controller.bus.commands import Command, CommandAnswer, SignedAnswer, SignedCommand
from controller.bus.messages import (
    PEOPLE_STREAM,
    PREFIX,
    STREAM,
    TABLE,
    CardPictures,
    HeadNews,
    PicturesRefused,
    PicturesRequest,
    RecordBatch,
    RecordLine,
    RefillRefused,
    RefillRequest,
    Topic,
)
from controller.people.document import PeopleHead, SealedPeople
from controller.record.fact_schemas import components, fact_schemas, record_schema, ref
from controller.rules.frozen import frozen
from controller.service.status_view import Status

Schema = dict[str, Any]

_ABOUT: Final = """\
What tables of tablectl and their pit say to each other over NATS.

Take records from the JetStream stream {stream}, or from the subjects as they come. Each covers \
the one before it by its hash: check that. What is missing is asked for at the table (`refill`).

A fact's version stands in its name (`CardDealt/1`): what changes gets a new one. Kinds that you \
do not know are newer software's: pass over them. Cards that lie face down are commitments.
"""
_JSON: Final = "application/json"


@frozen
class _TopicMessages:
    """A topic: what is sent, what is answered (nothing: nobody answers), and what it is about."""

    topic: Topic
    body: type
    answers: tuple[type, ...]
    about: str
    of_pit: bool = False

    @property
    def sent(self) -> bool:
        """Whether the table begins; else it is asked, or told (`of_pit`)."""
        return not self.answers and not self.of_pit


_TOPICS: Final = (
    _TopicMessages(
        Topic.RECORDS, RecordBatch, (),
        "The records of a commit, or up to a hundred of a backlog, in order.",
    ),
    _TopicMessages(Topic.HEAD, HeadNews, (), "How far the record goes; every five seconds."),
    _TopicMessages(
        Topic.STATUS, Status, (),
        "The table's public status, as on its page; at most five times a second.",
    ),
    _TopicMessages(
        Topic.REFILL, RefillRequest, (RecordBatch, RefillRefused),
        "The records after one that the archive has, from the table's disk.",
    ),
    _TopicMessages(
        Topic.COMMAND, SignedCommand, (SignedAnswer,),
        "An act that the pit asks for, signed by the pit's key; the answer, by the table's.",
    ),
    _TopicMessages(
        Topic.PEOPLE, SealedPeople, (),
        "Who may act at the table: signed by the pit, sealed to the table's key. The stream"
        f" {PEOPLE_STREAM} keeps the last one of each table.",
        of_pit=True,
    ),
    _TopicMessages(
        Topic.PICTURES, PicturesRequest, (CardPictures, PicturesRefused),
        "What a camera saw of the cards of a round that lie face up by the table's record. The"
        " name of a picture is the SHA-256 of its file, and stands on record: compare it.",
    ),
)  # fmt: skip


def asyncapi() -> Schema:
    """The document, as JSON writes it."""
    channels: Schema = {}
    operations: Schema = {}
    for each in _TOPICS:
        name = each.topic.value
        channels[name] = _channel(each)
        operation = {
            "action": "send" if each.sent else "receive",
            "channel": {"$ref": f"#/channels/{name}"},
            "summary": each.about,
        }
        if each.answers:
            answers = {kind.__name__: _message_ref(kind) for kind in each.answers}
            channels[f"{name}Answer"] = {"address": None, "messages": answers}
            operation["reply"] = _reply(f"{name}Answer", each.answers)
        operations[name] = operation
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "tablectl bus", "version": __version__,
            "description": _ABOUT.format(stream=STREAM),
        },
        "defaultContentType": _JSON,
        "channels": channels,
        "operations": operations,
        "components": {"messages": _messages(), "schemas": _schemas()},
    }  # fmt: skip


def _channel(of: _TopicMessages) -> Schema:
    return {
        "address": f"{PREFIX}.{{table}}.{of.topic.value}",
        "description": of.about,
        "parameters": {"table": {"description": f"The table's name: {TABLE.pattern}"}},
        "messages": {of.body.__name__: _message_ref(of.body)},
    }


def _reply(channel: str, answers: tuple[type, ...]) -> Schema:
    messages = [{"$ref": f"#/channels/{channel}/messages/{kind.__name__}"} for kind in answers]
    return {
        "address": {"location": "$message.header#/reply", "description": "NATS's reply subject."},
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": messages,
    }


def _message_ref(kind: type) -> Schema:
    return {"$ref": f"#/components/messages/{kind.__name__}"}


def _messages() -> Schema:
    kinds = {kind for each in _TOPICS for kind in (each.body, *each.answers)}
    found = {kind.__name__: _message(kind) for kind in sorted(kinds, key=lambda e: e.__name__)}
    found[Status.__name__]["payload"] = _status_schema()
    identified = "Of JetStream: the same for the same records, so that it drops what comes twice."
    found[RecordBatch.__name__]["headers"] = {
        "type": "object",
        "properties": {"Nats-Msg-Id": {"type": "string", "description": identified}},
    }
    return found


def _message(kind: type) -> Schema:
    return {"name": kind.__name__, "contentType": _JSON, "payload": ref(kind)}


def _status_schema() -> Schema:
    """The status in its envelope, which is put together of bytes that are there."""
    properties = {
        "table": {"type": "string"},
        "seq": {"type": "integer", "description": "The record it shows; -1: the table is stopped."},
        "at_ms": {"type": "integer", "description": "The table's wall time, in ms since 1970."},
        "status": ref(Status),
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def _schemas() -> Schema:
    kinds = {kind for each in _TOPICS for kind in (each.body, *each.answers)}
    found = components([*kinds, Command, CommandAnswer, PeopleHead]) | fact_schemas()
    found["Record"] = record_schema()
    _text_of(found, RecordLine, "body", "Record")
    _text_of(found, SignedCommand, "command", Command.__name__)
    _text_of(found, SealedPeople, "head", PeopleHead.__name__)
    _text_of(found, SignedAnswer, "answer", CommandAnswer.__name__)
    return dict(sorted(found.items()))


def _text_of(schemas: Schema, kind: type, field: str, holds: str) -> None:
    """Say that a text is JSON, since its very bytes are chained or signed, and of what form."""
    text = schemas[kind.__name__]["properties"][field]
    text["contentMediaType"] = _JSON
    text["contentSchema"] = {"$ref": f"#/components/schemas/{holds}"}
