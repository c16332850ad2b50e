package io.waybill.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Waits until the relays that live own all lanes of one that does not. */
record LanesTaken(Environment environment, RelayProcess dead) {
  private static final long LOOK_MILLIS = 20;
  private static final long LIMIT_NANOS = Duration.ofMinutes(1).toNanos();

  private static final String OTHERS =
      """
      select count(*) from waybill_lane l left join waybill_session s on s.fence = l.fence
      where s.relay is null or s.relay = ?""";

  /** Returns how long it took, in seconds; at most a minute. */
  double await() {
    long began = System.nanoTime();
    try (Connection connection = environment.connect();
        PreparedStatement statement = connection.prepareStatement(OTHERS)) {
      statement.setString(1, dead.name() + "-" + RelayProcess.OUTBOX);
      while (left(statement) > 0 && System.nanoTime() - began < LIMIT_NANOS) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The lanes could not be looked at", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private static int left(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }
}
