import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inTransaction } from '@waybill/inbox';
import { findEvent, findUnprocessed, insertEvent } from '../outboxRepository.js';
import {
  PAYMENT_SUCCEEDED,
  PaymentDomainService,
  PaymentStateError,
} from '../paymentDomainService.js';
import { connect } from './database.js';

const pool = connect();
const service = new PaymentDomainService(pool);
after(() => pool.end());

const initiate = () => service.initiate({ orderId: 'o-1', amountCents: 1250, currency: 'EUR' });

async function statusOf(paymentId) {
  const { rows } = await pool.query('select status from payments where id = $1', [paymentId]);
  return rows[0]?.status;
}

async function eventsOf(paymentId) {
  const { rows } = await pool.query('select * from outbox_events where aggregate_id = $1', [
    paymentId,
  ]);
  return rows;
}

test('an initiated payment has no event', async () => {
  const paymentId = await initiate();

  assert.equal(await statusOf(paymentId), 'INITIATED');
  assert.deepEqual(await eventsOf(paymentId), []);
});

test('a payment that succeeds has its event, as the document has it', async () => {
  const paymentId = await initiate();
  const eventId = await service.succeed(paymentId);

  assert.equal(await statusOf(paymentId), 'SUCCESS');
  const event = await findEvent(pool, eventId);
  assert.deepEqual(event.payload, {
    paymentId,
    orderId: 'o-1',
    amountCents: 1250,
    currency: 'EUR',
  });
  assert.equal(event.aggregate_id, paymentId);
  assert.equal(event.event_type, PAYMENT_SUCCEEDED);
  assert.equal(event.event_type, 'payment.payment.succeeded.v1');
  assert.equal(event.version, 1);
  assert.equal(event.processed, false);
  assert.equal(event.processed_at, null);
  assert.equal(event.error_message, null);
  assert.ok(Math.abs(event.created_at - Date.now()) < 60_000);
});

test('a payment succeeds once, also when asked twice at once', async () => {
  const paymentId = await initiate();
  const outcomes = await Promise.allSettled([
    service.succeed(paymentId),
    service.succeed(paymentId),
  ]);

  assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await eventsOf(paymentId)).length, 1);
});

test('a payment that is not there does not succeed', async () => {
  await assert.rejects(
    service.succeed('00000000-0000-4000-8000-000000000000'),
    PaymentStateError,
  );
});

test('what fails after the event was written leaves neither change nor event', async () => {
  const paymentId = await initiate();
  await assert.rejects(
    inTransaction(pool, async (client) => {
      await service.succeedIn(client, paymentId);
      throw new Error('declined');
    }),
    /declined/,
  );

  assert.equal(await statusOf(paymentId), 'INITIATED');
  assert.deepEqual(await eventsOf(paymentId), []);
});

test('an event that the database refuses takes the payment back with it', async () => {
  const paymentId = await initiate();
  await assert.rejects(
    inTransaction(pool, async (client) => {
      await service.succeedIn(client, paymentId);
      await insertEvent(client, { aggregateId: paymentId, eventType: null, data: {} });
    }),
    { code: '23502' }, // not null
  );

  assert.equal(await statusOf(paymentId), 'INITIATED');
});

test('unprocessed events come with the oldest first, and no more than asked for', async () => {
  const first = await service.succeed(await initiate());
  const second = await service.succeed(await initiate());

  const ids = (await findUnprocessed(pool, 10_000)).map((event) => event.id);
  assert.ok(ids.indexOf(first) >= 0 && ids.indexOf(first) < ids.indexOf(second));
  assert.equal((await findUnprocessed(pool, 1)).length, 1);
});
