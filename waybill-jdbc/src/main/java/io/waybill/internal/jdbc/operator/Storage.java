package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.kernel.StorageSql;
import io.waybill.layout.RowIdKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of an outbox weigh, and for whose sake the database keeps rows that were removed.
 * Numbers of rows are the database's estimates.
 *
 * @param waiting events that wait to be published, up to {@link #MOST_COUNTED}
 * @param more whether more may wait than were counted
 * @param tables the outbox and those beside it that are there, the largest first
 * @param unpurged on MySQL and MariaDB: transactions of the whole server whose removed rows are
 *     still there; null if not known
 * @param transactions those that are open and hold the horizon, the oldest first; a few at most
 * @param grant a statement that lets this database user see what is hidden from it; null if nothing
 *     is
 */
public record Storage(
    long waiting,
    boolean more,
    List<StoredTable> tables,
    @Nullable Long unpurged,
    List<OpenTransaction> transactions,
    @Nullable String grant) {
  /** Counting events that wait stops there. */
  public static final int MOST_COUNTED = 10_000;

  private static final int MOST_TRANSACTIONS = 5;
  // MySQL and MariaDB, of what needs a privilege of the server.
  private static final int DENIED = 1227;

  /** What holds the horizon. */
  public enum Holder {
    /** A session with a transaction. */
    SESSION,
    /** A transaction that was prepared and has no session. */
    PREPARED,
    /** A replication slot, whose reader is behind. */
    SLOT,
    /** A standby, which tells what its queries still see. */
    STANDBY
  }

  /**
   * A table.
   *
   * @param name plain name
   * @param rows estimated number of rows; null if not known
   * @param removed rows that were removed or changed and are still there, as estimated; null where
   *     the database does not tell
   * @param bytes with indexes
   * @param cleanedAt when it was last cleaned up; null if never, or where the database does not
   *     tell
   */
  public record StoredTable(
      String name,
      @Nullable Long rows,
      @Nullable Long removed,
      @Nullable Long bytes,
      @Nullable Instant cleanedAt) {
    private static StoredTable of(ResultSet result) throws SQLException {
      return new StoredTable(
          result.getString(1),
          number(result, 2),
          number(result, 3),
          number(result, 4),
          time(result, 5));
    }

    /** For people. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s (%s rows%s, %.1f MiB%s)",
          name,
          rows == null ? "unknown" : "about " + rows,
          removed == null ? "" : ", about " + removed + " removed ones",
          bytes == null ? 0 : bytes / 1048576.0,
          cleanedAt == null ? "" : ", cleaned up " + cleanedAt);
    }
  }

  /**
   * A transaction that is open.
   *
   * @param kind who has it
   * @param id of its session, or its name; what ends it needs that
   * @param user database user
   * @param application name that its program gave, where the database has one
   * @param client address that it came from
   * @param state state of the session; null if hidden
   * @param since when it began; null if hidden
   * @param passed how many transactions of the server have begun since, where the database tells
   * @param command a statement that ends it; null if none does
   */
  public record OpenTransaction(
      Holder kind,
      String id,
      @Nullable String user,
      @Nullable String application,
      @Nullable String client,
      @Nullable String state,
      @Nullable Instant since,
      @Nullable Long passed,
      @Nullable String command) {
    private static OpenTransaction of(ResultSet result) throws SQLException {
      return new OpenTransaction(
          Holder.valueOf(result.getString(1)),
          result.getString(2),
          result.getString(3),
          result.getString(4),
          result.getString(5),
          result.getString(6),
          time(result, 7),
          number(result, 8),
          result.getString(9));
    }

    private boolean isHidden() {
      return kind == Holder.SESSION && state == null;
    }

    /** For people. */
    @Override
    public String toString() {
      return "%s %s of %s (%s, from %s, %s, since %s)%s"
          .formatted(
              kind.name().toLowerCase(Locale.ROOT),
              id,
              user,
              application,
              client,
              state,
              since,
              command == null ? "" : "; ended by: " + command);
    }
  }

  /**
   * Asks the database of an outbox, by a few statements.
   *
   * @param admin operators' view of the outbox
   * @throws IllegalArgumentException if it is not one of a database
   */
  public static Storage of(Admin admin) {
    EventCount waiting =
        admin.count(EventFilter.status(EventStatus.PENDING), null, MOST_COUNTED + 1);
    JdbcAdmin.Parts parts = JdbcAdmin.of(admin).parts();
    SideNames names = parts.terms().names();
    List<String> tables =
        Stream.concat(
                Stream.of(parts.layout().table().name()),
                // The last one is there where PostgreSQL keeps what was published.
                Stream.concat(SideNames.tables().stream(), Stream.of("published"))
                    .map(table -> names.prefix() + table))
            .toList();
    SqlDialect dialect = parts.queries().dialect();
    return parts
        .queries()
        .database()
        .ask(
            "look at the storage",
            connection -> new Look(connection, dialect, waiting).storage(tables, names.schema()));
  }

  /** One look. */
  private record Look(Connection connection, SqlDialect dialect, EventCount waiting) {
    private interface Row<T> {
      T of(ResultSet result) throws SQLException;
    }

    Storage storage(List<String> names, @Nullable String schema) throws SQLException {
      StorageSql sql = dialect.storage();
      List<StoredTable> tables = tables(sql, names, schema);
      List<OpenTransaction> open = new ArrayList<>();
      Long unpurged = null;
      boolean hidden = false;
      try {
        open.addAll(
            list(
                sql.transactions(),
                binding -> binding.number(MOST_TRANSACTIONS),
                OpenTransaction::of));
        hidden = open.stream().anyMatch(OpenTransaction::isHidden);
        unpurged =
            sql.unpurged().isEmpty()
                ? null
                : list(sql.unpurged(), Queries.Binder.NOTHING, result -> result.getLong(1)).get(0);
      } catch (SQLException e) {
        if (e.getErrorCode() != DENIED) {
          throw e;
        }
        hidden = true;
      }
      String grant =
          hidden
              ? list(sql.grant(), Queries.Binder.NOTHING, result -> result.getString(1)).get(0)
              : null;
      return new Storage(
          Math.min(waiting.count(), MOST_COUNTED),
          waiting.count() > MOST_COUNTED || waiting.next() != null,
          tables,
          unpurged,
          open,
          grant);
    }

    private List<StoredTable> tables(StorageSql sql, List<String> names, @Nullable String schema)
        throws SQLException {
      run(sql.freshly());
      try {
        return list(
            sql.tables().replace("${some}", dialect.oneOf("t.name", names.size())),
            binding -> {
              binding.oneOf(RowIdKind.STRING, names);
              binding.text(schema);
            },
            StoredTable::of);
      } finally {
        run(sql.asBefore());
      }
    }

    private void run(String sql) throws SQLException {
      if (!sql.isEmpty()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(sql);
        }
      }
    }

    private <T> List<T> list(String sql, Queries.Binder binder, Row<T> row) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        binder.bind(new Binding(statement, dialect));
        List<T> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
          while (result.next()) {
            rows.add(row.of(result));
          }
        }
        return rows;
      }
    }
  }

  private static @Nullable Long number(ResultSet result, int column) throws SQLException {
    long number = result.getLong(column);
    return result.wasNull() ? null : (Long) number;
  }

  private static @Nullable Instant time(ResultSet result, int column) throws SQLException {
    Long micros = number(result, column);
    return micros == null ? null : AdminRows.time(micros);
  }
}
