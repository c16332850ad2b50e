package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.kernel.TextCache;
import io.waybill.internal.store.HeaderJson;
import io.waybill.internal.store.HeaderJson.Parsed;
import io.waybill.layout.Identity;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes rows of the columns that the statements on layouts select. Used by one thread. */
public final class TableDecoder {
  private static final int PAYLOAD = 14;
  private static final int ORDER = 15;
  private static final int DELAYED = 16;
  private static final int READ_AT = 17;
  private static final int BYTES = 18;
  private static final int SENDS = 19;

  private final Layout layout;
  private final SqlDialect dialect;
  private final boolean byCreation;
  private final RowBound bound;
  private final TextCache cache = new TextCache();

  /**
   * A row and its place.
   *
   * @param row the row
   * @param place where it stands in the table's order
   * @param delayed whether it took its place later than it was written
   */
  public record Placed(OutboxRow row, Place place, boolean delayed) {}

  public TableDecoder(Layout layout, SqlDialect dialect, RowBound bound) {
    this.bound = bound;
    this.layout = layout;
    this.dialect = dialect;
    OrderColumn column = layout.order().column();
    this.byCreation = column != null && column.column().equals(layout.order().createdAt());
  }

  public Placed placed(ResultSet result) throws SQLException {
    OutboxRow row = decode(result, false);
    long value = byCreation ? row.createdAtMicros() : result.getLong(ORDER);
    return new Placed(row, new Place(value, row.rowId()), result.getBoolean(DELAYED));
  }

  /** The part of a reference that the table can tell. */
  RowRef known(RowRef row) {
    return layout.order().createdAt() == null ? new RowRef(row.rowId(), 0) : row;
  }

  /** Whether there is a row: in an outer join there may be none. */
  boolean present(ResultSet result) throws SQLException {
    return result.getObject(1) != null;
  }

  public OutboxRow decode(ResultSet result, boolean replay) throws SQLException {
    Object id =
        Objects.requireNonNull(dialect.readId(result, 1, layout.identity().kind()), "row id");
    long bytes = result.getLong(BYTES);
    String eventId = eventId(result, id);
    String eventType = cached(result, 6);
    EventKey key = key(result);
    String contentType = contentType(result);
    String correlationId = result.getString(10);
    String causationId = result.getString(11);
    String traceparent = result.getString(12);
    boolean whole =
        bound.fits(bytes, eventId, eventType, contentType, correlationId, causationId, traceparent)
            && (key == null || bound.fits(bytes, key.aggregateType(), key.aggregateId()));
    return new OutboxRow(
        id,
        result.getInt(4),
        eventId,
        eventType,
        version(result),
        key,
        whole ? result.getBytes(PAYLOAD) : null,
        contentType,
        whole ? headers(result) : null,
        correlationId,
        causationId,
        traceparent,
        result.getLong(2),
        result.getLong(READ_AT),
        replay,
        bytes,
        whole,
        sends(result));
  }

  /** Whatever a hand has written there. */
  private static int sends(ResultSet result) throws SQLException {
    return (int) Math.min(Math.max(0, result.getLong(SENDS)), Integer.MAX_VALUE);
  }

  /** A column of an application may be wider than a version: such a row stops no other. */
  private static int version(ResultSet result) throws SQLException {
    long version = result.getLong(3);
    return version == (int) version ? (int) version : OutboxRow.NO_VERSION;
  }

  private String eventId(ResultSet result, Object id) throws SQLException {
    Identity identity = layout.identity();
    String column = identity.eventId() == null ? derivedId(id) : result.getString(5);
    // No event can be without one: the mapper refuses it, and says which row it is.
    return column == null ? "" : column;
  }

  private String derivedId(Object id) {
    return layout.table().name() + ":" + id;
  }

  private String cached(ResultSet result, int column) throws SQLException {
    byte[] utf8 = result.getBytes(column);
    return utf8 == null ? "" : cache.text(utf8);
  }

  private @Nullable EventKey key(ResultSet result) throws SQLException {
    byte[] type = result.getBytes(7);
    byte[] id = result.getBytes(8);
    return type == null || id == null ? null : new EventKey(cache.text(type), cache.text(id));
  }

  private String contentType(ResultSet result) throws SQLException {
    String fallback = layout.content().contentType();
    byte[] utf8 = result.getBytes(9);
    return utf8 == null ? fallback : cache.text(utf8);
  }

  private @Nullable String headers(ResultSet result) throws SQLException {
    String json = result.getString(13);
    Collection<String> names = layout.content().context().headerColumns().values();
    if (names.isEmpty()) {
      return json;
    }
    List<Header> headers = new ArrayList<>();
    if (HeaderJson.read(json) instanceof Parsed.Valid valid) {
      headers.addAll(valid.headers().list());
    } else {
      // What can't be read is left for the encoder, which refuses it with the reason.
      return json;
    }
    int column = SENDS;
    for (String name : names) {
      String value = result.getString(++column);
      if (value != null) {
        headers.add(new Header(name, value));
      }
    }
    return headers.isEmpty() ? null : HeaderJson.write(new Headers(headers));
  }
}
