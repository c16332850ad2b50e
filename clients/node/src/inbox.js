import { deadLetter, deadLetterTopic } from './deadLetter.js';
import { decode, redrivenFor } from './decode.js';
import { describe, isTemporary, Undecodable, UnknownTypeError } from './failures.js';
import { LeftMessages } from './leftMessages.js';
import { CONSOLE, EventLog } from './log.js';
import { quoted } from './quoted.js';
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
  #left = new LeftMessages();

  /**
   * @param {object} parts
   * @param {string} parts.consumer name of the service in processed_events and dead letters
   * @param {import('pg').Pool} parts.pool the database that the handlers write to
   * @param {Record<string, (event: object, client: import('pg').ClientBase) => Promise<void>>}
   *   parts.handlers by event type; one throws to have its event tried again or given up
   * @param {(topic: string, letter: import('kafkajs').Message) => Promise<void>} parts.sendLetter
   *   resolves when the broker has confirmed the letter
   * @param {(event: object, topic: string, handle: (event: object) => Promise<void>) =>
   *   Promise<void>} [parts.around] calls a handler, within a span for example; by default alone
   * @param {{debug: Function, warn: Function}} [parts.log] takes a line, and an object with
   *   eventId, eventType and traceId; by default warnings go to the error stream
   * @param {number} [parts.attempts] calls of a handler that fails temporarily, before it is given up
   */
  constructor({ attempts = 4, around = (event, _, handle) => handle(event), log = CONSOLE, ...parts }) {
    this.#parts = { attempts, around, log, ...parts };
  }

  /**
   * Returns when the message may be acknowledged. Nothing that is not the event's own fault gives
   * it up: it is tried again until the database answers and the broker has its dead letter.
   *
   * @param {string} topic
   * @param {import('kafkajs').KafkaMessage & {partition?: number}} message with its partition, its
   *   attempts go on when it comes again after it was left
   * @param {(millis: number) => Promise<void>} [wait] rejects when the message is to be left
   * @returns {Promise<'handled' | 'duplicate' | 'ignored' | 'dead'>}
   */
  async take(topic, message, wait = sleep) {
    const outcome = await this.#take(topic, message, wait);
    this.#left.done(topic, message);
    return outcome;
  }

  async #take(topic, message, wait) {
    const { consumer } = this.#parts;
    const { event, unfit } = read(message);
    const delivery = { topic, message, event, wait, lines: this.#lines(event) };
    const meantFor = redrivenFor(message, event?.id) ?? consumer;
    if (meantFor !== consumer) {
      // An operator sent it again for another consumer: this one had its own copy.
      delivery.lines.warn(
        `from ${topic} was redriven for a different consumer, ${meantFor}: it is acknowledged unseen`,
      );
      return 'ignored';
    }
    if (event === undefined) {
      return this.#bury(delivery, unfit.reason, unfit);
    }
    for (let failures = 1 + this.#left.failuresOf(topic, message); ; failures++) {
      try {
        const outcome = await this.#persist('the database', () => this.#apply(topic, event), delivery);
        const done = outcome === 'handled' ? outcome : 'dropped as a duplicate';
        delivery.lines.debug(`from ${topic} ${done}`);
        return outcome;
      } catch (failure) {
        if (!(failure instanceof HandlerFailure)) {
          throw failure;
        }
        const reason = this.#givenUpFor(failure.cause, failures);
        if (reason !== undefined) {
          return this.#bury(delivery, reason, failure.cause);
        }
        this.#left.failed(topic, message, failures);
        const millis = pauseAfter(failures);
        const said = describe(failure.cause);
        delivery.lines.warn(`from ${topic} failed: ${said}; it is handled again in ${millis} ms`);
        await wait(millis);
      }
    }
  }

  #lines(event) {
    return new EventLog(this.#parts.log, `inbox ${this.#parts.consumer}`, event);
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
    const { pool, around } = this.#parts;
    return inTransaction(pool, async (client) => {
      // Waits for a copy that is being handled elsewhere.
      const { rowCount } = await this.#note(client, topic, event);
      if (rowCount === 0) {
        return 'duplicate';
      }
      try {
        await around(event, topic, (seen) => this.#handlerOf(event)(seen, client));
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
      throw new UnknownTypeError(
        `no handler for type ${quoted(event.type)} version ${event.version}`,
      );
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
  async #bury(delivery, reason, error) {
    const { consumer, pool, sendLetter } = this.#parts;
    const { topic, message, event, lines } = delivery;
    const verdict = { eventId: event?.id, consumer, reason, error, failedAt: new Date() };
    const letter = deadLetter(topic, message, verdict);
    const send = () => sendLetter(deadLetterTopic(topic), letter);
    await this.#persist('its dead letter', send, delivery);
    lines.warn(
      `from ${topic} is dead (${reason}): ${describe(error)}; its dead letter is confirmed, and its` +
        ' key continues',
    );
    if (event !== undefined) {
      await this.#persist('the database', () => this.#note(pool, topic, event), delivery);
    }
    return 'dead';
  }

  #note(client, topic, event) {
    const { consumer } = this.#parts;
    return client.query(NOTE, [consumer, dedupeId(event), event.type, topic]);
  }

  async #persist(what, work, { lines, topic, wait }) {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof HandlerFailure) {
          throw error;
        }
        const millis = pauseAfter(failures);
        lines.warn(`from ${topic}: ${what} failed (${describe(error)}); tried again in ${millis} ms`);
        await wait(millis);
      }
    }
  }
}

/** The event, or why the message is none. Whatever is thrown: it would stop KafkaJS for good. */
function read(message) {
  try {
    return { event: decode(message) };
  } catch (error) {
    if (error instanceof Undecodable) {
      return { unfit: error };
    }
    return { unfit: new Undecodable('no-event-id', `it can't be read: ${describe(error)}`) };
  }
}

/**
 * What an operator sent again is another event than the one that was given up. No id of a producer
 * has a blank.
 */
const dedupeId = ({ id, redriven }) => (redriven > 0 ? `${id} ${redriven}` : id);
