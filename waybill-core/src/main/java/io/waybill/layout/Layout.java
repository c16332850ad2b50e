package io.waybill.layout;

import io.waybill.message.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which column of an outbox table holds what, and how state is written there. Immutable.
 *
 * @param name name of the layout, for people
 * @param table the table
 * @param identity what identifies a row and its event
 * @param content where the message is
 * @param order what orders and times rows
 * @param progress what is written into a row
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
   * Starts a layout. Until they are set, the columns have the names of Waybill's own table: {@code
   * id}, {@code event_type}, {@code payload} (JSON), {@code created_at}; there are no others, the
   * order is that of the row id, and published rows are deleted.
   *
   * @param name name of the layout, for people
   * @param table plain name of the table
   * @return a builder
   */
  public static LayoutBuilder builder(String name, String table) {
    return new LayoutBuilder(name, table);
  }

  /**
   * The same for a table of another name.
   *
   * @param other name of the table
   * @return changed copy
   */
  public Layout table(TableName other) {
    return new Layout(name, other, identity, content, order, progress);
  }

  /**
   * The same with another table that records what was done with each event, or without one.
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
