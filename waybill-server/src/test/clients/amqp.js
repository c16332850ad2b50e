// Prints each message of the documented queues as a line of JSON. usage: node amqp.js URL QUEUE...
// CRASH_AT=N ends it before it acknowledges its Nth message.
import { connect } from 'amqplib';

const [url, ...queues] = process.argv.slice(2);
const crashAt = Number(process.env.CRASH_AT);
let seen = 0;

function take(channel, queue, message) {
  if (message === null) {
    return;
  }
  seen += 1;
  if (seen === crashAt) {
    process.exit(3);
  }
  console.log(JSON.stringify({ place: queue, body: JSON.parse(message.content.toString()) }));
  channel.ack(message);
}

/** Whatever goes wrong ends the connection, and the next one begins, once. */
async function consume() {
  let connection;
  let over = false;
  const again = () => {
    if (!over) {
      over = true;
      setTimeout(consume, 500);
    }
  };
  const end = () => connection?.close().catch(() => {});
  try {
    connection = await connect(url);
    connection.on('error', () => {});
    connection.on('close', again);
    const channel = await connection.createChannel();
    channel.on('error', end);
    await channel.prefetch(10);
    // All or none: where one is missing, nothing was taken from another.
    for (const queue of queues) {
      await channel.checkQueue(queue);
    }
    for (const queue of queues) {
      await channel.consume(queue, (message) => take(channel, queue, message));
    }
  } catch {
    end();
    again();
  }
}

// The process that started it has ended.
process.stdin.resume().on('end', () => process.exit());
consume();
