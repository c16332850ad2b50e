"""How dead letters keep their originals, and what they say; needs no server."""

import base64
import json
import unittest
from unittest import mock

from fakes import FakeTransactions

from waybill_inbox import Inbox, Message

DECODABLE = {"waybill-event-id": b"e-1", "waybill-event-type": b"order.placed"}


class DeadLetterTest(unittest.TestCase):
    def letter(self, value, headers=None):
        """The letter of a message for which there is no handler."""
        letters = []
        inbox = Inbox(
            consumer="stock",
            transactions=FakeTransactions(),
            handlers={},
            send_letter=letters.append,
        )
        given = DECODABLE if headers is None else headers
        with self.assertLogs("waybill_inbox", "WARNING") as self.logs:
            outcome = inbox.take(Message("orders", None, value, list(given.items())))
        self.assertEqual(outcome, "dead")
        (letter,) = letters
        return letter

    def test_json_stands_in_a_letter_as_it_came(self):
        for body in ('{"total": 1.10}', " [1]\n", '"null"'):
            text = self.letter(body.encode()).value.decode()

            self.assertIn(f'"originalEvent":{body},', text)
            self.assertNotIn("originalEventEncoding", text)

    def test_null_is_the_original_of_a_tombstone_alone(self):
        tombstone = json.loads(self.letter(None).value)
        self.assertIsNone(tombstone["originalEvent"])
        self.assertNotIn("originalEventEncoding", tombstone)

        for body in (b"null", b" null\r\n"):
            self.assert_base64(body)

    def test_what_can_not_be_a_member_of_json_is_given_as_base64(self):
        deep = b'{"a":' * 1001 + b"1" + b"}" * 1001
        for body in (b"", b"\xff\x00", b"\xef\xbb\xbf{}", deep):
            self.assert_base64(body)

    def assert_base64(self, body):
        members = json.loads(self.letter(body).value)
        self.assertEqual(base64.b64decode(members["originalEvent"]), body)
        self.assertEqual(members["originalEventEncoding"], "base64")

    def test_white_space_is_counted_and_what_came_as_length_is_dropped(self):
        came = {**DECODABLE, "waybill-original-length": b"7"}
        lengths = {b" {}": "3", b"{}\t": "3", b"\r[1]": "4", b"{ }": None, None: None}
        for body, length in lengths.items():
            letter = self.letter(body, came)
            self.assertEqual(letter.header("waybill-original-length"), length, body)

    def test_headers_without_value_are_left_out(self):
        letter = self.letter(None, {**DECODABLE, "none": None})

        self.assertNotIn("none", [name for name, _ in letter.headers])

    def test_a_letter_says_in_the_words_of_the_java_inbox_why_it_is_one(self):
        unknown = self.letter(None, {**DECODABLE, "waybill-event-version": b"2"})
        self.assert_says(unknown, 'no handler for type "order.placed" version 2')

        unfit = self.letter(None, {**DECODABLE, "waybill-event-id": b"a blank"})
        sentence = 'event id must be 1 to 128 printable ASCII characters, is "a blank"'
        self.assert_says(unfit, sentence)
        self.assertIn(f"is dead (bad-event-id): {sentence}; its dead letter", self.logs.output[0])

    def test_a_message_that_can_not_be_read_at_all_is_dead_and_not_the_end_of_the_inbox(self):
        with mock.patch("waybill_inbox.inbox.decode", side_effect=LookupError("of the test")):
            letter = self.letter(b"{}")

        self.assert_says(letter, "it can't be read: LookupError")
        self.assertEqual(letter.header("waybill-dead-reason"), "no-event-id")

    def assert_says(self, letter, sentence):
        self.assertEqual(json.loads(letter.value)["errorMessage"], sentence)


if __name__ == "__main__":
    unittest.main()
