// A message of each partition waits at most; the others went elsewhere with their partitions.
const MOST = 1_000;

/**
 * How often the handler of a message has failed that was left, by its place. Messages before it may
 * come again with it, since positions are committed late.
 */
export class LeftMessages {
  #failures = new Map();

  /** @param {import('kafkajs').KafkaMessage & {partition?: number}} message */
  failuresOf(topic, message) {
    return this.#failures.get(placeOf(topic, message)) ?? 0;
  }

  failed(topic, message, failures) {
    // Positions of different partitions are the same numbers.
    if (message.partition === undefined) {
      return;
    }
    this.done(topic, message);
    this.#failures.set(placeOf(topic, message), failures);
    if (this.#failures.size > MOST) {
      const [oldest] = this.#failures.keys();
      this.#failures.delete(oldest);
    }
  }

  done(topic, message) {
    this.#failures.delete(placeOf(topic, message));
  }
}

// No topic has a slash in its name.
const placeOf = (topic, { partition, offset }) => `${topic}/${partition}/${offset}`;
