package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.admin.Instruction;
import io.waybill.layout.Layout;
import java.util.Objects;
import java.util.Optional;

/** Shows payload and headers of an event to who says why, and records that. */
public final class Disclosure {
  private static final String VERB = "REVEAL";

  private Disclosure() {}

  /**
   * Shows an event with its payload. The record comes first: without it nothing is shown.
   *
   * @param admin operators' view of the outbox
   * @param eventId the event
   * @param by who looks, and why
   * @return the event, or empty if there is no such one
   * @throws MissingGrantException if the database user may not read payloads
   */
  public static Optional<EventDetail> of(Admin admin, String eventId, Instruction by) {
    JdbcAdmin own = JdbcAdmin.of(admin);
    Layout layout = own.parts().layout();
    if (!own.mayReadPayloads()) {
      String column = "SELECT on column " + layout.content().payload();
      throw new MissingGrantException(column, layout.table().toString(), "--payload-grant");
    }
    Optional<EventDetail> detail = own.show(eventId);
    detail.ifPresent(each -> record(own.parts(), each, by));
    return detail;
  }

  private static void record(JdbcAdmin.Parts parts, EventDetail detail, Instruction by) {
    Queries queries = parts.queries();
    Object rowId =
        queries.dialect().parseId(detail.event().rowId(), parts.layout().identity().kind());
    queries
        .database()
        .transaction(
            "record who sees a payload",
            statements ->
                parts
                    .operator()
                    .note(
                        statements,
                        Objects.requireNonNull(rowId),
                        detail.event().eventId(),
                        VERB,
                        by,
                        "payload and headers"));
  }
}
