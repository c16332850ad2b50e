package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventDetail;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the audit says of an event and corrections.
 *
 * @param correctedBy the event that was appended in its place, or null
 * @param corrects the event in whose place it was appended, or null
 */
public record CorrectionLinks(@Nullable String correctedBy, @Nullable String corrects) {
  // The first is about the buried event, the second about the appended one.
  static final String CORRECT = "CORRECT";
  static final String APPEND = "APPEND";
  private static final String FOR = "for ";

  /**
   * Looks into the audit of an event.
   *
   * @param admin operators' view of a database
   * @param detail the event, with its audit
   * @return its links
   * @throws IllegalArgumentException if the view is one of something else
   */
  public static CorrectionLinks of(Admin admin, EventDetail detail) {
    boolean timed = JdbcAdmin.of(admin).parts().layout().order().createdAt() != null;
    Instant since = timed ? detail.event().createdAt() : Instant.EPOCH;
    return new CorrectionLinks(
        correctedBy(detail.audit(), since),
        note(detail.audit(), APPEND, Instant.EPOCH)
            .filter(note -> note.startsWith(FOR))
            .map(note -> note.substring(FOR.length()))
            .orElse(null));
  }

  /** An id may come again: what is older is about another event. */
  static @Nullable String correctedBy(List<AuditEntry> audit, Instant since) {
    return note(audit, CORRECT, since).orElse(null);
  }

  private static Optional<String> note(List<AuditEntry> audit, String verb, Instant since) {
    return audit.stream()
        .filter(entry -> entry.verb().equals(verb) && !entry.requestedAt().isBefore(since))
        .findFirst()
        .map(AuditEntry::note);
  }

  /** The note of an appended event. */
  static String noteFor(String eventId) {
    return FOR + eventId;
  }
}
