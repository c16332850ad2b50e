"""Run by ./verify, or: DATABASE_URL=... PYTHONPATH=src python3 -m unittest discover -s tests"""

import base64
import contextlib
import json
import logging
import os
import threading
import unittest
import uuid

import psycopg
import psycopg2
import sqlalchemy
from psycopg.rows import dict_row
from sqlalchemy.orm import sessionmaker

from waybill_inbox import Inbox, Message, PermanentError, TemporaryError, Transactions
from waybill_inbox.sessions import Sessions

CONSUMER = "stock"
TYPE = "order.placed"
TOPIC = "orders"
DATABASE = os.environ["DATABASE_URL"]
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
# Done twice it would count twice.
APPLY = "insert into effects (event_id) values ('%s')"


class Stop(Exception):
    """The service stops."""


def order(*headers, event_id=None):
    """An event as the relay sends it."""
    event_id = event_id or str(uuid.uuid4())
    envelope = {
        "eventId": event_id,
        "eventType": TYPE,
        "version": 1,
        "data": {"orderId": "o-1"},
        "metadata": {},
    }
    known = [
        ("waybill-event-id", event_id.encode()),
        ("waybill-event-type", TYPE.encode()),
        ("content-type", b"application/json"),
        ("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01".encode()),
    ]
    return Message(TOPIC, b"o-1", json.dumps(envelope).encode(), [*known, *headers])


def id_of(message):
    return message.header("waybill-event-id")


def raising(error):
    def fail(event, target):
        raise error

    return fail


class InboxContract:
    """What holds for the transactions of each driver."""

    def setUp(self):
        self.letters = []
        self.pauses = []
        with psycopg.connect(DATABASE) as connection:
            connection.execute("create table if not exists effects (event_id text not null)")

    def transactions(self):
        """Transactions of a consumer."""
        raise NotImplementedError

    def run_sql(self, target, sql):
        """Runs a statement in a handler."""
        raise NotImplementedError

    def apply(self, event, target):
        self.run_sql(target, APPLY % event.id)

    def inbox(self, handler=None, **parts):
        given = {
            "consumer": CONSUMER,
            "transactions": self.transactions(),
            "handlers": {TYPE: handler or self.apply},
            "send_letter": self.letters.append,
        }
        inbox = Inbox(**{**given, **parts})
        self.addCleanup(inbox.close)
        return inbox

    def take(self, message, handler=None, **parts):
        return self.inbox(handler, **parts).take(message, self.pauses.append)

    def rows(self, sql, *values):
        with psycopg.connect(DATABASE, row_factory=dict_row) as connection:
            return connection.execute(sql, values).fetchall()

    def effects_of(self, message):
        return len(self.rows("select * from effects where event_id = %s", id_of(message)))

    def notes_of(self, message):
        return self.rows("select * from processed_events where event_id = %s", id_of(message))

    def reason(self):
        (letter,) = self.letters
        return letter.header("waybill-dead-reason")

    def error_message(self):
        return json.loads(self.letters[-1].value)["errorMessage"]

    def test_an_event_is_applied_once_however_often_it_comes(self):
        message = order()

        self.assertEqual(self.take(message), "handled")
        self.assertEqual(self.take(message), "duplicate")

        self.assertEqual(self.effects_of(message), 1)
        (note,) = self.notes_of(message)
        self.assertEqual(
            (note["consumer"], note["event_type"], note["source"]), (CONSUMER, TYPE, TOPIC)
        )

    def test_copies_that_arrive_at_once_are_handled_once(self):
        message = order()
        outcomes = []
        inboxes = [self.inbox() for _ in range(5)]
        threads = [
            threading.Thread(target=lambda inbox=inbox: outcomes.append(inbox.take(message)))
            for inbox in inboxes
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        self.assertEqual(sorted(outcomes), ["duplicate"] * 4 + ["handled"])
        self.assertEqual(self.effects_of(message), 1)

    def test_another_consumer_of_the_same_table_handles_the_event_too(self):
        message = order()

        self.assertEqual(self.take(message), "handled")
        self.assertEqual(self.take(message, consumer="another"), "handled")

    def test_a_temporary_failure_is_tried_again_and_leaves_nothing_behind(self):
        message = order()
        calls = []

        def fail_twice(event, target):
            self.apply(event, target)
            calls.append(event.id)
            if len(calls) < 3:
                raise TemporaryError("not yet")

        self.assertEqual(self.take(message, fail_twice), "handled")
        self.assertEqual(self.pauses, [0.05, 0.2])
        self.assertEqual(self.effects_of(message), 1)
        self.assertEqual(self.letters, [])

    def test_a_lost_connection_is_not_the_events_fault(self):
        message = order()
        calls = []

        def lose(event, target):
            calls.append(event.id)
            if len(calls) < 4:
                self.run_sql(target, "select pg_terminate_backend(pg_backend_pid())")
            self.apply(event, target)

        self.assertEqual(self.take(message, lose, attempts=1), "handled")
        self.assertEqual(len(calls), 4)
        self.assertEqual(self.letters, [])
        self.assertEqual(self.effects_of(message), 1)

    def test_a_switch_over_of_the_database_makes_no_dead_letter(self):
        message = order()
        calls = []

        def find_it_read_only(event, target):
            calls.append(event.id)
            if len(calls) == 1:
                self.run_sql(target, "set transaction read only")
            self.apply(event, target)

        self.assertEqual(self.take(message, find_it_read_only), "handled")
        self.assertEqual(self.letters, [])

    def test_what_can_not_be_committed_is_the_handlers_failure(self):
        def break_a_rule_at_the_commit(event, target):
            self.apply(event, target)
            self.run_sql(
                target,
                "create temporary table twice (n int unique deferrable initially deferred)"
                " on commit drop",
            )
            self.run_sql(target, "insert into twice values (1), (1)")

        def swallow_an_error(event, target):
            self.apply(event, target)
            with contextlib.suppress(Exception):
                self.run_sql(target, "select 1 / 0")

        for handler, error in (
            (break_a_rule_at_the_commit, "SQLState 23505, constraint twice_n_key, table twice)"),
            (swallow_an_error, "an error has ended the transaction"),
        ):
            message = order()
            self.letters.clear()

            self.assertEqual(self.take(message, handler), "dead")
            self.assertEqual(self.take(message, handler), "duplicate")
            self.assertEqual(self.reason(), "permanent-failure")
            self.assertIn(error, self.error_message())
            self.assertEqual(self.effects_of(message), 0)

    def test_a_letter_shows_no_values_that_a_server_has_put_into_a_message(self):
        def fail(event, target):
            self.run_sql(target, "select 'secret'::int")

        self.assertEqual(self.take(order(), fail), "dead")
        self.assertIn("(SQLState 22P02)", self.error_message())
        self.assertNotIn("secret", self.error_message())


class PsycopgTest(InboxContract, unittest.TestCase):
    """psycopg 3, and what does not depend on the driver."""

    def transactions(self):
        return Transactions(lambda: psycopg.connect(DATABASE))

    def run_sql(self, target, sql):
        target.execute(sql)

    def test_a_handler_is_called_within_what_stands_around_it(self):
        seen = []

        @contextlib.contextmanager
        def around(event, topic):
            seen.append(topic)
            yield event
            seen.append("after")

        self.take(order(), lambda event, target: seen.append("handled"), around=around)

        self.assertEqual(seen, [TOPIC, "handled", "after"])

    def test_poison_is_dead_lettered_as_it_stands_and_counts_as_processed(self):
        message = order(("tenant", b"acme"))
        poison = raising(PermanentError("Validation failed: product not found"))

        self.assertEqual(self.take(message, poison), "dead")
        self.assertEqual(self.take(message, poison), "duplicate")

        (letter,) = self.letters
        self.assertEqual(letter.topic, "orders.dlt")
        self.assertEqual(letter.key, message.key)
        members = json.loads(letter.value)
        self.assertRegex(members.pop("failedAt"), r"^\d{4}-\d\d-\d\dT[\d:.]+Z$")
        self.assertEqual(
            members,
            {
                "eventId": id_of(message),
                "originalEvent": json.loads(message.value),
                "errorMessage": "Validation failed: product not found",
                "consumerService": CONSUMER,
            },
        )
        self.assertEqual(letter.header("waybill-original-content-type"), "application/json")
        self.assertEqual(letter.header("waybill-dead-reason"), "permanent-failure")
        self.assertEqual(letter.header("waybill-dead-source"), TOPIC)
        self.assertEqual(letter.header("waybill-dead-consumer"), CONSUMER)
        self.assertEqual(letter.header("tenant"), "acme")

    def test_a_letter_shows_no_values_that_the_language_has_put_into_a_message(self):
        self.assertEqual(self.take(order(), lambda event, target: int("secret")), "dead")
        self.assertEqual(self.error_message(), "ValueError")

    def test_a_body_that_is_no_event_is_dead_lettered_as_base64(self):
        self.assertEqual(self.take(Message(TOPIC, None, b"\xff\x00")), "dead")

        letter = json.loads(self.letters[0].value)
        self.assertIsNone(letter["eventId"])
        self.assertEqual(base64.b64decode(letter["originalEvent"]), b"\xff\x00")
        self.assertEqual(letter["originalEventEncoding"], "base64")
        self.assertEqual(self.reason(), "no-event-id")

    def test_an_event_of_a_type_without_handler_is_dead_lettered(self):
        self.assertEqual(self.take(order(), handlers={}), "dead")
        self.assertEqual(self.reason(), "unknown-type")

    def test_attempts_have_a_limit_and_growing_pauses(self):
        self.assertEqual(self.take(order(), raising(TemporaryError("never"))), "dead")
        self.assertEqual(self.pauses, [0.05, 0.2, 0.8])
        self.assertEqual(self.reason(), "attempts-exhausted")

    def test_every_line_about_an_event_has_its_id_and_its_trace_and_a_dead_letter_has_one(self):
        message = order()
        calls = []

        def fail_once(letter):
            calls.append(letter)
            if len(calls) == 1:
                raise TypeError("a value")

        with self.assertLogs("waybill_inbox", logging.DEBUG) as logs:
            self.take(
                message,
                raising(TemporaryError("the depot is closed")),
                attempts=2,
                send_letter=fail_once,
            )
            self.take(message)

        about = f"inbox stock: event {id_of(message)} (trace {TRACE}) from orders"
        self.assertEqual(
            [record.getMessage() for record in logs.records],
            [
                f"{about} failed: the depot is closed; it is handled again in 0.05 s",
                f"{about}: its dead letter failed (TypeError); tried again in 0.05 s",
                f"{about} is dead (attempts-exhausted): the depot is closed;"
                " its dead letter is confirmed, and its key continues",
                f"{about} dropped as a duplicate",
            ],
        )
        for record in logs.records:
            self.assertEqual(
                (record.eventId, record.eventType, record.traceId), (id_of(message), TYPE, TRACE)
            )

    def test_an_empty_header_is_not_replaced_by_the_body(self):
        for name in ("id", "type"):
            body = order().value
            empty = Message(TOPIC, None, body, [(f"waybill-event-{name}", b"")])
            self.letters.clear()

            self.assertEqual(self.take(empty), "dead")
            self.assertEqual(self.reason(), f"no-event-{name}")

    def test_copied_marks_of_another_event_are_nothing(self):
        message = order(
            ("waybill-redriven", b"1"),
            ("waybill-redriven-for", b"other"),
            ("waybill-redriven-event", b"another"),
        )

        self.assertEqual(self.take(message), "handled")
        self.assertEqual(self.take(message), "duplicate")

    def test_nothing_is_given_up_before_the_broker_has_confirmed_the_letter(self):
        message = order()
        pauses = []

        def stop_after_three(seconds):
            pauses.append(seconds)
            if len(pauses) == 3:
                raise Stop

        def refuse(letter):
            raise ConnectionError("the topic is missing")

        with self.assertRaises(Stop):
            self.inbox(raising(PermanentError("poison")), send_letter=refuse).take(
                message, stop_after_three
            )
        self.assertEqual(pauses, [0.05, 0.2, 0.8])
        self.assertEqual(self.notes_of(message), [])

    def test_an_event_that_an_operator_sent_again_is_another_one_for_its_consumer_only(self):
        poison = order()
        marks = [
            ("waybill-redriven", b"1"),
            ("waybill-redriven-for", CONSUMER.encode()),
            ("waybill-redriven-event", id_of(poison).encode()),
        ]
        again = order(*marks, event_id=id_of(poison))

        self.assertEqual(self.take(poison, raising(PermanentError("a bug"))), "dead")
        self.assertEqual(self.take(poison, consumer="other"), "handled")
        self.assertEqual(self.take(again), "handled")
        self.assertEqual(self.take(again), "duplicate")
        with self.assertLogs("waybill_inbox", logging.WARNING) as logs:
            self.assertEqual(self.take(again, consumer="other"), "ignored")
        self.assertIn("for a different consumer, stock: it is acknowledged unseen", logs.output[0])

    def test_an_odd_mark_of_a_redrive_stops_nobody(self):
        odd = order(("waybill-redriven", b"often"))

        self.assertEqual(self.take(odd), "handled")
        self.assertEqual(self.take(odd), "duplicate")


class Psycopg2Test(InboxContract, unittest.TestCase):
    """psycopg2."""

    def transactions(self):
        return Transactions(lambda: psycopg2.connect(DATABASE))

    def run_sql(self, target, sql):
        with target.cursor() as cursor:
            cursor.execute(sql)


class SqlAlchemyTest(InboxContract, unittest.TestCase):
    """Sessions of SQLAlchemy on psycopg2."""

    def transactions(self):
        url = DATABASE.replace("postgresql://", "postgresql+psycopg2://")
        engine = sqlalchemy.create_engine(url)
        self.addCleanup(engine.dispose)
        return Sessions(sessionmaker(engine))

    def run_sql(self, target, sql):
        target.execute(sqlalchemy.text(sql))


if __name__ == "__main__":
    unittest.main()
