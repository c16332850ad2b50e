package io.waybill.testkit.oracle;

/**
 * One delivered copy of an event, as a consumer that knows nothing of Waybill saw it.
 *
 * @param eventId event id
 * @param key ordering key
 * @param sequence number of the event within its key, from 1, as the business row has it
 * @param sha256 hash of the delivered payload, hexadecimal
 */
public record Copy(String eventId, String key, long sequence, String sha256) {}
