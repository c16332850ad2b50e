"""For services whose outbox is Waybill's own table."""

# quote:append
import json

APPEND = """
    insert into waybill_outbox
      (event_id, event_type, aggregate_type, aggregate_id, payload, correlation_id, headers)
    values (%s, %s, %s, %s, %s, %s, %s)"""


def append_event(connection, *, id, type, data, key=(None, None), correlation_id=None, headers=None):
    connection.execute(
        APPEND,
        (
            id,  # 1 to 128 of A-Z a-z 0-9 . _ : -
            type,
            *key,  # type and id, both or neither: events of one key keep their order
            json.dumps(data).encode(),  # bytes; content_type is application/json by default
            correlation_id,
            None if headers is None else json.dumps(headers),  # an object of texts
        ),
    )
# quote:end
