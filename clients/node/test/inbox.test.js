import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { Inbox, PermanentError, TemporaryError } from '../src/index.js';

const CONSUMER = 'stock';
const TYPE = 'order.placed';
const TOPIC = 'orders';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const noWait = async () => {};

if (!process.env.DATABASE_URL) {
  throw new Error('Set DATABASE_URL to a PostgreSQL with the tables of an inbox; ./verify does so.');
}
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
before(() => pool.query('create table if not exists effects (event_id text not null)'));
after(() => pool.end());

/** Done twice it would count twice. */
const apply = (event, client) => client.query('insert into effects (event_id) values ($1)', [event.id]);

/** An event as the relay sends it. */
function order(headers = {}, id = randomUUID()) {
  const envelope = { eventId: id, eventType: TYPE, version: 1, data: { orderId: 'o-1' }, metadata: {} };
  return {
    id,
    key: Buffer.from('o-1'),
    value: Buffer.from(JSON.stringify(envelope)),
    headers: {
      'waybill-event-id': Buffer.from(id),
      'waybill-event-type': Buffer.from(TYPE),
      'content-type': Buffer.from('application/json'),
      traceparent: Buffer.from(`00-${TRACE}-00f067aa0ba902b7-01`),
      ...headers,
    },
  };
}

/** An inbox with the letters and the lines that it has written. */
function inboxWith({ handler = apply, ...parts } = {}) {
  const letters = [];
  const lines = [];
  const keep = (line, fields) => lines.push({ line, fields });
  const inbox = new Inbox({
    consumer: CONSUMER,
    pool,
    handlers: { [TYPE]: handler },
    sendLetter: async (topic, letter) => letters.push({ topic, ...letter }),
    log: { debug: keep, warn: keep },
    ...parts,
  });
  return { letters, lines, take: (message, wait = noWait) => inbox.take(TOPIC, message, wait) };
}

const fails = (Failure, text) => async () => {
  throw new Failure(text);
};

async function rows(sql, ...values) {
  return (await pool.query(sql, values)).rows;
}

const effectsOf = async ({ id }) => (await rows('select * from effects where event_id = $1', id)).length;
const notesOf = ({ id }) => rows('select * from processed_events where event_id = $1', id);

test('an event is applied once, however often it comes', async () => {
  const message = order();
  const { take } = inboxWith();

  assert.equal(await take(message), 'handled');
  assert.equal(await take(message), 'duplicate');

  assert.equal(await effectsOf(message), 1);
  const [note] = await notesOf(message);
  assert.deepEqual([note.consumer, note.event_type, note.source], [CONSUMER, TYPE, TOPIC]);
});

test('copies that arrive at once on several consumers are handled once', async () => {
  const message = order();
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => inboxWith().take(message)));

  assert.deepEqual(outcomes.sort(), ['duplicate', 'duplicate', 'duplicate', 'duplicate', 'handled']);
  assert.equal(await effectsOf(message), 1);
});

test('another consumer of the same table handles the event, too', async () => {
  const message = order();

  assert.equal(await inboxWith().take(message), 'handled');
  assert.equal(await inboxWith({ consumer: 'another' }).take(message), 'handled');
});

test('a handler is called within what stands around it', async () => {
  const seen = [];
  const { take } = inboxWith({
    handler: async (event) => seen.push(event.traceparent),
    around: (event, topic, handle) => handle({ ...event, traceparent: `of ${topic}` }),
  });
  await take(order());

  assert.deepEqual(seen, [`of ${TOPIC}`]);
});

test('poison is dead-lettered as it stands, and counts as processed', async () => {
  const message = order({ tenant: Buffer.from('acme') });
  const { letters, take } = inboxWith({ handler: fails(PermanentError, 'Validation failed: product not found') });

  assert.equal(await take(message), 'dead');
  assert.equal(await take(message), 'duplicate');

  const [letter] = letters;
  assert.equal(letters.length, 1);
  assert.equal(letter.topic, 'orders.dlt');
  assert.equal(letter.key, message.key);
  const { failedAt, ...members } = JSON.parse(letter.value);
  assert.ok(Math.abs(new Date(failedAt) - Date.now()) < 60_000);
  assert.deepEqual(members, {
    eventId: message.id,
    originalEvent: JSON.parse(message.value),
    errorMessage: 'Validation failed: product not found',
    consumerService: CONSUMER,
  });
  assert.equal(letter.headers['waybill-original-content-type'], 'application/json');
  assert.equal(letter.headers['waybill-dead-reason'], 'permanent-failure');
  assert.equal(letter.headers['waybill-dead-source'], TOPIC);
  assert.equal(letter.headers['waybill-dead-consumer'], CONSUMER);
  assert.equal(String(letter.headers.tenant), 'acme');
});

test('a body that is no event is dead-lettered as base64', async () => {
  const { letters, lines, take } = inboxWith();

  assert.equal(await take({ key: null, value: Buffer.from([0xff, 0x00]), headers: {} }), 'dead');
  const letter = JSON.parse(letters[0].value);
  assert.equal(letter.eventId, null);
  assert.equal(letter.originalEvent, '/wA=');
  assert.equal(letter.originalEventEncoding, 'base64');
  assert.equal(letters[0].headers['waybill-dead-reason'], 'no-event-id');
  assert.match(lines[0].line, /^inbox stock: event none \(trace none\) from orders is dead \(no-event-id\)/);
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
      await apply(event, client);
      calls += 1;
      if (calls < 3) {
        throw new TemporaryError('not yet');
      }
    },
  });

  assert.equal(await take(message, async (millis) => pauses.push(millis)), 'handled');
  assert.deepEqual(pauses, [50, 200]);
  assert.equal(await effectsOf(message), 1);
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

test('every line about an event has its id and its trace, and a dead letter has one', async () => {
  const message = order();
  const { lines, take } = inboxWith({
    handler: fails(TemporaryError, 'the depot is closed'),
    attempts: 2,
    sendLetter: (() => {
      let calls = 0;
      return async () => {
        calls += 1;
        if (calls === 1) {
          throw new TypeError('a value');
        }
      };
    })(),
  });
  await take(message);
  await take(message);

  const about = `inbox stock: event ${message.id} (trace ${TRACE}) from orders`;
  assert.deepEqual(
    lines.map(({ line }) => line),
    [
      `${about} failed: the depot is closed; it is handled again in 50 ms`,
      `${about}: its dead letter failed (TypeError); tried again in 50 ms`,
      `${about} is dead (attempts-exhausted): the depot is closed; its dead letter is confirmed, and its key continues`,
      `${about} dropped as a duplicate`,
    ],
  );
  for (const { fields } of lines) {
    assert.deepEqual(fields, { eventId: message.id, eventType: TYPE, traceId: TRACE });
  }
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
      await apply(event, client);
    },
  });

  assert.equal(await take(message), 'handled');
  assert.equal(calls, 4);
  assert.deepEqual(letters, []);
  assert.equal(await effectsOf(message), 1);
});

test('what can not be committed is the handler\'s failure', async () => {
  const refused = {
    'SQLState 23505, constraint twice_n_key, table twice': async (client) => {
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
        await apply(event, client);
        await doIt(client);
      },
    });

    assert.equal(await take(message), 'dead');
    assert.equal(await take(message), 'duplicate');
    assert.equal(letters[0].headers['waybill-dead-reason'], 'permanent-failure');
    const { errorMessage } = JSON.parse(letters[0].value);
    assert.ok(errorMessage.includes(why), errorMessage);
    assert.equal(await effectsOf(message), 0);
  }
});

test('a letter shows no values that a server or the language has put into a message', async () => {
  const failures = [
    (client) => client.query("select 'secret'::int"),
    () => JSON.parse('secret'),
    () => 'secret'.repeat(-1),
  ];
  for (const fail of failures) {
    const { letters, take } = inboxWith({ handler: async (_, client) => fail(client) });

    assert.equal(await take(order()), 'dead');
    assert.ok(!JSON.parse(letters[0].value).errorMessage.includes('secret'));
  }
});

test('a switch-over of the database makes no dead letter', async () => {
  const message = order();
  let calls = 0;
  const { letters, take } = inboxWith({
    handler: async (event, client) => {
      calls += 1;
      if (calls === 1) {
        await client.query('set transaction read only');
      }
      await apply(event, client);
    },
  });

  assert.equal(await take(message), 'handled');
  assert.deepEqual(letters, []);
});

test('an empty header is not replaced by the body', async () => {
  for (const name of ['id', 'type']) {
    const { letters, take } = inboxWith();
    const headers = { [`waybill-event-${name}`]: Buffer.alloc(0) };

    assert.equal(await take({ ...order(), headers }), 'dead');
    assert.equal(letters[0].headers['waybill-dead-reason'], `no-event-${name}`);
  }
});

test('copied marks of another event are nothing', async () => {
  const message = order({
    'waybill-redriven': Buffer.from('1'),
    'waybill-redriven-for': Buffer.from('other'),
    'waybill-redriven-event': Buffer.from('another'),
  });

  assert.equal(await inboxWith().take(message), 'handled');
  assert.equal(await inboxWith().take(message), 'duplicate');
});

test('nothing is given up before the broker has confirmed the letter', async () => {
  const message = order();
  const pauses = [];
  const { take } = inboxWith({
    handler: fails(PermanentError, 'poison'),
    sendLetter: fails(Error, 'the topic is missing'),
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
  const poison = order();
  const marks = {
    'waybill-redriven': Buffer.from('1'),
    'waybill-redriven-for': Buffer.from(CONSUMER),
    'waybill-redriven-event': Buffer.from(poison.id),
  };
  const again = order(marks, poison.id);
  const other = inboxWith({ consumer: 'other', handler: noWait });

  assert.equal(await inboxWith({ handler: fails(PermanentError, 'a bug') }).take(poison), 'dead');
  assert.equal(await other.take(poison), 'handled');
  assert.equal(await inboxWith().take(again), 'handled');
  assert.equal(await inboxWith().take(again), 'duplicate');
  assert.equal(await other.take(again), 'ignored');
  assert.match(other.lines.at(-1).line, /redriven for a different consumer, stock: it is acknowledged unseen$/);
});

test('an odd mark of a redrive stops nobody', async () => {
  const odd = order({ 'waybill-redriven': Buffer.from('often') });

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
