"""Events as handlers see them.

Waybill's headers come first, then the body, which is an envelope or a generic event.
"""

import json
import re
from dataclasses import dataclass, field

from waybill_inbox.failures import Undecodable
from waybill_inbox.quoted import quoted

# As Decoder of Waybill's Java inbox has them; clients/vectors has examples.
ID = re.compile(r"[\x21-\x7e]{1,128}")
TYPE = re.compile("[^\x00-\x1f\x7f-\x9f\ud800-\udfff\U00010000-\U0010ffff]{1,255}")
VERSION = re.compile(r"v?\+?0*([0-9]{1,10})(\..*)?", re.DOTALL)
LARGEST_VERSION = 2**31 - 1
TRACE_ID_OF_TRACEPARENT = re.compile(r".{3}([0-9a-fA-F]{32})", re.DOTALL)
TRACE_ID = re.compile("[^\x00-\x1f\x7f-\x9f]{1,128}")
REDRIVEN = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Message:
    """A message of the broker: bytes, or None, and headers as pairs of a name and bytes.

    With partition and offset its attempts go on when it comes again after it was left.
    """

    topic: str
    key: bytes | None
    value: bytes | None
    headers: list = field(default_factory=list)
    partition: int | None = None
    offset: int | None = None

    def header(self, name):
        """The text of a header, None if there is none."""
        for given, value in self.headers:
            if given == name and value is not None:
                return value.decode("utf-8", "replace")
        return None


@dataclass(frozen=True)
class Event:
    """What happened. The same id for all its copies.

    data is what the JSON of the payload says, or its bytes if it is none.
    """

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


def is_json(content_type):
    """Whether a media type is JSON, as JsonText of Waybill's Java inbox has it."""
    media = content_type.split(";", 1)[0].strip().lower()
    return media in ("application/json", "text/json") or media.endswith("+json")


def decode(message):
    """Makes an event of a message. Raises Undecodable."""
    named = message.header("waybill-event-id")
    facts = _facts(message, named)
    event_id = _first(named, facts.get("id"))
    if not event_id:
        raise Undecodable("no-event-id", "neither headers nor body name an event id")
    if not ID.fullmatch(event_id):
        raise _unfit(
            "bad-event-id", "event id must be 1 to 128 printable ASCII characters", event_id
        )
    event_type = _first(message.header("waybill-event-type"), facts.get("type"))
    if not event_type:
        raise Undecodable("no-event-type", "neither headers nor body name an event type")
    if not TYPE.fullmatch(event_type):
        raise _unfit(
            "bad-event-type",
            "event type must be 1 to 255 characters, none of them a control character",
            event_type,
        )
    version = _first(message.header("waybill-event-version"), facts.get("version"))
    traceparent = _first(message.header("traceparent"), facts.get("traceparent"))
    return Event(
        id=event_id,
        type=event_type,
        version=1 if version is None else _version(version),
        aggregate_id=_first(message.header("waybill-aggregate-id"), facts.get("aggregate_id")),
        data=facts["data"],
        metadata=facts["metadata"],
        correlation_id=_first(
            message.header("waybill-correlation-id"), facts.get("correlation_id")
        ),
        traceparent=traceparent,
        trace_id=_trace_id(traceparent or "", facts.get("trace_id") or ""),
        redriven=_redriven(message, event_id),
    )


def _unfit(reason, rule, value):
    return Undecodable(reason, f"{rule}, is {quoted(value)}")


def _version(text):
    found = VERSION.fullmatch(text)
    if not found or int(found.group(1)) > LARGEST_VERSION:
        raise _unfit("bad-event-version", "event version must be a whole number", text)
    return int(found.group(1))


def _trace_id(traceparent, own):
    found = TRACE_ID_OF_TRACEPARENT.match(traceparent)
    if found:
        return found.group(1)
    return own if TRACE_ID.fullmatch(own) else None


def _facts(message, named):
    """What the body says.

    It is an event if it has the id of the headers, or any if they have none, and a type. All others
    are payloads, whatever they look like.
    """
    data, texts = _content(message)

    def is_event(body_id, body_type):
        known = None not in (_scalar(texts.get(body_id)), _scalar(texts.get(body_type)))
        return known and named in (None, _scalar(texts[body_id]))

    if is_event("eventId", "eventType"):
        metadata = texts.get("metadata")
        told = metadata if isinstance(metadata, dict) else {}
        return {
            "id": _scalar(texts["eventId"]),
            "type": _scalar(texts["eventType"]),
            "version": _scalar(texts.get("version")),
            "data": data.get("data"),
            "metadata": data["metadata"] if isinstance(metadata, dict) else {},
            "correlation_id": _scalar(told.get("correlationId")),
            "traceparent": _scalar(told.get("traceparent")),
            "trace_id": _scalar(told.get("traceId")),
        }
    if is_event("event_id", "event_type"):
        return {
            "id": _scalar(texts["event_id"]),
            "type": _scalar(texts["event_type"]),
            "aggregate_id": _scalar(texts.get("aggregate_id")),
            "data": data.get("payload"),
            "metadata": {},
        }
    return {"data": data, "metadata": {}}


def _content(message):
    """The payload, and the members of an object with their numbers as texts."""
    media = message.header("content-type")
    may_be_json = message.value is not None and (media is None or is_json(media))
    text = json_text(message.value) if may_be_json else None
    if text is None:
        return message.value, {}
    data = json.loads(text)
    # As texts numbers keep all their digits.
    digits = json.loads(text, parse_int=str, parse_float=str)
    return data, digits if isinstance(data, dict) else {}


def _scalar(value):
    """A text, or a boolean as one; numbers are texts already. Nothing else has a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else None


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
