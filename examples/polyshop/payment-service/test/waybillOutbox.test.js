import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inTransaction } from '@waybill/inbox';
import { appendEvent } from '../waybillOutbox.js';
import { connect } from './database.js';

const pool = connect();
after(() => pool.end());

const event = (id) => ({
  id,
  type: 'payment.succeeded',
  key: { type: 'payment', id: 'p-1' },
  data: { written: 'by Node.js' },
  correlationId: 'checkout-1',
  headers: { tenant: 'acme' },
});

async function rowOf(id) {
  const { rows } = await pool.query('select * from waybill_outbox where event_id = $1', [id]);
  return rows[0];
}

test('an event is in the table once its transaction has committed', async () => {
  await inTransaction(pool, (client) => appendEvent(client, event('node-committed')));

  const row = await rowOf('node-committed');
  assert.equal(row.event_type, 'payment.succeeded');
  assert.deepEqual([row.aggregate_type, row.aggregate_id], ['payment', 'p-1']);
  assert.equal(row.payload.toString(), '{"written":"by Node.js"}');
  assert.equal(row.content_type, 'application/json');
  assert.equal(row.correlation_id, 'checkout-1');
  assert.deepEqual(row.headers, { tenant: 'acme' });
  assert.ok(row.lane >= 0);
});

test('an event needs no key, no correlation id and no headers', async () => {
  const { id, type, data } = event('node-plain');
  await inTransaction(pool, (client) => appendEvent(client, { id, type, data }));

  assert.equal((await rowOf('node-plain')).aggregate_id, null);
});

test('an event of a rolled back transaction is not in the table', async () => {
  await assert.rejects(
    inTransaction(pool, async (client) => {
      await appendEvent(client, event('node-rolled-back'));
      throw new Error('no');
    }),
  );

  assert.equal(await rowOf('node-rolled-back'), undefined);
});

test('the table refuses a second event of an id, and a bad id', async () => {
  await inTransaction(pool, (client) => appendEvent(client, event('node-twice')));

  const append = (id) => inTransaction(pool, (client) => appendEvent(client, event(id)));
  await assert.rejects(append('node-twice'), { constraint: 'waybill_outbox_event_id_key' });
  await assert.rejects(append('no blanks'), { constraint: 'waybill_outbox_event_id_check' });
});
