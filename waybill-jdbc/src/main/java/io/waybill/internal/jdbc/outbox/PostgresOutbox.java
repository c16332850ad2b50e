package io.waybill.internal.jdbc.outbox;

import io.waybill.admin.Admin;
import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.OutboxTables;
import io.waybill.database.Retention;
import io.waybill.database.SchemaOptions;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.Loan;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.PostgresNotify;
import io.waybill.internal.jdbc.kernel.PostgresSession;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SessionStart;
import io.waybill.internal.jdbc.operator.AdminSql;
import io.waybill.internal.jdbc.operator.JdbcAdmin;
import io.waybill.internal.jdbc.schema.ClockCheck;
import io.waybill.internal.jdbc.schema.OneServer;
import io.waybill.internal.jdbc.schema.PoolerCheck;
import io.waybill.internal.jdbc.schema.PostgresChecks;
import io.waybill.internal.jdbc.table.BacklogSql;
import io.waybill.internal.jdbc.table.LaneSql;
import io.waybill.internal.jdbc.table.LeaseLaneStore;
import io.waybill.internal.jdbc.table.RetentionSql;
import io.waybill.internal.jdbc.table.TableRetention;
import io.waybill.internal.jdbc.window.CommitWindowReader;
import io.waybill.internal.jdbc.window.CommitWindowSql;
import io.waybill.internal.jdbc.window.CommitWindowStore;
import io.waybill.internal.jdbc.window.PostgresWrites;
import io.waybill.internal.sql.SqlStates;
import io.waybill.layout.Layout;
import io.waybill.observe.Finding;
import io.waybill.outbox.PostgresAppend;
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

/**
 * Waybill's own outbox table on PostgreSQL 14 or later. Each part that it creates owns one
 * connection, which it opens at its first call and again after a failure. A relay uses three parts:
 * {@link #reader}, {@link #store} and {@link #lanes}, which has a second connection for the
 * session's lock. Immutable; methods may be called by any thread.
 */
public final class PostgresOutbox implements OutboxTables {
  private final ConnectionFactory connections;
  private final PostgresOptions options;
  private final History.Renewals renewals = new History.Renewals();

  private PostgresOutbox(ConnectionFactory connections, PostgresOptions options) {
    this.connections = connections;
    this.options = options;
  }

  /**
   * Creates an outbox in a database.
   *
   * @param connections opens connections to the database
   * @param options where the tables are and how they are used
   * @return the outbox; nothing is connected yet
   */
  public static PostgresOutbox of(ConnectionFactory connections, PostgresOptions options) {
    return new PostgresOutbox(connections, options);
  }

  @Override
  public String toString() {
    return LaneSql.ownLayout(options.schema()).table() + " in " + connections.describe();
  }

  @Override
  public OutboxReader reader() {
    CommitWindowSql dialect =
        new CommitWindowSql(options.schema(), new RowBound(options.maxEventBytes()));
    Database database = database("reader", PostgresSession.windowReader());
    return new CommitWindowReader(database, dialect, history(database));
  }

  @Override
  public OutboxStore store() {
    Database database = database("settle", PostgresSession.windowWriter());
    return new CommitWindowStore(
        database, new PostgresWrites(options.schema()), options.onPublished(), history(database));
  }

  @Override
  public LaneStore lanes() {
    PostgresDialect dialect = new PostgresDialect();
    Database database = database("lanes", dialect.writerSession());
    LaneSql sql = laneSql();
    Database locks =
        Database.unshared(
            connections,
            options.applicationName() + " lock",
            options.statementLimit(),
            sql.lock().start());
    BacklogSql backlog = BacklogSql.ownOnPostgres(options.schema());
    return new LeaseLaneStore(database, locks, dialect, sql, backlog, history(database));
  }

  @Override
  public AppendDialect append() {
    return PostgresAppend.inSchema(options.schema());
  }

  @Override
  public Polling polling() {
    return Polling.adaptive();
  }

  @Override
  public Retention retention() {
    PostgresDialect dialect = new PostgresDialect();
    return new TableRetention(
        database("retention", dialect.operatorSession()),
        dialect,
        RetentionSql.ownOnPostgres(options.schema()),
        null);
  }

  /**
   * Creates a sender of notifications to relays in other processes.
   *
   * @return sender with a separate connection
   */
  public NotificationSender sender() {
    return new NotificationSender(database("notifier", ""), options.schema());
  }

  /**
   * Creates a receiver of notifications from other processes.
   *
   * @return receiver with a separate connection, which must not come from a pool in transaction
   *     mode
   */
  public NotificationReceiver receiver() {
    return new NotificationReceiver(
        database("listener", PostgresNotify.listen()), options.schema());
  }

  @Override
  public List<Finding> check(InstantSource clock) {
    try (Loan loan =
        Loan.open(connections, SessionStart.NOTHING, "checks", options.statementLimit())) {
      Connection connection = loan.connection();
      List<Finding> findings = new ArrayList<>(PoolerCheck.run(connection, connections.pooler()));
      SchemaOptions tables = SchemaOptions.ofDefaults().schema(options.schema());
      findings.addAll(new PostgresChecks(tables).run(connection));
      PostgresDialect dialect = new PostgresDialect();
      findings.addAll(ClockCheck.run(connection, dialect, clock));
      SideNames names = SideNames.of(LaneSql.ownLayout(options.schema()));
      return OneServer.look(
          connections, options.statementLimit(), connection, dialect, names, findings);
    } catch (SQLException e) {
      throw new StoreException("Could not check the database", e, SqlStates.isTransient(e));
    }
  }

  @Override
  public Admin admin() {
    PostgresDialect dialect = new PostgresDialect();
    return new JdbcAdmin(
        database("admin", dialect.operatorSession()),
        LaneSql.ownLayout(options.schema()),
        dialect,
        AdminSql.ownOnPostgres(options.schema()),
        BacklogSql.ownOnPostgres(options.schema()));
  }

  private LaneSql laneSql() {
    Layout layout = LaneSql.ownLayout(options.schema());
    return new LaneSql(layout, new PostgresDialect(), SideNames.of(layout));
  }

  private History history(Database database) {
    return new History(
        database, new PostgresDialect().history(), laneSql().readSession(), renewals);
  }

  private Database database(String part, String settings) {
    return database(part, new PostgresSession(settings));
  }

  private Database database(String part, SessionStart start) {
    String name = options.applicationName() + " " + part;
    return new Database(connections, name, options.statementLimit(), start);
  }
}
