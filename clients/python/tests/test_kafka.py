"""What an inbox does with Kafka's answers; needs no server."""

import unittest
from unittest import mock

from confluent_kafka import KafkaError, KafkaException, TopicPartition
from fakes import FakeTransactions

from waybill_inbox import Message, TemporaryError, kafka
from waybill_inbox.left_messages import LeftMessages

NO_EVENT = 6


class Received:
    """A message of Confluent's client."""

    def __init__(self, partition, offset):
        self.partition = lambda: partition
        self.offset = lambda: offset
        self.topic = lambda: "orders"
        self.key = self.value = self.error = lambda: None
        known = [
            ("waybill-event-id", f"e-{offset}".encode()),
            ("waybill-event-type", b"order.placed"),
        ]
        self.headers = lambda: [] if offset == NO_EVENT else known


class KafkaInboxTest(unittest.TestCase):
    """No broker can be made to answer so; the handler always fails."""

    def setUp(self):
        self.calls = []
        self.letters = []
        self.clients = {name: mock.Mock() for name in ("Consumer", "Producer")}
        for name, client in self.clients.items():
            self.patch(name, mock.Mock(return_value=client))
        self.inbox = kafka.KafkaInbox(
            servers="none",
            topics=["orders"],
            consumer="stock",
            transactions=FakeTransactions(),
            handlers={"order.placed": self.fail_for_now},
        )
        self.consumer = self.clients["Consumer"]
        self.clients["Producer"].produce.side_effect = self.confirm

    def patch(self, name, value):
        patcher = mock.patch.object(kafka, name, value)
        patcher.start()
        self.addCleanup(patcher.stop)

    def fail_for_now(self, event, target):
        self.calls.append(event.id)
        raise TemporaryError("not yet")

    def confirm(self, topic, *, on_delivery, **letter):
        self.letters.append((topic, dict(letter["headers"])["waybill-dead-reason"]))
        on_delivery(None, None)

    def run_with(self, *messages):
        """Consumes these messages and stops then."""
        coming = iter(messages)

        def poll(_):
            message = next(coming, None)
            if message is None:
                self.inbox.stop()
            return message

        self.consumer.poll.side_effect = poll
        with self.assertLogs("waybill_inbox") as logs:
            self.inbox.run()
        return [record.getMessage() for record in logs.records]

    def test_attempts_add_up_though_each_is_so_slow_that_the_message_is_asked_for_again(self):
        self.patch("LONGEST_WAIT_SECONDS", -1)
        lines = self.run_with(*[Received(0, 7)] * 4)

        self.assertEqual(len(self.calls), 4)
        self.assertEqual(self.letters, [("orders.dlt", b"attempts-exhausted")])
        pauses = [line.rsplit(" in ", 1)[1] for line in lines[:-1]]
        self.assertEqual(pauses, ["0.05 s", "0.2 s", "0.8 s"])
        again = [call.args[0] for call in self.consumer.seek.call_args_list]
        self.assertEqual(again, [TopicPartition("orders", 0, 7)] * 3)
        self.consumer.commit.assert_called_once()

    def test_attempts_are_those_of_one_message_alone_until_it_is_done(self):
        self.patch("LONGEST_WAIT_SECONDS", -1)
        # What was done before comes again if its position could not be committed.
        turns = [(0, 7), (0, NO_EVENT), (1, 8)] * 3
        self.run_with(*(Received(*place) for place in turns), Received(0, 7))
        self.assertEqual(self.calls.count("e-7"), 4)
        # Dead by now: read again, it begins anew, and so does its place in another partition.
        self.run_again(Received(0, 7), Received(0, 8))

        reasons = [reason for _, reason in self.letters]
        self.assertEqual(reasons, [b"no-event-id"] * 3 + [b"attempts-exhausted"])

    def run_again(self, *messages):
        self.inbox._stopping.clear()
        self.run_with(*messages)

    def test_few_messages_are_remembered(self):
        left = LeftMessages()
        messages = [Message("orders", None, None, [], 0, offset) for offset in range(1_001)]
        for message in messages:
            left.failed(message, 1)

        self.assertEqual([left.failures_of(message) for message in messages[:2]], [0, 1])
        left.failed(messages[1], 2)
        left.failed(messages[0], 1)
        self.assertEqual([left.failures_of(message) for message in messages[1:3]], [2, 0])

    def test_a_partition_that_was_lost_while_a_message_waited_does_not_end_the_inbox(self):
        self.patch("LONGEST_WAIT_SECONDS", -1)
        self.consumer.seek.side_effect = KafkaException(KafkaError(KafkaError._STATE))
        lines = self.run_with(Received(0, 7))

        lost = "inbox stock: position 7 of orders, partition 0, is not asked for again "
        self.assertTrue(lines[-1].startswith(lost), lines)
        self.consumer.commit.assert_not_called()


if __name__ == "__main__":
    unittest.main()
