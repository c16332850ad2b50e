package io.waybill.admin;

import org.jspecify.annotations.Nullable;

/**
 * An action that an operator carried out without a relay.
 *
 * @param verb the action
 * @param eventId the event, or null; kept as {@link #kept} says
 * @param destination its destination
 * @param done whether it was carried out
 * @param note what was done, or why not
 */
public record AuditNote(
    String verb, @Nullable String eventId, String destination, boolean done, String note) {
  private static final int MAX_ID_LENGTH = 128;

  /** Converts the id to the recorded form. */
  public AuditNote {
    eventId = eventId == null ? null : kept(eventId);
  }

  /**
   * The id of an event in its recorded form: dead letters of other writers may have ids that no
   * table accepts.
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
