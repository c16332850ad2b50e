package io.waybill.testkit;

import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writers with random transactions: some short and some long, some rolled back, some partly. Each
 * writer has its own keys, so the order of a key's transactions is known.
 */
final class ConcurrentWriters {
  private static final int KEYS_PER_WRITER = 12;

  private final StoreFixture fixture;
  private final int writers;
  private final int eventsPerWriter;
  private final Set<String> committed = new HashSet<>();
  private final AtomicInteger running = new AtomicInteger();
  private final List<Future<?>> futures = new ArrayList<>();

  ConcurrentWriters(StoreFixture fixture, int writers, int events) {
    this.fixture = fixture;
    this.writers = writers;
    this.eventsPerWriter = events / writers;
  }

  static int number(String eventId) {
    return Integer.parseInt(eventId.substring(eventId.indexOf('.') + 1));
  }

  void start() {
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    running.set(writers);
    for (int writer = 0; writer < writers; writer++) {
      int number = writer;
      futures.add(executor.submit(() -> write(number)));
    }
    executor.shutdown();
  }

  boolean running() {
    return running.get() > 0;
  }

  void join() throws Exception {
    for (Future<?> future : futures) {
      future.get();
    }
  }

  synchronized Set<String> committed() {
    return Set.copyOf(committed);
  }

  private synchronized void committed(List<String> ids) {
    committed.addAll(ids);
  }

  private Void write(int writer) throws SQLException {
    Random random = new Random(writer);
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      for (int next = 0; next < eventsPerWriter; ) {
        try {
          next = transaction(connection, writer, next, random);
        } catch (SQLTransactionRollbackException e) {
          // As applications do: on MySQL, a savepoint that is rolled back locks the table's end.
          connection.rollback();
        }
      }
    } finally {
      running.decrementAndGet();
    }
    return null;
  }

  private int transaction(Connection connection, int writer, int first, Random random)
      throws SQLException {
    int size = random.nextInt(10) == 0 ? 1 + random.nextInt(200) : 1 + random.nextInt(5);
    int end = Math.min(eventsPerWriter, first + size);
    List<String> written = new ArrayList<>();
    for (int number = first; number < end; number++) {
      insert(connection, writer, number, written, random);
    }
    if (random.nextInt(10) == 0) {
      connection.rollback();
    } else {
      connection.commit();
      committed(written);
    }
    return end;
  }

  private void insert(
      Connection connection, int writer, int number, List<String> written, Random random)
      throws SQLException {
    String id = "w" + writer + "." + number;
    String key = writer + "-" + random.nextInt(KEYS_PER_WRITER);
    Savepoint savepoint = random.nextInt(20) == 0 ? connection.setSavepoint() : null;
    fixture.insert(connection, WrittenEvent.of(id, key));
    if (savepoint != null) {
      connection.rollback(savepoint);
    } else {
      written.add(id);
    }
  }
}
