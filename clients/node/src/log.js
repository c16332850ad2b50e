/** Warnings go to the error stream. */
export const CONSOLE = {
  debug() {},
  warn: (line) => console.warn(`WARN ${line}`),
};

/** Lines about one event: each has its id and its trace. */
export class EventLog {
  #log;
  #about;
  #fields;

  /**
   * @param {{debug: Function, warn: Function}} log takes a line, and an object with eventId,
   *   eventType and traceId
   * @param {string} about who writes, for example "inbox payment-service"
   * @param {{id: string, type: string, traceId?: string}} [event] undefined of what is no event
   */
  constructor(log, about, event) {
    this.#log = log;
    this.#about = about;
    this.#fields = { eventId: event?.id, eventType: event?.type, traceId: event?.traceId };
  }

  /** @param {string} text what has happened to the event */
  debug(text) {
    this.#log.debug(this.#line(text), this.#fields);
  }

  /** @param {string} text what has happened to the event, and what happens next */
  warn(text) {
    this.#log.warn(this.#line(text), this.#fields);
  }

  #line(text) {
    const { eventId = 'none', traceId = 'none' } = this.#fields;
    return `${this.#about}: event ${eventId} (trace ${traceId}) ${text}`;
  }
}
