"""Run by ./verify, or: DATABASE_URL=... python3 -m unittest discover -s tests"""

import base64
import contextlib
import json
import os
import threading
import unittest
import uuid

import psycopg
from psycopg.rows import dict_row

import order_mails
from decode import Message, decode
from failures import PermanentError, TemporaryError
from inbox import Inbox
from mail_server import MailServer
from order_mails import ORDER_PLACED
from tracing import Tracing

CONSUMER = "notification-service"
DATABASE = os.environ["DATABASE_URL"]
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
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


class Stop(Exception):
    """The service stops."""


class Order:
    """A placed order as the relay sends it."""

    def __init__(self, user_id="ada", event_id=None, order_id=None, headers=()):
        self.id = event_id or str(uuid.uuid4())
        self.order_id = order_id or str(uuid.uuid4())
        envelope = {
            "eventId": self.id,
            "eventType": ORDER_PLACED,
            "version": 1,
            "source": "order-service",
            "data": {"orderId": self.order_id, "totalAmount": 12.5},
            "metadata": {"correlationId": "checkout-1", "userId": user_id},
        }
        self.message = Message(
            topic=ORDER_PLACED,
            key=self.order_id.encode(),
            value=json.dumps(envelope).encode(),
            headers=[
                ("waybill-event-id", self.id.encode()),
                ("waybill-event-type", ORDER_PLACED.encode()),
                ("content-type", b"application/json"),
                ("traceparent", f"00-{TRACE}-{PARENT}-01".encode()),
                *headers,
            ],
        )


class InboxTest(unittest.TestCase):
    def setUp(self):
        self.letters = []
        self.pauses = []
        self.mail = order_mails.handlers(MailServer(DATABASE))[ORDER_PLACED]

    def inbox(self, handler=None, **parts):
        given = {
            "consumer": CONSUMER,
            "connect": lambda: psycopg.connect(DATABASE, autocommit=True),
            "handlers": {ORDER_PLACED: handler or self.mail},
            "send_letter": self.letters.append,
            "tracing": Tracing(None),
        }
        inbox = Inbox(**{**given, **parts})
        self.addCleanup(inbox.close)
        return inbox

    def take(self, order, handler=None, **parts):
        message = order if isinstance(order, Message) else order.message
        return self.inbox(handler, **parts).take(message, self.pauses.append)

    def rows(self, sql, *values):
        with psycopg.connect(DATABASE, row_factory=dict_row) as connection:
            return connection.execute(sql, values).fetchall()

    def emails_of(self, order):
        return self.rows("select * from emails where order_id = %s", order.order_id)

    def taken_by_the_mail_server(self, order):
        return self.rows("select * from mail_server where body like %s", f"%{order.order_id}.")

    def notes_of(self, order):
        return self.rows("select * from processed_events where event_id = %s", order.id)

    def reason(self):
        (letter,) = self.letters
        return letter.header("waybill-dead-reason")

    def test_a_confirmation_is_sent_once_however_often_the_event_comes(self):
        order = Order()

        self.assertEqual(self.take(order), "handled")
        self.assertEqual(self.take(order), "duplicate")

        (email,) = self.emails_of(order)
        self.assertEqual(email["recipient"], "ada@example.org")
        (taken,) = self.taken_by_the_mail_server(order)
        self.assertEqual(taken["message_id"], email["id"])
        (note,) = self.notes_of(order)
        self.assertEqual(
            (note["consumer"], note["event_type"], note["source"]),
            (CONSUMER, ORDER_PLACED, ORDER_PLACED),
        )

    def test_copies_that_arrive_at_once_are_handled_once(self):
        order = Order()
        outcomes = []
        inboxes = [self.inbox() for _ in range(5)]
        threads = [
            threading.Thread(target=lambda inbox=inbox: outcomes.append(inbox.take(order.message)))
            for inbox in inboxes
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        self.assertEqual(sorted(outcomes), ["duplicate"] * 4 + ["handled"])
        self.assertEqual(len(self.emails_of(order)), 1)

    def test_an_order_is_told_of_once_by_its_notification_id_whatever_the_event_id(self):
        order = Order()

        self.assertEqual(self.take(order), "handled")
        self.assertEqual(self.take(Order(order_id=order.order_id)), "handled")

        self.assertEqual(len(self.emails_of(order)), 1)
        self.assertEqual(len(self.taken_by_the_mail_server(order)), 1)

    def test_a_mail_whose_transaction_failed_is_sent_again_with_the_same_id(self):
        order = Order()
        sent = []

        def fail_after_the_mail(event, connection):
            handler = order_mails.handlers(lambda *mail: (sent.append(mail[0]), server(*mail)))
            handler[ORDER_PLACED](event, connection)
            if len(sent) == 1:
                raise TemporaryError

        server = MailServer(DATABASE)
        self.assertEqual(self.take(order, fail_after_the_mail), "handled")
        self.assertEqual(len(sent), 2)
        self.assertEqual(len(set(sent)), 1)
        self.assertEqual(len(self.taken_by_the_mail_server(order)), 1)

    def test_another_consumer_of_the_same_table_handles_the_event_too(self):
        order = Order()

        self.assertEqual(self.take(order), "handled")
        self.assertEqual(self.take(order, consumer="another"), "handled")

    def test_what_the_handler_causes_belongs_to_correlation_and_trace_of_the_event(self):
        order = Order()
        spans = []
        self.take(order, tracing=Tracing(spans.append))

        (email,) = self.emails_of(order)
        (context,) = self.rows(
            """
            select c.* from waybill_outbox_events_row_context c
            join outbox_events o on o.id = c.row_id where o.aggregate_id = %s""",
            str(email["id"]),
        )
        (span,) = spans
        self.assertEqual((span["traceId"], span["parentSpanId"]), (TRACE, PARENT))
        self.assertEqual(span["name"], f"process {ORDER_PLACED}")
        self.assertEqual(context["traceparent"], f"00-{TRACE}-{span['spanId']}-01")
        self.assertEqual(context["correlation_id"], "checkout-1")
        self.assertEqual(context["causation_id"], order.id)

    def test_a_handler_that_fails_has_a_span_with_an_error(self):
        spans = []
        self.take(Order(user_id=None), tracing=Tracing(spans.append))

        self.assertEqual(spans[0]["status"], {"code": 2})

    def test_poison_is_dead_lettered_as_it_stands_and_counts_as_processed(self):
        order = Order(user_id=None, headers=[("tenant", b"acme")])

        self.assertEqual(self.take(order), "dead")
        self.assertEqual(self.take(order), "duplicate")

        (letter,) = self.letters
        self.assertEqual(letter.topic, "order.order.placed.v1.dlt")
        self.assertEqual(letter.key, order.message.key)
        members = json.loads(letter.value)
        self.assertRegex(members.pop("failedAt"), r"^\d{4}-\d\d-\d\dT[\d:.]+Z$")
        self.assertEqual(
            members,
            {
                "eventId": order.id,
                "originalEvent": json.loads(order.message.value),
                "errorMessage": "PermanentError: Validation failed: metadata.userId must be given",
                "consumerService": CONSUMER,
            },
        )
        self.assertEqual(letter.header("waybill-original-content-type"), "application/json")
        self.assertEqual(letter.header("waybill-dead-reason"), "permanent-failure")
        self.assertEqual(letter.header("waybill-dead-source"), ORDER_PLACED)
        self.assertEqual(letter.header("waybill-dead-consumer"), CONSUMER)
        self.assertEqual(letter.header("tenant"), "acme")
        self.assertEqual(self.emails_of(order), [])

    def test_a_body_that_is_no_event_is_dead_lettered_as_base64(self):
        self.assertEqual(self.take(Message(ORDER_PLACED, None, b"\xff\x00")), "dead")

        letter = json.loads(self.letters[0].value)
        self.assertIsNone(letter["eventId"])
        self.assertEqual(base64.b64decode(letter["originalEvent"]), b"\xff\x00")
        self.assertEqual(letter["originalEventEncoding"], "base64")
        self.assertEqual(self.reason(), "no-event-id")

    def test_an_event_of_a_type_without_handler_is_dead_lettered(self):
        self.assertEqual(self.take(Order(), handlers={}), "dead")
        self.assertEqual(self.reason(), "unknown-type")

    def test_attempts_have_a_limit_and_growing_pauses(self):
        def fail(event, connection):
            raise TemporaryError

        self.assertEqual(self.take(Order(), fail), "dead")
        self.assertEqual(self.pauses, [0.05, 0.2, 0.8])
        self.assertEqual(self.reason(), "attempts-exhausted")

    def test_a_lost_connection_is_not_the_events_fault(self):
        order = Order()
        calls = []

        def lose(event, connection):
            calls.append(event.id)
            if len(calls) < 4:
                connection.execute("select pg_terminate_backend(pg_backend_pid())")
            self.mail(event, connection)

        self.assertEqual(self.take(order, lose, attempts=1), "handled")
        self.assertEqual(len(calls), 4)
        self.assertEqual(self.letters, [])
        self.assertEqual(len(self.emails_of(order)), 1)

    def test_what_can_not_be_committed_is_the_handlers_failure(self):
        def break_a_rule_at_the_commit(event, connection):
            self.mail(event, connection)
            connection.execute(
                "create temporary table twice (n int unique deferrable initially deferred)"
                " on commit drop"
            )
            connection.execute("insert into twice values (1), (1)")

        def swallow_an_error(event, connection):
            self.mail(event, connection)
            with contextlib.suppress(psycopg.Error):
                connection.execute("select 1 / 0")

        for handler, error in (
            (break_a_rule_at_the_commit, "UniqueViolation"),
            (swallow_an_error, "InFailedSqlTransaction"),
        ):
            order = Order()
            self.letters.clear()

            self.assertEqual(self.take(order, handler), "dead")
            self.assertEqual(self.take(order, handler), "duplicate")
            self.assertEqual(self.reason(), "permanent-failure")
            self.assertIn(error, json.loads(self.letters[0].value)["errorMessage"])
            self.assertEqual(self.emails_of(order), [])

    def test_an_empty_header_is_not_replaced_by_the_body(self):
        for name in ("id", "type"):
            body = Order().message.value
            empty = Message(ORDER_PLACED, None, body, [(f"waybill-event-{name}", b"")])
            self.letters.clear()

            self.assertEqual(self.take(empty), "dead")
            self.assertEqual(self.reason(), f"no-event-{name}")

    def test_how_often_an_event_was_sent_again_is_read_as_the_java_inbox_reads_it(self):
        for mark, times in REDRIVEN.items():
            order = Order(event_id=str(uuid.uuid4()))
            headers = [
                ("waybill-redriven", mark.encode()),
                ("waybill-redriven-event", order.id.encode()),
            ]
            marked = Order(event_id=order.id, headers=headers)
            self.assertEqual(decode(marked.message).redriven, times, mark)

    def test_copied_marks_of_another_event_are_nothing(self):
        marks = [
            ("waybill-redriven", b"1"),
            ("waybill-redriven-for", b"other"),
            ("waybill-redriven-event", b"another"),
        ]
        order = Order(headers=marks)

        self.assertEqual(self.take(order), "handled")
        self.assertEqual(self.take(order), "duplicate")

    def test_nothing_is_given_up_before_the_broker_has_confirmed_the_letter(self):
        order = Order(user_id=None)
        pauses = []

        def refuse(letter):
            raise ConnectionError("the topic is missing")

        def stop_after_three(seconds):
            pauses.append(seconds)
            if len(pauses) == 3:
                raise Stop

        with self.assertRaises(Stop):
            self.inbox(send_letter=refuse).take(order.message, stop_after_three)
        self.assertEqual(pauses, [0.05, 0.2, 0.8])
        self.assertEqual(self.notes_of(order), [])

    def test_an_event_that_an_operator_sent_again_is_another_one_for_its_consumer_only(self):
        def fail(event, connection):
            raise PermanentError("a bug")

        def nothing(event, connection):
            pass

        poison = Order()
        marks = [
            ("waybill-redriven", b"1"),
            ("waybill-redriven-for", CONSUMER.encode()),
            ("waybill-redriven-event", poison.id.encode()),
        ]
        again = Order(event_id=poison.id, order_id=poison.order_id, headers=marks)

        self.assertEqual(self.take(poison, fail), "dead")
        self.assertEqual(self.take(poison, nothing, consumer="other"), "handled")
        self.assertEqual(self.take(again), "handled")
        self.assertEqual(self.take(again), "duplicate")
        self.assertEqual(self.take(again, nothing, consumer="other"), "ignored")

    def test_odd_headers_and_metadata_stop_nobody(self):
        odd = Order(headers=[("waybill-redriven", b"often")])

        self.assertEqual(self.take(odd), "handled")
        self.assertEqual(self.take(odd), "duplicate")
        for metadata in (["no", "object"], "text", 7):
            self.assertEqual(decode(odd_message(eventType="t", metadata=metadata)).metadata, {})

    def test_what_the_database_can_not_note_is_dead_lettered(self):
        for event_type in ("a\0b", "\ud800", "x" * 256):
            self.assertEqual(self.take(odd_message(eventType=event_type)), "dead")
        deep = b"[" * 100_000 + b"]" * 100_000
        self.assertEqual(self.take(Message(ORDER_PLACED, None, deep)), "dead")
        reasons = [letter.header("waybill-dead-reason") for letter in self.letters]
        self.assertEqual(reasons, ["bad-event-type"] * 3 + ["no-event-id"])


def odd_message(**members):
    body = {"eventId": str(uuid.uuid4()), **members}
    return Message(ORDER_PLACED, None, json.dumps(body).encode())


if __name__ == "__main__":
    unittest.main()
