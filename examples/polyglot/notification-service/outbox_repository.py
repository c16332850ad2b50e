"""Events of the notification service. They are only inserted: the relay publishes them."""

import json
import uuid

INSERT = """
    insert into outbox_events (id, aggregate_id, event_type, version, payload)
    values (%s, %s, %s, %s, %s)"""


def insert_event(connection, *, aggregate_id, event_type, data, version=1):
    """Inserts an event in the connection's transaction; returns the event's id."""
    event_id = uuid.uuid4()
    connection.execute(INSERT, (event_id, aggregate_id, event_type, version, json.dumps(data)))
    return event_id
