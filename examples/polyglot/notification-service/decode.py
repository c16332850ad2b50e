"""Events as handlers see them: by Waybill's headers, else by the envelope in the body."""

import json
import re
from dataclasses import dataclass, field

ID = re.compile(r"[\x21-\x7e]{1,128}")
TYPE = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,255}")
REDRIVEN = re.compile(r"[1-9][0-9]{0,8}")


class Undecodable(Exception):
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
    data: object
    metadata: dict
    correlation_id: str | None
    traceparent: str | None
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
    event_id = _first(message.header("waybill-event-id"), members.get("eventId"))
    if not isinstance(event_id, str) or event_id == "":
        raise Undecodable("no-event-id", "neither headers nor body name an event id")
    if not ID.fullmatch(event_id):
        raise Undecodable("bad-event-id", "event id must be 1 to 128 printable ASCII characters")
    # A body with another id is a payload that happens to look like an envelope.
    envelope = members if members.get("eventId") == event_id else None
    event_type = _first(message.header("waybill-event-type"), (envelope or {}).get("eventType"))
    if not isinstance(event_type, str) or event_type == "":
        raise Undecodable("no-event-type", "neither headers nor body name an event type")
    if not TYPE.fullmatch(event_type):
        raise Undecodable(
            "bad-event-type", "event type must be 1 to 255 characters, none of them a control character"
        )
    metadata = (envelope or {}).get("metadata")
    if not isinstance(metadata, dict):
        metadata = {}
    return Event(
        id=event_id,
        type=event_type,
        data=body if envelope is None else envelope.get("data"),
        metadata=metadata,
        correlation_id=_first(
            message.header("waybill-correlation-id"), metadata.get("correlationId")
        ),
        traceparent=message.header("traceparent"),
        redriven=_redriven(message, event_id),
    )


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
