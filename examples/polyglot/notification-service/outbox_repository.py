"""Events of the notification service. They are only inserted: the relay publishes them."""

import json
import uuid

INSERT = """
    insert into outbox_events (id, aggregate_id, event_type, version, payload)
    values (%s, %s, %s, %s, %s)"""

# The table has no columns for what belongs into an envelope's metadata.
INSERT_CONTEXT = """
    insert into waybill_outbox_events_row_context
      (row_id, correlation_id, causation_id, traceparent)
    values (%s, %s, %s, %s)"""


def insert_event(connection, *, aggregate_id, event_type, data, version=1, cause=None):
    """Inserts an event in the connection's transaction; returns the event's id.

    The event that caused it passes on its correlation and its trace.
    """
    event_id = uuid.uuid4()
    connection.execute(INSERT, (event_id, aggregate_id, event_type, version, json.dumps(data)))
    if cause is not None:
        correlation_id = cause.correlation_id or cause.id
        context = (event_id, correlation_id, cause.id, cause.traceparent)
        connection.execute(INSERT_CONTEXT, context)
    return event_id
