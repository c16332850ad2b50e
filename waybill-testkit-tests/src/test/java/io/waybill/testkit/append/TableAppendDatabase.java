package io.waybill.testkit.append;

import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.TableName;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.TableAppend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of a layout in the database of an own table. */
final class TableAppendDatabase implements AppendDatabase {
  private final AppendDatabase base;
  private final SqlDialect dialect;
  private final AppendSample sample;
  private final Layout layout;
  private final SideNames names;

  TableAppendDatabase(AppendDatabase base, AppendSample sample) throws SQLException {
    this.base = base;
    this.dialect = dialect(base);
    this.sample = sample;
    this.layout = sample.layout().table(new TableName(base.schema(), table(sample)));
    this.names = SideNames.of(layout);
    try (Connection connection = DriverManager.getConnection(base.url())) {
      TableSchema.run(connection, TableSchema.documentedTable(layout.name(), dialect.kind()));
      TableSchema.of(layout, dialect.kind(), names, 1).apply(connection);
      String grant = "grant insert on " + base.schema() + "." + table() + " to " + base.writer();
      AppendDatabase.run(connection, grant);
    }
  }

  private static SqlDialect dialect(AppendDatabase base) throws SQLException {
    try (Connection connection = DriverManager.getConnection(base.url())) {
      return Dialects.of(DatabaseKind.of(connection));
    }
  }

  private static String table(AppendSample sample) {
    return sample.layout().table().name();
  }

  Layout layout() {
    return layout;
  }

  AppendSample sample() {
    return sample;
  }

  boolean isPostgres() {
    return dialect.kind() == DatabaseKind.POSTGRESQL;
  }

  TableOutbox outbox() {
    ConnectionFactory connections = () -> DriverManager.getConnection(url());
    return TableOutbox.of(connections, layout, dialect.kind(), TableOptions.defaults(layout));
  }

  String beside(String sql) {
    return dialect.fill(names, sql);
  }

  @Override
  public String url() {
    return base.url();
  }

  @Override
  public String schema() {
    return base.schema();
  }

  @Override
  public String table() {
    return table(sample);
  }

  @Override
  public String writer() {
    return base.writer();
  }

  @Override
  public AppendDialect dialect() {
    return TableAppend.of(sample.layout(), dialect.kind());
  }

  @Override
  public AppendDialect dialect(String schema) {
    return dialect(schema, table());
  }

  @Override
  public AppendDialect dialect(String schema, String table) {
    return TableAppend.of(sample.layout().table(new TableName(schema, table)), dialect.kind());
  }

  @Override
  public boolean hasEventIds() {
    return layout.identity().eventId() != null;
  }

  @Override
  public int longestId() {
    return sample.longestId();
  }

  @Override
  public Event event(String name, Payload payload) {
    return sample.event(name, payload);
  }

  @Override
  public Payload large() {
    // A TEXT of MySQL and MariaDB ends at 65,535 bytes.
    boolean small = layout.content().kind() == PayloadKind.TEXT && !isPostgres();
    return Payload.json("\"" + "x".repeat(small ? 65_533 : 999_998) + "\"");
  }

  @Override
  public Event bad() {
    return event("bad", Payload.json("1"));
  }

  @Override
  public String otherRow() {
    return sample.otherRow();
  }

  @Override
  public List<Constraint> otherConstraints() {
    String alter = "alter table " + table() + " ";
    return List.of(
        new Constraint(
            "create unique index other_key on " + table() + " (event_type)",
            dialect.kind() == DatabaseKind.POSTGRESQL
                ? "drop index other_key"
                : alter + "drop key other_key"),
        new Constraint(
            alter + "add constraint other_check check (event_type not like 'e-%')",
            alter + "drop constraint other_check"));
  }

  @Override
  public List<@Nullable String> names() throws SQLException {
    OrderColumn order = layout.order().column();
    String column = order == null ? "" : order.column() + ", ";
    return column(
        "select event_type from " + table() + " order by " + column + layout.identity().rowId());
  }

  @Override
  public void empty() throws SQLException {
    run("delete from " + table());
    run(beside("delete from ${row_context}"));
    run("delete from orders");
  }

  @Override
  public String counted() {
    return base.counted();
  }

  @Override
  public List<String> driverOptions() {
    return base.driverOptions();
  }

  @Override
  public long inserts() throws SQLException {
    return base.inserts();
  }

  @Override
  public void killWriters() throws SQLException {
    base.killWriters();
  }

  @Override
  public Connection beginAsWriter() throws SQLException {
    return base.beginAsWriter();
  }

  @Override
  public String foreignTimeZone() {
    return base.foreignTimeZone();
  }

  @Override
  public String availableMicros() {
    return dialect.micros(String.valueOf(layout.order().availableAt()));
  }

  @Override
  public String tenant() {
    return base.tenant();
  }

  @Override
  public void close() {
    base.close();
  }
}
