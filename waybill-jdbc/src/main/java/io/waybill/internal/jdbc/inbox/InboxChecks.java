package io.waybill.internal.jdbc.inbox;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What can undo effects that an inbox has acknowledged: crashes and failovers that lose commits.
 */
public final class InboxChecks {
  private static final Set<Check> LOSSES =
      EnumSet.of(
          Check.POSTGRESQL_FSYNC_OFF,
          Check.POSTGRESQL_FULL_PAGE_WRITES_OFF,
          Check.POSTGRESQL_STANDBY_ASYNCHRONOUS,
          Check.POSTGRESQL_IDENTITY_HIDDEN,
          Check.MYSQL_FLUSH_LOG_AT_COMMIT_OFF,
          Check.MYSQL_DISK_NOT_AWAITED,
          Check.MYSQL_SYNC_BINLOG_OFF,
          Check.MYSQL_REPLICA_ASYNCHRONOUS);

  private InboxChecks() {}

  /** Looks as a relay does before it starts; the inbox itself commits synchronously. */
  public static List<Finding> run(Connection connection, DatabaseKind kind, InboxTables tables)
      throws SQLException {
    String schema = TableChecks.schema(connection, kind, tables.table());
    return TableChecks.server(connection, kind, schema).stream()
        .filter(finding -> LOSSES.contains(finding.check()))
        .toList();
  }
}
