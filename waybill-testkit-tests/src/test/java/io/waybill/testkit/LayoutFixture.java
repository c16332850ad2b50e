package io.waybill.testkit;

import io.waybill.admin.EventView;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OutboxTables;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.EventKey;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A table of some layout on a real database, in a schema of its own. */
final class LayoutFixture extends LayoutRows {
  private static final int LANES = 64;

  private final TableOutbox outbox;

  LayoutFixture(TestDatabase database, SampleTable sample) {
    super(database, sample);
    this.outbox =
        TableOutbox.of(
            database.connections(), layout, dialect.kind(), TableOptions.defaults(layout));
    try (Connection connection = database.createSchema(schema())) {
      if (layout.table().name().equals("waybill_outbox")) {
        database.createOwnTable(connection, schema());
      } else {
        TableSchema.run(connection, documentedTable());
        TableSchema.of(layout, dialect.kind(), names, LANES).apply(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String documentedTable() {
    String script = TableSchema.documentedTable(layout.name(), dialect.kind());
    return sample == SampleTable.COLLATED
        ? script.replace(
            "event_id varchar(255)", "event_id varchar(255) collate " + database.otherCollation())
        : script;
  }

  @Override
  public Set<Ability> abilities() {
    Set<Ability> abilities = EnumSet.noneOf(Ability.class);
    abilities.addAll(sample.abilities());
    if (database.commitsAsynchronously()) {
      abilities.add(Ability.ASYNCHRONOUS_COMMITS);
    }
    if (!(layout.progress().state() instanceof StateColumn.Presence)) {
      abilities.add(Ability.KEPT_EVENTS);
    }
    if (layout.progress().state() instanceof StateColumn.Word) {
      abilities.add(Ability.STATE_OF_THE_DEAD);
    }
    if (layout.progress().publishedAt() != null) {
      abilities.add(Ability.PUBLISHED_TIME);
    }
    // A TEXT of MySQL and MariaDB ends at 65,535 bytes.
    if (layout.content().kind() != PayloadKind.TEXT || dialect.kind() == DatabaseKind.POSTGRESQL) {
      abilities.add(Ability.LARGE_PAYLOADS);
    }
    return abilities;
  }

  @Override
  public String name(OutboxRow row) {
    return row.eventType();
  }

  @Override
  public String name(EventView event) {
    return event.eventType();
  }

  @Override
  public EventKey key(String aggregateType, String aggregateId) {
    return sample.key(aggregateType, aggregateId);
  }

  @Override
  public void reset() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate table " + table());
      for (String table :
          new String[] {
            "request",
            "audit",
            "row_state",
            "held",
            "destination",
            "session",
            "job",
            "job_event",
            "note",
            "rollup",
            "login"
          }) {
        statement.execute(dialect.fill(names, "delete from ${" + table + "}"));
      }
      statement.execute(dialect.fill(names, "update ${lane} set quiet_at = null"));
      RecordTable record = layout.progress().record();
      if (record != null) {
        statement.execute("delete from " + layout.table().schema() + "." + record.name());
      }
    }
  }

  @Override
  public void renumber() throws SQLException {
    boolean postgres = dialect.kind() == DatabaseKind.POSTGRESQL;
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate table " + table() + (postgres ? " restart identity" : ""));
    }
    if (layout.identity().kind() == RowIdKind.LONG) {
      // Where event ids are row ids, one that comes again is the same event.
      sample.renumber();
    }
  }

  @Override
  public Connection connect() throws SQLException {
    return database.connect();
  }

  @Override
  public String table(String part) {
    return dialect.fill(names, "${" + part + "}");
  }

  @Override
  public void commitAsynchronously(Connection connection) throws SQLException {
    database.commitAsynchronously(connection);
  }

  @Override
  public OutboxReader reader() {
    return outbox.reader();
  }

  @Override
  public OutboxReader reader(int maxEventBytes) {
    TableOptions options = TableOptions.defaults(layout).maxEventBytes(maxEventBytes);
    return TableOutbox.of(database.connections(), layout, dialect.kind(), options).reader();
  }

  /** A store that goes another way to the database. */
  OutboxStore store(ConnectionFactory way) {
    return TableOutbox.of(way, layout, dialect.kind(), TableOptions.defaults(layout)).store();
  }

  @Override
  public OutboxStore store() {
    return outbox.store();
  }

  @Override
  public LaneStore lanes() {
    return outbox.lanes();
  }

  @Override
  public OutboxTables tables() {
    return outbox;
  }

  void analyze() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      String word = dialect.kind() == DatabaseKind.POSTGRESQL ? "analyze " : "analyze table ";
      statement.execute(word + table());
    }
  }

  @Override
  public String status(String eventId) throws SQLException {
    String sql =
        """
        select case
            when s.state in ('PARKED', 'DEAD') then s.state
            when %s then 'PUBLISHED'
            else 'PENDING'
          end
        from %s o
        left join ${row_state} s on s.row_id = %s and s.row_created = %s
        where o.event_type = ?"""
            .formatted(
                published(),
                table(),
                dialect.sideId("o." + layout.identity().rowId(), layout.identity().kind()),
                created());
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(dialect.fill(names, sql))) {
      statement.setString(1, eventId);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getString(1) : "GONE";
      }
    }
  }

  Layout layout() {
    return layout;
  }

  /** What an expression on the only row of the table says. */
  @Nullable String column(String expression) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select " + expression + " from " + table())) {
      result.next();
      return result.getString(1);
    }
  }

  ConnectionFactory connections() {
    return database.connections();
  }

  DatabaseKind kind() {
    return dialect.kind();
  }

  SqlDialect dialect() {
    return dialect;
  }

  /** The first column of the first row, or null. */
  @Nullable String value(String query) throws SQLException {
    try (Connection connection = database.connectTo(String.valueOf(layout.table().schema()));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      return result.next() ? result.getString(1) : null;
    }
  }

  void run(String sql) throws SQLException {
    try (Connection connection = database.connectTo(String.valueOf(layout.table().schema()));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Makes the record's ids equal but for their case, as far as the database can do that. */
  boolean ignoreCaseOfRecords() throws SQLException {
    if (dialect.kind() == DatabaseKind.POSTGRESQL) {
      return false;
    }
    run("alter table processed_event convert to character set utf8mb4 collate utf8mb4_general_ci");
    return true;
  }

  private String published() {
    StateColumn state = layout.progress().state();
    return hasMark() ? "o." + says(state, true) : "false";
  }

  @Override
  public void crash() {
    database.crash();
  }
}
