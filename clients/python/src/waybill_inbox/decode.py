"""Events as handlers see them.

Waybill's headers come first, then the body, which is an envelope or a generic event.
"""

import json
import re
from dataclasses import dataclass, field

from waybill_inbox.failures import PermanentError

ID = re.compile(r"[\x21-\x7e]{1,128}")
TYPE = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,255}")
VERSION = re.compile(r"v?([0-9]{1,9})(\..*)?")
TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
REDRIVEN = re.compile(r"[1-9][0-9]{0,8}")


class Undecodable(PermanentError):
    """A message that is no event; the reason is that of the header waybill-dead-reason."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Message:
    """A message of the broker: bytes, or None, and headers as pairs of a name and bytes."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: list = field(default_factory=list)

    def header(self, name):
        """The text of a header, None if there is none."""
        for given, value in self.headers:
            if given == name and value is not None:
                return value.decode("utf-8", "replace")
        return None


@dataclass(frozen=True)
class Event:
    """What happened. The same id for all its copies."""

    id: str
    type: str
    version: int
    aggregate_id: str | None
    data: object
    metadata: dict
    correlation_id: str | None
    traceparent: str | None
    trace_id: str | None
    redriven: int


def json_text(body):
    """The body's text if it is JSON, else None."""
    try:
        text = body.decode("utf-8")
        json.loads(text, parse_constant=_refuse)
        return text
    except (ValueError, RecursionError):
        return None


def _refuse(constant):
    raise ValueError(constant)  # NaN and the like, which Python would take.


def decode(message):
    """Makes an event of a message. Raises Undecodable."""
    text = None if message.value is None else json_text(message.value)
    body = None if text is None else json.loads(text)
    members = body if isinstance(body, dict) else {}
    named = members.get("eventId", members.get("event_id"))
    event_id = _first(message.header("waybill-event-id"), named)
    if not isinstance(event_id, str) or event_id == "":
        raise Undecodable("no-event-id", "neither headers nor body name an event id")
    if not ID.fullmatch(event_id):
        raise Undecodable("bad-event-id", "event id must be 1 to 128 printable ASCII characters")
    facts = _facts(body, members, event_id)
    event_type = _first(message.header("waybill-event-type"), facts.get("type"))
    if not isinstance(event_type, str) or event_type == "":
        raise Undecodable("no-event-type", "neither headers nor body name an event type")
    if not TYPE.fullmatch(event_type):
        raise Undecodable(
            "bad-event-type", "event type must be 1 to 255 characters, none of them a control character"
        )
    version = _first(message.header("waybill-event-version"), facts.get("version", 1))
    number = VERSION.fullmatch(str(version))
    if number is None:
        raise Undecodable("bad-event-version", "event version must be a whole number")
    metadata = facts["metadata"]
    traceparent = message.header("traceparent")
    traced = TRACEPARENT.match(traceparent or "")
    return Event(
        id=event_id,
        type=event_type,
        version=int(number.group(1)),
        aggregate_id=_first(message.header("waybill-aggregate-id"), facts.get("aggregate_id")),
        data=facts["data"],
        metadata=metadata,
        correlation_id=_first(
            message.header("waybill-correlation-id"), metadata.get("correlationId")
        ),
        traceparent=traceparent,
        trace_id=traced.group(1) if traced else metadata.get("traceId"),
        redriven=_redriven(message, event_id),
    )


def _facts(body, members, event_id):
    """What the body says; one with another id is a payload that happens to look like an event."""
    if members.get("eventId") == event_id:
        metadata = members.get("metadata")
        return {
            "type": members.get("eventType"),
            "version": members.get("version", 1),
            "data": members.get("data"),
            "metadata": metadata if isinstance(metadata, dict) else {},
        }
    if members.get("event_id") == event_id:
        aggregate_id = members.get("aggregate_id")
        return {
            "type": members.get("event_type"),
            "aggregate_id": None if aggregate_id is None else str(aggregate_id),
            "data": members.get("payload"),
            "metadata": {},
        }
    return {"data": body, "metadata": {}}


def _first(header, member):
    """The header comes first, also when it is empty."""
    return member if header is None else header


def _redriven(message, event_id):
    """How often an operator sent it again; marks that name another event were copied to it."""
    times = message.header("waybill-redriven") or ""
    marked = message.header("waybill-redriven-event") == event_id
    return int(times) if marked and REDRIVEN.fullmatch(times) else 0


def redriven_for(message, event_id):
    """For whom an operator sent it again, None if nobody did; event_id is None if it is no event."""
    if message.header("waybill-redriven-event") != event_id:
        return None
    return message.header("waybill-redriven-for")
