package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.MySqlSession;
import io.waybill.internal.jdbc.kernel.MySqlSettings;
import io.waybill.internal.jdbc.kernel.SessionEnd;
import io.waybill.internal.jdbc.kernel.SessionStart;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session on MySQL or MariaDB that a handler shares: time zone and mode stay as the application
 * has them. A wait for a lock may take as long as the handler of a concurrent copy.
 *
 * @param mariaDb whether it is MariaDB
 */
record MySqlInboxSession(boolean mariaDb) implements SessionStart {
  @Override
  public SessionEnd remember(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>(MySqlSession.limitNames(mariaDb));
    if (!mariaDb) {
      names.add("wait_timeout");
    }
    return MySqlSettings.of(connection, names);
  }

  /** MySQL can end a transaction that rests, whose host may be gone, in no other way. */
  @Override
  public Optional<Duration> rest(Duration limit) {
    return mariaDb
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(MySqlSession.seconds(limit)));
  }

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    try (Statement set = connection.createStatement()) {
      set.execute(
          "set innodb_lock_wait_timeout = %d, %s%s"
              .formatted(
                  limit.toSeconds(),
                  MySqlSession.limits(mariaDb, limit),
                  rest(limit).map(rest -> ", wait_timeout = " + rest.toSeconds()).orElse("")));
    }
  }
}
