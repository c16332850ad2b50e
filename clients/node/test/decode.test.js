import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode, Undecodable } from '../src/index.js';

const VECTORS = JSON.parse(readFileSync(new URL('../../vectors/decode.json', import.meta.url), 'utf8'));
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
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

const message = (body, headers = {}) => ({
  key: null,
  value: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value)])),
});

test('an envelope is an event', () => {
  const event = decode(
    message({
      eventId: 'e-1',
      eventType: 'order.placed',
      version: 2,
      data: { orderId: 'o-1' },
      metadata: { correlationId: 'c-1', traceId: TRACE },
    }),
  );

  assert.deepEqual(event, {
    id: 'e-1',
    type: 'order.placed',
    version: 2,
    aggregateId: undefined,
    data: { orderId: 'o-1' },
    metadata: { correlationId: 'c-1', traceId: TRACE },
    correlationId: 'c-1',
    traceparent: undefined,
    traceId: TRACE,
    redriven: 0,
  });
});

test('headers come before the body, and the trace of a header before that of metadata', () => {
  const other = TRACE.replace('4b', '5c');
  const event = decode(
    message(
      { eventId: 'e-1', eventType: 'of the body', data: 1, metadata: { traceId: other } },
      {
        'waybill-event-id': 'e-1',
        'waybill-event-type': 'of the header',
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      },
    ),
  );

  assert.deepEqual([event.type, event.data, event.traceId], ['of the header', 1, TRACE]);
});

test('a body with another id is a payload', () => {
  const body = { eventId: 'another', eventType: 't' };
  const { data } = decode(message(body, { 'waybill-event-id': 'e-1', 'waybill-event-type': 't' }));

  assert.deepEqual(data, body);
});

test('a large aggregate id has all its digits', () => {
  const body =
    '{"event_id":"e-1","event_type":"t","aggregate_type":"a","aggregate_id":9007199254740993,"payload":{}}';

  assert.equal(decode(message(body)).aggregateId, '9007199254740993');
});

test('what is no event says why', () => {
  const bodies = {
    'no-event-id': { eventType: 't' },
    'bad-event-id': { eventId: 'a blank', eventType: 't' },
    'no-event-type': { eventId: 'e-1', eventType: '' },
    'bad-event-type': { eventId: 'e-1', eventType: 'a\0b' },
    'bad-event-version': { eventId: 'e-1', eventType: 't', version: 'latest' },
  };
  for (const [reason, body] of Object.entries(bodies)) {
    assert.throws(() => decode(message(body)), (error) => error instanceof Undecodable && error.reason === reason);
  }
  assert.throws(() => decode({ key: null, value: null, headers: {} }), { reason: 'no-event-id' });
  assert.throws(() => decode(message('[1]')), { reason: 'no-event-id' });
});

test('how often an event was sent again is read as the Java inbox reads it', () => {
  for (const [mark, times] of Object.entries(REDRIVEN)) {
    const marks = { 'waybill-redriven': mark, 'waybill-redriven-event': 'e-1' };
    assert.equal(decode(message({ eventId: 'e-1', eventType: 't' }, marks)).redriven, times, mark);
  }
});

/** A message as the vectors describe it; what is not there is not named. */
function seen(vector) {
  const { headers, body, bodyBase64 } = vector;
  const value = bodyBase64 === undefined ? body && Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  let described;
  try {
    const { data, metadata, redriven, ...members } = decode({ ...message('', headers), value: value ?? null });
    const content = Buffer.isBuffer(data) ? { dataBase64: data.toString('base64') } : { data: data ?? undefined };
    described = { event: { ...members, ...content, redriven: redriven || undefined } };
  } catch (error) {
    described = { undecodable: { reason: error.reason, message: error.message } };
  }
  return JSON.parse(JSON.stringify(described));
}

test('messages are what they are to the Java inbox', () => {
  for (const { name, event, undecodable, ...given } of VECTORS.cases) {
    assert.deepEqual(seen(given), event ? { event } : { undecodable }, name);
  }
});
