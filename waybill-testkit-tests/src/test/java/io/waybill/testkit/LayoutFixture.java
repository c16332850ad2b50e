package io.waybill.testkit;

import io.waybill.admin.EventView;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.jdbc.LayoutOptions;
import io.waybill.jdbc.LayoutOutbox;
import io.waybill.jdbc.LayoutSchema;
import io.waybill.jdbc.OutboxTables;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import io.waybill.message.EventKey;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table of some layout on a real database, in a schema of its own. */
final class LayoutFixture implements StoreFixture {
  private static final int LANES = 64;

  private final TestDatabase database;
  private final SampleTable sample;
  private final SqlDialect dialect;
  private final Layout layout;
  private final SideNames names;
  private final LayoutOutbox outbox;

  LayoutFixture(TestDatabase database, SampleTable sample) {
    this.database = database;
    this.sample = sample;
    this.dialect = database.dialect();
    String schema = "layout_" + sample.name();
    this.layout = sample.layout().table(new TableName(schema, sample.layout().table().name()));
    this.names = SideNames.of(layout);
    this.outbox =
        LayoutOutbox.of(
            database.connections(), layout, dialect.kind(), LayoutOptions.defaults(layout));
    try (Connection connection = database.createSchema(schema)) {
      if (layout.table().name().equals("waybill_outbox")) {
        database.createOwnTable(connection, schema);
      } else {
        LayoutSchema.run(connection, documentedTable());
        LayoutSchema.of(layout, dialect.kind(), names, LANES).apply(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String documentedTable() {
    String script = LayoutSchema.documentedTable(layout.name(), dialect.kind());
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
          new String[] {"request", "audit", "row_state", "held", "destination", "session"}) {
        statement.execute(dialect.fill(names, "delete from ${" + table + "}"));
      }
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

  private String created() {
    return dialect.micros("o." + layout.order().createdAt());
  }

  private String table() {
    return dialect.quote(String.valueOf(layout.table().schema()))
        + "."
        + dialect.quote(layout.table().name());
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
  public OutboxReader reader() {
    return outbox.reader();
  }

  @Override
  public OutboxReader reader(int maxEventBytes) {
    LayoutOptions options = LayoutOptions.defaults(layout).maxEventBytes(maxEventBytes);
    return LayoutOutbox.of(database.connections(), layout, dialect.kind(), options).reader();
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
  private boolean hasMark() {
    boolean present = layout.progress().state() instanceof StateColumn.Presence;
    return !present || (sample == SampleTable.OWN && dialect.kind() != DatabaseKind.POSTGRESQL);
  }

  private static String says(StateColumn state, boolean published) {
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

  void analyze() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      String word = dialect.kind() == DatabaseKind.POSTGRESQL ? "analyze " : "analyze table ";
      statement.execute(word + table());
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
