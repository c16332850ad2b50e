import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Inbox } from '@waybill/inbox';
import { ORDER_PLACED, payForOrders } from '../orderPayments.js';
import { PaymentDomainService } from '../paymentDomainService.js';
import { Tracing } from '../tracing.js';
import { connect } from './database.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const pool = connect();
after(() => pool.end());

/** An order as the relay sends it. */
function order(data = { totalAmount: 12.5 }) {
  const id = randomUUID();
  const orderId = randomUUID();
  const event = {
    eventId: id,
    eventType: ORDER_PLACED,
    version: 1,
    source: 'order-service',
    data: { orderId, ...data },
    metadata: { correlationId: 'checkout-1', userId: 'ada' },
  };
  const headers = {
    'waybill-event-id': Buffer.from(id),
    'waybill-event-type': Buffer.from(ORDER_PLACED),
    traceparent: Buffer.from(`00-${TRACE}-${PARENT}-01`),
  };
  return { id, orderId, key: Buffer.from(orderId), value: Buffer.from(JSON.stringify(event)), headers };
}

/** An inbox with the letters that it has sent. */
function inboxWith(tracing = new Tracing()) {
  const letters = [];
  const inbox = new Inbox({
    consumer: 'payment-service',
    pool,
    handlers: { [ORDER_PLACED]: payForOrders(new PaymentDomainService(pool)) },
    around: (event, topic, handle) => tracing.handle(event, topic, handle),
    sendLetter: async (_, letter) => letters.push(letter),
    log: { debug() {}, warn() {} },
  });
  return { letters, take: (message) => inbox.take(ORDER_PLACED, message) };
}

async function rows(sql, ...values) {
  return (await pool.query(sql, values)).rows;
}

const paymentsOf = ({ orderId }) => rows('select * from payments where order_id = $1', orderId);

test('an order is paid for once, however often it comes', async () => {
  const message = order();
  const { take } = inboxWith();

  assert.equal(await take(message), 'handled');
  assert.equal(await take(message), 'duplicate');

  const payments = await paymentsOf(message);
  assert.deepEqual(payments.map((payment) => [payment.status, payment.amount_cents]), [
    ['SUCCESS', '1250'],
  ]);
});

test('an order that can not be paid for leaves a letter with the documented message', async () => {
  const message = order({ totalAmount: -1 });
  const { letters, take } = inboxWith();

  assert.equal(await take(message), 'dead');

  const { errorMessage } = JSON.parse(letters[0].value);
  assert.equal(errorMessage, 'Validation failed: totalAmount must be a number from 0.01');
  assert.deepEqual(await paymentsOf(message), []);
});

test('what the handler causes belongs to correlation, user and trace of the event', async () => {
  const exporter = new InMemorySpanExporter();
  const tracing = new Tracing(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  const message = order();
  await inboxWith(tracing).take(message);

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
