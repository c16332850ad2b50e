package io.waybill.it;

import io.waybill.proof.oracle.Copy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Business transactions of several threads: one to three business rows with an event each, every
 * tenth transaction rolled back. Each thread has keys of its own.
 */
final class BusinessWriters {
  private static final int THREADS = 4;
  private static final int KEYS = 25;
  private static final int MOST_PER_TRANSACTION = 3;

  private final DataSource database;
  private final DocumentedOutbox outbox;
  private final String insert;
  private final AtomicLong number = new AtomicLong();
  private final AtomicLong rolledBack = new AtomicLong();
  private final List<Map<Integer, Long>> sequences = new ArrayList<>();
  private final List<SplittableRandom> randoms = new ArrayList<>();

  BusinessWriters(DataSource database, DocumentedOutbox outbox, boolean postgres) {
    this.database = database;
    this.outbox = outbox;
    this.insert = outbox.insert(postgres);
    for (int i = 0; i < THREADS; i++) {
      sequences.add(new HashMap<>());
      randoms.add(new SplittableRandom(i));
    }
  }

  static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "create table business (k int not null, n bigint not null, primary key (k, n))");
    }
  }

  /** Writes until so many events are committed. */
  void write(int events) {
    begin(events).join();
  }

  /** The same in the background. */
  CompletableFuture<Void> begin(int events) {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      int share = events / THREADS;
      threads.add(CompletableFuture.runAsync(() -> run(thread, share), BusinessWriters::start));
    }
    return CompletableFuture.allOf(threads.toArray(new CompletableFuture<?>[0]));
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "business");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(int thread, int events) {
    SplittableRandom random = randoms.get(thread);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      int committed = 0;
      while (committed < events) {
        int size = Math.min(events - committed, 1 + random.nextInt(MOST_PER_TRANSACTION));
        committed += transaction(connection, thread, size, random);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int transaction(Connection connection, int thread, int size, SplittableRandom random)
      throws SQLException {
    Map<Integer, Long> next = new HashMap<>(sequences.get(thread));
    for (int i = 0; i < size; i++) {
      int key = thread * KEYS + random.nextInt(KEYS);
      event(connection, new Written(key, next.merge(key, 1L, Long::sum)));
    }
    if (random.nextInt(10) == 0) {
      connection.rollback();
      rolledBack.addAndGet(size);
      return 0;
    }
    connection.commit();
    sequences.set(thread, next);
    return size;
  }

  private void event(Connection connection, Written event) throws SQLException {
    try (PreparedStatement business =
            connection.prepareStatement("insert into business (k, n) values (?, ?)");
        PreparedStatement statement = connection.prepareStatement(insert)) {
      business.setInt(1, event.key());
      business.setLong(2, event.sequence());
      business.executeUpdate();
      outbox.bind(statement, event, number.incrementAndGet());
      statement.executeUpdate();
    }
  }

  /** Events whose transactions were rolled back. */
  long rolledBack() {
    return rolledBack.get();
  }

  /** What the business rows say. */
  List<Copy> committed() {
    List<Copy> rows = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select k, n from business")) {
      while (row.next()) {
        rows.add(copy(new Written(row.getInt(1), row.getLong(2))));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return rows;
  }

  /** An event for the oracle; its payload was compared when it was read. */
  static Copy copy(Written event) {
    return new Copy(event.id(), Integer.toString(event.key()), event.sequence(), "");
  }
}
