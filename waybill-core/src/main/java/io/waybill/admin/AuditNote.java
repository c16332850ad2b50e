package io.waybill.admin;

import org.jspecify.annotations.Nullable;

/**
 * Something that an operator has done without a relay.
 *
 * @param verb what
 * @param eventId the event, or null; kept as {@link #kept} says
 * @param destination where
 * @param done whether it was carried out
 * @param note what was done, or why not
 */
public record AuditNote(
    String verb, @Nullable String eventId, String destination, boolean done, String note) {
  private static final int MAX_ID_LENGTH = 128;

  /** Brings the id into the form that is kept. */
  public AuditNote {
    eventId = eventId == null ? null : kept(eventId);
  }

  /**
   * The id of an event as the audit has it: letters of other writers may have ids that no table
   * takes.
   *
   * @param eventId any text
   * @return its first 128 characters, control characters as question marks
   */
  public static String kept(String eventId) {
    StringBuilder kept = new StringBuilder();
    eventId
        .codePoints()
        .limit(MAX_ID_LENGTH)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
