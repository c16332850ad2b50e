import { headerOf, jsonText } from './decode.js';
import { describe } from './failures.js';

const CONTENT_TYPE = 'content-type';
const ORIGINAL_CONTENT_TYPE = 'waybill-original-content-type';
const JSON_TYPE = 'application/json';

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
  const text = original ? jsonText(original) : 'null';
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

function headers(topic, message, consumer, reason) {
  const kept = Object.entries(message.headers ?? {}).filter(
    ([name]) =>
      name !== CONTENT_TYPE && name !== ORIGINAL_CONTENT_TYPE && !name.startsWith('waybill-dead-'),
  );
  const contentType = headerOf(message, CONTENT_TYPE);
  return {
    ...Object.fromEntries(kept),
    ...(contentType === undefined ? {} : { [ORIGINAL_CONTENT_TYPE]: contentType }),
    [CONTENT_TYPE]: JSON_TYPE,
    'waybill-dead-reason': reason,
    'waybill-dead-source': topic,
    'waybill-dead-consumer': consumer,
  };
}
