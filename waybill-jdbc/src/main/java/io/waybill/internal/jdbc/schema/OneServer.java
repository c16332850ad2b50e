package io.waybill.internal.jdbc.schema;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Loan;
import io.waybill.internal.jdbc.kernel.ServerHistory;
import io.waybill.internal.jdbc.kernel.SessionLockSql;
import io.waybill.internal.jdbc.kernel.SessionStart;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether all connections of a relay lead to one server, and see each other's locks there. */
public final class OneServer {
  private OneServer() {}

  /**
   * Adds a finding if not. What already refuses the start is not looked behind: a standby, for one,
   * cannot tell whose history it has.
   */
  public static List<Finding> look(
      ConnectionFactory connections,
      Duration limit,
      Connection first,
      SqlDialect dialect,
      SideNames names,
      List<Finding> findings)
      throws SQLException {
    if (findings.stream().anyMatch(f -> f.check().severity() == Finding.Severity.REFUSE)) {
      return findings;
    }
    List<Finding> more = new ArrayList<>(findings);
    Set<String> servers = new TreeSet<>();
    ServerHistory history = dialect.history();
    servers.add(history.read(first));
    try (Loan second = Loan.open(connections, SessionStart.NOTHING, "checks", limit);
        Loan third = Loan.open(connections, SessionStart.NOTHING, "checks", limit)) {
      servers.add(history.read(second.connection()));
      servers.add(history.read(third.connection()));
      if (servers.size() == 1) {
        SessionLockSql lock = dialect.sessionLock(names);
        more.addAll(SessionLockCheck.run(second.connection(), first, lock));
        return more;
      }
    } catch (SQLException e) {
      // Too few are free, which has a check of its own.
      return findings;
    }
    more.add(
        new Finding(
            Check.SERVERS_DIFFER,
            "connections",
            "Connections to the one address lead to different servers, whose locks and commits"
                + " differ: "
                + String.join("; ", servers),
            "the address of one server in the JDBC URL, or a proxy that leads to one at a time"));
    return more;
  }
}
