package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of processed events, described by its columns.
 *
 * @param name quoted name, with the schema if it is not the connection's
 * @param consumer whether it has a column for the consumer
 * @param idType type of the event id: {@code uuid} or a text
 * @param eventType most characters of the event type, 0 if there is no column for it
 * @param source most characters of the source, 0 if there is no column for it
 * @param timeType type of the time, for {@link SqlDialect#timeNow}
 */
public record ProcessedTable(
    String name, boolean consumer, String idType, long eventType, long source, String timeType) {
  /**
   * The values of a row, in the order of the columns.
   *
   * @param id value of the event id
   * @param eventType event type
   * @param source topic or queue
   */
  public record Row(String id, String eventType, String source) {}

  /**
   * An event id as it was written.
   *
   * @param stored the column's value
   * @return the id without the blanks that pad a CHAR
   */
  public String id(String stored) {
    return idType.equals("bpchar") ? stored.stripTrailing() : stored;
  }

  boolean uuids() {
    return idType.equals("uuid");
  }

  /** The columns that a row is written with, then the time. */
  String columns() {
    return String.join(", ", writable()) + ", processed_at";
  }

  /** How many parameters a row has. */
  int parameters() {
    return writable().size();
  }

  private List<String> writable() {
    List<String> columns = new ArrayList<>();
    if (consumer) {
      columns.add("consumer");
    }
    columns.add("event_id");
    if (eventType > 0) {
      columns.add("event_type");
    }
    if (source > 0) {
      columns.add("source");
    }
    return columns;
  }

  /**
   * The values of a row, each cut to the length of its column.
   *
   * @param consumerName the consumer
   * @param row the row
   * @return parameters in the order of the columns
   */
  public List<String> values(String consumerName, Row row) {
    List<String> values = new ArrayList<>();
    if (consumer) {
      values.add(consumerName);
    }
    values.add(row.id());
    if (eventType > 0) {
      values.add(cut(row.eventType(), eventType));
    }
    if (source > 0) {
      values.add(cut(row.source(), source));
    }
    return values;
  }

  /** Never between the halves of a character, and without NUL, which PostgreSQL cannot hold. */
  private static String cut(String text, long most) {
    String storable = text.replace('\0', ' ');
    int points = storable.codePointCount(0, storable.length());
    return points <= most
        ? storable
        : storable.substring(0, storable.offsetByCodePoints(0, (int) most));
  }
}
