package io.waybill.bench.counts;

import io.waybill.bench.load.Tables;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.start.HistoryJob;
import io.waybill.internal.start.RelayHistory;
import io.waybill.observe.RelayEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What the history of two relays costs the database, by relay and minute. */
record HistoryCounts(CountedDatabase database, int minutes) {
  private static final String WRITER = "counted_history";
  private static final String TABLE = "waybill_rollup";
  private static final int RELAYS = 2;
  private static final int DESTINATIONS = 3;
  private static final Duration KEPT = Duration.ofDays(14);

  /** Per relay and minute; names are those of the report. */
  Map<String, Double> count() throws SQLException {
    new Tables(database.url()).createWaybill();
    AtomicInteger minute = new AtomicInteger();
    Instant begin = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    List<RelayHistory> histories = new ArrayList<>();
    List<HistoryJob> jobs = new ArrayList<>();
    PostgresOutbox outbox =
        PostgresOutbox.of(database.connections(WRITER), PostgresOptions.ofDefaults());
    for (int relay = 0; relay < RELAYS; relay++) {
      RelayHistory history = new RelayHistory(() -> begin.plus(Duration.ofMinutes(minute.get())));
      histories.add(history);
      jobs.add(new HistoryJob("counts", outbox.admin(), KEPT, history));
    }
    double rowsBefore = database.rowWrites();
    database.resetStatements();
    for (int i = 0; i < minutes; i++) {
      histories.forEach(HistoryCounts::publish);
      minute.incrementAndGet();
      jobs.forEach(HistoryJob::turn);
    }
    double statements = database.statementsOf(WRITER, TABLE);
    // With what makes a connection ready.
    double all = database.statements().getOrDefault(WRITER, 0.0);
    jobs.forEach(job -> job.close(Duration.ZERO));
    Map<String, Double> figures = new TreeMap<>();
    figures.put("statements", statements / minutes / RELAYS);
    figures.put("statementsWithSessions", all / minutes / RELAYS);
    figures.put("rowWrites", (database.rowWrites() - rowsBefore) / minutes / RELAYS);
    return figures;
  }

  private static void publish(RelayHistory history) {
    for (int i = 0; i < DESTINATIONS; i++) {
      history.on(new RelayEvent.Published("e", "t", null, "d" + i, 5, 5, 5));
    }
    history.on(new RelayEvent.Gauges(0, 0, 0, 0, 0, 0, 5));
  }
}
