package io.waybill.internal.jdbc.append;

import io.waybill.internal.jdbc.kernel.TableColumns.Column;
import io.waybill.message.Event;
import org.jspecify.annotations.Nullable;

/**
 * One column of an appended row.
 *
 * @param column the column
 * @param field what of the event it holds, for messages
 * @param sql expression, with one parameter if there is a value
 * @param value the parameter: a text, or bytes if the column holds the payload as bytes; null for
 *     an expression without one
 */
public record AppendCell(Column column, String field, String sql, @Nullable Value value) {
  /** A row to be appended. */
  public record Row(Event event, @Nullable String rowId) {}

  /** What of a row stands in the column. */
  @FunctionalInterface
  public interface Value {
    @Nullable Object of(Row row);
  }
}
