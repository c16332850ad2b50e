"""Events of the notification service. They are only added: the relay publishes them."""

import uuid

from models import EventContext, OutboxEvent


def add_event(session, *, aggregate_id, event_type, data, version=1, cause=None):
    """Adds an event in the session's transaction; returns the event's id.

    The event that caused it passes on its correlation, its user and its trace.
    """
    event_id = uuid.uuid4()
    session.add(
        OutboxEvent(
            id=event_id,
            aggregate_id=aggregate_id,
            event_type=event_type,
            version=version,
            payload=data,
        )
    )
    if cause is not None:
        user_id = cause.metadata.get("userId")
        session.add(
            EventContext(
                row_id=event_id,
                headers=None if user_id is None else {"userId": user_id},
                correlation_id=cause.correlation_id or cause.id,
                causation_id=cause.id,
                traceparent=cause.traceparent,
            )
        )
    return event_id
