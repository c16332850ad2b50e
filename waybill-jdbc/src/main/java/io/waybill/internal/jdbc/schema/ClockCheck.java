package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Compares this machine's clock with the database's, by which everything is decided. */
public final class ClockCheck {
  private static final Duration MOST = Duration.ofSeconds(5);

  private ClockCheck() {}

  public static List<Finding> run(Connection connection, SqlDialect dialect, InstantSource clock)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      Instant before = clock.instant();
      Instant there = read(statement, "select " + dialect.micros(dialect.clock()));
      Instant after = clock.instant();
      Duration apart =
          there.isBefore(before)
              ? Duration.between(there, before)
              : there.isAfter(after) ? Duration.between(after, there) : Duration.ZERO;
      return apart.compareTo(MOST) <= 0 ? List.of() : List.of(finding(apart));
    }
  }

  private static Instant read(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      result.next();
      return Instant.EPOCH.plus(result.getLong(1), ChronoUnit.MICROS);
    }
  }

  private static Finding finding(Duration apart) {
    return new Finding(
        Check.CLOCKS_APART,
        "clock",
        "This machine's clock and the database's are "
            + apart.toSeconds()
            + " s apart: leases and due times go by the database's, logs and alarms by this one",
        "the same time service (NTP) on both machines");
  }
}
