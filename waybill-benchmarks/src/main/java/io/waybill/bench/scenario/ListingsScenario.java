package io.waybill.bench.scenario;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Results;
import io.waybill.bench.run.Streams;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.stage.Stage.Ground;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.layout.Layouts;
import io.waybill.proof.load.ListingsSql;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * How long operators wait for lists, and what a database examines for them, while the table of kept
 * events grows a hundredfold. There are as many failures all the time.
 */
record ListingsScenario(Stage stage, Options options, Results results) {
  private static final int FAILED_PERCENT = 3;
  private static final int WARM = 3;
  private static final int TIMES = 40;
  private static final int PAGE = 100;
  private static final int COUNTED = 10_001;
  private static final double MOST_MILLIS = 200;
  private static final double MOST_GROWTH = 1.1;
  private static final int CLIENTS = 5;
  private static final int LISTENED_SECONDS = 30;
  private static final double MOST_CPU = 0.02;

  /** Returns what was too slow, or grew. */
  List<String> run() {
    List<String> found = new ArrayList<>();
    for (Candidate candidate :
        options.chosen(List.of(Candidate.LISTINGS, Candidate.LISTINGS_MARIADB))) {
      try {
        run(candidate, results.of(candidate), found);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    return found;
  }

  private void run(Candidate candidate, Measured measured, List<String> found) throws SQLException {
    boolean mariaDb = candidate.table().isOnMariaDb();
    try (Ground ground = stage.ground(candidate.table(), 0, options.keys())) {
      ListingsSql sql = new ListingsSql(ground.url(), mariaDb);
      Progress.show(candidate.label() + ": writing failures");
      sql.fail(options.events() * FAILED_PERCENT / 100);
      Map<String, Double> least = new LinkedHashMap<>();
      long kept = 0;
      for (long size = options.events() / 100; size <= options.events(); size *= 10) {
        Progress.show("%s: %d kept events".formatted(candidate.label(), size));
        sql.keep(kept + 1, size);
        kept = size;
        for (Map.Entry<String, Consumer<Admin>> each : listings().entrySet()) {
          String name = each.getKey() + "." + size;
          double p95 = millis(ground.url(), mariaDb, each.getValue());
          double examined = examined(sql, ground.url(), mariaDb, each.getValue());
          measured.details().put(name + ".p95Ms", p95);
          measured.details().put(name + ".examined", examined);
          Progress.show(
              "  %-14s p95 %7.1f ms, examined %.0f".formatted(each.getKey(), p95, examined));
          judge(candidate.label() + ", " + name, p95, examined, least, each.getKey(), found);
        }
      }
      stream(candidate, ground, measured, found);
      if (options.keep() != null) {
        ground.keep(options.keep());
      }
    }
  }

  /** What the database spends on clients that listen to how everything stands. */
  private void stream(Candidate candidate, Ground ground, Measured measured, List<String> found) {
    double cpu;
    try (Streams streams = Streams.start(ground, CLIENTS)) {
      double before = stage.databaseCpuSeconds();
      long told = streams.told();
      pause();
      cpu = (stage.databaseCpuSeconds() - before) / LISTENED_SECONDS;
      measured.details().put("streams.told", (double) (streams.told() - told));
    }
    double before = stage.databaseCpuSeconds();
    pause();
    cpu -= (stage.databaseCpuSeconds() - before) / LISTENED_SECONDS;
    measured.details().put("streams.databaseCpuPercent", 100 * cpu);
    Progress.show(
        "  %d streams     %.1f %% of a core of the database".formatted(CLIENTS, 100 * cpu));
    if (cpu > MOST_CPU) {
      found.add(
          "%s: streams take %.1f %% of a core, must be at most %.0f"
              .formatted(candidate.label(), 100 * cpu, 100 * MOST_CPU));
    }
  }

  private static void pause() {
    try {
      TimeUnit.SECONDS.sleep(LISTENED_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while clients listened", e);
    }
  }

  private static void judge(
      String name,
      double p95,
      double examined,
      Map<String, Double> least,
      String listing,
      List<String> found) {
    if (p95 > MOST_MILLIS) {
      found.add("%s: p95 is %.0f ms, must be at most %.0f".formatted(name, p95, MOST_MILLIS));
    }
    // A few rows more or less are those of catalogues.
    double before = least.computeIfAbsent(listing, l -> Math.max(examined, PAGE));
    if (examined > before * MOST_GROWTH) {
      found.add("%s: examined %.0f, %.0f at first".formatted(name, examined, before));
    }
  }

  private static Map<String, Consumer<Admin>> listings() {
    EventFilter parked = EventFilter.status(EventStatus.PARKED);
    EventFilter dead = EventFilter.status(EventStatus.DEAD);
    EventFilter pending = EventFilter.status(EventStatus.PENDING);
    EventFilter type = new EventFilter(List.of(), null, "none", null, null);
    EventFilter key = new EventFilter(List.of(), null, null, "order", "failed.4711");
    Map<String, Consumer<Admin>> listings = new LinkedHashMap<>();
    listings.put("counts", Admin::counts);
    listings.put("events", admin -> admin.find(EventFilter.ALL, null, PAGE));
    listings.put("latest", admin -> admin.latest(EventFilter.ALL, null, PAGE));
    listings.put("pending", admin -> admin.find(pending, null, PAGE));
    listings.put("latestPending", admin -> admin.latest(pending, null, PAGE));
    listings.put("countPending", admin -> admin.count(pending, null, COUNTED));
    listings.put("type", admin -> admin.find(type, null, PAGE));
    listings.put("event", admin -> admin.show("failed-4711"));
    listings.put("key", admin -> admin.find(key, null, PAGE));
    listings.put("parked", admin -> next(admin, parked));
    listings.put("dead", admin -> next(admin, dead));
    listings.put("countParked", admin -> admin.count(parked, null, COUNTED));
    listings.put("countDead", admin -> admin.count(dead, null, COUNTED));
    listings.put("blocked", ListingsScenario::blocked);
    listings.put(
        "failuresParked", admin -> admin.failures(EventStatus.PARKED, null, PAGE, COUNTED));
    listings.put("failuresDead", admin -> admin.failures(EventStatus.DEAD, null, PAGE, COUNTED));
    listings.put("group", ListingsScenario::group);
    listings.put("relays", Admin::sessions);
    listings.put("lanes", Admin::lanes);
    listings.put("audit", admin -> admin.audit(Long.MAX_VALUE, PAGE));
    return listings;
  }

  /** The first page and the next one. */
  private static void next(Admin admin, EventFilter filter) {
    admin.find(filter, admin.find(filter, null, PAGE).next(), PAGE);
  }

  private static void blocked(Admin admin) {
    List<EventView> page = admin.blocking(null, PAGE);
    page.forEach(head -> admin.behind(head, COUNTED));
    admin.blocking(page.get(page.size() - 1).position(), PAGE);
  }

  private static void group(Admin admin) {
    FailureGroup group = admin.failures(EventStatus.PARKED, null, 1, 1).get(0);
    next(admin, FailureGroup.filter(group.id()));
  }

  private static double millis(String url, boolean mariaDb, Consumer<Admin> listing) {
    double[] millis = new double[TIMES];
    try (Admin admin = admin(url, mariaDb)) {
      for (int i = -WARM; i < TIMES; i++) {
        long began = System.nanoTime();
        listing.accept(admin);
        if (i >= 0) {
          millis[i] = (System.nanoTime() - began) / 1e6;
        }
      }
    }
    Arrays.sort(millis);
    return millis[(int) Math.ceil(0.95 * TIMES) - 1];
  }

  /** By one call; what the first one reads of catalogues is left out. */
  private static double examined(
      ListingsSql sql, String url, boolean mariaDb, Consumer<Admin> listing) throws SQLException {
    return all(sql, url, mariaDb, listing, 2) - all(sql, url, mariaDb, listing, 1);
  }

  private static double all(
      ListingsSql sql, String url, boolean mariaDb, Consumer<Admin> listing, int times)
      throws SQLException {
    long before = sql.examined();
    // The end of a connection makes its numbers known.
    try (Admin admin = admin(url, mariaDb)) {
      for (int i = 0; i < times; i++) {
        listing.accept(admin);
      }
    }
    return sql.examined() - before;
  }

  private static Admin admin(String url, boolean mariaDb) {
    return mariaDb
        ? TableOutbox.of(
                () -> DriverManager.getConnection(url),
                Layouts.WAYBILL,
                DatabaseKind.MARIADB,
                TableOptions.defaults(Layouts.WAYBILL))
            .admin()
        : PostgresOutbox.of(
                ConnectionFactory.postgres(url, new Properties()), PostgresOptions.ofDefaults())
            .admin();
  }
}
