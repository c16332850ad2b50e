package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Limits;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The reader's statements on rows, each one call. Used by one thread. */
final class ReaderStatements {
  private final Database database;
  private final CommitWindowSql dialect;
  private final RowDecoder decoder;
  private long nowMicros;

  /** Where the database stands, with the lowest id (0 if there are no rows) and number of lanes. */
  record TablePosition(Header header, long lowestId, int lanes) {}

  /** A snapshot's text, and when it was taken. */
  record Glance(String snapshot, long nowMicros) {}

  /** A window's rows, none if it is larger than the limit. */
  record Window(Header header, List<OutboxRow> rows) {}

  ReaderStatements(Database database, CommitWindowSql dialect) {
    this.database = database;
    this.dialect = dialect;
    this.decoder = new RowDecoder(dialect.bound());
  }

  RowDecoder decoder() {
    return decoder;
  }

  /** Time of the latest statement that asked for it, on the database clock. */
  long nowMicros() {
    return nowMicros;
  }

  TablePosition position() {
    return database.call(
        "read the outbox's position",
        dialect.position(),
        statement -> {
          statement.setString(1, Literals.timestamp(0));
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            Header header = header(result);
            return new TablePosition(header, result.getLong(2), result.getInt(3));
          }
        });
  }

  Window window(LaneGroup group, boolean allLanes, Limits limits) {
    return database.call(
        "read new rows",
        dialect.window(),
        statement -> {
          bindWindow(new Parameters(statement), group, allLanes, limits);
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            Header header = header(result);
            return new Window(header, rows(result));
          }
        });
  }

  /** What can be seen now, with the time on the database clock. */
  Glance glance() {
    return database.call(
        "check for changes",
        CommitWindowSql.glance(),
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            nowMicros = result.getLong(2);
            return new Glance(result.getString(1), nowMicros);
          }
        });
  }

  /** A window without its rows. */
  Header peek(LaneGroup group, Limits limits) {
    return database.call(
        "check for new rows",
        dialect.peek(),
        statement -> {
          bindPeek(new Parameters(statement), group, limits);
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return header(result);
          }
        });
  }

  private static void bindPeek(Parameters parameters, LaneGroup group, Limits limits)
      throws SQLException {
    Snapshot since = group.position().snapshot();
    parameters.literal(Literals.timestamp(group.horizonMicros()));
    parameters.literal(Long.toString(since.xmax()));
    parameters.number(limits.rows() + 1L);
    parameters.literal(since.running());
    parameters.number(limits.rows() + 1L);
  }

  private static void bindWindow(
      Parameters parameters, LaneGroup group, boolean allLanes, Limits limits) throws SQLException {
    bindPeek(parameters, group, limits);
    Snapshot since = group.position().snapshot();
    String horizon = Literals.timestamp(group.horizonMicros());
    for (String transactions : List.of(Long.toString(since.xmax()), since.running())) {
      parameters.literal(transactions);
      parameters.flag(allLanes);
      parameters.lanes(group.lanes());
      parameters.literal(horizon);
    }
    parameters.number(limits.rows());
    parameters.number(limits.fence());
    parameters.number(limits.bytes());
  }

  List<OutboxRow> page(LaneGroup group, Scan scan, boolean allLanes, Limits limits) {
    return database.call(
        "read a page of rows",
        dialect.page(),
        statement -> {
          statement.setLong(1, scan.after());
          statement.setLong(2, scan.until());
          statement.setBoolean(3, allLanes);
          statement.setString(4, group.literal());
          statement.setString(5, scan.target().snapshot().text());
          statement.setString(6, scan.since().text());
          statement.setString(7, Literals.timestamp(group.horizonMicros()));
          statement.setLong(8, limits.rows());
          statement.setLong(9, limits.bytes());
          statement.setLong(10, limits.fence());
          return query(statement);
        });
  }

  /** The last rows of the table, of any owner and in any state. */
  List<OutboxRow> youngest(Limits limits) {
    return database.call(
        "read the last rows",
        dialect.sql(
            """
            select null::text, ${columns}
            from (
              select o.*, ${before}
              from (
                select o.*, ${bytes} as bytes from ${schema}.waybill_outbox o
                order by o.id desc limit ?
              ) o
            ) o
            where coalesce(o.before, 0) < ?"""),
        statement -> {
          statement.setInt(1, limits.rows());
          statement.setLong(2, limits.bytes());
          return query(statement);
        });
  }

  /** Lowest id of rows of transactions that had begun when a position was taken, and not ended. */
  long lowestId(Position position) {
    return database.call(
        "find the lowest id of running transactions",
        dialect.lowestId(),
        statement -> {
          statement.setString(1, position.snapshot().running());
          statement.setString(2, Long.toString(position.snapshot().xmax()));
          statement.setString(3, Long.toString(position.nextXid()));
          return idOrMax(statement);
        });
  }

  Floor.Stretch stretch(long after, long until, int mostBlocked) {
    return database.call(
        "find the first row to publish",
        dialect.stretch(),
        statement -> {
          statement.setLong(1, after);
          statement.setLong(2, until);
          statement.setInt(3, mostBlocked);
          return stretch(statement);
        });
  }

  /** What has become of rows that were blocked. */
  Floor.Stretch passed(List<Long> blocked) {
    return database.call(
        "look for rows that were set back",
        new PostgresSideReads(dialect).passed(),
        statement -> {
          statement.setString(1, Literals.numbers(blocked));
          return stretch(statement);
        });
  }

  private static Floor.Stretch stretch(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      long first = result.getLong(1);
      return new Floor.Stretch(
          result.wasNull() ? Long.MAX_VALUE : first,
          List.of((Long[]) result.getArray(2).getArray()));
    }
  }

  /** Lowest id above another one, or the highest number if there is none. */
  long nextId(long after) {
    return database.call(
        "find the next row",
        dialect.nextId(),
        statement -> {
          statement.setLong(1, after);
          return idOrMax(statement);
        });
  }

  private static long idOrMax(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      long id = result.getLong(1);
      return result.wasNull() ? Long.MAX_VALUE : id;
    }
  }

  long nextDue(long horizonMicros, long untilMicros, int rows) {
    return database.call(
        "check for delayed rows that are due",
        dialect.nextDue(),
        statement -> {
          statement.setString(1, Literals.timestamp(horizonMicros));
          statement.setString(2, Literals.timestamp(untilMicros));
          statement.setInt(3, rows);
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
          }
        });
  }

  /** Lists what became due next. */
  void list(LaneGroup group, DueScan due) {
    database.call(
        "list delayed rows that are due",
        dialect.dueIds(),
        statement -> {
          statement.setString(1, Literals.timestamp(group.horizonMicros()));
          statement.setString(2, Literals.timestamp(due.untilMicros()));
          statement.setLong(3, due.listedUpTo());
          statement.setString(4, group.literal());
          statement.setString(5, group.position().snapshot().text());
          statement.setInt(6, DueScan.LIST);
          List<Long> ids = new ArrayList<>();
          int looked = 0;
          long last = due.listedUpTo();
          try (ResultSet result = statement.executeQuery()) {
            for (; result.next(); looked++) {
              last = result.getLong(1);
              if (result.getBoolean(2)) {
                ids.add(last);
              }
            }
          }
          due.list(ids, last, looked < DueScan.LIST);
          return ids;
        });
  }

  List<OutboxRow> byId(LaneGroup group, List<Long> ids, Limits limits) {
    return database.call(
        "read delayed rows",
        dialect.rowsById(),
        statement -> {
          statement.setString(1, Literals.numbers(ids));
          statement.setString(2, group.literal());
          statement.setLong(3, limits.bytes());
          statement.setLong(4, limits.fence());
          return query(statement);
        });
  }

  /** Returns when the log is flushed up to the header's position. */
  void makeDurable(Header header) {
    if (!header.durable()) {
      PostgresDialect.LOG_FLUSH.upTo(database, header.lsn());
    }
  }

  private Header header(ResultSet result) throws SQLException {
    Header header = Header.parse(result.getString(1));
    nowMicros = header.nowMicros();
    return header;
  }

  private List<OutboxRow> query(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      return rows(result);
    }
  }

  private List<OutboxRow> rows(ResultSet result) throws SQLException {
    List<OutboxRow> rows = new ArrayList<>();
    while (result.next()) {
      rows.add(decoder.decode(result, nowMicros, false));
    }
    return rows;
  }
}
