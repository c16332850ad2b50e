import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { KafkaInbox, TemporaryError } from '../src/index.js';
import { LeftMessages } from '../src/leftMessages.js';
import { fakePool, keptLog } from './fakes.js';

const CRASH = 'consumer.crash';

/** KafkaJS's clients as far as an inbox uses them: no broker can be made to answer so. */
class FakeKafka {
  calls = [];
  letters = [];
  #events = new EventEmitter();

  /** @param {object} consumer methods that are not those of a consumer whom all goes well */
  constructor(consumer = {}) {
    this.fakeConsumer = {
      ...this.#client('consumer'),
      events: { CRASH },
      on: (event, listener) => this.#events.on(event, listener),
      subscribe: async () => {},
      run: async ({ eachMessage }) => (this.eachMessage = eachMessage),
      ...consumer,
    };
  }

  #client(name) {
    const call = (what) => async () => this.calls.push(`${name} ${what}`);
    return { connect: call('connect'), disconnect: call('disconnect') };
  }

  consumer() {
    return this.fakeConsumer;
  }

  producer() {
    return { ...this.#client('producer'), send: async ({ messages }) => this.letters.push(...messages) };
  }

  crash(error, restart) {
    this.#events.emit(CRASH, { payload: { error, restart } });
  }
}

function startOn(kafka, { handler = async () => {}, log = keptLog() } = {}) {
  const handlers = { 'order.placed': handler };
  return KafkaInbox.start({ kafka, topics: ['orders'], consumer: 'stock', pool: fakePool(), handlers, log });
}

const refused = () =>
  Object.assign(new Error('Not authorized to access group'), { name: 'KafkaJSProtocolError' });

test('an inbox whose consumer has crashed for good tells so', async () => {
  const kafka = new FakeKafka();
  const log = keptLog();
  const inbox = await startOn(kafka, { log });
  const error = refused();
  kafka.crash(error, false);
  // Nobody asks for the end yet: that must not end the process.
  await setImmediate();

  await assert.rejects(inbox.ended, error);
  assert.deepEqual(log.lines, [
    'inbox stock: KafkaJS has given up (KafkaJSProtocolError: Not authorized to access group);' +
      ' nothing is consumed until the inbox is started again',
  ]);
  assert.deepEqual(kafka.calls.slice(2), ['producer disconnect']);
  await inbox.stop();
});

test('a crash from which KafkaJS recovers ends nothing, and a stop does', async () => {
  const kafka = new FakeKafka();
  const log = keptLog();
  const inbox = await startOn(kafka, { log });
  kafka.crash(new Error('the broker is away'), true);
  assert.equal(await Promise.race([inbox.ended, setImmediate('goes on')]), 'goes on');

  await inbox.stop();
  await inbox.ended;
  assert.deepEqual(kafka.calls.slice(2), ['consumer disconnect', 'producer disconnect']);
  assert.deepEqual(log.lines, []);
});

test('a start whose consumer crashes at once fails', async () => {
  const error = refused();
  // KafkaJS resolves nevertheless.
  const kafka = new FakeKafka({ run: async () => kafka.crash(error, false) });

  await assert.rejects(startOn(kafka), error);
  assert.ok(kafka.calls.includes('consumer disconnect'));
  assert.ok(kafka.calls.includes('producer disconnect'));
});

test('a start that fails leaves no connection behind', async () => {
  for (const step of ['connect', 'subscribe', 'run']) {
    const error = new Error(`of ${step}`);
    const kafka = new FakeKafka({
      [step]: async () => {
        throw error;
      },
    });

    await assert.rejects(startOn(kafka), error);
    assert.deepEqual(kafka.calls.slice(-2), ['consumer disconnect', 'producer disconnect']);
  }
});

const messageAt = (offset, id = `e-${offset}`) => ({
  offset: String(offset),
  key: null,
  value: null,
  headers: { 'waybill-event-id': id, 'waybill-event-type': 'order.placed' },
});

const leaves = async () => {
  throw new Error('The group is rebalancing');
};

/** An inbox whose handler fails, and what takes a message of a partition. */
async function failing() {
  const kafka = new FakeKafka();
  const log = keptLog();
  const calls = [];
  const handler = async ({ id }) => {
    calls.push(id);
    throw new TemporaryError('not yet');
  };
  await startOn(kafka, { handler, log });
  const take = (partition, message, heartbeat = leaves) =>
    kafka.eachMessage({ topic: 'orders', partition, message, heartbeat });
  return { kafka, log, calls, take };
}

test('attempts add up though the group rebalances after each', async () => {
  const { kafka, log, calls, take } = await failing();
  for (let time = 1; time < 4; time++) {
    await assert.rejects(take(0, messageAt(7)), /rebalancing/);
  }
  await take(0, messageAt(7));

  assert.equal(calls.length, 4);
  assert.equal(kafka.letters.length, 1);
  assert.equal(kafka.letters[0].headers['waybill-dead-reason'], 'attempts-exhausted');
  assert.deepEqual(
    log.lines.map((line) => / (\S+ ms|is dead)/.exec(line)[1]),
    ['50 ms', '200 ms', '800 ms', 'is dead'],
  );
});

test('attempts are those of one message alone, whatever comes in between, until it is done', async () => {
  const { kafka, calls, take } = await failing();
  const callsOf = (offset) => calls.filter((id) => id === `e-${offset}`).length;
  for (let time = 1; time < 4; time++) {
    await assert.rejects(take(0, messageAt(7)), /rebalancing/);
    // Positions are committed late, so what was done before comes again; and there are others.
    await take(0, { ...messageAt(6), headers: {} });
    await assert.rejects(take(1, messageAt(8)), /rebalancing/);
  }
  await take(0, messageAt(7));
  assert.equal(callsOf(7), 4);

  // Dead by now: read again, it begins anew, and so does a message at the same place of another partition.
  await assert.rejects(take(0, messageAt(7)), /rebalancing/);
  await assert.rejects(take(0, messageAt(8)), /rebalancing/);
  assert.deepEqual(
    kafka.letters.map(({ headers }) => headers['waybill-dead-reason']),
    ['no-event-id', 'no-event-id', 'no-event-id', 'attempts-exhausted'],
  );
});

test('few messages are remembered', () => {
  const left = new LeftMessages();
  const message = (offset) => ({ partition: 0, offset: String(offset) });
  for (let offset = 0; offset < 1_001; offset++) {
    left.failed('orders', message(offset), 1);
  }

  assert.equal(left.failuresOf('orders', message(0)), 0);
  assert.equal(left.failuresOf('orders', message(1)), 1);
  left.failed('orders', message(1), 2);
  left.failed('orders', message(0), 1);
  assert.equal(left.failuresOf('orders', message(1)), 2);
  assert.equal(left.failuresOf('orders', message(2)), 0);
});
