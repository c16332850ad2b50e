package io.waybill.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongPredicate;

/** Waits for relays to own lanes, a minute at most. */
record Lanes(Environment environment) {
  private static final long LOOK_MILLIS = 20;
  private static final long LIMIT_NANOS = Duration.ofMinutes(1).toNanos();

  private static final String NOT_OF_OTHERS =
      """
      select count(*) from waybill_lane l left join waybill_session s on s.fence = l.fence
      where s.relay is null or s.relay = ?""";

  private static final String OWNED =
      """
      select count(*) from waybill_lane l join waybill_session s on s.fence = l.fence
      where s.relay = ?""";

  /** Until the others own all lanes of a relay that is dead; returns how long it took, seconds. */
  double awaitTaken(RelayProcess dead) {
    return await(NOT_OF_OTHERS, dead, number -> number == 0);
  }

  /** Until a relay that has begun owns some. */
  void awaitOwned(RelayProcess begun) {
    await(OWNED, begun, number -> number > 0);
  }

  private double await(String sql, RelayProcess relay, LongPredicate enough) {
    long began = System.nanoTime();
    try (Connection connection = environment.connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, relay.name() + "-" + RelayProcess.OUTBOX);
      while (!enough.test(number(statement)) && System.nanoTime() - began < LIMIT_NANOS) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The lanes could not be looked at", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private static long number(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
