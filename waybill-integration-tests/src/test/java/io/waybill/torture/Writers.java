package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import io.waybill.proof.oracle.Ledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;

/**
 * Business transactions of several threads: a ledger row and an event for each of 1 to 5 things
 * that happened, one in ten rolled back, one in twenty with a part that is rolled back to a
 * savepoint, some held open for long. Few keys get most events.
 */
final class Writers implements AutoCloseable {
  private static final int QUICK = 6;
  private static final int HOLDERS = 2;
  private static final int KEYS = 400;
  // Of transactions that are held open, so that their locks hold up nobody else.
  private static final int SLOW_KEYS = 20;
  private static final int MOST = 5;
  private static final int MEAN = 3;

  private final Connections database;
  private final OutboxTable table;
  private final Contents contents;
  private final Duration longestHold;
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock(true);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong ids = new AtomicLong();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Tally tally = new Tally();
  private volatile boolean running = true;
  private volatile boolean pausing;

  /** Where connections come from. */
  interface Connections {
    Connection open() throws SQLException;
  }

  /** How transactions ended. */
  static final class Tally {
    final AtomicLong committed = new AtomicLong();
    final AtomicLong rolledBack = new AtomicLong();
    final AtomicLong partly = new AtomicLong();
    final AtomicLong held = new AtomicLong();
    final AtomicLong unknown = new AtomicLong();
    final AtomicLong failed = new AtomicLong();

    @Override
    public String toString() {
      return ("%d transactions committed, %d rolled back, %d partly (savepoint), %d held open,"
              + " %d of unknown outcome, %d failed before their commit")
          .formatted(
              committed.get(),
              rolledBack.get(),
              partly.get(),
              held.get(),
              unknown.get(),
              failed.get());
    }
  }

  Writers(Connections database, OutboxTable table, Contents contents, Duration longestHold) {
    this.database = database;
    this.table = table;
    this.contents = contents;
    this.longestHold = longestHold;
  }

  static List<String> keys() {
    return IntStream.range(0, KEYS + SLOW_KEYS).mapToObj(Planned::name).toList();
  }

  void start(long seed, int perSecond) {
    SplittableRandom random = new SplittableRandom(seed);
    long pauseNanos = 1_000_000_000L * QUICK * MEAN / perSecond;
    for (int i = 0; i < QUICK + HOLDERS; i++) {
      boolean hold = i >= QUICK;
      SplittableRandom own = random.split();
      Thread thread =
          new Thread(() -> run(own, hold ? 100_000_000L : pauseNanos, hold), "writer-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(SplittableRandom random, long pauseNanos, boolean hold) {
    long next = System.nanoTime();
    while (running) {
      try (Connection connection = database.open()) {
        connection.setAutoCommit(false);
        while (running) {
          gate.readLock().lock();
          try {
            transaction(connection, random, hold);
          } finally {
            gate.readLock().unlock();
          }
          // After an outage it goes on at its pace, without making up for all of it.
          next = Math.max(next + pauseNanos, System.nanoTime() - 20 * pauseNanos);
          LockSupport.parkNanos(next - System.nanoTime());
        }
      } catch (SQLException e) {
        LockSupport.parkNanos(200_000_000L);
      }
    }
  }

  private void transaction(Connection connection, SplittableRandom random, boolean hold)
      throws SQLException {
    List<Planned> events;
    try {
      events = write(connection, random, hold);
      if (hold) {
        hold(random);
      }
      if (random.nextInt(10) == 0) {
        connection.rollback();
        tally.rolledBack.incrementAndGet();
        return;
      }
    } catch (SQLException e) {
      tally.failed.incrementAndGet();
      throw e;
    }
    try {
      connection.commit();
    } catch (SQLException e) {
      tally.unknown.incrementAndGet();
      throw e;
    }
    tally.committed.incrementAndGet();
    events.forEach(event -> acknowledged.add(event.id()));
  }

  private List<Planned> write(Connection connection, SplittableRandom random, boolean hold)
      throws SQLException {
    int[] keys = new int[1 + random.nextInt(MOST)];
    Map<Integer, Long> next = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      keys[i] = hold ? KEYS + random.nextInt(SLOW_KEYS) : skewed(random);
      next.put(keys[i], 0L);
    }
    // In ascending order, so that two transactions never wait for each other.
    for (Map.Entry<Integer, Long> key : next.entrySet()) {
      key.setValue(Ledger.lock(connection, Planned.name(key.getKey())));
    }
    if (random.nextInt(20) == 0) {
      undo(connection, random, new TreeMap<>(next), keys);
    }
    return append(connection, random, next, keys);
  }

  private static int skewed(SplittableRandom random) {
    return (int) (KEYS * Math.pow(random.nextDouble(), 3));
  }

  private void undo(
      Connection connection, SplittableRandom random, Map<Integer, Long> next, int[] keys)
      throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    append(connection, random, next, keys);
    connection.rollback(savepoint);
    tally.partly.incrementAndGet();
  }

  private List<Planned> append(
      Connection connection, SplittableRandom random, Map<Integer, Long> next, int[] keys)
      throws SQLException {
    List<Planned> events = new ArrayList<>();
    List<Copy> rows = new ArrayList<>();
    for (int key : keys) {
      long sequence = next.merge(key, 1L, Long::sum);
      // The document's table orders rows of one moment by their ids.
      String id = "evt-%012d".formatted(ids.incrementAndGet());
      Planned event = new Planned(id, key, sequence, contents.next(random, key, sequence));
      events.add(event);
      rows.add(event.ledgerRow());
    }
    Ledger.record(connection, rows);
    table.append(connection, events);
    return events;
  }

  private void hold(SplittableRandom random) {
    tally.held.incrementAndGet();
    long end = System.nanoTime() + random.nextLong(longestHold.toNanos());
    while (running && !pausing && System.nanoTime() < end) {
      LockSupport.parkNanos(20_000_000L);
    }
  }

  /** Lets no new transaction begin and waits for those that are open. */
  void pause() {
    pausing = true;
    gate.writeLock().lock();
  }

  /** Goes on; called by the thread that called {@link #pause}. */
  void resume() {
    pausing = false;
    gate.writeLock().unlock();
  }

  /** Number of the event that was begun last. */
  long lastNumber() {
    return ids.get();
  }

  /** Ids whose commit was acknowledged. */
  Set<String> acknowledged() {
    return acknowledged;
  }

  Tally tally() {
    return tally;
  }

  /** Stops writing; every transaction is decided when this returns. */
  @Override
  public void close() {
    running = false;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
      try {
        thread.join(30_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
