"""Mails about orders and payments, each sent once."""

import uuid

from waybill_inbox import PermanentError

from email_service import EmailService

ORDER_PLACED = "order.order.placed.v1"
PAYMENT_SUCCEEDED = "payment.payment.succeeded.v1"

# Notification ids follow from what the mail is about: the same order gives the same id.
NOTIFICATIONS = uuid.UUID("5f2c54d8-9d0e-4f5c-8d5b-1f4d1b0f7c11")


def handlers(transport):
    """Handlers by event type. The transport is called with notification id, recipient and text."""
    return {
        ORDER_PLACED: lambda event, session: send(
            session, transport, event, "confirmation", "Thank you for your order"
        ),
        PAYMENT_SUCCEEDED: lambda event, session: send(
            session, transport, event, "receipt", "We have received your payment of order"
        ),
    }


def send(session, transport, event, kind, words):
    """Sends one mail in the transaction of the inbox, unless its notification id is known."""
    data = event.data if isinstance(event.data, dict) else {}
    order_id = data.get("orderId")
    if not isinstance(order_id, str) or not 1 <= len(order_id) <= 100:
        raise PermanentError("Validation failed: orderId must be a text of 1 to 100 characters")
    user_id = event.metadata.get("userId")
    if not isinstance(user_id, str) or not user_id:
        raise PermanentError("Validation failed: metadata.userId must be given")
    EmailService(session, transport).send_once(
        notification_id(kind, order_id),
        order_id,
        f"{user_id}@example.org",
        f"{words} {order_id}.",
        cause=event,
    )


def notification_id(kind, order_id):
    """The id of the mail of a kind about an order."""
    return uuid.uuid5(NOTIFICATIONS, f"{kind}:{order_id}")
