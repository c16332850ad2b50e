package io.waybill.bench.child;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.jdbc.dialect.PostgresAppend;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.outbox.CommitNudge;
import io.waybill.outbox.Outbox;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Business transactions of one event each, at a steady rate, by several threads. The keys are
 * divided among the threads, so that the positions of a key are committed in order. Commits are
 * stamped when they return; those of the warm-up are not.
 */
final class Writer {
  private static final String PLAIN =
      """
      insert into plain_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      values (uuidv7()::text, 'order.placed', 'order', ?, ?)
      """;

  private final Settings settings;
  private final Outbox outbox;
  private final Stamps stamps = new Stamps();
  private final List<byte[]> templates = Payloads.templates();
  private final int threads;

  Writer(Settings settings, Outbox outbox) {
    this.settings = settings;
    this.outbox = outbox;
    this.threads = (int) settings.number("threads");
  }

  static Outbox outbox(CommitNudge nudge) {
    return new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), nudge);
  }

  /** Writes everything and the file of stamps. */
  void run() throws Exception {
    long start = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        all.add(pool.submit(() -> write(number, start)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A writer failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
    stamps.write(Path.of(settings.text("commits")));
  }

  private Void write(int thread, long start) throws SQLException {
    long events = settings.number("events") / threads;
    long warm = settings.number("warm") / threads;
    int keys = (int) settings.number("keys") / threads;
    Pace pace = new Pace(start, settings.number("interval") * threads);
    boolean plain = settings.has("plain");
    try (Connection connection = Sql.open(settings.text("database"));
        PreparedStatement insert = plain ? connection.prepareStatement(PLAIN) : null) {
      connection.setAutoCommit(false);
      for (long i = 0; i < events; i++) {
        pace.awaitNext();
        int key = thread + threads * (int) (i % keys);
        long ref = Ref.of(key, i / keys);
        byte[] body = templates.get((int) (i % templates.size())).clone();
        Ref.put(body, ref);
        if (insert != null) {
          insert.setString(1, Integer.toString(key));
          insert.setBytes(2, body);
          insert.executeUpdate();
        } else {
          outbox.append(connection, event(key, body));
        }
        connection.commit();
        if (i >= warm) {
          stamps.stamp(ref);
        }
        outbox.committed();
      }
    }
    return null;
  }

  private static Event event(int key, byte[] body) {
    return Event.builder("order.placed", "order", Integer.toString(key))
        .payload(Payload.of(body, Payload.JSON))
        .build();
  }
}
