package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * How long recovery takes: from the end of a relay until others own all its lanes, and from the
 * moment a restarted server answers until the first event arrives. What other faults disturbed is
 * not counted; what takes a minute counts as that long. Thread-safe.
 */
final class Recovery implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 60_000;
  // Longer than any lease.
  private static final long SETTLED_MILLIS = 20_000;
  // What a take-over may take: the lease of 15 s and two more.
  private static final long LATE_MILLIS = 17_000;

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
  private final List<String> late = new ArrayList<>();
  private final List<Double> databaseRestarts = new ArrayList<>();
  private final List<Double> brokerRestarts = new ArrayList<>();
  private final List<Long> lanesMoved = new CopyOnWriteArrayList<>();
  private volatile boolean watching = true;

  Recovery(Stage stage, FaultLog log) {
    this.stage = stage;
    this.log = log;
  }

  private Disturbances disturbances() {
    return new Disturbances(log.all());
  }

  /** To be called just before a relay is killed or frozen. */
  void watchTakeover(String relay) {
    long start = System.currentTimeMillis();
    if (disturbances().ofTakeover(relay, start, start)) {
      return;
    }
    try {
      // None, and so no lane, if the relay has not joined yet.
      long fence =
          stage.number(
              sql("select coalesce(max(fence), 0) from %ssession where relay like '%s%%'", relay));
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
    String found = "";
    String waiting = sql("select count(*) from %slane where fence is null or fence = %s", fence);
    try {
      while (watching
          && stage.number(waiting) > 0
          && System.currentTimeMillis() - start < PATIENCE_MILLIS) {
        if (found.isEmpty() && System.currentTimeMillis() - start > LATE_MILLIS) {
          found = owners();
        }
        LockSupport.parkNanos(100_000_000L);
      }
    } catch (SQLException e) {
      return; // As above.
    }
    long end = System.currentTimeMillis();
    if (watching && !disturbances().ofTakeover(relay, start, end)) {
      add(takeovers, end - start);
      if (!found.isEmpty()) {
        late(
            "%s at %tT: %.1f s, fence %d; %s"
                .formatted(relay, start, (end - start) / 1e3, fence, found));
      }
    }
  }

  /** Who has the lanes, as {@code fence x lanes}, and whose sessions there are. */
  private String owners() throws SQLException {
    return "lanes %s, sessions %s"
        .formatted(
            stage.texts(
                sql(
                    "select concat(coalesce(fence, 0), ' x ', count(*)) from %slane group by fence",
                    "")),
            stage.texts(
                sql(
                    "select concat(fence, ' ', relay, ' until ', lease_until) from %ssession",
                    "")));
  }

  private synchronized void late(String takeover) {
    late.add(takeover);
  }

  /** To be called when a restarted server answers. */
  void watchFirstPublish(String server) {
    long ready = System.currentTimeMillis();
    int known = stage.spy().count();
    threads.execute(() -> firstPublish(server, ready, known));
    if (server.equals("database")) {
      threads.execute(() -> lanesMoved(ready));
    }
  }

  /** How many lanes have other owners after what a lease alone would allow. */
  private void lanesMoved(long ready) {
    try {
      Set<String> owners = laneOwners();
      long end = ready + SETTLED_MILLIS;
      while (watching && System.currentTimeMillis() < end) {
        LockSupport.parkNanos(100_000_000L);
      }
      long moved = laneOwners().stream().filter(owner -> !owners.contains(owner)).count();
      if (watching && !disturbances().ofTakeover("database", ready, end)) {
        lanesMoved.add(moved);
      }
    } catch (SQLException e) {
      return; // The database is down again: another fault.
    }
  }

  private Set<String> laneOwners() throws SQLException {
    return stage.texts(sql("select concat(lane, ' ', coalesce(fence, 0)) from %slane", ""));
  }

  private void firstPublish(String server, long ready, int known) {
    long end = ready + PATIENCE_MILLIS;
    long first = 0;
    while (watching && first == 0 && System.currentTimeMillis() < end) {
      LockSupport.parkNanos(50_000_000L);
      first =
          stage.spy().copiesFrom(known).stream()
              .mapToLong(Copy::atMillis)
              .filter(at -> at >= ready)
              .findFirst()
              .orElse(0);
    }
    long at = first > 0 ? first : end;
    if (watching && !disturbances().ofFirstPublish(server, ready, at)) {
      add(server.equals("database") ? databaseRestarts : brokerRestarts, at - ready);
    }
  }

  private synchronized void add(List<Double> times, long millis) {
    times.add(millis / 1e3);
  }

  /** Seconds of each take-over. */
  synchronized List<Double> takeovers() {
    return List.copyOf(takeovers);
  }

  /** What there was in the tables when a take-over took too long. */
  synchronized List<String> late() {
    return List.copyOf(late);
  }

  /** Seconds from the answer of a restarted database to the next event. */
  synchronized List<Double> databaseRestarts() {
    return List.copyOf(databaseRestarts);
  }

  /** How many lanes had other owners 20 seconds after each answer of a restarted database. */
  List<Long> lanesMoved() {
    return List.copyOf(lanesMoved);
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
