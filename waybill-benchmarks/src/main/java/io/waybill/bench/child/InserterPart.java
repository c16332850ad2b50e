package io.waybill.bench.child;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.MySqlAppend;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Business transactions at a steady rate on MySQL or MariaDB, each timed. */
final class InserterPart implements ChildMain.Part {
  private final Outbox outbox = Outbox.of(MySqlAppend.ofDefaults());
  private final Histogram times = new ConcurrentHistogram(3);
  private final List<byte[]> templates = Payloads.templates();

  @Override
  public void play(Settings settings, Control control) throws Exception {
    int threads = (int) settings.number("threads");
    control.readyAndAwaitGo();
    long start = System.nanoTime();
    Crew.run(threads, thread -> write(settings, thread, start));
    double seconds = (System.nanoTime() - start) / 1e9;
    control.tell("written", settings.number("events") / seconds, millis(50), millis(99));
    control.awaitStop();
  }

  private double millis(int percentile) {
    return times.getValueAtPercentile(percentile) / 1e6;
  }

  private void write(Settings settings, int thread, long start) throws SQLException {
    int threads = (int) settings.number("threads");
    long warm = settings.number("warm") / threads;
    int keys = (int) settings.number("keys") / threads;
    Pace pace = new Pace(start, settings.number("interval") * threads);
    try (Connection connection = DriverManager.getConnection(settings.text("database"))) {
      connection.setAutoCommit(false);
      for (long i = 0; i < settings.number("events") / threads; i++) {
        pace.awaitNext();
        int key = thread + threads * (int) (i % keys);
        byte[] body = templates.get((int) (i % templates.size())).clone();
        Ref.put(body, Ref.of(key, i / keys));
        long began = System.nanoTime();
        outbox.append(connection, event(key, body));
        connection.commit();
        if (i >= warm) {
          times.recordValue(System.nanoTime() - began);
        }
      }
    }
  }

  private static Event event(int key, byte[] body) {
    return Event.builder("order.placed", "order", Integer.toString(key))
        .payload(Payload.of(body, Payload.JSON))
        .build();
  }
}
