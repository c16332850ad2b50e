package io.waybill.jdbc;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.database.TransactionSource;
import io.waybill.internal.jdbc.inbox.DedupeKeys;
import io.waybill.internal.jdbc.inbox.Deferrals;
import io.waybill.internal.jdbc.inbox.InboxChecks;
import io.waybill.internal.jdbc.inbox.InboxConnection;
import io.waybill.internal.jdbc.inbox.InboxConnections;
import io.waybill.internal.jdbc.inbox.InboxHistory;
import io.waybill.internal.jdbc.inbox.InboxOpening;
import io.waybill.internal.jdbc.inbox.InboxParts;
import io.waybill.internal.jdbc.inbox.InboxPurge;
import io.waybill.internal.jdbc.inbox.InboxSession;
import io.waybill.internal.jdbc.inbox.JdbcInboxTransaction;
import io.waybill.internal.jdbc.inbox.LaneNotes;
import io.waybill.internal.jdbc.inbox.OpenNotes;
import io.waybill.internal.jdbc.inbox.TransactionEnd;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.work.Ticker;
import io.waybill.observe.Finding;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RecordedProgress;
import io.waybill.store.StoreException;
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
    SqlDialect dialect = Dialects.of(kind);
    InboxConnections kept =
        new InboxConnections(
            connections,
            InboxSession.of(dialect),
            InboxHistory.of(dialect),
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
    stand(connections.aside("identify the server", InboxConnection::server));
    InboxParts ready = new InboxOpening(connections, kind, consumer, tables).run();
    parts = ready;
    warn();
    LOG.info("The inbox of consumer {} works on table {}", consumer, ready.processed().name());
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
    return connections.aside(
        "read the server's settings",
        connection -> InboxChecks.run(connection.plain(), kind, tables));
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
    InboxConnection connection = connections.begin();
    return new JdbcInboxTransaction(
        connection, ready, new TransactionEnd.Own(connections, connection), true);
  }

  private InboxTransaction joined(TransactionSource source, InboxParts ready) {
    try {
      TransactionSource.Managed outer = source.begin();
      InboxConnection connection = connections.join(outer);
      return new JdbcInboxTransaction(
          connection,
          ready,
          new TransactionEnd.Joined(connections.history(), connection, outer),
          false);
    } catch (SQLException e) {
      throw InboxConnections.failure("begin a transaction", e);
    }
  }

  @Override
  public String server() {
    return connections.history().server();
  }

  @Override
  public RecordedProgress recordedProgress(Set<String> lanes) {
    InboxParts ready = parts();
    List<String> names = List.copyOf(lanes);
    return connections.aside(
        "read the progress of lanes",
        connection -> {
          if (!connection.server().equals(server())) {
            connections.history().leave();
          }
          return new RecordedProgress(
              connection.server(), new LaneNotes(connection, ready).of(names));
        });
  }

  @Override
  public Set<String> among(List<String> eventIds) {
    InboxParts ready = parts();
    return connections.aside(
        "look for events",
        connection ->
            new DedupeKeys(connection, ready, new OpenNotes(connection, ready)).among(eventIds));
  }

  @Override
  public void stand(String server) {
    connections.history().accept(server);
  }

  @Override
  public void note(Map<String, Long> positions) {
    InboxParts ready = parts();
    connections.transaction(
        "record the progress of lanes",
        connection -> {
          new LaneNotes(connection, ready).write(positions);
          return true;
        });
  }

  @Override
  public List<DeferredEvent> due(String owner, Duration claim, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("The limit must be at least 1, but is " + limit);
    }
    InboxParts ready = parts();
    return connections.transaction(
        "claim deferred events",
        connection -> new Deferrals(connection, ready).due(owner, claim, limit));
  }

  @Override
  public void release(String owner) {
    InboxParts ready = parts();
    connections.transaction(
        "release deferred events",
        connection -> {
          new Deferrals(connection, ready).release(owner);
          return true;
        });
  }

  @Override
  public long deferred() {
    InboxParts ready = parts();
    return connections.transaction(
        "count deferred events", connection -> new Deferrals(connection, ready).count());
  }

  @Override
  public int purge(Duration age, int limit) {
    if (age.isNegative() || limit < 1) {
      throw new IllegalArgumentException(
          "The age must not be negative and the limit at least 1, but they are "
              + age
              + " and "
              + limit);
    }
    InboxParts ready = parts();
    long micros = age.toNanos() / 1000;
    int events =
        connections.transaction(
            "remove processed events",
            connection -> new InboxPurge(connection, ready, micros, limit).processed());
    int starts =
        connections.transaction(
            "remove old records of starts",
            connection -> new InboxPurge(connection, ready, micros, limit).starts());
    if (events < limit) {
      connections.transaction(
          "make orphaned events due",
          connection -> {
            new Deferrals(connection, ready).promoteOrphans();
            return true;
          });
    }
    return events + starts;
  }

  private InboxParts parts() {
    InboxParts ready = parts;
    if (ready == null) {
      throw new IllegalStateException("The inbox store has to be opened first");
    }
    return ready;
  }

  @Override
  public void close() {
    connections.close();
  }
}
