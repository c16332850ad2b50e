package io.waybill.bench.child;

import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Inflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Receives until everything expected has come, or nothing comes any more. */
final class VerifierPart implements ChildMain.Part {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(15).toNanos();
  // Duplicates come after what they duplicate.
  private static final long LINGER_NANOS = Duration.ofMillis(500).toNanos();

  @Override
  public void play(Settings settings, Control control) throws Exception {
    Tally tally = new Tally((int) settings.number("keys"));
    Stamps stamps = new Stamps();
    boolean stamping = settings.has("stamps");
    AtomicLong arrived = new AtomicLong();
    control.counting(arrived::get);
    try (Inflow inflow =
        BrokerKind.of(settings.text("broker"))
            .inflow(settings.text("address"), settings.text("destination"))) {
      control.tell("ready");
      Quiet quiet = new Quiet();
      while (!quiet.over(control, settings.number("events"), tally)) {
        inflow.receive(
            body -> {
              long ref = Ref.find(body);
              if (tally.arrived(ref)) {
                arrived.incrementAndGet();
                if (stamping) {
                  stamps.stamp(ref);
                }
              }
              quiet.broken();
            });
      }
    }
    if (stamping) {
      stamps.write(Path.of(settings.text("stamps")));
    }
    long lost = missing(control, settings.number("events"), tally);
    control.tell("verdict", lost, tally.duplicates(), tally.inversions());
  }

  /**
   * Events that have not come. Of a run that was cut short, confirmed deliveries are all that has
   * to come, and more may have than was known to be confirmed.
   */
  private static long missing(Control control, long events, Tally tally) {
    long deliveries = control.deliveriesUntilCut();
    return deliveries < 0
        ? control.total(events) - tally.distinct()
        : Math.max(0, deliveries - tally.distinct() - tally.duplicates());
  }

  /**
   * How long nothing has come since all was sent: before, an idle relay may have been waited for.
   */
  private static final class Quiet {
    private long since;
    private boolean counting;

    void broken() {
      since = System.nanoTime();
    }

    boolean over(Control control, long events, Tally tally) {
      if (!counting) {
        counting = control.stopping();
        since = System.nanoTime();
        return false;
      }
      long needed = missing(control, events, tally) == 0 ? LINGER_NANOS : PATIENCE_NANOS;
      return System.nanoTime() - since > needed;
    }
  }
}
