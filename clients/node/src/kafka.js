import { describe } from './failures.js';
import { Inbox } from './inbox.js';
import { CONSOLE } from './log.js';

// A heartbeat is due long before the broker takes the consumer for dead.
const LONGEST_SILENCE_MILLIS = 1_000;
// A stop waits for the fetch under way.
const LONGEST_FETCH_MILLIS = 500;
const ALL_REPLICAS = -1;

/** An inbox on topics of Kafka. Its name is the group's. */
export class KafkaInbox {
  #consumer;
  #producer;
  #warn;
  #stopping = new AbortController();
  #crash;
  #resolveEnded;
  #rejectEnded;

  /**
   * Resolves when the inbox was stopped. Rejects when KafkaJS has given up, which consumes nothing
   * any more: the group may not be joined, say, or a message cannot be decompressed.
   *
   * @type {Promise<void>}
   */
  ended = new Promise((resolve, reject) => {
    this.#resolveEnded = resolve;
    this.#rejectEnded = reject;
  });

  constructor(consumer, producer, { consumer: name, log = CONSOLE }) {
    this.#consumer = consumer;
    this.#producer = producer;
    this.#warn = (text) => log.warn(`inbox ${name}: ${text}`, {});
    // Who does not ask for the end has it in the log; a rejection that nobody takes ends Node.js.
    this.ended.catch(() => {});
  }

  /**
   * Begins to consume; a new group begins with the oldest messages. Rejects, with no connection
   * left open, when it can't.
   *
   * @param {object} parts those of an Inbox but for sendLetter, and these:
   * @param {import('kafkajs').Kafka} parts.kafka
   * @param {string[]} parts.topics
   * @returns {Promise<KafkaInbox>}
   */
  static async start({ kafka, topics, ...parts }) {
    // KafkaJS places keys as Java's client does: the letters of a key stay in one partition.
    const producer = kafka.producer({ allowAutoTopicCreation: false });
    const consumer = kafka.consumer({
      groupId: parts.consumer,
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: LONGEST_FETCH_MILLIS,
    });
    const running = new KafkaInbox(consumer, producer, parts);
    try {
      await running.#run(topics, parts);
    } catch (error) {
      await Promise.allSettled([consumer.disconnect(), producer.disconnect()]);
      throw error;
    }
    return running;
  }

  async #run(topics, parts) {
    this.#consumer.on(this.#consumer.events.CRASH, ({ payload }) => this.#crashed(payload));
    await this.#producer.connect();
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics, fromBeginning: true });
    const sendLetter = (topic, letter) =>
      this.#producer.send({ topic, acks: ALL_REPLICAS, messages: [letter] });
    const inbox = new Inbox({ ...parts, sendLetter });
    // The position is committed behind messages that were taken, and only behind those.
    await this.#consumer.run({
      eachMessage: async ({ topic, partition, message, heartbeat }) => {
        const placed = { ...message, partition };
        await inbox.take(topic, placed, (millis) => this.#waitWith(heartbeat, millis));
      },
    });
    // KafkaJS resolves as well if the first join has failed.
    if (this.#crash !== undefined) {
      throw this.#crash;
    }
  }

  /** KafkaJS has disconnected the consumer by now, and says whether it starts it again. */
  async #crashed({ error, restart }) {
    if (restart) {
      return;
    }
    this.#crash = error;
    this.#rejectEnded(error);
    this.#warn(
      `KafkaJS has given up (${describe(error.cause ?? error)}); nothing is consumed until the` +
        ' inbox is started again',
    );
    await this.#producer.disconnect();
  }

  /** Waits with heartbeats; rejects when the inbox stops or the partition is taken away. */
  async #waitWith(heartbeat, millis) {
    for (let left = millis; left > 0; left -= LONGEST_SILENCE_MILLIS) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, LONGEST_SILENCE_MILLIS)));
      this.#stopping.signal.throwIfAborted();
      await heartbeat();
    }
  }

  /** Lets a running handler end; what waits for its next try is left to the next start. */
  async stop() {
    this.#stopping.abort();
    await this.#consumer.disconnect();
    await this.#producer.disconnect();
    this.#resolveEnded();
  }
}
