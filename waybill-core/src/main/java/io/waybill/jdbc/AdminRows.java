package io.waybill.jdbc;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of the admin statements, and the parameters of their filter. */
final class AdminRows {
  private static final int DETAIL = 18;

  private AdminRows() {}

  /** Each condition is bound twice: whether it is given, and its value. */
  static void bind(Parameters parameters, EventFilter filter) throws SQLException {
    EventStatus status = filter.status();
    String name = status == null ? null : status.name();
    boolean inSideTable = status == EventStatus.PARKED || status == EventStatus.DEAD;
    for (int i = 0; i < 2; i++) {
      parameters.optionalTexts(filter.eventIds());
    }
    bindTwice(parameters, name);
    // Says the same again in a way that lets the planner begin with the few rows that failed.
    bindTwice(parameters, inSideTable ? name : null);
    bindTwice(parameters, filter.eventType());
    bindTwice(parameters, filter.aggregateType());
    bindTwice(parameters, filter.aggregateId());
  }

  private static void bindTwice(Parameters parameters, @Nullable String value) throws SQLException {
    parameters.optional(value);
    parameters.optional(value);
  }

  static Counts counts(ResultSet result) throws SQLException {
    return new Counts(
        result.getLong(1),
        result.getLong(2),
        result.getLong(3),
        result.getLong(4),
        result.getLong(5),
        Math.max(result.getLong(6), result.getLong(7)));
  }

  static EventView event(ResultSet result) throws SQLException {
    int bytes = result.getInt(17);
    Integer payloadBytes = result.wasNull() ? null : bytes;
    return new EventView(
        result.getLong(1),
        result.getString(2),
        result.getString(3),
        result.getString(4),
        result.getString(5),
        result.getInt(6),
        EventStatus.valueOf(result.getString(7)),
        result.getInt(8),
        result.getBoolean(9),
        instant(result, 10),
        result.getString(11),
        result.getString(12),
        result.getBoolean(13),
        instant(result, 14),
        time(result, 15),
        instant(result, 16),
        payloadBytes);
  }

  static EventDetail detail(ResultSet result, List<AuditEntry> audit) throws SQLException {
    return new EventDetail(
        event(result),
        result.getInt(DETAIL),
        result.getString(DETAIL + 1),
        result.getString(DETAIL + 2),
        result.getString(DETAIL + 3),
        result.getString(DETAIL + 4),
        result.getString(DETAIL + 5),
        result.getBytes(DETAIL + 6),
        audit);
  }

  static DestinationView destination(ResultSet result) throws SQLException {
    return new DestinationView(
        result.getString(1),
        result.getBoolean(2),
        result.getString(3),
        result.getString(4),
        time(result, 5));
  }

  static SessionView session(ResultSet result) throws SQLException {
    return new SessionView(
        result.getLong(1),
        result.getString(2),
        result.getInt(3),
        time(result, 4),
        result.getLong(5));
  }

  static LaneOwner lane(ResultSet result) throws SQLException {
    long number = result.getLong(2);
    Long fence = result.wasNull() ? null : number;
    return new LaneOwner(result.getInt(1), fence, result.getString(3), time(result, 4));
  }

  static AuditEntry audit(ResultSet result) throws SQLException {
    boolean flag = result.getBoolean(9);
    Boolean done = result.wasNull() ? null : flag;
    return new AuditEntry(
        result.getLong(1),
        time(result, 2),
        result.getString(3),
        result.getString(4),
        result.getString(5),
        result.getString(6),
        result.getString(7),
        instant(result, 8),
        done,
        result.getString(10));
  }

  private static Instant time(ResultSet result, int column) throws SQLException {
    return result.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant instant(ResultSet result, int column) throws SQLException {
    OffsetDateTime time = result.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
