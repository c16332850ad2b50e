package io.waybill.internal.jdbc.outbox;

import io.waybill.admin.Admin;
import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OutboxTables;
import io.waybill.database.Retention;
import io.waybill.database.RowIds;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.Loan;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SessionStart;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.AdminSql;
import io.waybill.internal.jdbc.operator.JdbcAdmin;
import io.waybill.internal.jdbc.schema.ClockCheck;
import io.waybill.internal.jdbc.schema.MySqlChecks;
import io.waybill.internal.jdbc.schema.OneServer;
import io.waybill.internal.jdbc.schema.PoolerCheck;
import io.waybill.internal.jdbc.schema.PostgresChecks;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.internal.jdbc.table.BacklogSql;
import io.waybill.internal.jdbc.table.LaneSql;
import io.waybill.internal.jdbc.table.LeaseLaneStore;
import io.waybill.internal.jdbc.table.RecordClaims;
import io.waybill.internal.jdbc.table.RecordSql;
import io.waybill.internal.jdbc.table.RetentionSql;
import io.waybill.internal.jdbc.table.RowClaims;
import io.waybill.internal.jdbc.table.TablePolling;
import io.waybill.internal.jdbc.table.TableReader;
import io.waybill.internal.jdbc.table.TableReader.Table;
import io.waybill.internal.jdbc.table.TableRetention;
import io.waybill.internal.jdbc.table.TableSide;
import io.waybill.internal.jdbc.table.TableSideReads;
import io.waybill.internal.jdbc.table.TableStatements;
import io.waybill.internal.jdbc.table.TableStore;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.internal.jdbc.table.TableWrites;
import io.waybill.internal.sql.SqlStates;
import io.waybill.internal.work.Ticker;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.observe.Finding;
import io.waybill.outbox.TableAppend;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outbox table of any layout. Each part that it creates owns one connection, which it opens at
 * its first call and again after a failure. A relay uses three parts: {@link #reader}, {@link
 * #store} and {@link #lanes}, which has a second connection for the session's lock. For Waybill's
 * own table on PostgreSQL, {@link PostgresOutbox} is faster. Immutable; methods may be called by
 * any thread.
 */
public final class TableOutbox implements OutboxTables {
  private final ConnectionFactory connections;
  private final Layout layout;
  private final SqlDialect dialect;
  private final TableOptions options;
  private final History.Renewals renewals = new History.Renewals();

  private TableOutbox(
      ConnectionFactory connections, Layout layout, SqlDialect dialect, TableOptions options) {
    this.connections = connections;
    this.layout = layout;
    this.dialect = dialect;
    this.options = options;
  }

  /**
   * Creates an outbox in a database.
   *
   * @param connections opens connections to the database
   * @param layout the meaning of the columns
   * @param kind what the database is
   * @param options how it is used
   * @return the outbox; nothing is connected yet
   */
  public static TableOutbox of(
      ConnectionFactory connections, Layout layout, DatabaseKind kind, TableOptions options) {
    return new TableOutbox(connections, layout, Dialects.of(kind), options);
  }

  /**
   * Whether the table was there before Waybill.
   *
   * @return false for Waybill's own
   */
  public boolean isAdopted() {
    return !Layouts.isOwn(layout);
  }

  @Override
  public String toString() {
    return layout.table() + " in " + connections.describe();
  }

  @Override
  public OutboxReader reader() {
    RowBound bound = new RowBound(options.maxEventBytes());
    TableTerms terms = new TableTerms(layout, dialect, options.names(), bound);
    Database database = database("reader", dialect.readerSession());
    TableStatements statements =
        new TableStatements(database, layout, dialect, terms, options.timeRange());
    TableSideReads reads = new TableSideReads(terms, dialect);
    TableSide side =
        new TableSide(database, dialect, reads, statements.decoder(), layout.identity().kind());
    Table table = new Table(layout.table().toString(), layout.order().lane() == null);
    return new TableReader(
        database, statements, side, claims(database), history(database), table, Ticker.SYSTEM);
  }

  @Override
  public OutboxStore store() {
    Database database = database("settle", dialect.writerSession());
    return new TableStore(
        database,
        layout,
        dialect,
        new TableWrites(layout, dialect, options.names()),
        recordSql(),
        history(database));
  }

  private RowClaims claims(Database database) {
    RecordSql sql = recordSql();
    if (sql == null) {
      return RowClaims.NONE;
    }
    TableWrites writes = new TableWrites(layout, dialect, options.names());
    return new RecordClaims(database, dialect, sql, writes, layout.identity().kind());
  }

  private @Nullable RecordSql recordSql() {
    return layout.progress().record() == null
        ? null
        : new RecordSql(layout, dialect, options.names());
  }

  @Override
  public LaneStore lanes() {
    Database database = database("lanes", dialect.writerSession());
    LaneSql sql = laneSql();
    Database locks =
        Database.unshared(
            connections,
            options.applicationName() + " lock",
            options.statementLimit(),
            sql.lock().start());
    return new LeaseLaneStore(database, locks, dialect, sql, backlog(), history(database));
  }

  @Override
  public AppendDialect append() {
    return append(RowIds.timeOrdered());
  }

  /**
   * Writes events into the table.
   *
   * @param ids gives row ids where neither the event nor the database does
   * @return the dialect for {@code Outbox}; keep the instance
   */
  public AppendDialect append(RowIds ids) {
    return TableAppend.of(layout, dialect.kind(), options.names(), ids);
  }

  @Override
  public Admin admin() {
    return new JdbcAdmin(
        database("admin", dialect.operatorSession()),
        layout,
        dialect,
        AdminSql.of(layout, dialect, options.names()),
        backlog());
  }

  private BacklogSql backlog() {
    return BacklogSql.of(layout, dialect, options.names(), options.timeRange());
  }

  @Override
  public Retention retention() {
    return new TableRetention(
        database("retention", dialect.writerSession()),
        dialect,
        RetentionSql.of(layout, dialect, options.names()),
        recordSql());
  }

  @Override
  public Polling polling() {
    return TablePolling.of(layout);
  }

  @Override
  public List<Finding> check(InstantSource clock) {
    try (Loan loan =
        Loan.open(connections, SessionStart.NOTHING, "checks", options.statementLimit())) {
      Connection connection = loan.connection();
      List<Finding> findings = new ArrayList<>(check(connection));
      findings.addAll(ClockCheck.run(connection, dialect, clock));
      return OneServer.look(
          connections, options.statementLimit(), connection, dialect, options.names(), findings);
    } catch (SQLException e) {
      throw new StoreException("Could not check the database", e, SqlStates.isTransient(e));
    }
  }

  private List<Finding> check(Connection connection) throws SQLException {
    DatabaseKind kind = DatabaseKind.of(connection);
    List<Finding> findings = new ArrayList<>();
    if (kind == DatabaseKind.POSTGRESQL) {
      findings.addAll(PoolerCheck.run(connection, connections.pooler()));
    }
    findings.addAll(check(connection, kind));
    return findings;
  }

  private List<Finding> check(Connection connection, DatabaseKind kind) throws SQLException {
    if (!Layouts.isOwn(layout)) {
      return new TableChecks(layout, options.names()).run(connection);
    }
    String schema = TableChecks.schema(connection, kind, layout.table());
    SchemaOptions tables = SchemaOptions.ofDefaults().schema(schema);
    return kind == DatabaseKind.POSTGRESQL
        ? new PostgresChecks(tables).run(connection)
        : new MySqlChecks(tables).run(connection);
  }

  private LaneSql laneSql() {
    return new LaneSql(layout, dialect, options.names());
  }

  private History history(Database database) {
    return new History(database, dialect.history(), laneSql().readSession(), renewals);
  }

  private Database database(String part, SessionStart start) {
    String name = options.applicationName() + " " + part;
    return new Database(connections, name, options.statementLimit(), start);
  }
}
