package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.append.RowContext;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import org.jspecify.annotations.Nullable;

/**
 * Statements that remove published rows that were kept, a slice of the primary key at a time.
 * Immutable.
 */
public final class RetentionSql {
  // A request about the row, or a failure on record, keeps it.
  private static final String UNTOUCHED =
      """
      not exists (
          select 1 from ${row_state} s
          where s.row_id = ${side_id} and ${entry} and s.row_created = ${row_created})
        and not exists (
          select 1 from ${request} r
          where r.row_id = ${side_id} and r.row_created = ${row_created})""";

  private final TableTerms terms;
  private final SqlDialect dialect;
  private final Layout layout;
  private final @Nullable String beside;

  private RetentionSql(
      Layout layout, SqlDialect dialect, SideNames names, @Nullable String beside) {
    this.terms = new TableTerms(layout, dialect, names);
    this.dialect = dialect;
    this.layout = layout;
    this.beside = beside;
  }

  /**
   * Statements for a layout.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   * @return statements
   * @throws IllegalArgumentException if {@link #refusal} has a reason
   */
  public static RetentionSql of(Layout layout, SqlDialect dialect, SideNames names) {
    String refusal = refusal(layout);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    return new RetentionSql(layout, dialect, names, null);
  }

  /**
   * Statements for Waybill's own table on PostgreSQL, with a side table of published rows.
   *
   * @param schema plain name of its schema
   * @return statements
   */
  public static RetentionSql ownOnPostgres(String schema) {
    Layout layout = LaneSql.ownLayout(schema);
    SqlDialect dialect = new PostgresDialect();
    SideNames names = SideNames.of(layout);
    return new RetentionSql(layout, dialect, names, dialect.sideTable(names, "published"));
  }

  /**
   * The reason why published rows of a layout can't be removed by their age.
   *
   * @param layout the layout
   * @return reason, or null if they can
   */
  public static @Nullable String refusal(Layout layout) {
    if (layout.progress().state() instanceof StateColumn.Presence) {
      return "Layout '"
          + layout.name()
          + "' deletes published rows immediately: there is nothing to remove later";
    }
    return layout.progress().publishedAt() == null
        ? "Layout '"
            + layout.name()
            + "' has no column for the time of publishing: the age of published rows of "
            + layout.table()
            + " is not known, so none is removed"
        : null;
  }

  /**
   * Type of the row ids.
   *
   * @return how {@link SqlDialect#bindOneOf} binds them
   */
  public RowIdKind kind() {
    return layout.identity().kind();
  }

  /**
   * Whether row ids grow with the creation time.
   *
   * @return true if all rows after a row that is too young are too young as well
   */
  public boolean inOrderOfCreation() {
    return layout.order().column() == null
        && layout.order().createdAt() != null
        && kind() == RowIdKind.LONG;
  }

  /**
   * Looks at some rows in the order of the primary key. Parameters: age as negative microseconds
   * twice, id after which to begin if one is given, rows to look at.
   *
   * @param fromStart whether no id is given
   * @return statement returning ids, whether the row was created long enough ago, and whether it
   *     can be removed
   */
  public String slice(boolean fromStart) {
    String query =
        """
        select ${key}, ${created} < ${cutoff}, case when ${removable} then true else false end
        from ${source} where ${after} order by ${key} limit ?""";
    // Whether an entry is of this row is looked at row by row: as a condition of the join it lets
    // PostgreSQL expect one row of all, and read all of them.
    return sql(
        query
            .replace(
                "${source}",
                beside == null ? "${outbox} o" : "${kept} d join ${outbox} o on o.id = d.id")
            .replace(
                "${removable}",
                beside == null
                    ? "${old}"
                    : "d.row_created = ${row_created} and d.published_at < ${cutoff} and "
                        + UNTOUCHED)
            .replace("${after}", fromStart ? "true" : "${key} > ?")
            .replace("${key}", beside == null ? "${id}" : "d.id")
            .replace("${created}", created()));
  }

  private String created() {
    String created = layout.order().createdAt();
    return created == null ? "${published_at}" : terms.column(created);
  }

  /**
   * Removes rows. Parameters: ids, age as negative microseconds.
   *
   * @param ids number of ids
   * @return update statement
   */
  public String remove(int ids) {
    return sql(dialect.deleteByKey("${outbox}", dialect.oneOf("${id}", ids) + " and ${old}"));
  }

  /**
   * Removes the side-table entries of removed rows. Parameters: ids.
   *
   * @param ids number of ids
   * @return update statement, or null if there are no side-table entries
   */
  public @Nullable String forget(int ids) {
    if (beside == null && RowContext.isNeedless(layout)) {
      return null;
    }
    String table = beside == null ? "${row_context}" : beside;
    String column = beside == null ? "o.row_id" : "o.id";
    return sql(
        dialect.deleteByKey(
            table,
            dialect.oneOf(column, ids)
                + " and not exists (select 1 from ${outbox} x where x.${plain_id} = "
                + column
                + ")"));
  }

  private String sql(String template) {
    String old =
        beside == null
            ? "${published} and ${published_at} < ${cutoff}"
            : "exists (select 1 from ${kept} p where p.id = o.id"
                + " and p.row_created = ${row_created} and p.published_at < ${cutoff})";
    return terms.sql(
        template
            .replace("${old}", old + " and " + UNTOUCHED)
            .replace("${cutoff}", dialect.later("${now}", "?"))
            .replace("${kept}", String.valueOf(beside)));
  }
}
