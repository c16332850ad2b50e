import { Undecodable } from './failures.js';
import { isJson, jsonText, parseDigits } from './json.js';
import { quoted } from './quoted.js';

// As Decoder of Waybill's Java inbox has them; clients/vectors has examples.
const ID = /^[\x21-\x7e]{1,128}$/;
const TYPE = /^[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,255}$/;
const VERSION = /^v?\+?0*([0-9]{1,10})(\.[^]*)?$/;
const LARGEST_VERSION = 2 ** 31 - 1;
const TRACE_ID_OF_TRACEPARENT = /^[^]{3}([0-9a-fA-F]{32})/;
const TRACE_ID = /^[^\x00-\x1f\x7f-\x9f]{1,128}$/;
const REDRIVEN = /^[1-9][0-9]{0,8}$/;

/** The value of a header, the first if there are several, undefined if there is none. */
export function headerOf(message, name) {
  const value = [message.headers?.[name]].flat().find(isThere);
  return isThere(value) ? String(value) : undefined;
}

export const isThere = (value) => value !== undefined && value !== null;

/**
 * An event as a handler sees it: by Waybill's headers, else by the body, which is an envelope or a
 * generic event. Data is what the JSON of the payload says, or its bytes if it is none. JSON.parse
 * rounds whole numbers of it beyond 2^53 - 1; all other members have their digits.
 *
 * @param {import('kafkajs').KafkaMessage} message
 * @returns {{id: string, type: string, version: number, aggregateId?: string, data: any,
 *   metadata: object, correlationId?: string, traceparent?: string, traceId?: string,
 *   redriven: number}}
 * @throws {Undecodable}
 */
export function decode(message) {
  const named = headerOf(message, 'waybill-event-id');
  const facts = factsOf(message, named);
  const id = named ?? facts.id ?? '';
  if (id === '') {
    throw new Undecodable('no-event-id', 'neither headers nor body name an event id');
  }
  if (!ID.test(id)) {
    throw unfit('bad-event-id', 'event id must be 1 to 128 printable ASCII characters', id);
  }
  const type = headerOf(message, 'waybill-event-type') ?? facts.type ?? '';
  if (type === '') {
    throw new Undecodable('no-event-type', 'neither headers nor body name an event type');
  }
  if (!TYPE.test(type)) {
    throw unfit(
      'bad-event-type',
      'event type must be 1 to 255 characters, none of them a control character',
      type,
    );
  }
  const traceparent = headerOf(message, 'traceparent') ?? facts.traceparent;
  return {
    id,
    type,
    version: versionOf(headerOf(message, 'waybill-event-version') ?? facts.version ?? '1'),
    aggregateId: headerOf(message, 'waybill-aggregate-id') ?? facts.aggregateId,
    data: facts.data,
    metadata: facts.metadata,
    correlationId: headerOf(message, 'waybill-correlation-id') ?? facts.correlationId,
    traceparent,
    traceId: traceIdOf(traceparent, facts.traceId),
    redriven: redrivenOf(message, id),
  };
}

function unfit(reason, rule, value) {
  return new Undecodable(reason, `${rule}, is ${quoted(value)}`);
}

function versionOf(text) {
  const found = VERSION.exec(text);
  if (found === null || Number(found[1]) > LARGEST_VERSION) {
    throw unfit('bad-event-version', 'event version must be a whole number', text);
  }
  return Number(found[1]);
}

function traceIdOf(traceparent = '', own = '') {
  return TRACE_ID_OF_TRACEPARENT.exec(traceparent)?.[1] ?? (TRACE_ID.test(own) ? own : undefined);
}

/**
 * What the body says. It is an event if it has the id of the headers, or any if they have none, and
 * a type. All others are payloads, whatever they look like.
 */
function factsOf(message, id) {
  const { data, texts } = contentOf(message);
  const isThis = (bodyId) => bodyId !== undefined && (id === undefined || bodyId === id);
  if (isThis(scalar(texts.eventId)) && isThere(scalar(texts.eventType))) {
    return {
      id: scalar(texts.eventId),
      type: scalar(texts.eventType),
      version: scalar(texts.version),
      data: data.data,
      metadata: isObject(data.metadata) ? data.metadata : {},
      correlationId: scalar(texts.metadata?.correlationId),
      traceparent: scalar(texts.metadata?.traceparent),
      traceId: scalar(texts.metadata?.traceId),
    };
  }
  if (isThis(scalar(texts.event_id)) && isThere(scalar(texts.event_type))) {
    return {
      id: scalar(texts.event_id),
      type: scalar(texts.event_type),
      aggregateId: scalar(texts.aggregate_id),
      data: data.payload,
      metadata: {},
    };
  }
  return { data, metadata: {} };
}

/** The payload, and the members of an object with their numbers as texts. */
function contentOf(message) {
  const type = headerOf(message, 'content-type') ?? 'application/json';
  const json = message.value && isJson(type) ? jsonText(message.value) : undefined;
  if (json === undefined) {
    return { data: message.value ?? undefined, texts: {} };
  }
  const data = JSON.parse(json);
  return { data, texts: isObject(data) ? parseDigits(json) : {} };
}

/**
 * A text, or a boolean as one; numbers are texts already. What is neither has no text: converting
 * an object may throw.
 */
function scalar(value) {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
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
