"""Run by ./verify, or: DATABASE_URL=... PYTHONPATH=... python3 -m unittest discover -s tests"""

import json
import os
import unittest
import uuid

import psycopg2
from psycopg2.extras import RealDictCursor
from waybill_inbox import Inbox, Message, TemporaryError
from waybill_inbox.sessions import Sessions

import order_mails
from database import sessions
from mail_server import MailServer
from order_mails import ORDER_PLACED
from tracing import Tracing

CONSUMER = "notification-service"
DATABASE = os.environ["DATABASE_URL"]
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Order:
    """A placed order as the relay sends it."""

    def __init__(self, user_id="ada", order_id=None):
        self.id = str(uuid.uuid4())
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
                ("traceparent", f"00-{TRACE}-{PARENT}-01".encode()),
            ],
        )


class OrderMailsTest(unittest.TestCase):
    def setUp(self):
        self.letters = []
        self.sessions = sessions(DATABASE)
        self.addCleanup(self.sessions.kw["bind"].dispose)
        self.server = MailServer(self.sessions)

    def take(self, order, handlers=None, tracing=Tracing(None)):
        inbox = Inbox(
            consumer=CONSUMER,
            transactions=Sessions(self.sessions),
            handlers=handlers or order_mails.handlers(self.server),
            send_letter=self.letters.append,
            around=tracing.handle,
        )
        return inbox.take(order.message, lambda seconds: None)

    def rows(self, sql, *values):
        with psycopg2.connect(DATABASE) as connection:
            with connection.cursor(cursor_factory=RealDictCursor) as cursor:
                cursor.execute(sql, values)
                return cursor.fetchall()

    def emails_of(self, order):
        return self.rows("select * from emails where order_id = %s", order.order_id)

    def taken_by_the_mail_server(self, order):
        return self.rows("select * from mail_server where body like %s", f"%{order.order_id}.")

    def test_a_confirmation_is_sent_once_however_often_the_event_comes(self):
        order = Order()

        self.assertEqual(self.take(order), "handled")
        self.assertEqual(self.take(order), "duplicate")

        (email,) = self.emails_of(order)
        self.assertEqual(email["recipient"], "ada@example.org")
        (taken,) = self.taken_by_the_mail_server(order)
        self.assertEqual(taken["message_id"], email["id"])

    def test_an_order_is_told_of_once_by_its_notification_id_whatever_the_event_id(self):
        order = Order()

        self.assertEqual(self.take(order), "handled")
        self.assertEqual(self.take(Order(order_id=order.order_id)), "handled")

        self.assertEqual(len(self.emails_of(order)), 1)
        self.assertEqual(len(self.taken_by_the_mail_server(order)), 1)

    def test_a_mail_whose_transaction_failed_is_sent_again_with_the_same_id(self):
        order = Order()
        sent = []

        def transport(*mail):
            sent.append(mail[0])
            self.server(*mail)

        def fail_after_the_mail(event, session):
            order_mails.handlers(transport)[ORDER_PLACED](event, session)
            if len(sent) == 1:
                raise TemporaryError

        self.assertEqual(self.take(order, {ORDER_PLACED: fail_after_the_mail}), "handled")
        self.assertEqual(len(sent), 2)
        self.assertEqual(len(set(sent)), 1)
        self.assertEqual(len(self.taken_by_the_mail_server(order)), 1)

    def test_what_the_handler_causes_belongs_to_correlation_user_and_trace_of_the_event(self):
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
        self.assertEqual(context["headers"], {"userId": "ada"})

    def test_an_order_without_user_leaves_a_letter_with_the_documented_message(self):
        order = Order(user_id=None)
        spans = []

        self.assertEqual(self.take(order, tracing=Tracing(spans.append)), "dead")

        error_message = json.loads(self.letters[0].value)["errorMessage"]
        self.assertEqual(error_message, "Validation failed: metadata.userId must be given")
        self.assertEqual(self.emails_of(order), [])
        self.assertEqual(spans[0]["status"], {"code": 2})


if __name__ == "__main__":
    unittest.main()
