"""Run by ./verify, or: DATABASE_URL=... PYTHONPATH=... python3 -m unittest discover -s tests"""

import os
import unittest
from datetime import datetime, timezone

import psycopg
from psycopg.rows import dict_row
from sqlalchemy.exc import IntegrityError

from database import sessions
from email_service import EMAIL_SENT, EmailService
from outbox_repository import add_event
from waybill_outbox import append_event


class DatabaseTest(unittest.TestCase):
    def setUp(self):
        self.connection = psycopg.connect(
            os.environ["DATABASE_URL"], autocommit=True, row_factory=dict_row
        )
        self.addCleanup(self.connection.close)

    def rows(self, sql, *values):
        return self.connection.execute(sql, values).fetchall()


class EmailServiceTest(DatabaseTest):
    def setUp(self):
        super().setUp()
        self.mails = []
        self.sessions = sessions(os.environ["DATABASE_URL"])
        self.addCleanup(self.sessions.kw["bind"].dispose)

    def take(self, *mail):
        self.mails.append(mail)

    def test_an_email_has_its_event_as_the_document_has_it(self):
        with self.sessions.begin() as session:
            email_id = EmailService(session, self.take).send("o-1", "ada@example.org", "Hello.")

        self.assertEqual(self.mails, [(email_id, "ada@example.org", "Hello.")])
        self.assertEqual(len(self.rows("select * from emails where id = %s", email_id)), 1)
        (event,) = self.rows(
            "select * from outbox_events where aggregate_id = %s", str(email_id)
        )
        self.assertEqual(event["event_type"], EMAIL_SENT)
        self.assertEqual(event["event_type"], "notification.email.sent.v1")
        self.assertEqual(event["version"], 1)
        self.assertEqual(
            event["payload"],
            {
                "notificationId": str(email_id),
                "orderId": "o-1",
                "recipient": "ada@example.org",
            },
        )
        self.assertIs(event["processed"], False)
        self.assertIsNone(event["processed_at"])
        self.assertIsNone(event["error_message"])
        age = datetime.now(timezone.utc) - event["created_at"]
        self.assertLess(abs(age.total_seconds()), 60)

    def test_an_email_that_is_refused_leaves_neither_record_nor_event(self):
        def refuse(email_id, recipient, text):
            raise ConnectionError("refused")

        before = self.rows("select count(*) from outbox_events")
        with self.assertRaises(ConnectionError), self.sessions.begin() as session:
            EmailService(session, refuse).send("o-refused", "ada@example.org", "Hello.")

        self.assertEqual(self.rows("select * from emails where order_id = 'o-refused'"), [])
        self.assertEqual(self.rows("select count(*) from outbox_events"), before)

    def test_an_event_that_the_database_refuses_takes_the_email_back(self):
        with self.assertRaises(IntegrityError), self.sessions.begin() as session:
            EmailService(session, self.take).send("o-taken-back", "ada@example.org", "Hello.")
            add_event(session, aggregate_id="a", event_type=None, data={})

        self.assertEqual(self.rows("select * from emails where order_id = 'o-taken-back'"), [])


class WaybillOutboxTest(DatabaseTest):
    def append(self, id, **more):
        append_event(
            self.connection, id=id, type="email.sent", data={"written": "by Python"}, **more
        )

    def of(self, id):
        return self.rows("select * from waybill_outbox where event_id = %s", id)

    def test_an_event_is_in_the_table_once_its_transaction_has_committed(self):
        with self.connection.transaction():
            self.append(
                "python-committed",
                key=("email", "e-1"),
                correlation_id="checkout-1",
                headers={"tenant": "acme"},
            )

        (row,) = self.of("python-committed")
        self.assertEqual(row["event_type"], "email.sent")
        self.assertEqual((row["aggregate_type"], row["aggregate_id"]), ("email", "e-1"))
        self.assertEqual(row["payload"], b'{"written": "by Python"}')
        self.assertEqual(row["content_type"], "application/json")
        self.assertEqual(row["correlation_id"], "checkout-1")
        self.assertEqual(row["headers"], {"tenant": "acme"})

    def test_an_event_needs_no_key_no_correlation_id_and_no_headers(self):
        self.append("python-plain")

        (row,) = self.of("python-plain")
        self.assertIsNone(row["aggregate_id"])

    def test_an_event_of_a_rolled_back_transaction_is_not_in_the_table(self):
        with self.assertRaises(KeyError):
            with self.connection.transaction():
                self.append("python-rolled-back")
                raise KeyError

        self.assertEqual(self.of("python-rolled-back"), [])

    def test_the_table_refuses_a_second_event_of_an_id_and_a_bad_id(self):
        self.append("python-twice")

        with self.assertRaises(psycopg.errors.UniqueViolation):
            self.append("python-twice")
        with self.assertRaises(psycopg.errors.CheckViolation):
            self.append("no blanks")


if __name__ == "__main__":
    unittest.main()
