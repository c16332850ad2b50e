"""An inbox on topics of Kafka, by Confluent's client."""

import logging
import threading
import time

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from waybill_inbox.decode import Message
from waybill_inbox.inbox import Inbox

POLL_SECONDS = 0.5
# The broker takes a consumer for dead that does not ask for messages for so long.
LONGEST_SILENCE_SECONDS = 300
LONGEST_WAIT_SECONDS = 60
LETTER_SECONDS = 10

log = logging.getLogger("waybill_inbox")


class Stopped(BaseException):
    """The inbox is asked to stop."""


class Later(BaseException):
    """The message is asked for again, so that the broker does not take the consumer for dead."""


class KafkaInbox:
    """An inbox on topics of Kafka. Its name is the group's.

    servers are the brokers, topics what is consumed, from the oldest messages where the group is
    new; the other parts are those of an Inbox but for send_letter.
    """

    def __init__(self, *, servers, topics, consumer, **parts):
        self._topics = topics
        self._stopping = threading.Event()
        self._asked = time.monotonic()
        self._name = f"inbox {consumer}"
        self._producer = Producer(
            {
                "bootstrap.servers": servers,
                "message.timeout.ms": LETTER_SECONDS * 1000,
                # As the Java client has it: the letters of a key stay in one partition.
                "partitioner": "murmur2_random",
            }
        )
        self._consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": consumer,
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                "max.poll.interval.ms": LONGEST_SILENCE_SECONDS * 1000,
                "partition.assignment.strategy": "cooperative-sticky",
            }
        )
        self._inbox = Inbox(consumer=consumer, send_letter=self._send_letter, **parts)

    def stop(self, *_):
        """Lets a running handler end; what waits for its next try is left to the next start."""
        self._stopping.set()

    def run(self):
        """Consumes until it is stopped."""
        self._consumer.subscribe(self._topics)
        try:
            while not self._stopping.is_set():
                self._asked = time.monotonic()
                received = self._consumer.poll(POLL_SECONDS)
                if received is None:
                    continue
                if received.error():
                    log.warning("%s: Kafka: %s; asking again", self._name, received.error())
                    continue
                self._take(received)
        except Stopped:
            pass
        finally:
            self._consumer.close()
            self._inbox.close()

    def _take(self, received):
        message = Message(
            received.topic(),
            received.key(),
            received.value(),
            received.headers() or [],
            received.partition(),
            received.offset(),
        )
        try:
            self._inbox.take(message, self._wait)
        except Later:
            place = TopicPartition(message.topic, message.partition, message.offset)
            self._ask(lambda: self._consumer.seek(place), message, "is not asked for again")
        else:
            self._ask(
                lambda: self._consumer.commit(message=received, asynchronous=False),
                message,
                "is not committed",
            )

    def _ask(self, step, message, failed):
        try:
            step()
        except KafkaException as error:
            # The partition is somebody else's by now, who has the message, too; what was handled
            # is a duplicate there.
            log.warning(
                "%s: position %s of %s, partition %s, %s (%s); going on",
                self._name,
                message.offset,
                message.topic,
                message.partition,
                failed,
                error,
            )

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
