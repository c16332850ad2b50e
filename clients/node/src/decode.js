import { PermanentError } from './failures.js';

const ID = /^[\x21-\x7e]{1,128}$/;
const TYPE = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const VERSION = /^v?([0-9]{1,9})(\..*)?$/;
const REDRIVEN = /^[1-9][0-9]{0,8}$/;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** A message that is no event. */
export class Undecodable extends PermanentError {
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
 * An event as a handler sees it: by Waybill's headers, else by the body, which is an envelope or a
 * generic event. JSON.parse rounds whole numbers beyond 2^53 - 1: aggregateId, which is a text, has
 * all digits if the message has Waybill's headers.
 *
 * @param {import('kafkajs').KafkaMessage} message
 * @returns {{id: string, type: string, version: number, aggregateId?: string, data: any,
 *   metadata: object, correlationId?: string, traceparent?: string, traceId?: string,
 *   redriven: number}}
 * @throws {Undecodable}
 */
export function decode(message) {
  const json = message.value ? jsonText(message.value) : undefined;
  const body = json === undefined ? undefined : JSON.parse(json);
  const { eventId, event_id: genericId } = isObject(body) ? body : {};
  const id = headerOf(message, 'waybill-event-id') ?? eventId ?? genericId;
  if (typeof id !== 'string' || id === '') {
    throw new Undecodable('no-event-id', 'neither headers nor body name an event id');
  }
  if (!ID.test(id)) {
    throw new Undecodable('bad-event-id', 'event id must be 1 to 128 printable ASCII characters');
  }
  const facts = factsOf(body, id);
  const type = headerOf(message, 'waybill-event-type') ?? facts.type;
  if (typeof type !== 'string' || type === '') {
    throw new Undecodable('no-event-type', 'neither headers nor body name an event type');
  }
  if (!TYPE.test(type)) {
    throw new Undecodable('bad-event-type', 'event type must be 1 to 255 characters, none of them a control character');
  }
  const version = VERSION.exec(headerOf(message, 'waybill-event-version') ?? facts.version ?? 1);
  if (version === null) {
    throw new Undecodable('bad-event-version', 'event version must be a whole number');
  }
  const { data, metadata } = facts;
  const traceparent = headerOf(message, 'traceparent');
  return {
    id,
    type,
    version: Number(version[1]),
    aggregateId: headerOf(message, 'waybill-aggregate-id') ?? facts.aggregateId,
    data,
    metadata,
    correlationId: headerOf(message, 'waybill-correlation-id') ?? metadata.correlationId,
    traceparent,
    traceId: TRACEPARENT.exec(traceparent ?? '')?.[1] ?? metadata.traceId,
    redriven: redrivenOf(message, id),
  };
}

/** What the body says; one with another id is a payload that happens to look like an event. */
function factsOf(body, id) {
  if (isObject(body) && body.eventId === id) {
    const { eventType: type, version, data, metadata } = body;
    return { type, version, data, metadata: isObject(metadata) ? metadata : {} };
  }
  if (isObject(body) && body.event_id === id) {
    const { event_type: type, aggregate_id: aggregateId, payload: data } = body;
    const known = aggregateId === null || aggregateId === undefined;
    return { type, aggregateId: known ? undefined : String(aggregateId), data, metadata: {} };
  }
  return { data: body, metadata: {} };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

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
