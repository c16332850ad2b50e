package io.waybill.internal.jdbc.table;

import io.waybill.layout.Layout;
import org.jspecify.annotations.Nullable;

/** Which rows wait for their time, and which for their next attempt. */
public final class Delays {
  private Delays() {}

  /** Rows that may be read by now. */
  static String due(Layout layout, TableTerms terms) {
    String available = layout.order().availableAt();
    if (available == null) {
      return "true";
    }
    String column = terms.column(available);
    String tried = tried(layout, terms);
    return "(%1$s is null or %1$s <= ${now}%2$s)"
        .formatted(column, tried == null ? "" : " or " + tried);
  }

  /**
   * Whether a row was sent before, in a table where one column delays rows and also shows when a
   * row is tried next. Such a row is never delayed: its key waits for it, and must not pass it.
   *
   * @param layout the layout
   * @param terms its parts of statements
   * @return condition, or null if the table does not tell
   */
  public static @Nullable String tried(Layout layout, TableTerms terms) {
    String attempts = layout.progress().attempts();
    return attempts == null || !isShared(layout)
        ? null
        : "coalesce(" + terms.column(attempts) + ", 0) > 0";
  }

  /** Whether the time of the next attempt, as the table shows it, delays a row. */
  static boolean isShared(Layout layout) {
    String available = layout.order().availableAt();
    return available != null && available.equals(layout.progress().nextAttemptAt());
  }
}
