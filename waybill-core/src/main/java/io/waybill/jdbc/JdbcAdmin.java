package io.waybill.jdbc;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.jdbc.dialect.PostgresAdmin;
import io.waybill.store.OperatorRequest.Verb;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators see and ask for, on one connection. */
final class JdbcAdmin implements Admin {
  private static final int AUDIT_OF_ONE_EVENT = 100;

  private final Database database;
  private final PostgresAdmin sql;

  JdbcAdmin(Database database, PostgresAdmin sql) {
    this.database = database;
    this.sql = sql;
  }

  @Override
  public Counts counts() {
    return list("count", sql.counts(), s -> {}, AdminRows::counts).get(0);
  }

  @Override
  public List<EventView> find(EventFilter filter, long afterRowId, int limit) {
    return list(
        "list events",
        sql.find(),
        statement -> {
          Parameters parameters = new Parameters(statement);
          AdminRows.bind(parameters, filter);
          parameters.number(afterRowId);
          parameters.number(limit);
        },
        AdminRows::event);
  }

  @Override
  public Optional<EventDetail> show(String eventId) {
    List<AuditEntry> audit = audit(Long.MAX_VALUE, eventId, AUDIT_OF_ONE_EVENT);
    return list(
            "show an event",
            sql.show(),
            statement -> statement.setString(1, eventId),
            result -> AdminRows.detail(result, audit))
        .stream()
        .findFirst();
  }

  @Override
  public long count(EventFilter filter, int limit) {
    requireCondition(filter);
    return list(
            "count events",
            sql.count(),
            statement -> {
              Parameters parameters = new Parameters(statement);
              AdminRows.bind(parameters, filter);
              parameters.number(limit);
            },
            result -> result.getLong(1))
        .get(0);
  }

  @Override
  public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
    requireCondition(filter);
    return list(
            "make requests",
            sql.request(),
            statement -> {
              Parameters parameters = new Parameters(statement);
              parameters.literal(verb.name());
              parameters.literal(by.by());
              parameters.literal(by.reason());
              AdminRows.bind(parameters, filter);
              parameters.literal(verb.name());
              parameters.number(limit);
            },
            result -> result.getInt(1))
        .get(0);
  }

  private static void requireCondition(EventFilter filter) {
    if (filter.isEmpty()) {
      throw new IllegalArgumentException(
          "A request needs at least one condition: event ids, status, event type or key");
    }
  }

  @Override
  public List<DestinationView> destinations() {
    return list("list destinations", sql.destinations(), s -> {}, AdminRows::destination);
  }

  @Override
  public void pause(String destination, boolean paused, Instruction by) {
    database.call(
        paused ? "pause a destination" : "resume a destination",
        sql.pause(),
        statement -> {
          Parameters parameters = new Parameters(statement);
          parameters.literal(destination);
          parameters.flag(paused);
          parameters.literal(by.reason());
          parameters.literal(by.by());
          parameters.literal(by.by());
          parameters.literal(paused ? "PAUSE" : "RESUME");
          parameters.literal(destination);
          parameters.literal(by.reason());
          return statement.executeUpdate();
        });
  }

  @Override
  public List<SessionView> sessions() {
    return list("list relays", sql.sessions(), s -> {}, AdminRows::session);
  }

  @Override
  public List<LaneOwner> lanes() {
    return list("list lanes", sql.lanes(), s -> {}, AdminRows::lane);
  }

  @Override
  public List<AuditEntry> audit(long beforeId, int limit) {
    return audit(beforeId, null, limit);
  }

  private List<AuditEntry> audit(long beforeId, @Nullable String eventId, int limit) {
    return list(
        "list the audit",
        sql.audit(),
        statement -> {
          Parameters parameters = new Parameters(statement);
          parameters.number(beforeId);
          parameters.optional(eventId);
          parameters.optional(eventId);
          parameters.number(limit);
        },
        AdminRows::audit);
  }

  private interface Binder {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private interface Row<T> {
    T of(ResultSet result) throws SQLException;
  }

  private <T> List<T> list(String what, String query, Binder binder, Row<T> row) {
    return database.call(
        what,
        query,
        statement -> {
          binder.bind(statement);
          List<T> items = new ArrayList<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              items.add(row.of(result));
            }
          }
          return items;
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
