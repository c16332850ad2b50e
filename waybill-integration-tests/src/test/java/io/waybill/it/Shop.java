package io.waybill.it;

import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.oracle.Ledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Business transactions: a ledger row and an event each, several per transaction, some rolled back
 * whole or to a savepoint. A transaction whose commit fails is settled by the ledger.
 */
final class Shop implements AutoCloseable {
  private static final int THREADS = 3;
  private static final int KEYS = 100;

  private final DataSource database;
  private final String type;
  private final Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong written = new AtomicLong();
  private volatile boolean running = true;

  /** Starts writing at about a number of transactions per second in all. */
  Shop(DataSource database, String type, int perSecond) {
    this.database = database;
    this.type = type;
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> run(number, perSecond), "shop-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(int number, int perSecond) {
    SplittableRandom random = new SplittableRandom(number);
    long pauseNanos = 1_000_000_000L * THREADS / perSecond;
    while (running) {
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        while (running) {
          transaction(connection, random);
          java.util.concurrent.locks.LockSupport.parkNanos(pauseNanos);
        }
      } catch (SQLException e) {
        // The database is down or restarting: connect again.
        java.util.concurrent.locks.LockSupport.parkNanos(100_000_000L);
      }
    }
  }

  private void transaction(Connection connection, SplittableRandom random) throws SQLException {
    // Keys in ascending order, so that two transactions never wait for each other.
    int key = random.nextInt(KEYS);
    int events = 1 + random.nextInt(3);
    for (int i = 0; i < events && key + i < KEYS; i++) {
      boolean undo = random.nextInt(20) == 0;
      Savepoint savepoint = undo ? connection.setSavepoint() : null;
      append(connection, outbox, type, "key-" + (key + i), random.nextInt(300));
      if (savepoint != null) {
        connection.rollback(savepoint);
      }
    }
    if (random.nextInt(10) == 0) {
      connection.rollback();
    } else {
      connection.commit();
      written.addAndGet(events);
    }
  }

  static String append(Connection connection, Outbox outbox, String type, String key, int padding)
      throws SQLException {
    String id = UUID.randomUUID().toString();
    byte[] payload = Ledger.write(connection, id, key, padding);
    outbox.append(
        connection,
        Event.builder(type, "account", key)
            .id(id)
            .payload(Payload.of(payload, Payload.JSON))
            .build());
    return id;
  }

  long written() {
    return written.get();
  }

  /** Stops writing; every transaction is decided when this returns. */
  @Override
  public void close() {
    running = false;
    for (Thread thread : threads) {
      try {
        thread.join(20_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
