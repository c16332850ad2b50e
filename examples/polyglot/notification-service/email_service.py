"""Emails, each with its event in one transaction."""

import uuid

from outbox_repository import insert_event

EMAIL_SENT = "notification.email.sent.v1"

RECORD = """
    insert into emails (id, order_id, recipient) values (%s, %s, %s) on conflict (id) do nothing"""


class EmailService:
    """Sends emails over a mail transport and tells of those that were taken.

    The transport is called last, with id, recipient and text: what it refuses is rolled back,
    record and event alike. Should the commit fail then, the email is sent again with the same id.
    """

    def __init__(self, connection, transport):
        self._connection = connection
        self._transport = transport

    def send(self, order_id, recipient, text):
        """Sends one email; returns its id. Raises what the transport raises."""
        email_id = uuid.uuid4()
        self.send_once(email_id, order_id, recipient, text)
        return email_id

    def send_once(self, email_id, order_id, recipient, text, cause=None):
        """Sends an email unless one of its id was sent before; returns whether it did."""
        with self._connection.transaction():
            recorded = self._connection.execute(RECORD, (email_id, order_id, recipient))
            if recorded.rowcount == 0:
                return False
            insert_event(
                self._connection,
                aggregate_id=str(email_id),
                event_type=EMAIL_SENT,
                data={
                    "notificationId": str(email_id),
                    "orderId": order_id,
                    "recipient": recipient,
                },
                cause=cause,
            )
            self._transport(email_id, recipient, text)
        return True
