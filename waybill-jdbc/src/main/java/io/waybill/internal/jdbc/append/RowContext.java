package io.waybill.internal.jdbc.append;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.store.HeaderJson;
import io.waybill.layout.Content;
import io.waybill.layout.Layout;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of events goes into the table {@code row_context}, since the outbox has no column for it.
 * Immutable.
 */
public final class RowContext {
  private static final int VALUES = 6;

  private final Layout layout;
  private final SqlDialect dialect;
  private final String insert;

  public RowContext(Layout layout, SqlDialect dialect, SideNames names) {
    this.layout = layout;
    this.dialect = dialect;
    this.insert =
        dialect.fill(
            names,
            """
            insert into ${row_context} (row_id, event_version, content_type, headers,
              correlation_id, causation_id, traceparent)
            values %s""");
  }

  /** An event with something to be kept: its row's id, or its number in the INSERT. */
  public record Kept(Event event, String row) {}

  /** Whether a layout has columns for everything. */
  public static boolean isNeedless(Layout layout) {
    Content content = layout.content();
    return layout.identity().eventVersion() != null
        && content.contentTypeColumn() != null
        && content.context().headers() != null
        && content.context().correlationId() != null
        && content.context().causationId() != null
        && content.context().traceparent() != null;
  }

  public boolean has(Event event) {
    for (int i = 0; i < VALUES; i++) {
      if (value(event, i) != null) {
        return true;
      }
    }
    return false;
  }

  private @Nullable String value(Event event, int index) {
    Content content = layout.content();
    return switch (index) {
      case 0 ->
          layout.identity().eventVersion() != null || event.version() == 1
              ? null
              : Integer.toString(event.version());
      case 1 -> contentType(event.payload());
      case 2 ->
          content.context().headers() != null
              ? null
              : HeaderJson.write(
                  AppendCells.rest(event, content.context().headerColumns().values()));
      case 3 -> content.context().correlationId() != null ? null : event.correlationId();
      case 4 -> content.context().causationId() != null ? null : event.causationId();
      default -> content.context().traceparent() != null ? null : event.traceparent();
    };
  }

  private @Nullable String contentType(Payload payload) {
    Content content = layout.content();
    boolean needless =
        payload.bytes() == null
            || content.contentTypeColumn() != null
            || payload.contentType().equals(content.contentType());
    return needless ? null : payload.contentType();
  }

  /**
   * Inserts the rows.
   *
   * @param rowId expression for the row id with one parameter
   */
  public void insert(Connection connection, List<Kept> kept, String rowId) throws SQLException {
    String row =
        "(%s, %s, ?, %s, ?, ?, ?)"
            .formatted(rowId, dialect.parameter("integer"), dialect.parameter("json"));
    String rows = row + (",\n  " + row).repeat(kept.size() - 1);
    try (PreparedStatement statement = connection.prepareStatement(insert.formatted(rows))) {
      int index = 0;
      for (Kept each : kept) {
        statement.setString(++index, each.row());
        for (int i = 0; i < VALUES; i++) {
          statement.setString(++index, value(each.event(), i));
        }
      }
      statement.executeUpdate();
    }
  }
}
