package io.waybill.bench.counts;

import io.waybill.bench.load.Tables;
import io.waybill.encode.Encoder;
import io.waybill.encode.Format;
import io.waybill.internal.relay.shell.Relay;
import io.waybill.internal.relay.shell.Stores;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.proof.proxy.RoundTripCounter;
import io.waybill.relay.RelayRules;
import io.waybill.relay.RoutedMapper;
import io.waybill.route.Route;
import io.waybill.route.Routes;
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
  private static final String READER = "counted_reader";
  private static final String SETTLER = "counted_settler";
  private static final String LANES = "counted_lanes";

  /** Per event; names are those of the report. */
  Map<String, Double> count() throws SQLException, InterruptedException {
    Tables tables = new Tables(database.url());
    subject.create(tables);
    Stores stores =
        new Stores(
            subject.outbox(database.connections(LANES)).lanes(),
            new EventsOnlyReader(subject.outbox(database.connections(READER)).reader()),
            subject.outbox(database.connections(SETTLER)).store());
    database.run("checkpoint");
    double before = database.walBytes();
    double rowsBefore = database.rowWrites();
    subject.insert(tables, events, KEYS);
    double inserted = database.walBytes();
    database.resetStatements();
    int roundTrips = RoundTripCounter.roundTrips();
    CountDownLatch published = new CountDownLatch(events);
    Relay relay = relay(stores, published);
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

  private Relay relay(Stores stores, CountDownLatch published) {
    EngineSettings defaults = EngineSettings.defaults(Duration.ofSeconds(5), 1);
    FullBatches publisher = new FullBatches(defaults.settleBatch(), events);
    return new Relay(
        "counts",
        withoutPauses(
            EngineSettings.defaults(publisher.deliveryTimeout(), publisher.maxInFlightPerKey())),
        stores,
        publisher,
        RelayRules.ofDefaults(mapper()),
        event -> {
          if (event instanceof RelayEvent.Published) {
            published.countDown();
          }
        },
        failure -> {});
  }

  /**
   * No polls and no renewals, of which a slow machine would have more, and no settlement that is
   * not full because the confirmations of a batch took their time.
   */
  private EngineSettings withoutPauses(EngineSettings usual) {
    int batch =
        subject
            .outbox(
                () -> {
                  throw new SQLException("unused");
                })
            .polling()
            .batch();
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

  private static RoutedMapper mapper() {
    Transport transport = Transport.KAFKA;
    return new RoutedMapper(
        Routes.builder(transport).byDefault(Route.to("counts").build()).build(),
        Encoder.builder(transport).byDefault(Format.RAW).source("counts").build(),
        EventLimits.ofDefaults());
  }
}
