package io.waybill.bench.refusal;

import io.waybill.Waybill;
import io.waybill.bench.load.Tables;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.refusal.Arrivals.Reading;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.report.Verdict;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Closing;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.database.ConnectionFactory;
import java.time.Duration;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * A relay with a steady load to two destinations, of which the second refuses for a while, counted
 * from its first refusal.
 *
 * @param options rate and times
 * @param kind how the second destination refuses
 * @param place the destinations
 * @param url of the database
 */
record RefusalRun(Options options, Candidate kind, RefusalStage.Place place, String url) {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration AFTER = Duration.ofSeconds(15);
  private static final Duration GRACE = Duration.ofSeconds(20);
  // Duplicates come after what they duplicate.
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final String HEALTHY = "order.well";
  private static final String REFUSED = "order.refused";
  // Even keys are healthy.
  private static final int KEY_STEP = 2;

  /** Returns what was measured, when all that was written has arrived or the time is over. */
  Measured run(Measured measured) throws Exception {
    new Tables(url).createWaybill();
    Refusals seen = new Refusals(place.healthy().name());
    Arrivals arrivals = new Arrivals();
    try (Closing all = new Closing()) {
      all.add(relay(seen));
      all.add(arrivals.new Reading(place.inflow(true)));
      Reading reading = all.add(arrivals.new Reading(place.inflow(false)));
      SteadyWriter well = all.add(writer(HEALTHY, 0));
      SteadyWriter refused = all.add(writer(REFUSED, 1));
      Pause.of(Duration.ofSeconds(options.warmSeconds()));
      long before = System.nanoTime();
      Pause.of(Duration.ofSeconds(Math.max(1, options.seconds() / 3)));
      long spoiling = System.nanoTime();
      if (!place.isConsumedMeanwhile()) {
        refused.pause();
        await("quiet", () -> arrivals.distinct() >= well.count() + refused.count());
        reading.close();
      }
      seen.spoiling(kind == Candidate.WITHOUT);
      place.spoil();
      refused.resume();
      await("refusal", () -> seen.firstRefusal() != 0);
      say("refuses: " + seen.reasons());
      Pause.of(Duration.ofSeconds(options.seconds()));
      measured.details().put("eventsRefused", (double) refused.count());
      long repairing = seen.repairing();
      place.repair();
      long repaired = System.nanoTime();
      if (!place.isConsumedMeanwhile()) {
        all.add(arrivals.new Reading(place.inflow(false)));
      }
      await("flow", () -> seen.firstFlow() != 0);
      double flowing = Math.max(0, (seen.firstFlow() - repaired) / 1e9);
      measured.details().merge(Verdict.FLOWING, flowing, Math::max);
      say("flows %.2f s after its repair".formatted(flowing));
      Pause.of(AFTER);
      long written = well.pause() + refused.pause();
      if (reached(() -> arrivals.distinct() >= written)) {
        Pause.of(LINGER);
      }
      measured.add(Figure.RATE, 2.0 * options.rate());
      measured.add(Figure.LOST, (double) (written - arrivals.distinct()));
      measured.add(Figure.DUPLICATES, (double) arrivals.duplicates());
      seen.measure(before, spoiling, repairing, measured);
      return measured;
    }
  }

  private SteadyWriter writer(String type, int firstKey) throws Exception {
    return new SteadyWriter(url, type, firstKey, KEY_STEP, options.rate());
  }

  /** With default settings; what its checks find, refusals too, does not keep it from starting. */
  private Waybill relay(Refusals seen) {
    return Waybill.relay("bench-" + kind.label())
        .outbox(ConnectionFactory.postgres(url, new Properties()))
        .broker(place.broker())
        .route(place.route(true))
        .route(REFUSED, place.route(false))
        .source("bench")
        .listener(seen)
        .gracePeriod(GRACE)
        .warnOnly()
        .start();
  }

  private void await(String what, BooleanSupplier condition) {
    if (!reached(condition)) {
      throw new IllegalStateException("%s: no %s in %s".formatted(kind.label(), what, LIMIT));
    }
  }

  private static boolean reached(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
      Pause.of(LOOK);
    }
    return condition.getAsBoolean();
  }

  private void say(String words) {
    Progress.show(kind.label() + " " + words);
  }
}
