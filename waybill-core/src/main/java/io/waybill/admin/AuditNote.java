package io.waybill.admin;

import org.jspecify.annotations.Nullable;

/**
 * Something that an operator has done without a relay.
 *
 * @param verb what
 * @param eventId the event, or null
 * @param destination where
 * @param done whether it was carried out
 * @param note what was done, or why not
 */
public record AuditNote(
    String verb, @Nullable String eventId, String destination, boolean done, String note) {}
