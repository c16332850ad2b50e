package io.waybill.store;

import org.jspecify.annotations.Nullable;

/**
 * The identity of an event from the broker in the inbox tables.
 *
 * @param eventId the id that copies have in common: the event id, and for a redriven event also the
 *     number of redrives. 1 to 160 characters of printable ASCII, with a blank only for a redriven
 *     event. A store with a narrower column type (a UUID) keeps different ids different.
 * @param eventType event type
 * @param source topic or queue
 * @param key message key, null for none: events of one source and key keep their order
 */
public record DedupeKey(String eventId, String eventType, String source, byte @Nullable [] key) {}
