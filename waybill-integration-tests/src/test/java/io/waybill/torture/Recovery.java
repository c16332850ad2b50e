package io.waybill.torture;

import io.waybill.testkit.oracle.Copy;
import io.waybill.testkit.oracle.FaultWindow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * How long recovery takes: from the end of a relay until others own all its lanes, and from the
 * moment a restarted server answers until the first event arrives. What other faults disturbed is
 * not counted. Thread-safe.
 */
final class Recovery implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 60_000;
  // What comes after a fault that has ended.
  // The kill itself is over when the server answers again.
  private static final long OWN_END_MILLIS = 1_000;
  private static final long SETTLING_MILLIS = 5_000;

  private final Stage stage;
  private final FaultLog log;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "recovery");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Double> takeovers = new ArrayList<>();
  private final List<Double> databaseRestarts = new ArrayList<>();
  private final List<Double> brokerRestarts = new ArrayList<>();
  private volatile boolean watching = true;

  Recovery(Stage stage, FaultLog log) {
    this.stage = stage;
    this.log = log;
  }

  /** To be called just before a relay is killed or frozen. */
  void watchTakeover(String relay) {
    long start = System.currentTimeMillis();
    if (takeoverDisturbed(relay, start, start)) {
      return;
    }
    try {
      long fence =
          stage.number(sql("select max(fence) from %ssession where relay like '%s%%'", relay));
      long lanes = stage.number(sql("select count(*) from %slane where fence = %s", fence));
      if (lanes > 0) {
        threads.execute(() -> takeover(relay, fence, start));
      }
    } catch (SQLException e) {
      return; // The database is down: another fault.
    }
  }

  private String sql(String pattern, Object value) {
    return pattern.formatted(stage.table().prefix(), value);
  }

  private void takeover(String relay, long fence, long start) {
    String waiting = sql("select count(*) from %slane where fence is null or fence = %s", fence);
    try {
      while (watching && stage.number(waiting) > 0) {
        if (System.currentTimeMillis() - start > PATIENCE_MILLIS) {
          return;
        }
        LockSupport.parkNanos(100_000_000L);
      }
    } catch (SQLException e) {
      return;
    }
    long end = System.currentTimeMillis();
    if (watching && !takeoverDisturbed(relay, start, end)) {
      add(takeovers, end - start);
    }
  }

  /** To be called when a restarted server answers. */
  void watchFirstPublish(String server) {
    long ready = System.currentTimeMillis();
    int known = stage.spy().count();
    threads.execute(() -> firstPublish(server, ready, known));
  }

  private void firstPublish(String server, long ready, int known) {
    long first = 0;
    while (watching && first == 0 && System.currentTimeMillis() - ready < PATIENCE_MILLIS) {
      LockSupport.parkNanos(50_000_000L);
      first =
          stage.spy().copiesFrom(known).stream()
              .mapToLong(Copy::atMillis)
              .filter(at -> at >= ready)
              .findFirst()
              .orElse(0);
    }
    if (first > 0 && !publishDisturbed(server, ready, first)) {
      add(server.equals("database") ? databaseRestarts : brokerRestarts, first - ready);
    }
  }

  /** Another relay that is away, or trouble with the database, keeps lanes from being taken. */
  private boolean takeoverDisturbed(String relay, long start, long end) {
    return disturbed(
        fault -> !fault.target().endsWith("broker") && !fault.target().equals(relay), start, end);
  }

  /**
   * As long as one relay lives, it is the ways to the servers that matter, and what happens to the
   * restarted server next.
   */
  private boolean publishDisturbed(String server, long start, long end) {
    return disturbed(
        fault ->
            !fault.kind().startsWith("relay-")
                && (!fault.target().equals(server) || fault.endMillis() - start > OWN_END_MILLIS),
        start,
        end);
  }

  private boolean disturbed(Predicate<FaultWindow> matters, long start, long end) {
    return log.all().stream()
        .filter(fault -> !fault.target().startsWith("writers"))
        .filter(fault -> !fault.kind().equals(FaultKind.RELAY_CLOCK.label()))
        .filter(matters)
        .anyMatch(fault -> fault.overlaps(start - SETTLING_MILLIS, end));
  }

  private synchronized void add(List<Double> times, long millis) {
    times.add(millis / 1e3);
  }

  /** Seconds of each take-over. */
  synchronized List<Double> takeovers() {
    return List.copyOf(takeovers);
  }

  /** Seconds from the answer of a restarted database to the next event. */
  synchronized List<Double> databaseRestarts() {
    return List.copyOf(databaseRestarts);
  }

  /** Seconds from the answer of a restarted broker to the next event. */
  synchronized List<Double> brokerRestarts() {
    return List.copyOf(brokerRestarts);
  }

  @Override
  public void close() {
    watching = false;
    threads.shutdown();
  }
}
