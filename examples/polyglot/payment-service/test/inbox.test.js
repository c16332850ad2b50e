import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { decode } from '../decode.js';
import { PermanentError, TemporaryError } from '../failures.js';
import { Inbox } from '../inbox.js';
import { ORDER_PLACED, payForOrders } from '../orderPayments.js';
import { PaymentDomainService } from '../paymentDomainService.js';
import { Tracing } from '../tracing.js';
import { connect } from './database.js';

const CONSUMER = 'payment-service';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const REDRIVEN = {
  2: 2,
  999999999: 999999999,
  1000000000: 0,
  v1: 0,
  3.7: 0,
  '007': 0,
  0: 0,
  often: 0,
  '-1': 0,
  '': 0,
};
const noWait = async () => {};
const pool = connect();
const pay = payForOrders(new PaymentDomainService(pool));
after(() => pool.end());

/** An order as the relay sends it. */
function order({ id = randomUUID(), orderId = randomUUID(), totalAmount = 12.5, ...more } = {}) {
  const event = {
    eventId: id,
    eventType: ORDER_PLACED,
    version: 1,
    source: 'order-service',
    data: { orderId, totalAmount },
    metadata: { correlationId: 'checkout-1', userId: 'ada' },
  };
  const headers = {
    'waybill-event-id': Buffer.from(id),
    'waybill-event-type': Buffer.from(ORDER_PLACED),
    'content-type': Buffer.from('application/json'),
    traceparent: Buffer.from(`00-${TRACE}-${PARENT}-01`),
    ...more.headers,
  };
  return { id, orderId, key: Buffer.from(orderId), value: Buffer.from(JSON.stringify(event)), headers };
}

/** An inbox with the letters that it has sent. */
function inboxWith({ handler = pay, ...parts } = {}) {
  const letters = [];
  const inbox = new Inbox({
    consumer: CONSUMER,
    pool,
    tracing: new Tracing(),
    handlers: { [ORDER_PLACED]: handler },
    sendLetter: async (topic, letter) => letters.push({ topic, ...letter }),
    ...parts,
  });
  return { letters, take: (message, wait = noWait) => inbox.take(ORDER_PLACED, message, wait) };
}

async function rows(sql, ...values) {
  return (await pool.query(sql, values)).rows;
}

const paymentsOf = ({ orderId }) => rows('select * from payments where order_id = $1', orderId);
const notesOf = ({ id }) => rows('select * from processed_events where event_id = $1', id);

test('an order is paid for once, however often it comes', async () => {
  const message = order();
  const { take } = inboxWith();

  assert.equal(await take(message), 'handled');
  assert.equal(await take(message), 'duplicate');

  const payments = await paymentsOf(message);
  assert.deepEqual(payments.map((payment) => [payment.status, payment.amount_cents]), [
    ['SUCCESS', '1250'],
  ]);
  const [note] = await notesOf(message);
  assert.equal(note.consumer, CONSUMER);
  assert.equal(note.event_type, ORDER_PLACED);
  assert.equal(note.source, ORDER_PLACED);
});

test('copies that arrive at once on several consumers are handled once', async () => {
  const message = order();
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => inboxWith().take(message)),
  );

  assert.deepEqual(outcomes.sort(), ['duplicate', 'duplicate', 'duplicate', 'duplicate', 'handled']);
  assert.equal((await paymentsOf(message)).length, 1);
});

test('another consumer of the same table handles the event, too', async () => {
  const message = order();

  assert.equal(await inboxWith().take(message), 'handled');
  assert.equal(await inboxWith({ consumer: 'another' }).take(message), 'handled');
});

test('what the handler causes belongs to correlation, user and trace of the event', async () => {
  const exporter = new InMemorySpanExporter();
  const tracing = new Tracing(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  const message = order();
  await inboxWith({ tracing }).take(message);

  const [payment] = await paymentsOf(message);
  const [context] = await rows(
    `select c.* from waybill_outbox_events_row_context c
     join outbox_events o on o.id = c.row_id where o.aggregate_id = $1`,
    payment.id,
  );
  const [span] = exporter.getFinishedSpans();
  assert.equal(span.name, `process ${ORDER_PLACED}`);
  assert.equal(span.spanContext().traceId, TRACE);
  assert.equal(span.parentSpanContext.spanId, PARENT);
  assert.equal(span.attributes['messaging.message.id'], message.id);
  assert.equal(context.traceparent, `00-${TRACE}-${span.spanContext().spanId}-01`);
  assert.equal(context.correlation_id, 'checkout-1');
  assert.equal(context.causation_id, message.id);
  assert.deepEqual(context.headers, { userId: 'ada' });
});

test('poison is dead-lettered as it stands, and counts as processed', async () => {
  const message = order({ totalAmount: -1, headers: { tenant: Buffer.from('acme') } });
  const { letters, take } = inboxWith();

  assert.equal(await take(message), 'dead');
  assert.equal(await take(message), 'duplicate');

  assert.equal(letters.length, 1);
  const [letter] = letters;
  assert.equal(letter.topic, 'order.order.placed.v1.dlt');
  assert.equal(letter.key, message.key);
  const { failedAt, ...members } = JSON.parse(letter.value);
  assert.ok(Math.abs(new Date(failedAt) - Date.now()) < 60_000);
  assert.deepEqual(members, {
    eventId: message.id,
    originalEvent: JSON.parse(message.value),
    errorMessage: 'PermanentError: Validation failed: totalAmount must be a number from 0.01',
    consumerService: CONSUMER,
  });
  assert.equal(letter.headers['waybill-original-content-type'], 'application/json');
  assert.equal(letter.headers['waybill-dead-reason'], 'permanent-failure');
  assert.equal(letter.headers['waybill-dead-source'], ORDER_PLACED);
  assert.equal(letter.headers['waybill-dead-consumer'], CONSUMER);
  assert.equal(String(letter.headers.tenant), 'acme');
  assert.deepEqual(await paymentsOf(message), []);
});

test('a body that is no event is dead-lettered as base64', async () => {
  const { letters, take } = inboxWith();

  assert.equal(await take({ key: null, value: Buffer.from([0xff, 0x00]), headers: {} }), 'dead');
  const letter = JSON.parse(letters[0].value);
  assert.equal(letter.eventId, null);
  assert.equal(letter.originalEvent, '/wA=');
  assert.equal(letter.originalEventEncoding, 'base64');
  assert.equal(letters[0].headers['waybill-dead-reason'], 'no-event-id');
});

test('an event of a type without handler is dead-lettered', async () => {
  const { letters, take } = inboxWith({ handlers: {} });

  assert.equal(await take(order()), 'dead');
  assert.equal(letters[0].headers['waybill-dead-reason'], 'unknown-type');
});

test('a temporary failure is tried again and leaves nothing behind', async () => {
  const message = order();
  const pauses = [];
  let calls = 0;
  const { letters, take } = inboxWith({
    handler: async (event, client) => {
      await pay(event, client);
      calls += 1;
      if (calls < 3) {
        throw new TemporaryError('not yet');
      }
    },
  });

  assert.equal(await take(message, async (millis) => pauses.push(millis)), 'handled');
  assert.deepEqual(pauses, [50, 200]);
  assert.equal((await paymentsOf(message)).length, 1);
  assert.deepEqual(letters, []);
});

test('attempts have a limit', async () => {
  let calls = 0;
  const { letters, take } = inboxWith({
    handler: async () => {
      calls += 1;
      throw new TemporaryError('never');
    },
  });

  assert.equal(await take(order()), 'dead');
  assert.equal(calls, 4);
  assert.equal(letters[0].headers['waybill-dead-reason'], 'attempts-exhausted');
});

test('a lost connection is not the event\'s fault', async () => {
  const message = order();
  let calls = 0;
  const { letters, take } = inboxWith({
    attempts: 1,
    handler: async (event, client) => {
      calls += 1;
      if (calls < 4) {
        await client.query('select pg_terminate_backend(pg_backend_pid())');
      }
      await pay(event, client);
    },
  });

  assert.equal(await take(message), 'handled');
  assert.equal(calls, 4);
  assert.deepEqual(letters, []);
  assert.equal((await paymentsOf(message)).length, 1);
});

test('what can not be committed is the handler\'s failure', async () => {
  const refused = {
    'duplicate key value': async (client) => {
      await client.query(
        'create temporary table twice (n int unique deferrable initially deferred) on commit drop',
      );
      await client.query('insert into twice values (1), (1)');
    },
    'an error has ended the transaction': (client) => client.query('select 1 / 0').catch(() => {}),
  };
  for (const [why, doIt] of Object.entries(refused)) {
    const message = order();
    const { letters, take } = inboxWith({
      handler: async (event, client) => {
        await pay(event, client);
        await doIt(client);
      },
    });

    assert.equal(await take(message), 'dead');
    assert.equal(await take(message), 'duplicate');
    assert.equal(letters[0].headers['waybill-dead-reason'], 'permanent-failure');
    assert.ok(JSON.parse(letters[0].value).errorMessage.includes(why));
    assert.deepEqual(await paymentsOf(message), []);
  }
});

test('an empty header is not replaced by the body', async () => {
  for (const name of ['id', 'type']) {
    const { letters, take } = inboxWith();
    const headers = { [`waybill-event-${name}`]: Buffer.alloc(0) };

    assert.equal(await take({ ...order(), headers }), 'dead');
    assert.equal(letters[0].headers['waybill-dead-reason'], `no-event-${name}`);
  }
});

test('how often an event was sent again is read as the Java inbox reads it', () => {
  for (const [mark, times] of Object.entries(REDRIVEN)) {
    const message = order();
    message.headers['waybill-redriven'] = Buffer.from(mark);
    message.headers['waybill-redriven-event'] = Buffer.from(decode(message).id);
    assert.equal(decode(message).redriven, times, mark);
  }
});

test('copied marks of another event are nothing', async () => {
  const message = order();
  message.headers['waybill-redriven'] = Buffer.from('1');
  message.headers['waybill-redriven-for'] = Buffer.from('other');
  message.headers['waybill-redriven-event'] = Buffer.from('another');

  assert.equal(await inboxWith().take(message), 'handled');
  assert.equal(await inboxWith().take(message), 'duplicate');
});

test('nothing is given up before the broker has confirmed the letter', async () => {
  const message = order({ totalAmount: 0 });
  const pauses = [];
  const { take } = inboxWith({
    sendLetter: async () => {
      throw new Error('the topic is missing');
    },
  });
  const stopsAfterThree = async (millis) => {
    pauses.push(millis);
    if (pauses.length === 3) {
      throw new Error('stopped');
    }
  };

  await assert.rejects(take(message, stopsAfterThree), /stopped/);
  assert.deepEqual(pauses, [50, 200, 800]);
  assert.deepEqual(await notesOf(message), []);
});

test('an event that an operator sent again is another one, for its consumer only', async () => {
  const again = {
    'waybill-redriven': Buffer.from('1'),
    'waybill-redriven-for': Buffer.from(CONSUMER),
  };
  const poison = order({ totalAmount: 0 });
  again['waybill-redriven-event'] = Buffer.from(decode(poison).id);
  const sentAgain = { ...order(poison), headers: { ...order(poison).headers, ...again } };
  const failing = inboxWith({
    handler: async () => {
      throw new PermanentError('a bug');
    },
  });
  const other = inboxWith({ consumer: 'other', handler: noWait });

  assert.equal(await failing.take(poison), 'dead');
  assert.equal(await other.take(poison), 'handled');
  assert.equal(await inboxWith().take(sentAgain), 'handled');
  assert.equal(await inboxWith().take(sentAgain), 'duplicate');
  assert.equal(await other.take(sentAgain), 'ignored');
});

test('an odd mark of a redrive stops nobody', async () => {
  const odd = order();
  odd.headers['waybill-redriven'] = Buffer.from('often');

  assert.equal(await inboxWith().take(odd), 'handled');
  assert.equal(await inboxWith().take(odd), 'duplicate');
});

test('a type that the database can not note is dead-lettered', async () => {
  for (const eventType of ['a\0b', '\ud800', 'x'.repeat(256)]) {
    const { letters, take } = inboxWith();
    const value = Buffer.from(JSON.stringify({ eventId: randomUUID(), eventType }));

    assert.equal(await take({ key: null, value, headers: {} }), 'dead');
    assert.equal(letters[0].headers['waybill-dead-reason'], 'bad-event-type');
  }
});
