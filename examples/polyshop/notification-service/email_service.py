"""Emails, each with its event in one transaction."""

import uuid

from sqlalchemy.dialects.postgresql import insert

from models import Email
from outbox_repository import add_event

EMAIL_SENT = "notification.email.sent.v1"


class EmailService:
    """Sends emails over a mail transport and tells of those that were taken.

    All is done in the session's transaction, which is the caller's. The transport is called last,
    with id, recipient and text: what it refuses is rolled back, record and event alike. Should the
    commit fail then, the email is sent again with the same id.
    """

    def __init__(self, session, transport):
        self._session = session
        self._transport = transport

    def send(self, order_id, recipient, text):
        """Sends one email; returns its id. Raises what the transport raises."""
        email_id = uuid.uuid4()
        self.send_once(email_id, order_id, recipient, text)
        return email_id

    def send_once(self, email_id, order_id, recipient, text, cause=None):
        """Sends an email unless one of its id was sent before; returns whether it did."""
        record = insert(Email).values(id=email_id, order_id=order_id, recipient=recipient)
        if self._session.execute(record.on_conflict_do_nothing()).rowcount == 0:
            return False
        add_event(
            self._session,
            aggregate_id=str(email_id),
            event_type=EMAIL_SENT,
            data={"notificationId": str(email_id), "orderId": order_id, "recipient": recipient},
            cause=cause,
        )
        # What the database refuses is refused before the mail is out.
        self._session.flush()
        self._transport(email_id, recipient, text)
        return True
