package io.waybill.outbox;

import io.waybill.database.AppendDialect;
import io.waybill.database.DatabaseKind;
import io.waybill.database.RowIds;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.append.AppendCell;
import io.waybill.internal.jdbc.append.AppendCell.Row;
import io.waybill.internal.jdbc.append.AppendCells;
import io.waybill.internal.jdbc.append.AppendRules;
import io.waybill.internal.jdbc.append.RowContext;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.kernel.TableColumns;
import io.waybill.internal.jdbc.kernel.UniqueViolation;
import io.waybill.layout.Identity;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import io.waybill.message.Event;
import io.waybill.message.EventIds;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Violation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a table of any layout, on PostgreSQL, MySQL and MariaDB, with any JDBC driver: one
 * INSERT with a row of values per event. Values without a column (headers, correlation and
 * causation id, trace context, version, content type) go into the side table {@code row_context}.
 * That takes one more INSERT in the same transaction, and only for events that have such values. An
 * event with values that cannot be stored at all is refused before anything is sent. Thread-safe.
 *
 * <p>The first append of each instance queries the catalogue for the columns: keep the instance.
 *
 * <p>The row id is the event id, if the layout has both in one column; otherwise the database's, if
 * it generates one; otherwise one from {@link RowIds}, or a UUID of version 7. If the layout has no
 * column for the event id, the id of the {@link Event} is not stored: the id on the wire is derived
 * from the table and the row id.
 */
public final class TableAppend implements AppendDialect {
  // Below what the protocol of PostgreSQL takes.
  private static final int MAX_PARAMETERS = 60_000;

  private final Layout layout;
  private final SqlDialect dialect;
  private final RowIds ids;
  private final RowContext context;
  private volatile @Nullable Table table;

  /** What the catalogue has told. */
  private record Table(
      AppendRules rules, List<AppendCell> cells, Set<String> idKeys, boolean assigned) {}

  private TableAppend(Layout layout, SqlDialect dialect, SideNames names, RowIds ids) {
    this.layout = layout;
    this.dialect = dialect;
    this.ids = ids;
    this.context = new RowContext(layout, dialect, names);
  }

  /**
   * Creates an instance with default names of the side tables and {@link RowIds#timeOrdered()}.
   *
   * @param layout the meaning of the columns
   * @param kind what the database is
   * @return the dialect
   */
  public static TableAppend of(Layout layout, DatabaseKind kind) {
    return of(layout, kind, SideNames.of(layout), RowIds.timeOrdered());
  }

  /**
   * Creates an instance.
   *
   * @param layout the meaning of the columns
   * @param kind what the database is
   * @param names names of the outbox's side tables
   * @param ids gives row ids where neither the event nor the database does
   * @return the dialect
   */
  public static TableAppend of(Layout layout, DatabaseKind kind, SideNames names, RowIds ids) {
    return new TableAppend(layout, Dialects.of(kind), names, ids);
  }

  @Override
  public long maxStatementBytes() {
    return dialect.maxStatementBytes();
  }

  @Override
  public void check(Connection connection, Event event) throws SQLException {
    List<Violation> violations = table(connection).rules().violations(event);
    if (!violations.isEmpty()) {
      throw new InvalidEventException(event.id(), violations);
    }
  }

  private Table table(Connection connection) throws SQLException {
    Table known = table;
    if (known == null) {
      TableColumns columns = TableColumns.read(connection, dialect, layout.table());
      List<AppendCell> cells = AppendCells.of(layout, dialect, columns);
      known =
          new Table(
              new AppendRules(layout, cells),
              cells,
              columns.uniqueKeys(layout.identity().eventId()),
              cells.stream().anyMatch(cell -> cell.field().equals("row id")));
      table = known;
    }
    return known;
  }

  @Override
  public void insert(Connection connection, List<Event> events) throws SQLException {
    Table known = table(connection);
    int most = MAX_PARAMETERS / known.cells().size();
    for (int from = 0; from < events.size(); from += most) {
      insert(connection, known, events.subList(from, Math.min(events.size(), from + most)));
    }
  }

  private void insert(Connection connection, Table known, List<Event> events) throws SQLException {
    List<Row> rows = new ArrayList<>(events.size());
    for (Event event : events) {
      rows.add(new Row(event, rowId(known, event)));
    }
    boolean keeps = events.stream().anyMatch(context::has);
    boolean given = rows.get(0).rowId() != null;
    boolean returned = keeps && !given && dialect.insertedId() == null;
    List<String> found = insertRows(connection, known, rows, returned);
    if (keeps) {
      keep(connection, rows, found);
    }
  }

  private @Nullable String rowId(Table known, Event event) {
    Identity identity = layout.identity();
    if (identity.rowId().equals(identity.eventId())) {
      return event.id();
    }
    if (!known.assigned()) {
      return null;
    }
    return identity.kind() == RowIdKind.LONG ? Long.toString(ids.next()) : EventIds.system().next();
  }

  private List<String> insertRows(
      Connection connection, Table known, List<Row> rows, boolean returned) throws SQLException {
    String sql = sql(known, rows.size());
    String[] key = {layout.identity().rowId()};
    try (PreparedStatement statement =
        returned ? connection.prepareStatement(sql, key) : connection.prepareStatement(sql)) {
      int index = 0;
      for (Row row : rows) {
        for (AppendCell cell : known.cells()) {
          if (cell.value() != null) {
            bind(statement, ++index, cell.value().of(row));
          }
        }
      }
      statement.executeUpdate();
      return returned ? keys(statement) : List.of();
    }
  }

  private String sql(Table known, int rows) {
    List<AppendCell> cells = known.cells();
    String columns =
        cells.stream()
            .map(cell -> dialect.quote(cell.column().name()))
            .collect(Collectors.joining(", "));
    String row = cells.stream().map(AppendCell::sql).collect(Collectors.joining(", ", "(", ")"));
    return "insert into "
        + dialect.table(layout.table())
        + " ("
        + columns
        + ")\nvalues "
        + row
        + (",\n  " + row).repeat(rows - 1);
  }

  private static void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof byte[] bytes) {
      statement.setBytes(index, bytes);
    } else {
      statement.setString(index, (String) value);
    }
  }

  private static List<String> keys(PreparedStatement statement) throws SQLException {
    List<String> keys = new ArrayList<>();
    try (ResultSet result = statement.getGeneratedKeys()) {
      while (result.next()) {
        keys.add(result.getString(1));
      }
    }
    return keys;
  }

  private void keep(Connection connection, List<Row> rows, List<String> returned)
      throws SQLException {
    List<RowContext.Kept> kept = new ArrayList<>();
    String expression = dialect.idParameter(layout.identity().kind());
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      if (!context.has(row.event())) {
        continue;
      }
      String id = row.rowId();
      if (id == null && returned.isEmpty()) {
        expression = dialect.insertedId();
        id = Integer.toString(i);
      } else if (id == null) {
        id = returned.get(i);
      }
      kept.add(new RowContext.Kept(row.event(), id));
    }
    context.insert(connection, kept, String.valueOf(expression));
  }

  @Override
  public @Nullable Duplicate duplicate(SQLException failure, List<Event> events) {
    UniqueViolation violation = dialect.uniqueViolation(failure);
    Table known = table;
    return violation == null || known == null || !known.idKeys().contains(violation.key())
        ? null
        : new Duplicate(violation.named(events.stream().map(Event::id).toList()));
  }
}
