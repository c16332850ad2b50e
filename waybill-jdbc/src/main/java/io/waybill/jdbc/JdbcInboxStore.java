package io.waybill.jdbc;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.database.TransactionSource;
import io.waybill.internal.jdbc.inbox.Deferrals;
import io.waybill.internal.jdbc.inbox.InboxCatalogue;
import io.waybill.internal.jdbc.inbox.InboxChecks;
import io.waybill.internal.jdbc.inbox.InboxConnection;
import io.waybill.internal.jdbc.inbox.InboxConnections;
import io.waybill.internal.jdbc.inbox.InboxHistory;
import io.waybill.internal.jdbc.inbox.InboxParts;
import io.waybill.internal.jdbc.inbox.InboxSql;
import io.waybill.internal.jdbc.inbox.JdbcInboxTransaction;
import io.waybill.internal.jdbc.inbox.LaneNotes;
import io.waybill.internal.jdbc.inbox.OpenNotes;
import io.waybill.internal.jdbc.inbox.ProcessedTable;
import io.waybill.internal.jdbc.inbox.Sightings;
import io.waybill.internal.jdbc.inbox.TransactionEnd;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.sql.SqlStates;
import io.waybill.observe.Finding;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.Standing;
import io.waybill.store.StoreException;
import io.waybill.work.Ticker;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An inbox in PostgreSQL, MySQL or MariaDB. Opens connections on demand and again after a failure,
 * and keeps them open between transactions. Thread-safe.
 */
public final class JdbcInboxStore implements InboxStore {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcInboxStore.class);
  private static final int MAX_CONSUMER_LENGTH = 100;
  private static final String PROBE = "waybill-probe";

  private final InboxConnections connections;
  private final DatabaseKind kind;
  private final String consumer;
  private final InboxTables tables;
  private final @Nullable TransactionSource source;
  private volatile @Nullable InboxParts parts;

  private JdbcInboxStore(
      InboxConnections connections,
      DatabaseKind kind,
      String consumer,
      InboxTables tables,
      @Nullable TransactionSource source) {
    this.connections = connections;
    this.kind = kind;
    this.consumer = consumer;
    this.tables = tables;
    this.source = source;
  }

  /** Work on a connection. */
  private interface Work<T> {
    T run(InboxConnection connection) throws SQLException;
  }

  /**
   * Creates the inbox of one consumer. Nothing is opened before {@link #open}.
   *
   * @param connections opens connections
   * @param kind database product
   * @param consumer name of the consumer, 1 to 100 visible characters
   * @param options tables, bounds and names
   * @return the store
   * @throws IllegalArgumentException if the name is invalid
   */
  public static JdbcInboxStore of(
      ConnectionFactory connections, DatabaseKind kind, String consumer, InboxOptions options) {
    if (consumer.isBlank()
        || consumer.length() > MAX_CONSUMER_LENGTH
        || consumer.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "A consumer's name must be 1 to %d visible characters, but is '%s'"
              .formatted(MAX_CONSUMER_LENGTH, consumer));
    }
    InboxConnections kept =
        new InboxConnections(
            connections,
            InboxSql.session(Dialects.of(kind)),
            new InboxHistory(InboxSql.history(Dialects.of(kind))),
            options,
            Ticker.SYSTEM);
    return new JdbcInboxStore(kept, kind, consumer, options.tables(), null);
  }

  /**
   * The same, but {@link #begin} uses transactions that a framework manages, with the framework's
   * limits for statements. Work without a handler stays on the store's own connections.
   *
   * @param managed begins transactions on the same database
   * @return a store, not opened
   */
  public JdbcInboxStore joining(TransactionSource managed) {
    return new JdbcInboxStore(connections, kind, consumer, tables, managed);
  }

  @Override
  public String consumer() {
    return consumer;
  }

  @Override
  public Optional<Duration> statementLimit() {
    return source == null ? Optional.of(connections.statementLimit()) : Optional.empty();
  }

  @Override
  public void open() {
    SqlDialect dialect = Dialects.of(kind);
    stand(aside("identify the server", InboxConnection::server));
    InboxCatalogue.Found found =
        transaction(
            "inspect the tables of the inbox",
            connection -> new InboxCatalogue(kind, tables).read(connection.plain()));
    ProcessedTable processed = found.processed();
    InboxSql sql = InboxSql.of(dialect, tables.schema(), processed);
    InboxParts ready = new InboxParts(consumer, dialect, sql, processed, found.names());
    if (tables.adopted() != null) {
      register(sql);
    }
    probe(ready);
    parts = ready;
    warn();
    LOG.info("The inbox of consumer {} works on table {}", consumer, processed.name());
  }

  private void warn() {
    try {
      for (Finding finding : check()) {
        LOG.warn(
            "A crash or failover of the database can undo effects that consumer {} has acknowledged"
                + " ({}: {}). Waybill then reads events from Kafka again, but events from RabbitMQ"
                + " are lost. Fix: {}",
            consumer,
            finding.check().code(),
            finding.subject(),
            finding.remedy());
      }
    } catch (StoreException e) {
      LOG.debug("The server's settings could not be read; the inbox continues", e);
    }
  }

  /**
   * Looks for server settings with which a crash or a failover can undo acknowledged events:
   * asynchronous replicas, commits that do not wait for the disk. {@link #open} logs them.
   *
   * @return findings; settings that the role may not see are skipped
   * @throws StoreException when the database does not answer in time or refuses
   */
  public List<Finding> check() {
    return aside(
        "read the server's settings",
        connection -> InboxChecks.run(connection.plain(), kind, tables));
  }

  /** The name stays when this store is closed: what it has processed is in the table. */
  private void register(InboxSql sql) {
    String holder =
        transaction(
            "register the consumer",
            connection -> {
              PreparedStatement statement = connection.prepare(sql.register());
              statement.setString(1, tables.table().name());
              statement.setString(2, consumer);
              statement.executeUpdate();
              return registered(connection, sql);
            });
    if (!holder.equals(consumer)) {
      throw new IllegalStateException(
          "The table %s has room for one consumer, and belongs to consumer '%s': consumer '%s' is"
                  .formatted(tables.table().name(), holder, consumer)
              + " refused, since it would treat the other's events as duplicates. Give it a"
              + " separate table, or Waybill's own; if the consumer was only renamed, update its"
              + " row in waybill_inbox_consumer");
    }
  }

  private String registered(InboxConnection connection, InboxSql sql) throws SQLException {
    PreparedStatement statement = connection.prepare(sql.registered());
    statement.setString(1, tables.table().name());
    try (ResultSet result = statement.executeQuery()) {
      return result.next() ? result.getString(1) : consumer;
    }
  }

  /** Writes a row and takes it back: privileges, further columns and rules show now, not later. */
  private void probe(InboxParts ready) {
    ProcessedTable.Row row = new ProcessedTable.Row(ready.names().of(PROBE), PROBE, PROBE);
    InboxConnection connection = take();
    try {
      PreparedStatement statement = connection.prepare(ready.sql().take(true));
      int index = 0;
      for (String value : ready.processed().values(consumer, row)) {
        statement.setString(++index, value);
      }
      ready.inserts(statement);
    } catch (SQLException e) {
      if (SqlStates.isTransient(e)) {
        throw failure("write to the table of processed events", e);
      }
      throw new IllegalStateException(
          "The table "
              + ready.processed().name()
              + " refuses the rows that consumer '"
              + consumer
              + "' writes to it",
          e);
    } catch (RuntimeException | Error e) {
      connection.cut();
      throw e;
    } finally {
      end(connection);
    }
  }

  @Override
  public String names(SQLException failure) {
    return Dialects.of(kind).names(failure);
  }

  @Override
  public InboxTransaction begin() {
    InboxParts ready = parts();
    if (source != null) {
      return joined(source, ready);
    }
    InboxConnection connection = take();
    return new JdbcInboxTransaction(
        connection, ready, new TransactionEnd.Own(connections, connection), true);
  }

  private InboxTransaction joined(TransactionSource source, InboxParts ready) {
    try {
      TransactionSource.Managed outer = source.begin();
      InboxConnection connection = checked(outer);
      return new JdbcInboxTransaction(
          connection,
          ready,
          new TransactionEnd.Joined(connections.history(), connection, outer),
          false);
    } catch (SQLException e) {
      throw failure("begin a transaction", e);
    }
  }

  /** One that leads elsewhere is cut, so that its pool gives it to nobody. */
  private InboxConnection checked(TransactionSource.Managed outer) throws SQLException {
    InboxHistory history = connections.history();
    boolean right = false;
    try {
      InboxConnection connection =
          new InboxConnection(outer.connection(), history.known(outer.connection()));
      if (!connection.server().equals(history.standing())) {
        connection.cut();
      }
      history.require(connection);
      right = true;
      return connection;
    } finally {
      if (!right) {
        outer.rollback();
      }
    }
  }

  @Override
  public String server() {
    return connections.history().standing();
  }

  @Override
  public Standing standing(Set<String> lanes) {
    InboxParts ready = parts();
    List<String> names = List.copyOf(lanes);
    return aside(
        "read the progress of lanes",
        connection -> {
          if (!connection.server().equals(server())) {
            connections.history().leave();
          }
          return new Standing(connection.server(), new LaneNotes(connection, ready).of(names));
        });
  }

  @Override
  public Set<String> among(List<String> eventIds) {
    InboxParts ready = parts();
    return aside(
        "look for events",
        connection ->
            new Sightings(connection, ready, new OpenNotes(connection, ready)).among(eventIds));
  }

  @Override
  public void stand(String server) {
    connections.history().stand(server);
  }

  @Override
  public void note(Map<String, Long> positions) {
    InboxParts ready = parts();
    transaction(
        "record the progress of lanes",
        connection -> {
          new LaneNotes(connection, ready).write(positions);
          return true;
        });
  }

  /** Looks on a fresh connection, wherever it leads. */
  private <T> T aside(String what, Work<T> work) {
    InboxConnection connection = null;
    try {
      connection = connections.open();
      T result = work.run(connection);
      connection.plain().rollback();
      return result;
    } catch (SQLException e) {
      throw failure(what, e);
    } finally {
      if (connection != null) {
        connection.close();
      }
    }
  }

  @Override
  public List<DeferredEvent> due(String owner, Duration claim, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("The limit must be at least 1, but is " + limit);
    }
    InboxParts ready = parts();
    return transaction(
        "claim deferred events",
        connection -> new Deferrals(connection, ready).due(owner, claim, limit));
  }

  @Override
  public void release(String owner) {
    InboxParts ready = parts();
    transaction(
        "release deferred events",
        connection -> {
          new Deferrals(connection, ready).release(owner);
          return true;
        });
  }

  @Override
  public long deferred() {
    InboxParts ready = parts();
    return transaction(
        "count deferred events", connection -> new Deferrals(connection, ready).count());
  }

  @Override
  public int sweep(Duration age, int limit) {
    if (age.isNegative() || limit < 1) {
      throw new IllegalArgumentException(
          "The age must not be negative and the limit at least 1, but they are "
              + age
              + " and "
              + limit);
    }
    InboxParts ready = parts();
    long micros = -(age.toNanos() / 1000);
    int events =
        transaction(
            "remove processed events",
            connection -> {
              boolean shared = ready.processed().consumer();
              return sweep(connection, ready, ready.sql().sweepProcessed(), shared, micros, limit);
            });
    int starts =
        transaction(
            "remove old records of starts",
            connection ->
                sweep(connection, ready, ready.sql().sweepAttempts(), true, micros, limit));
    if (events < limit) {
      transaction("make orphaned events due", connection -> promoteOrphans(connection, ready));
    }
    return events + starts;
  }

  private static boolean promoteOrphans(InboxConnection connection, InboxParts ready)
      throws SQLException {
    new Deferrals(connection, ready).promoteOrphans();
    return true;
  }

  private static int sweep(
      InboxConnection connection,
      InboxParts ready,
      String sql,
      boolean byConsumer,
      long micros,
      int limit)
      throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    Binding binding = new Binding(statement, ready.dialect());
    if (byConsumer) {
      binding.text(ready.consumer());
    }
    binding.number(micros);
    binding.number(limit);
    return statement.executeUpdate();
  }

  private InboxParts parts() {
    InboxParts ready = parts;
    if (ready == null) {
      throw new IllegalStateException("The inbox store has to be opened first");
    }
    return ready;
  }

  private InboxConnection take() {
    try {
      return connections.take();
    } catch (SQLException e) {
      throw failure("connect to the database", e);
    }
  }

  private <T> T transaction(String what, Work<T> work) {
    InboxConnection connection = take();
    try {
      T result = work.run(connection);
      connection.plain().commit();
      return result;
    } catch (SQLException e) {
      throw failure(what, e);
    } catch (RuntimeException | Error e) {
      // A driver that breaks its contract may be left within its protocol.
      connection.cut();
      throw e;
    } finally {
      end(connection);
    }
  }

  private void end(InboxConnection connection) {
    if (connection.reset()) {
      connections.give(connection);
    } else {
      connections.discard(connection);
    }
  }

  private static StoreException failure(String what, SQLException e) {
    return new StoreException("Could not " + what, e, SqlStates.isTransient(e));
  }

  @Override
  public void close() {
    connections.close();
  }
}
