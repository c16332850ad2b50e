import { deadLetter, deadLetterTopic } from './deadLetter.js';
import { decode, redrivenFor, Undecodable } from './decode.js';
import { isTemporary, UnknownTypeError } from './failures.js';
import { inTransaction, RefusedCommitError } from './transaction.js';

const NOTE = `
  insert into processed_events (consumer, event_id, event_type, source) values ($1, $2, $3, $4)
  on conflict do nothing`;

const FIRST_PAUSE_MILLIS = 50;
const LONGEST_PAUSE_MILLIS = 10_000;

const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
const pauseAfter = (failures) =>
  Math.min(FIRST_PAUSE_MILLIS * 4 ** (failures - 1), LONGEST_PAUSE_MILLIS);

/** The handler failed, not what is around it. */
class HandlerFailure extends Error {}

/**
 * Hands each event to its handler once, in the transaction that notes it in processed_events. One
 * message at a time.
 */
export class Inbox {
  #parts;

  /**
   * @param {object} parts
   * @param {string} parts.consumer name of the service in processed_events and dead letters
   * @param {import('pg').Pool} parts.pool the database that the handlers write to
   * @param {Record<string, (event: object, client: import('pg').ClientBase) => Promise<void>>}
   *   parts.handlers by event type
   * @param {(topic: string, letter: import('kafkajs').Message) => Promise<void>} parts.sendLetter
   *   resolves when the broker has confirmed the letter
   * @param {import('./tracing.js').Tracing} parts.tracing
   * @param {number} [parts.attempts] calls of a handler that fails temporarily, before it is given up
   */
  constructor({ attempts = 4, ...parts }) {
    this.#parts = { attempts, ...parts };
  }

  /**
   * Returns when the message may be acknowledged. Nothing that is not the event's own fault gives
   * it up: it is tried again until the database answers and the broker has its dead letter.
   *
   * @param {string} topic
   * @param {import('kafkajs').KafkaMessage} message
   * @param {(millis: number) => Promise<void>} [wait] rejects when the message is to be left
   * @returns {Promise<'handled' | 'duplicate' | 'ignored' | 'dead'>}
   */
  async take(topic, message, wait = sleep) {
    const { consumer } = this.#parts;
    let event;
    let unfit;
    try {
      event = decode(message);
    } catch (error) {
      if (!(error instanceof Undecodable)) {
        throw error;
      }
      unfit = error;
    }
    if ((redrivenFor(message, event?.id) ?? consumer) !== consumer) {
      // An operator sent it again for another consumer: this one had its own copy.
      return 'ignored';
    }
    if (event === undefined) {
      return this.#bury({ topic, message, reason: unfit.reason, error: unfit }, wait);
    }
    for (let failures = 1; ; failures++) {
      try {
        return await this.#persist('The database', () => this.#apply(topic, event), wait);
      } catch (failure) {
        if (!(failure instanceof HandlerFailure)) {
          throw failure;
        }
        const reason = this.#givenUpFor(failure.cause, failures);
        if (reason !== undefined) {
          return this.#bury({ topic, message, event, reason, error: failure.cause }, wait);
        }
        await wait(pauseAfter(failures));
      }
    }
  }

  /** First sight and effect are committed together or not at all. */
  async #apply(topic, event) {
    try {
      return await this.#inTransaction(topic, event);
    } catch (error) {
      if (error instanceof RefusedCommitError) {
        throw new HandlerFailure('', { cause: error.cause ?? error });
      }
      throw error;
    }
  }

  #inTransaction(topic, event) {
    const { pool, tracing } = this.#parts;
    return inTransaction(pool, async (client) => {
      // Waits for a copy that is being handled elsewhere.
      const { rowCount } = await this.#note(client, topic, event);
      if (rowCount === 0) {
        return 'duplicate';
      }
      try {
        await tracing.handle(event, topic, (traced) => this.#handlerOf(event)(traced, client));
      } catch (cause) {
        // Rejects, and is no failure of the handler, when the connection is gone.
        await client.query('rollback');
        throw new HandlerFailure('', { cause });
      }
      return 'handled';
    });
  }

  #handlerOf(event) {
    const { handlers } = this.#parts;
    if (!Object.hasOwn(handlers, event.type)) {
      throw new UnknownTypeError(`there is no handler for ${event.type}`);
    }
    return handlers[event.type];
  }

  #givenUpFor(error, failures) {
    if (error instanceof UnknownTypeError) {
      return 'unknown-type';
    }
    if (!isTemporary(error)) {
      return 'permanent-failure';
    }
    return failures < this.#parts.attempts ? undefined : 'attempts-exhausted';
  }

  /** The letter is confirmed before the event counts as processed and is acknowledged. */
  async #bury({ topic, message, event, reason, error }, wait) {
    const { consumer, pool, sendLetter } = this.#parts;
    const verdict = { eventId: event?.id, consumer, reason, error, failedAt: new Date() };
    const letter = deadLetter(topic, message, verdict);
    await this.#persist('The dead letter', () => sendLetter(deadLetterTopic(topic), letter), wait);
    if (event !== undefined) {
      await this.#persist('The database', () => this.#note(pool, topic, event), wait);
    }
    return 'dead';
  }

  #note(client, topic, event) {
    const { consumer } = this.#parts;
    return client.query(NOTE, [consumer, dedupeId(event), event.type, topic]);
  }

  async #persist(what, work, wait) {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof HandlerFailure) {
          throw error;
        }
        const millis = pauseAfter(failures);
        console.warn(`${what} failed (${error.code ?? error.name}); tried again in ${millis} ms`);
        await wait(millis);
      }
    }
  }
}

/**
 * What an operator sent again is another event than the one that was given up. No id of a producer
 * has a blank.
 */
const dedupeId = ({ id, redriven }) => (redriven > 0 ? `${id} ${redriven}` : id);
