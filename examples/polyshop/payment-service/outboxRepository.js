import { randomUUID } from 'node:crypto';

const INSERT = `
  insert into outbox_events (id, aggregate_id, event_type, version, payload)
  values ($1, $2, $3, $4, $5)`;

// The table has no columns for what belongs into an envelope's metadata.
const INSERT_CONTEXT = `
  insert into waybill_outbox_events_row_context
    (row_id, headers, correlation_id, causation_id, traceparent)
  values ($1, $2, $3, $4, $5)`;

const SELECT = `
  select id, aggregate_id, event_type, version, payload, created_at, processed, processed_at,
    error_message
  from outbox_events`;

/**
 * Inserts an event in the client's transaction. Nothing else is to be done: the relay publishes it
 * once that transaction has committed, and marks it as processed.
 *
 * @param {import('pg').ClientBase} client
 * @param {{aggregateId: string, eventType: string, version?: number, data: object}} event
 * @param {object} [cause] the event that caused it: it passes on its correlation, its user and its
 *   trace
 * @returns {Promise<string>} the event's id
 */
export async function insertEvent(client, { aggregateId, eventType, version = 1, data }, cause) {
  const id = randomUUID();
  await client.query(INSERT, [id, aggregateId, eventType, version, JSON.stringify(data)]);
  if (cause !== undefined) {
    const { id: causeId, correlationId = causeId, metadata, traceparent } = cause;
    const headers = metadata.userId === undefined ? null : { userId: metadata.userId };
    await client.query(INSERT_CONTEXT, [id, headers, correlationId, causeId, traceparent]);
  }
  return id;
}

/**
 * Finds an event.
 *
 * @param {import('pg').ClientBase | import('pg').Pool} client
 * @param {string} id
 * @returns {Promise<object | undefined>} its row
 */
export async function findEvent(client, id) {
  const { rows } = await client.query(`${SELECT} where id = $1`, [id]);
  return rows[0];
}

/**
 * The oldest events that are not processed yet.
 *
 * @param {import('pg').ClientBase | import('pg').Pool} client
 * @param {number} limit most events
 * @returns {Promise<object[]>} their rows
 */
export async function findUnprocessed(client, limit = 100) {
  const { rows } = await client.query(
    `${SELECT} where processed = false order by created_at, id limit $1`,
    [limit],
  );
  return rows;
}
