package io.waybill.internal.jdbc.kernel;

/** The columns of the operators' audit that each role may write. */
public final class AuditColumns {
  /**
   * Columns of the audit that Waybill writes; the database itself fills those that identify the
   * session.
   */
  public static final String INSERTED =
      "requested_by, verb, row_id, event_id, destination, reason, earlier_reason, completed_at,"
          + " done, note";

  private static final String UPDATED = "completed_at, done, note";

  private AuditColumns() {}

  /**
   * A privilege on the audit in the form that roles have: no role may change its entries, or write
   * the columns that identify the session.
   *
   * @param privilege {@code SELECT}, {@code INSERT} or {@code UPDATE}
   * @return the privilege with its columns
   */
  public static String granted(String privilege) {
    return switch (privilege) {
      case "INSERT" -> "INSERT (" + INSERTED + ")";
      case "UPDATE" -> "UPDATE (" + UPDATED + ")";
      default -> privilege;
    };
  }
}
