"""Dead letters, as the Java inbox writes them."""

import base64
import json
import re
from datetime import datetime, timezone
from itertools import accumulate

from waybill_inbox.decode import Message, json_text
from waybill_inbox.failures import describe

CONTENT_TYPE = "content-type"
ORIGINAL_CONTENT_TYPE = "waybill-original-content-type"
ORIGINAL_LENGTH = "waybill-original-length"
OF_LETTERS = (CONTENT_TYPE, ORIGINAL_CONTENT_TYPE, ORIGINAL_LENGTH)
SPACES = (b" ", b"\t", b"\r", b"\n")
# Readers of letters refuse what is deeper.
MOST_DEPTH = 1_000
TEXTS = re.compile(r'"(?:[^"\\]+|\\.)*"')
BRACKETS = re.compile(r"[\[\]{}]")


def dead_letter(message, *, event_id, consumer, reason, error):
    """The dead letter of a message: what is to be sent to <topic>.dlt."""
    return Message(
        topic=message.topic + ".dlt",
        key=message.key,
        value=_body(message.value, event_id, consumer, error),
        headers=_headers(message, consumer, reason),
    )


def _body(original, event_id, consumer, error):
    text = "null" if original is None else _embeddable(original)
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


def _embeddable(original):
    """The original's text if it can be a member, where null says that there was none."""
    text = json_text(original)
    fits = text is not None and text.strip() != "null" and _depth(text) <= MOST_DEPTH
    return text if fits else None


def _depth(text):
    """How deep a JSON text is nested."""
    brackets = BRACKETS.findall(TEXTS.sub("", text))
    return max(accumulate(1 if each in "[{" else -1 for each in brackets), default=0)


def _headers(message, consumer, reason):
    headers = [
        (name, value)
        for name, value in message.headers
        if name not in OF_LETTERS and not name.startswith("waybill-dead-") and value is not None
    ]
    content_type = message.header(CONTENT_TYPE)
    if content_type is not None:
        headers.append((ORIGINAL_CONTENT_TYPE, content_type.encode()))
    # A reader may take white space around the original for that of the letter.
    if message.value is not None and (
        message.value.startswith(SPACES) or message.value.endswith(SPACES)
    ):
        headers.append((ORIGINAL_LENGTH, str(len(message.value)).encode()))
    headers.append((CONTENT_TYPE, b"application/json"))
    headers.append(("waybill-dead-reason", reason.encode()))
    headers.append(("waybill-dead-source", message.topic.encode()))
    headers.append(("waybill-dead-consumer", consumer.encode()))
    return headers
