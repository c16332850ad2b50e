"""Dead letters, as the Java inbox writes them."""

import base64
import json
from datetime import datetime, timezone

from waybill_inbox.decode import Message, json_text
from waybill_inbox.failures import describe

CONTENT_TYPE = "content-type"
ORIGINAL_CONTENT_TYPE = "waybill-original-content-type"


def dead_letter(message, *, event_id, consumer, reason, error):
    """The dead letter of a message: what is to be sent to <topic>.dlt."""
    return Message(
        topic=message.topic + ".dlt",
        key=message.key,
        value=_body(message.value, event_id, consumer, error),
        headers=_headers(message, consumer, reason),
    )


def _body(original, event_id, consumer, error):
    text = "null" if original is None else json_text(original)
    members = [f'"eventId":{json.dumps(event_id)}']
    if text is None:
        members.append(f'"originalEvent":{json.dumps(base64.b64encode(original).decode())}')
        members.append('"originalEventEncoding":"base64"')
    else:
        # As it came: numbers keep all their digits.
        members.append(f'"originalEvent":{text}')
    failed_at = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
    members.append(f'"errorMessage":{json.dumps(describe(error))}')
    members.append(f'"failedAt":{json.dumps(failed_at)}')
    members.append(f'"consumerService":{json.dumps(consumer)}')
    return ("{" + ",".join(members) + "}").encode()


def _headers(message, consumer, reason):
    headers = [
        (name, value)
        for name, value in message.headers
        if name not in (CONTENT_TYPE, ORIGINAL_CONTENT_TYPE) and not name.startswith("waybill-dead-")
    ]
    content_type = message.header(CONTENT_TYPE)
    if content_type is not None:
        headers.append((ORIGINAL_CONTENT_TYPE, content_type.encode()))
    headers.append((CONTENT_TYPE, b"application/json"))
    headers.append(("waybill-dead-reason", reason.encode()))
    headers.append(("waybill-dead-source", message.topic.encode()))
    headers.append(("waybill-dead-consumer", consumer.encode()))
    return headers
