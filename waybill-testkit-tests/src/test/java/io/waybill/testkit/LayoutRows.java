package io.waybill.testkit;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of a table of some layout, as applications write them and people change them by hand. */
abstract class LayoutRows implements StoreFixture {
  final TestDatabase database;
  final SampleTable sample;
  final SqlDialect dialect;
  final Layout layout;
  final SideNames names;

  LayoutRows(TestDatabase database, SampleTable sample) {
    this.database = database;
    this.sample = sample;
    this.dialect = database.dialect();
    String schema = "layout_" + sample.name();
    this.layout = sample.layout().table(new TableName(schema, sample.layout().table().name()));
    this.names = SideNames.of(layout);
  }

  String schema() {
    return String.valueOf(layout.table().schema());
  }

  String table() {
    return dialect.quote(String.valueOf(layout.table().schema()))
        + "."
        + dialect.quote(layout.table().name());
  }

  String created() {
    return dialect.micros("o." + layout.order().createdAt());
  }

  @Override
  public void insert(Connection connection, WrittenEvent event) throws SQLException {
    Map<String, @Nullable Object> values = sample.values(event);
    values.put("event_type", event.eventId());
    values.put("payload", payload(event));
    String places = values.keySet().stream().map(this::place).collect(Collectors.joining(", "));
    String columns = String.join(", ", values.keySet());
    String available = layout.order().availableAt();
    if (available != null) {
      columns += ", " + available;
      places += ", " + dialect.later(dialect.now(), "?");
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into " + table() + " (" + columns + ") values (" + places + ")")) {
      int index = 0;
      for (Object value : values.values()) {
        statement.setObject(++index, value instanceof UUID id ? uuid(id) : value);
      }
      Duration delay = event.delay();
      if (available != null && delay == null) {
        statement.setNull(++index, Types.BIGINT);
      } else if (available != null && delay != null) {
        statement.setLong(++index, delay.toNanos() / 1000);
      }
      statement.executeUpdate();
    }
  }

  private Object uuid(UUID id) {
    return dialect.kind() == DatabaseKind.POSTGRESQL ? id : id.toString();
  }

  private String place(String column) {
    boolean json = column.equals("payload") && layout.content().kind() == PayloadKind.JSON;
    return json && dialect.kind() == DatabaseKind.POSTGRESQL ? "cast(? as json)" : "?";
  }

  private @Nullable Object payload(WrittenEvent event) {
    byte[] payload = event.payload();
    return payload == null || layout.content().kind() == PayloadKind.BYTES
        ? payload
        : new String(payload, StandardCharsets.UTF_8);
  }

  @Override
  public void publishedInTheFuture(String... eventIds) throws SQLException {
    String at = String.valueOf(layout.progress().publishedAt());
    String later = dialect.later(at, "3600000000");
    try (Connection connection = connect()) {
      for (String eventId : eventIds) {
        String sql = "update %s set %s = %s where event_type = ?".formatted(table(), at, later);
        run(connection, sql, eventId);
      }
    }
  }

  @Override
  public void byHand(ByHand change, String eventId) throws SQLException {
    StateColumn state = layout.progress().state();
    boolean marks = change == ByHand.MARK && hasMark();
    try (Connection connection = connect()) {
      if (change == ByHand.SET_BACK && !(state instanceof StateColumn.Word)) {
        run(
            connection,
            "delete from ${row_state} where row_id = (select o.%s from %s o where o.event_type = ?)"
                .formatted(layout.identity().rowId(), table()),
            eventId);
      } else if (marks || change == ByHand.SET_BACK) {
        run(
            connection,
            "update %s set %s where event_type = ?".formatted(table(), says(state, marks)),
            eventId);
      } else {
        run(connection, "delete from %s where event_type = ?".formatted(table()), eventId);
      }
    }
  }

  /** The own table of MySQL and MariaDB has its column whether published rows are kept or not. */
  boolean hasMark() {
    boolean present = layout.progress().state() instanceof StateColumn.Presence;
    return !present || (sample == SampleTable.OWN && dialect.kind() != DatabaseKind.POSTGRESQL);
  }

  static String says(StateColumn state, boolean published) {
    if (state instanceof StateColumn.Word word) {
      return "%s = '%s'".formatted(word.column(), published ? word.published() : word.pending());
    }
    String column = state instanceof StateColumn.Flag flag ? flag.column() : "published";
    return "%s = %s".formatted(column, published);
  }

  @Override
  public void lock(Connection connection, String eventId) throws SQLException {
    // By id: MySQL and MariaDB would lock each row that they look at.
    String id = dialect.quote(layout.identity().rowId());
    String found = "(select i from (select %s as i from %s where event_type = '%s') x)";
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "select %s from %s where %s = %s for update"
              .formatted(id, table(), id, found.formatted(id, table(), eventId)));
    }
  }

  @Override
  public void giveUp(String eventId) throws SQLException {
    StateColumn.Word word = (StateColumn.Word) layout.progress().state();
    try (Connection connection = connect()) {
      run(
          connection,
          "update %s set %s = '%s' where event_type = ?"
              .formatted(table(), word.column(), word.dead()),
          eventId);
    }
  }

  @Override
  public void request(String verb, String eventId) throws SQLException {
    String lane = layout.order().lane() == null ? "0" : "o." + layout.order().lane();
    try (Connection connection = connect()) {
      run(
          connection,
          """
          insert into ${audit} (requested_by, verb, row_id, reason)
          select 'tester', ?, o.%s, 'test' from %s o where o.event_type = ?"""
              .formatted(layout.identity().rowId(), table()),
          verb,
          eventId);
      run(
          connection,
          """
          insert into ${request} (audit_id, lane, row_id, row_created, verb, reason)
          select (select max(id) from ${audit}), %s, o.%s, %s, ?, 'test'
          from %s o where o.event_type = ?"""
              .formatted(lane, layout.identity().rowId(), created(), table()),
          verb,
          eventId);
    }
  }

  /** Puts a row into each of the tables beside the outbox. */
  void recordBeside(String eventId) throws SQLException {
    request("PARK", eventId);
    String id = layout.identity().rowId();
    try (Connection connection = connect()) {
      run(
          connection,
          """
          insert into ${row_state} (row_id, row_created, lane, aggregate_type, aggregate_id, state,
            attempts, unknown_outcome, last_reason, last_detail)
          select o.%s, %s, 0, 'order', '1', 'PARKED', 1, false, 'nack', 'no'
          from %s o where o.event_type = ?"""
              .formatted(id, created(), table()),
          eventId);
      run(
          connection,
          """
          insert into ${held} (row_id, row_created, lane, aggregate_type, aggregate_id)
          select o.%s, %s, 0, 'order', '1' from %s o where o.event_type = ?"""
              .formatted(id, created(), table()),
          eventId);
    }
  }

  private void run(Connection connection, String sql, String... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(dialect.fill(names, sql))) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      statement.executeUpdate();
    }
  }
}
