package io.waybill.layout;

import io.waybill.message.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps the columns of an outbox table to their meaning, and says how state is written there.
 * Immutable.
 *
 * @param name name of the layout, for people
 * @param table the table
 * @param identity columns that identify a row and its event
 * @param content columns of the message
 * @param order columns of order and time
 * @param progress columns that a relay writes
 */
public record Layout(
    String name,
    TableName table,
    Identity identity,
    Content content,
    RowOrder order,
    Progress progress) {
  /**
   * Checks the layout.
   *
   * @throws InvalidLayoutException with all broken rules
   */
  public Layout {
    List<Violation> violations = LayoutRules.check(table, identity, content, order, progress);
    if (!violations.isEmpty()) {
      throw new InvalidLayoutException(name, violations);
    }
  }

  /**
   * Starts building a layout. By default, the columns have the names of Waybill's own table: {@code
   * id}, {@code event_type}, {@code payload} (JSON), {@code created_at}. There are no other
   * columns, the row id gives the order, and published rows are deleted.
   *
   * @param name name of the layout, for people
   * @param table plain name of the table
   * @return a builder
   */
  public static LayoutBuilder builder(String name, String table) {
    return new LayoutBuilder(name, table);
  }

  /**
   * The same for a table with another name.
   *
   * @param other name of the table
   * @return changed copy
   */
  public Layout table(TableName other) {
    return new Layout(name, other, identity, content, order, progress);
  }

  /**
   * The same with another table that records the processing of each event, or without one.
   *
   * @param table the table, or null for none
   * @return changed copy
   */
  public Layout record(@Nullable RecordTable table) {
    Progress changed =
        new Progress(
            progress.state(),
            progress.publishedAt(),
            progress.attempts(),
            progress.nextAttemptAt(),
            progress.error(),
            table);
    return new Layout(name, this.table, identity, content, order, changed);
  }
}
