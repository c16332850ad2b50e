// For services whose outbox is Waybill's own table.

// quote:append
const APPEND = `
  insert into waybill_outbox
    (event_id, event_type, aggregate_type, aggregate_id, payload, correlation_id, headers)
  values ($1, $2, $3, $4, $5, $6, $7)`;

export async function appendEvent(client, { id, type, key, data, correlationId, headers }) {
  await client.query(APPEND, [
    id, // 1 to 128 of A-Z a-z 0-9 . _ : -
    type,
    key?.type ?? null, // both or neither: events of one key keep their order
    key?.id ?? null,
    Buffer.from(JSON.stringify(data)), // bytes; content_type is application/json by default
    correlationId ?? null,
    headers ? JSON.stringify(headers) : null, // an object of texts
  ]);
}
// quote:end
