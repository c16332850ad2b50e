package io.waybill.internal.jdbc.schema;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.AuditColumns;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableCatalogue;
import io.waybill.layout.Layout;
import io.waybill.layout.RecordTable;
import io.waybill.layout.StateColumn;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the relay's user may do with a table of any layout and the tables beside it. */
final class TablePrivilegeChecks {
  // MySQL and MariaDB: a table, a column, a database, a log-in, a routine.
  private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044, 1045, 1370);
  private static final String DENIED_STATE = "42501";
  private static final String READ_ONLY_STATE = "25006";
  // Servers that take no writes, or none without a key, were found before.
  private static final Set<Integer> FOUND = Set.of(1290, 1792, 1836, 1175);

  private static final String[] ALL = {"SELECT", "INSERT", "UPDATE", "DELETE"};
  private static final List<Side> SIDES =
      List.of(
          new Side("session", "failing", ALL),
          new Side("lane", "fence", "SELECT", "UPDATE"),
          new Side("row_state", "failure_group", ALL),
          new Side("held", "lane", ALL),
          new Side("request", "lane", ALL),
          new Side("audit", "note", "SELECT", "INSERT", "UPDATE"),
          new Side("destination", "paused", ALL),
          new Side("row_context", "headers", "SELECT"));

  private final Layout layout;
  private final SqlDialect dialect;
  private final SideNames names;
  private final String table;

  /** What a relay does with a table beside the outbox. */
  private record Side(String name, String column, String... privileges) {}

  TablePrivilegeChecks(Layout layout, SqlDialect dialect, SideNames names, String table) {
    this.layout = layout;
    this.dialect = dialect;
    this.names = names;
    this.table = table;
  }

  List<Finding> run(Connection connection) throws SQLException {
    List<@Nullable Finding> findings = new ArrayList<>();
    String id = dialect.quote(layout.identity().rowId());
    findings.add(check(connection, "SELECT", table, id));
    Set<String> written = written();
    if (written.isEmpty()) {
      findings.add(check(connection, "DELETE", table, id));
    }
    for (String column : written) {
      findings.add(check(connection, "UPDATE", table, dialect.quote(column)));
    }
    RecordTable record = layout.progress().record();
    if (record != null) {
      String schema = layout.table().schema();
      String plain = dialect.quote(record.name());
      String name = schema == null ? plain : dialect.quote(schema) + "." + plain;
      for (String privilege : List.of("SELECT", "INSERT", "UPDATE")) {
        findings.add(check(connection, privilege, name, dialect.quote(record.status())));
      }
    }
    for (Side side : SIDES) {
      String name = dialect.fill(names, "${" + side.name() + "}");
      for (String privilege : side.privileges()) {
        String inserted = side.name().equals("audit") ? AuditColumns.INSERTED : "*";
        findings.add(check(connection, privilege, name, dialect.quote(side.column()), inserted));
      }
    }
    return findings.stream().flatMap(Stream::ofNullable).toList();
  }

  private Set<String> written() {
    Set<String> columns = new LinkedHashSet<>();
    if (layout.progress().state() instanceof StateColumn.Flag flag) {
      columns.add(flag.column());
    } else if (layout.progress().state() instanceof StateColumn.Word word) {
      columns.add(word.column());
    }
    add(columns, layout.progress().publishedAt());
    add(columns, layout.progress().attempts());
    add(columns, layout.progress().nextAttemptAt());
    add(columns, layout.progress().error());
    return columns;
  }

  private static void add(Set<String> columns, @Nullable String column) {
    if (column != null) {
      columns.add(column);
    }
  }

  private @Nullable Finding check(
      Connection connection, String privilege, String name, String column) throws SQLException {
    return check(connection, privilege, name, column, "*");
  }

  private @Nullable Finding check(
      Connection connection, String privilege, String name, String column, String inserted)
      throws SQLException {
    if (granted(connection, TableCatalogue.probe(dialect, privilege, name, column, inserted))) {
      return null;
    }
    String what =
        privilege.equals("UPDATE") && name.equals(table) ? "UPDATE (" + column + ")" : privilege;
    return new Finding(
        Check.PRIVILEGE_MISSING,
        "table " + name.replace("\"", "").replace("`", ""),
        "The relay's user has no privilege " + what.replace("\"", "").replace("`", ""),
        "grant "
            + (inserted.equals("*") ? what : AuditColumns.granted(privilege))
            + " on "
            + name
            + " to <relay user>");
  }

  private static boolean granted(Connection connection, String probe) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(probe);
      return true;
    } catch (SQLException e) {
      if (DENIED.contains(e.getErrorCode()) || DENIED_STATE.equals(e.getSQLState())) {
        return false;
      }
      if (FOUND.contains(e.getErrorCode()) || READ_ONLY_STATE.equals(e.getSQLState())) {
        return true;
      }
      throw e;
    }
  }
}
