import { headerOf, isThere } from './decode.js';
import { describe } from './failures.js';
import { depthOf, jsonText } from './json.js';

const CONTENT_TYPE = 'content-type';
const ORIGINAL_CONTENT_TYPE = 'waybill-original-content-type';
const ORIGINAL_LENGTH = 'waybill-original-length';
const JSON_TYPE = 'application/json';
const SPACES = [...Buffer.from(' \t\r\n')];
// Readers of letters refuse what is deeper.
const MOST_DEPTH = 1_000;

/** Where dead letters of a topic go. */
export const deadLetterTopic = (topic) => `${topic}.dlt`;

/**
 * The dead letter of a message, as the Java inbox writes it.
 *
 * @param {string} topic where the message comes from
 * @param {import('kafkajs').KafkaMessage} message
 * @param {{eventId?: string, consumer: string, reason: string, error: Error, failedAt: Date}} verdict
 * @returns {import('kafkajs').Message}
 */
export function deadLetter(topic, message, { eventId, consumer, reason, error, failedAt }) {
  return {
    key: message.key,
    value: body(message.value, { eventId, consumer, error, failedAt }),
    headers: headers(topic, message, consumer, reason),
  };
}

/** The original stands as it came: numbers keep all their digits. */
function body(original, { eventId, consumer, error, failedAt }) {
  const text = original ? embeddable(original) : 'null';
  const members = [
    `"eventId":${JSON.stringify(eventId ?? null)}`,
    `"originalEvent":${text ?? JSON.stringify(original.toString('base64'))}`,
    ...(text === undefined ? ['"originalEventEncoding":"base64"'] : []),
    `"errorMessage":${JSON.stringify(describe(error))}`,
    `"failedAt":${JSON.stringify(failedAt.toISOString())}`,
    `"consumerService":${JSON.stringify(consumer)}`,
  ];
  return Buffer.from(`{${members.join(',')}}`);
}

/** The original's text if it can be a member, where null says that there was none. */
function embeddable(original) {
  const text = jsonText(original);
  const fits = text !== undefined && text.trim() !== 'null' && depthOf(text) <= MOST_DEPTH;
  return fits ? text : undefined;
}

function headers(topic, message, consumer, reason) {
  const contentType = headerOf(message, CONTENT_TYPE);
  return {
    ...kept(message.headers ?? {}),
    ...(contentType === undefined ? {} : { [ORIGINAL_CONTENT_TYPE]: contentType }),
    ...(isSpaced(message.value) ? { [ORIGINAL_LENGTH]: String(message.value.length) } : {}),
    [CONTENT_TYPE]: JSON_TYPE,
    'waybill-dead-reason': reason,
    'waybill-dead-source': topic,
    'waybill-dead-consumer': consumer,
  };
}

/** Without those that say something of a letter, and those without value, which KafkaJS can't send. */
function kept(headers) {
  const ofLetters = [CONTENT_TYPE, ORIGINAL_CONTENT_TYPE, ORIGINAL_LENGTH];
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofLetters.includes(name) && !name.startsWith('waybill-dead-'))
      .map(([name, value]) => [name, Array.isArray(value) ? value.filter(isThere) : value])
      .filter(([, value]) => isThere(value)),
  );
}

/** A reader may take white space around the original for that of the letter. */
function isSpaced(body) {
  return SPACES.includes(body?.at(0)) || SPACES.includes(body?.at(-1));
}
