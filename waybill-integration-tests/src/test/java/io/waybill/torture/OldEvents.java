package io.waybill.torture;

import io.waybill.proof.oracle.Ledger;
import io.waybill.torture.Planned.Content;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes events that were created long before, as those that were delayed, parked or held up, for a
 * topic whose broker deletes by time. One thread.
 */
final class OldEvents {
  /** Keys of their own begin here, one for each event. */
  static final int KEYS = 2_000_000;

  private static final long PAUSE_MILLIS = 250;
  private static final int MOST_HOURS = 30 * 24;
  private static final int LONGEST_DELAY_SECONDS = 5;

  private final Stage stage;
  private final OutboxTable.Aging aging;
  private int keys;

  OldEvents(Stage stage, OutboxTable.Aging aging) {
    this.stage = stage;
    this.aging = aging;
  }

  void write(FaultPlan.Entry entry, CountDownLatch healed) throws InterruptedException {
    Random random = new Random(entry.dice());
    long end = System.nanoTime() + entry.length().toNanos();
    while (System.nanoTime() < end && !healed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
      try (Connection connection = stage.connect()) {
        connection.setAutoCommit(false);
        append(connection, random);
        connection.commit();
      } catch (SQLException e) {
        // The database is away, as it often is in a torture; the ledger says what was committed.
      }
    }
  }

  private void append(Connection connection, Random random) throws SQLException {
    int key = KEYS + keys++;
    byte[] payload = "{\"old\":%d}".formatted(key).getBytes(StandardCharsets.UTF_8);
    Content content = new Content(payload, "application/json", Map.of());
    Planned event = new Planned("old-%d".formatted(key), key, 1, content);
    Ledger.open(connection, List.of(Planned.name(key)));
    Ledger.record(connection, List.of(event.ledgerRow()));
    stage.table().append(connection, List.of(event));
    try (PreparedStatement update = connection.prepareStatement(aging.age())) {
      update.setInt(1, 1 + random.nextInt(MOST_HOURS));
      update.setInt(2, random.nextInt(LONGEST_DELAY_SECONDS));
      update.setString(3, event.id());
      update.executeUpdate();
    }
  }
}
