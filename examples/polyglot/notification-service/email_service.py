"""Emails, each with its event in one transaction."""

import uuid

from outbox_repository import insert_event

EMAIL_SENT = "notification.email.sent.v1"

RECORD = "insert into emails (id, order_id, recipient) values (%s, %s, %s)"


class EmailService:
    """Sends emails over a mail transport and tells of those that were taken.

    The transport is called last: what it refuses is rolled back, record and event alike.
    """

    def __init__(self, connection, transport):
        self._connection = connection
        self._transport = transport

    def send(self, order_id, recipient, text):
        """Sends one email; returns its id. Raises what the transport raises."""
        email_id = uuid.uuid4()
        with self._connection.transaction():
            self._connection.execute(RECORD, (email_id, order_id, recipient))
            insert_event(
                self._connection,
                aggregate_id=str(email_id),
                event_type=EMAIL_SENT,
                data={
                    "notificationId": str(email_id),
                    "orderId": order_id,
                    "recipient": recipient,
                },
            )
            self._transport(recipient, text)
        return email_id
