package io.waybill.internal.jdbc.operator;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.table.TableDecoder;
import io.waybill.internal.jdbc.table.TableDecoder.Placed;
import io.waybill.internal.store.FailingJson;
import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import io.waybill.store.TakeOver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes what operators see of the rows of the admin statements. Used by one thread. */
final class AdminRows {
  private final TableDecoder decoder;
  private final Places places;

  AdminRows(TableDecoder decoder, Places places) {
    this.decoder = decoder;
    this.places = places;
  }

  static Counts counts(ResultSet result) throws SQLException {
    return new Counts(
        result.getLong(1),
        result.getLong(2),
        result.getLong(3),
        result.getLong(4),
        result.getLong(5),
        Math.max(0, result.getLong(6)) / 1000);
  }

  OutboxRow row(ResultSet result) throws SQLException {
    return decoder.decode(result, false);
  }

  EventView event(ResultSet result) throws SQLException {
    return event(result, decoder.placed(result));
  }

  private EventView event(ResultSet result, Placed placed) throws SQLException {
    OutboxRow row = placed.row();
    EventKey key = row.key();
    int bytes = result.getInt("payload_bytes");
    Integer payloadBytes = result.wasNull() ? null : bytes;
    return new EventView(
        places.of(placed.place()),
        row.rowId().toString(),
        row.eventId(),
        row.eventType(),
        key == null ? null : key.aggregateType(),
        key == null ? null : key.aggregateId(),
        row.lane(),
        EventStatus.valueOf(result.getString("status")),
        result.getInt("attempts"),
        result.getBoolean("unknown_outcome"),
        instant(result, "next_micros"),
        result.getString("last_reason"),
        result.getString("last_detail"),
        instant(result, "failed_micros"),
        result.getString("failed_destination"),
        result.getBoolean("held"),
        instant(result, "delayed_micros"),
        time(row.createdAtMicros()),
        instant(result, "published_micros"),
        payloadBytes);
  }

  EventDetail detail(ResultSet result, List<AuditEntry> audit) throws SQLException {
    Placed placed = decoder.placed(result);
    OutboxRow row = placed.row();
    return new EventDetail(
        event(result, placed),
        row.eventVersion(),
        row.contentType(),
        row.headersJson(),
        row.correlationId(),
        row.causationId(),
        row.traceparent(),
        row.payload(),
        audit);
  }

  static DestinationView destination(ResultSet result) throws SQLException {
    return new DestinationView(
        result.getString(1),
        result.getBoolean(2),
        result.getString(3),
        result.getString(4),
        time(result.getLong(5)));
  }

  static SessionView session(ResultSet result) throws SQLException {
    long leaseMillis = result.getLong(5) / 1000;
    return new SessionView(
        result.getLong(1),
        result.getString(2),
        result.getString(6),
        result.getString(7),
        result.getString(8),
        result.getInt(3),
        time(result.getLong(4)),
        time(result.getLong(9)),
        leaseMillis,
        leaseMillis > 0 ? FailingJson.read(result.getString(10)) : List.of());
  }

  static LaneOwner lane(ResultSet result) throws SQLException {
    long number = result.getLong(2);
    Long fence = result.wasNull() ? null : number;
    String from = result.getString(5);
    return new LaneOwner(
        result.getInt(1),
        fence,
        result.getString(3),
        time(result.getLong(4)),
        from == null
            ? null
            : new LaneOwner.Taken(
                from, TakeOver.Cause.valueOf(result.getString(6)), time(result.getLong(7))));
  }

  static AuditEntry audit(ResultSet result) throws SQLException {
    boolean flag = result.getBoolean(9);
    Boolean done = result.wasNull() ? null : flag;
    long micros = result.getLong(8);
    Instant completed = result.wasNull() ? null : time(micros);
    return new AuditEntry(
        result.getLong(1),
        time(result.getLong(2)),
        result.getString(3),
        result.getString(4),
        result.getString(5),
        result.getString(6),
        result.getString(7),
        completed,
        done,
        result.getString(10),
        result.getString(11),
        result.getString(12),
        result.getString(13));
  }

  private static @Nullable Instant instant(ResultSet result, String column) throws SQLException {
    long micros = result.getLong(column);
    return result.wasNull() ? null : time(micros);
  }

  static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
