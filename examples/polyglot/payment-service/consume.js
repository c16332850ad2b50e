// Pays for placed orders until it is told to stop. DATABASE_URL names the database, KAFKA the brokers.
import kafkajs from 'kafkajs';
import lz4 from 'lz4js';
import pg from 'pg';
import { Inbox } from './inbox.js';
import { ORDER_PLACED, payForOrders } from './orderPayments.js';
import { PaymentDomainService } from './paymentDomainService.js';
import { Tracing } from './tracing.js';

const SERVICE = 'payment-service';
// A heartbeat is due long before the broker takes the consumer for dead.
const LONGEST_SILENCE_MILLIS = 1_000;
const ALL_REPLICAS = -1;

if (!process.env.DATABASE_URL || !process.env.KAFKA) {
  console.error('usage: DATABASE_URL=postgresql://... KAFKA=HOST:PORT node consume.js');
  process.exit(2);
}

// What a relay sends is compressed by LZ4, unless it is told otherwise; this client leaves that to others.
kafkajs.CompressionCodecs[kafkajs.CompressionTypes.LZ4] = () => ({
  decompress: async (buffer) => Buffer.from(lz4.decompress(buffer)),
});

const stopping = new AbortController();
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// The pool opens another connection when it needs one.
pool.on('error', (error) => console.warn(`A connection was lost (${error.code ?? error.name})`));
const tracing = Tracing.start(SERVICE);
const kafka = new kafkajs.Kafka({
  clientId: SERVICE,
  brokers: process.env.KAFKA.split(','),
  logLevel: kafkajs.logLevel.ERROR,
});
const producer = kafka.producer({
  allowAutoTopicCreation: false,
  // As the Java client has it: the letters of a key stay in one partition.
  createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
});
const consumer = kafka.consumer({
  groupId: SERVICE,
  allowAutoTopicCreation: false,
  // A stop waits for the fetch under way.
  maxWaitTimeInMs: 500,
});
const inbox = new Inbox({
  consumer: SERVICE,
  pool,
  tracing,
  handlers: { [ORDER_PLACED]: payForOrders(new PaymentDomainService(pool)) },
  sendLetter: (topic, letter) => producer.send({ topic, acks: ALL_REPLICAS, messages: [letter] }),
});

/** Waits with heartbeats; rejects when the service stops or the partition is taken away. */
async function waitWith(heartbeat, millis) {
  for (let left = millis; left > 0; left -= LONGEST_SILENCE_MILLIS) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, LONGEST_SILENCE_MILLIS)));
    stopping.signal.throwIfAborted();
    await heartbeat();
  }
}

async function stop() {
  stopping.abort();
  await consumer.disconnect();
  await producer.disconnect();
  await pool.end();
  await tracing.stop();
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, stop);
}
await producer.connect();
await consumer.connect();
await consumer.subscribe({ topics: [ORDER_PLACED], fromBeginning: true });
// The position is committed behind messages that were taken, and only behind those.
await consumer.run({
  eachMessage: async ({ topic, message, heartbeat }) => {
    await inbox.take(topic, message, (millis) => waitWith(heartbeat, millis));
  },
});
