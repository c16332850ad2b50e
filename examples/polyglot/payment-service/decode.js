const ID = /^[\x21-\x7e]{1,128}$/;
const TYPE = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const REDRIVEN = /^[1-9][0-9]{0,8}$/;

/** A message that is no event. */
export class Undecodable extends Error {
  /** @param {string} reason as in the header waybill-dead-reason */
  constructor(reason, message) {
    super(message);
    this.name = 'Undecodable';
    this.reason = reason;
  }
}

/** The value of a header, undefined if there is none. */
export function headerOf(message, name) {
  const value = message.headers?.[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value[0] : value);
}

/** The body's text, if it is JSON. */
export function jsonText(body) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/**
 * An event as a handler sees it: by Waybill's headers, else by the envelope in the body.
 *
 * @param {import('kafkajs').KafkaMessage} message
 * @throws {Undecodable}
 */
export function decode(message) {
  const text = message.value ? jsonText(message.value) : undefined;
  const body = text === undefined ? undefined : JSON.parse(text);
  const id = headerOf(message, 'waybill-event-id') ?? body?.eventId;
  if (typeof id !== 'string' || id === '') {
    throw new Undecodable('no-event-id', 'neither headers nor body name an event id');
  }
  if (!ID.test(id)) {
    throw new Undecodable('bad-event-id', 'event id must be 1 to 128 printable ASCII characters');
  }
  // A body with another id is a payload that happens to look like an envelope.
  const envelope = body?.eventId === id ? body : undefined;
  const type = headerOf(message, 'waybill-event-type') ?? envelope?.eventType;
  if (typeof type !== 'string' || type === '') {
    throw new Undecodable('no-event-type', 'neither headers nor body name an event type');
  }
  if (!TYPE.test(type)) {
    throw new Undecodable('bad-event-type', 'event type must be 1 to 255 characters, none of them a control character');
  }
  const metadata = envelope?.metadata ?? {};
  return {
    id,
    type,
    data: envelope ? envelope.data : body,
    metadata,
    correlationId: headerOf(message, 'waybill-correlation-id') ?? metadata.correlationId,
    traceparent: headerOf(message, 'traceparent'),
    redriven: redrivenOf(message, id),
  };
}

/** How often an operator sent it again; marks that name another event were copied to it. */
function redrivenOf(message, id) {
  const times = headerOf(message, 'waybill-redriven') ?? '';
  const marked = headerOf(message, 'waybill-redriven-event') === id;
  return marked && REDRIVEN.test(times) ? Number(times) : 0;
}

/**
 * For whom an operator sent it again, undefined if nobody did.
 *
 * @param {string | undefined} id of the event, undefined if the message is none
 */
export function redrivenFor(message, id) {
  const marked = headerOf(message, 'waybill-redriven-event') === id;
  return marked ? headerOf(message, 'waybill-redriven-for') : undefined;
}
