import { Inbox } from './inbox.js';

// A heartbeat is due long before the broker takes the consumer for dead.
const LONGEST_SILENCE_MILLIS = 1_000;
// A stop waits for the fetch under way.
const LONGEST_FETCH_MILLIS = 500;
const ALL_REPLICAS = -1;

/** An inbox on topics of Kafka. Its name is the group's. */
export class KafkaInbox {
  #consumer;
  #producer;
  #stopping = new AbortController();

  constructor(consumer, producer) {
    this.#consumer = consumer;
    this.#producer = producer;
  }

  /**
   * Begins to consume; a new group begins with the oldest messages.
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
    const running = new KafkaInbox(consumer, producer);
    await running.#run(topics, parts);
    return running;
  }

  async #run(topics, parts) {
    await this.#producer.connect();
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics, fromBeginning: true });
    const sendLetter = (topic, letter) =>
      this.#producer.send({ topic, acks: ALL_REPLICAS, messages: [letter] });
    const inbox = new Inbox({ ...parts, sendLetter });
    // The position is committed behind messages that were taken, and only behind those.
    await this.#consumer.run({
      eachMessage: async ({ topic, message, heartbeat }) => {
        await inbox.take(topic, message, (millis) => this.#waitWith(heartbeat, millis));
      },
    });
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
  }
}
