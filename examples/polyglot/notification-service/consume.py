"""Sends mails about orders and payments until it is told to stop.

DATABASE_URL names the database, KAFKA the brokers.
"""

import logging
import os
import signal
import sys
import threading
import time

try:
    import psycopg
    from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
except ImportError as missing:
    sys.exit(f"{missing}: install the packages python3-psycopg and python3-confluent-kafka.")

import order_mails
from decode import Message
from inbox import Inbox
from mail_server import MailServer
from tracing import Tracing, exporter

SERVICE = "notification-service"
POLL_SECONDS = 0.5
# The broker takes a consumer for dead that does not ask for messages for so long.
LONGEST_SILENCE_SECONDS = 300
LONGEST_WAIT_SECONDS = 60
LETTER_SECONDS = 10


class Stopped(BaseException):
    """The service is asked to stop."""


class Later(BaseException):
    """The message is asked for again, so that the broker does not take the consumer for dead."""


class Service:
    def __init__(self, database, brokers, tracing):
        self._stopping = threading.Event()
        self._asked = time.monotonic()
        self._producer = Producer(
            {
                "bootstrap.servers": brokers,
                "message.timeout.ms": LETTER_SECONDS * 1000,
                # As the Java client has it: the letters of a key stay in one partition.
                "partitioner": "murmur2_random",
            }
        )
        self._consumer = Consumer(
            {
                "bootstrap.servers": brokers,
                "group.id": SERVICE,
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                "max.poll.interval.ms": LONGEST_SILENCE_SECONDS * 1000,
                "partition.assignment.strategy": "cooperative-sticky",
            }
        )
        self._inbox = Inbox(
            consumer=SERVICE,
            connect=lambda: psycopg.connect(database, autocommit=True),
            handlers=order_mails.handlers(MailServer(database)),
            send_letter=self._send_letter,
            tracing=tracing,
        )

    def stop(self, *_):
        self._stopping.set()

    def run(self):
        self._consumer.subscribe([order_mails.ORDER_PLACED, order_mails.PAYMENT_SUCCEEDED])
        try:
            while not self._stopping.is_set():
                self._asked = time.monotonic()
                received = self._consumer.poll(POLL_SECONDS)
                if received is None:
                    continue
                if received.error():
                    logging.warning("Kafka: %s; asking again", received.error())
                    continue
                self._take(received)
        except Stopped:
            pass
        finally:
            self._consumer.close()
            self._inbox.close()

    def _take(self, received):
        message = Message(
            received.topic(), received.key(), received.value(), received.headers() or []
        )
        place = TopicPartition(received.topic(), received.partition(), received.offset())
        try:
            self._inbox.take(message, self._wait)
            self._consumer.commit(message=received, asynchronous=False)
        except Later:
            self._consumer.seek(place)
        except KafkaException as error:
            # The partition is somebody else's by now; there the event is a duplicate.
            logging.warning("Kafka: %s; going on", error)

    def _wait(self, seconds):
        if self._stopping.wait(seconds):
            raise Stopped
        if time.monotonic() - self._asked > LONGEST_WAIT_SECONDS:
            raise Later

    def _send_letter(self, letter):
        outcomes = []
        self._producer.produce(
            letter.topic,
            key=letter.key,
            value=letter.value,
            headers=letter.headers,
            on_delivery=lambda error, _: outcomes.append(error),
        )
        self._producer.flush(2 * LETTER_SECONDS)
        if outcomes != [None]:
            raise KafkaException(outcomes[0] if outcomes else "not confirmed in time")


def main():
    if "DATABASE_URL" not in os.environ or "KAFKA" not in os.environ:
        print("usage: DATABASE_URL=postgresql://... KAFKA=HOST:PORT consume.py", file=sys.stderr)
        sys.exit(2)
    logging.basicConfig(format="%(levelname)s %(message)s")
    export = exporter(SERVICE)
    service = Service(os.environ["DATABASE_URL"], os.environ["KAFKA"], Tracing(export))
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, service.stop)
    service.run()
    if export is not None:
        export.stop()


if __name__ == "__main__":
    main()
