import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inbox } from '../src/index.js';
import { fakePool, keptLog } from './fakes.js';

const DECODABLE = { 'waybill-event-id': 'e-1', 'waybill-event-type': 'order.placed' };

/** The letter of a message for which there is no handler. */
async function letterOf(value, headers = DECODABLE) {
  const letters = [];
  const log = keptLog();
  const sendLetter = async (topic, letter) => letters.push(letter);
  const inbox = new Inbox({ consumer: 'stock', pool: fakePool(), handlers: {}, sendLetter, log });

  assert.equal(await inbox.take('orders', { key: null, value, headers }), 'dead');
  assert.equal(letters.length, 1);
  const text = String(letters[0].value);
  return { text, members: JSON.parse(text), headers: letters[0].headers, line: log.lines.at(-1) };
}

test('JSON stands in a letter as it came', async () => {
  for (const body of ['{"total": 1.10}', ' [1]\n', '"null"', `${'['.repeat(1000)}${']'.repeat(1000)}`]) {
    const { text, members } = await letterOf(Buffer.from(body));

    assert.ok(text.includes(`"originalEvent":${body},`), text);
    assert.equal(members.originalEventEncoding, undefined);
  }
});

test('null is the original of a tombstone alone', async () => {
  const tombstone = await letterOf(null);
  assert.equal(tombstone.members.originalEvent, null);
  assert.equal(tombstone.members.originalEventEncoding, undefined);

  for (const body of ['null', ' null\r\n']) {
    const { members } = await letterOf(Buffer.from(body));
    assert.equal(Buffer.from(members.originalEvent, 'base64').toString(), body);
    assert.equal(members.originalEventEncoding, 'base64');
  }
});

test('what can not be a member of JSON is given as base64', async () => {
  const deep = `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`;
  for (const body of [Buffer.alloc(0), Buffer.from([0xff, 0]), Buffer.from('\ufeff{}'), Buffer.from(deep)]) {
    const { members } = await letterOf(body);

    assert.deepEqual(Buffer.from(members.originalEvent, 'base64'), body);
    assert.equal(members.originalEventEncoding, 'base64');
  }
});

test('white space around the original is counted, and what came as its length is not passed on', async () => {
  const came = { ...DECODABLE, 'waybill-original-length': '7' };
  for (const [body, length] of [[' {}', '3'], ['{}\t', '3'], ['\r[1]', '4'], ['{ }', undefined]]) {
    const { headers } = await letterOf(Buffer.from(body), came);
    assert.equal(headers['waybill-original-length'], length, JSON.stringify(body));
  }
  assert.equal((await letterOf(null, came)).headers['waybill-original-length'], undefined);
});

test('headers without value are left out, which KafkaJS can not send', async () => {
  const { headers } = await letterOf(null, { ...DECODABLE, none: null, some: [null, Buffer.from('x')] });

  assert.ok(!('none' in headers));
  assert.deepEqual(headers.some, [Buffer.from('x')]);
});

test('a letter says in the words of the Java inbox why it is one', async () => {
  const unknown = await letterOf(null, { ...DECODABLE, 'waybill-event-version': '2' });
  assert.equal(unknown.members.errorMessage, 'no handler for type "order.placed" version 2');

  const unfit = await letterOf(null, { ...DECODABLE, 'waybill-event-id': 'a blank' });
  const sentence = 'event id must be 1 to 128 printable ASCII characters, is "a blank"';
  assert.equal(unfit.members.errorMessage, sentence);
  assert.ok(unfit.line.includes(`is dead (bad-event-id): ${sentence}; its dead letter`), unfit.line);
});

test('a message that can not be read at all is dead, not the end of the inbox', async () => {
  const odd = {
    toString() {
      throw new RangeError('of the test');
    },
  };
  const { members, headers } = await letterOf(null, { ...DECODABLE, 'waybill-event-id': odd });

  assert.equal(members.errorMessage, "it can't be read: RangeError");
  assert.equal(headers['waybill-dead-reason'], 'no-event-id');
});

test('no member of a body stops the inbox, whatever it is', async () => {
  const odd = { toString: 1, valueOf: 1 };
  const bodies = [
    { eventId: 'e-1', eventType: 't', version: odd, metadata: { traceId: odd, correlationId: odd } },
    { event_id: 'e-1', event_type: 't', aggregate_id: odd },
    { eventId: odd, eventType: odd },
  ];
  for (const body of bodies) {
    await letterOf(Buffer.from(JSON.stringify(body)), {});
  }
});
