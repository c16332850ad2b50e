package io.waybill.store;

import org.jspecify.annotations.Nullable;

/**
 * An event that came from the broker, as the inbox tables know it.
 *
 * @param eventId what copies have in common: the event id, and for a redriven event also how often;
 *     1 to 160 characters of printable ASCII, a blank among them only for the latter. A store whose
 *     column is narrower in kind (a UUID) keeps different ids different.
 * @param eventType event type
 * @param source topic or queue
 * @param key message key, null for none: events of one source and key keep their order
 */
public record Sighting(String eventId, String eventType, String source, byte @Nullable [] key) {}
