package io.waybill.bench.child;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Business transactions of several events each, at a steady rate, by several threads that share the
 * keys out. Of the commits, one in some is stamped: there are millions.
 */
final class BulkWriterPart implements ChildMain.Part {
  private static final int STAMP_ONE_OF = 10;
  private static final String PLAIN =
      """
      insert into plain_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      values (uuidv7()::text, 'order.placed', 'order', ?, ?)
      """;

  private final Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
  private final Stamps stamps = new Stamps();
  private final List<byte[]> templates = Payloads.templates();

  @Override
  public void play(Settings settings, Control control) throws Exception {
    int threads = (int) settings.number("threads");
    control.readyAndAwaitGo();
    long start = System.nanoTime();
    Crew.run(threads, thread -> write(settings, thread, start));
    stamps.write(Path.of(settings.text("commits")));
    control.tell("written");
    control.awaitStop();
  }

  private void write(Settings settings, int thread, long start) throws SQLException {
    int threads = (int) settings.number("threads");
    int batch = (int) settings.number("batch");
    long events = settings.number("events") / threads;
    long warm = settings.number("warm") / threads;
    int keys = (int) settings.number("keys") / threads;
    Pace pace = new Pace(start, settings.number("interval") * threads * batch);
    try (Connection connection = open(settings)) {
      for (long first = 0; first < events; first += batch) {
        pace.awaitNext();
        List<Long> refs = new ArrayList<>(batch);
        for (long i = first; i < first + batch; i++) {
          refs.add(Ref.of(thread + threads * (int) (i % keys), i / keys));
        }
        insert(connection, refs, settings.has("plain"));
        connection.commit();
        if (first >= warm) {
          refs.stream().filter(BulkWriterPart::stamped).forEach(stamps::stamp);
        }
      }
    }
  }

  private static boolean stamped(long ref) {
    return Ref.position(ref) % STAMP_ONE_OF == 0;
  }

  private static Connection open(Settings settings) throws SQLException {
    Connection connection = Sql.open(settings.text("database") + "&reWriteBatchedInserts=true");
    connection.setAutoCommit(false);
    return connection;
  }

  private void insert(Connection connection, List<Long> refs, boolean plain) throws SQLException {
    if (!plain) {
      outbox.append(connection, refs.stream().map(this::event).toList());
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(PLAIN)) {
      for (long ref : refs) {
        insert.setString(1, Integer.toString(Ref.key(ref)));
        insert.setBytes(2, body(ref));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private Event event(long ref) {
    return Event.builder("order.placed", "order", Integer.toString(Ref.key(ref)))
        .payload(Payload.of(body(ref), Payload.JSON))
        .build();
  }

  private byte[] body(long ref) {
    byte[] body = templates.get((int) (ref % templates.size())).clone();
    Ref.put(body, ref);
    return body;
  }
}
