"""What messages are events, and what they say."""

import base64
import json
import pathlib
import unittest

from waybill_inbox import Message, Undecodable, decode

VECTORS = pathlib.Path(__file__).parents[2] / "vectors" / "decode.json"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
REDRIVEN = {
    "2": 2,
    "999999999": 999999999,
    "1000000000": 0,
    "v1": 0,
    "3.7": 0,
    "007": 0,
    "0": 0,
    "often": 0,
    "-1": 0,
    "": 0,
}


def message(body, **headers):
    value = body if isinstance(body, bytes) else json.dumps(body).encode()
    pairs = [(name.replace("_", "-"), text.encode()) for name, text in headers.items()]
    return Message("orders", None, value, pairs)


class DecodeTest(unittest.TestCase):
    def test_an_envelope_is_an_event(self):
        event = decode(
            message(
                {
                    "eventId": "e-1",
                    "eventType": "order.placed",
                    "version": 2,
                    "data": {"orderId": "o-1"},
                    "metadata": {"correlationId": "c-1", "traceId": TRACE},
                }
            )
        )

        self.assertEqual((event.id, event.type, event.version), ("e-1", "order.placed", 2))
        self.assertEqual(event.data, {"orderId": "o-1"})
        self.assertEqual((event.correlation_id, event.trace_id), ("c-1", TRACE))
        self.assertEqual((event.traceparent, event.aggregate_id, event.redriven), (None, None, 0))

    def test_a_generic_event_is_one_with_all_digits_of_its_aggregate_id(self):
        body = {
            "event_id": "e-1",
            "event_type": "placed",
            "aggregate_type": "order",
            "aggregate_id": 9007199254740993,
            "payload": {"n": 1},
        }
        event = decode(message(body))

        self.assertEqual((event.type, event.data), ("placed", {"n": 1}))
        self.assertEqual(event.aggregate_id, "9007199254740993")

    def test_headers_come_before_the_body(self):
        body = {
            "eventId": "e-1",
            "eventType": "of the body",
            "data": 1,
            "metadata": {"traceId": TRACE.replace("4b", "5c")},
        }
        event = decode(
            message(
                body,
                waybill_event_id="e-1",
                waybill_event_type="of the header",
                traceparent=f"00-{TRACE}-00f067aa0ba902b7-01",
            )
        )

        self.assertEqual((event.type, event.data, event.trace_id), ("of the header", 1, TRACE))

    def test_a_body_with_another_id_is_a_payload(self):
        body = {"eventId": "another", "eventType": "t"}
        event = decode(message(body, waybill_event_id="e-1", waybill_event_type="t"))

        self.assertEqual(event.data, body)

    def test_what_is_no_event_says_why(self):
        bodies = {
            "no-event-id": {"eventType": "t"},
            "bad-event-id": {"eventId": "a blank", "eventType": "t"},
            "no-event-type": {"eventId": "e-1", "eventType": ""},
            "bad-event-type": {"eventId": "e-1", "eventType": "a\0b"},
            "bad-event-version": {"eventId": "e-1", "eventType": "t", "version": "latest"},
        }
        for reason, body in bodies.items():
            self.assertEqual(self.reason_of(message(body)), reason)
        deep = b"[" * 100_000 + b"]" * 100_000
        for value in (None, b"\xff", b"[1]", deep):
            self.assertEqual(self.reason_of(Message("orders", None, value)), "no-event-id")

    def reason_of(self, undecodable):
        with self.assertRaises(Undecodable) as raised:
            decode(undecodable)
        return raised.exception.reason

    def test_metadata_that_is_no_object_is_none(self):
        for metadata in (["no", "object"], "text", 7):
            body = {"eventId": "e-1", "eventType": "t", "metadata": metadata}
            self.assertEqual(decode(message(body)).metadata, {})

    def test_how_often_an_event_was_sent_again_is_read_as_the_java_inbox_reads_it(self):
        for mark, times in REDRIVEN.items():
            marks = {"waybill_redriven": mark, "waybill_redriven_event": "e-1"}
            event = decode(message({"eventId": "e-1", "eventType": "t"}, **marks))
            self.assertEqual(event.redriven, times, mark)

    def test_messages_are_what_they_are_to_the_java_inbox(self):
        for vector in json.loads(VECTORS.read_text("utf-8"))["cases"]:
            with self.subTest(vector["name"]):
                kind = "event" if "event" in vector else "undecodable"
                self.assertEqual(self.seen(vector), {kind: vector[kind]})

    def seen(self, vector):
        """A message as the vectors describe it; what is not there is not named."""
        value = vector["body"].encode() if "body" in vector else None
        if "bodyBase64" in vector:
            value = base64.b64decode(vector["bodyBase64"])
        headers = [(name, text.encode()) for name, text in vector["headers"].items()]
        try:
            event = decode(Message("orders", None, value, headers))
        except Undecodable as error:
            return {"undecodable": {"reason": error.reason, "message": str(error)}}
        is_raw = isinstance(event.data, bytes)
        members = {
            "id": event.id,
            "type": event.type,
            "version": event.version,
            "aggregateId": event.aggregate_id,
            "data": None if is_raw else event.data,
            "dataBase64": base64.b64encode(event.data).decode() if is_raw else None,
            "correlationId": event.correlation_id,
            "traceparent": event.traceparent,
            "traceId": event.trace_id,
            "redriven": event.redriven or None,
        }
        return {"event": {name: value for name, value in members.items() if value is not None}}


if __name__ == "__main__":
    unittest.main()
