package io.waybill.bench.counts;

import io.waybill.Waybill;
import io.waybill.bench.load.Tables;
import io.waybill.bench.unchecked.UncheckedBroker;
import io.waybill.bench.unchecked.UncheckedTables;
import io.waybill.database.OutboxTables;
import io.waybill.message.Transport;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.proof.proxy.RoundTripCounter;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One relay carries one backlog in full batches, and the server counts. The log is counted from a
 * checkpoint before the inserts on, so that it has no images of whole pages.
 */
record RelayCounts(CountedDatabase database, Subject subject, int events) {
  private static final int KEYS = 1000;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration DELIVERY = Duration.ofSeconds(5);
  private static final String READER = "counted_reader";
  private static final String SETTLER = "counted_settler";
  private static final String LANES = "counted_lanes";

  /** Per event; names are those of the report. */
  Map<String, Double> count() throws SQLException, InterruptedException {
    Tables tables = new Tables(database.url());
    subject.create(tables);
    OutboxTables counted = new CountedTables(outbox(LANES), outbox(READER), outbox(SETTLER));
    database.run("checkpoint");
    double before = database.walBytes();
    double rowsBefore = database.rowWrites();
    subject.insert(tables, events, KEYS);
    double inserted = database.walBytes();
    database.resetStatements();
    int roundTrips = RoundTripCounter.roundTrips();
    CountDownLatch published = new CountDownLatch(events);
    Waybill relay = relay(counted, published);
    if (!published.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      relay.close();
      throw new IllegalStateException(
          published.getCount() + " of " + events + " events of " + subject + " are unpublished");
    }
    Map<String, Double> figures = new TreeMap<>();
    figures.put("roundTrips", perEvent(RoundTripCounter.roundTrips() - roundTrips));
    statements(figures);
    double done = database.walBytes();
    if (!relay.stop(LIMIT)) {
      throw new IllegalStateException("The relay on " + subject + " did not stop cleanly");
    }
    figures.put("insertWalBytes", perEvent(inserted - before));
    figures.put("walBytes", perEvent(done - before));
    figures.put("walToInsert", (done - before) / (inserted - before));
    figures.put("rowWrites", perEvent(database.rowWrites() - rowsBefore));
    figures.put("deadTuples", perEvent(database.deadTuples()));
    return figures;
  }

  private void statements(Map<String, Double> figures) {
    Map<String, Double> calls = database.statements();
    double reader = calls.getOrDefault(READER, 0.0);
    double settler = calls.getOrDefault(SETTLER, 0.0);
    double lanes = calls.getOrDefault(LANES, 0.0);
    figures.put("statements", perEvent(reader + settler + lanes));
    figures.put("statementsOfReader", perEvent(reader));
    figures.put("statementsOfSettler", perEvent(settler));
  }

  private double perEvent(double number) {
    return number / events;
  }

  /** Asked for nothing before it starts, so that only events are counted. */
  private Waybill relay(OutboxTables counted, CountDownLatch published) {
    int batch = EngineSettings.defaults(DELIVERY, 1).settleBatch();
    return Waybill.relay("counts")
        .tables(counted)
        .broker(
            new UncheckedBroker(
                Transport.KAFKA, DELIVERY, expected -> new FullBatches(batch, events)))
        .route("counts")
        .settings(RelayCounts::withoutPauses)
        .listener(
            event -> {
              if (event instanceof RelayEvent.Published) {
                published.countDown();
              }
            })
        .start();
  }

  private OutboxTables outbox(String user) {
    return subject.outbox(database.connections(user));
  }

  /** Each part logs in under a name of its own, by which the server tells statements apart. */
  private static final class CountedTables extends UncheckedTables {
    private final OutboxTables reader;
    private final OutboxTables settler;

    private CountedTables(OutboxTables lanes, OutboxTables reader, OutboxTables settler) {
      super(lanes);
      this.reader = reader;
      this.settler = settler;
    }

    @Override
    public OutboxReader reader() {
      return new EventsOnlyReader(reader.reader());
    }

    @Override
    public OutboxStore store() {
      return new EventsOnlyStore(settler.store());
    }
  }

  /**
   * No polls and no renewals, of which a slow machine would have more, and no settlement that is
   * not full because the confirmations of a batch took their time.
   */
  private static EngineSettings withoutPauses(EngineSettings usual) {
    int batch = usual.polling().batch();
    return new EngineSettings(
        usual.maxRows(),
        usual.maxBytes(),
        usual.settleBatch(),
        PATIENCE,
        new Polling(new Polling.Rhythm.FixedDelay(LIMIT), Duration.ZERO, batch),
        LIMIT.multipliedBy(3),
        LIMIT,
        LIMIT,
        usual.deliveryTimeout(),
        usual.maxInFlight(),
        usual.maxInFlightPerKey());
  }
}
