package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.SqlDialect;

/**
 * How rows are looked up whose id another row names: one by one, whatever the database's statistics
 * say of other columns. Statistics of a time when nothing waited promise a single waiting row, and
 * with few failures among many rows PostgreSQL expects a merge to cost less. A plan then looks
 * through many rows for each row of the other table. Immutable.
 *
 * @param dialect the database's dialect
 */
public record RowLookup(SqlDialect dialect) {
  /**
   * The row.
   *
   * @param table quoted name
   * @param byId condition on the id of the alias {@code o}
   * @return the text after {@code from} or {@code join}, where the condition is repeated
   */
  String rowById(String table, String byId) {
    // The offset keeps the planner from merging it with the rest.
    return dialect.followsStatistics()
        ? "lateral (select o.* from %s o where %s offset 0) o".formatted(table, byId)
        : table + " o";
  }

  /**
   * The condition that a row has the id that another one names. PostgreSQL can neither merge nor
   * hash by it, and needs no privilege for other columns of the row, as a lateral join does.
   *
   * @param id the row's id
   * @param named the id that the other row names
   * @return the condition
   */
  public String hasId(String id, String named) {
    return (dialect.followsStatistics() ? "%s = any (array[%s])" : "%s = %s").formatted(id, named);
  }

  /**
   * A left join with at most one row.
   *
   * @param table quoted name
   * @param alias its alias
   * @param condition condition of the alias, the columns of an index first
   * @return the join
   */
  public String leftJoinById(String table, String alias, String condition) {
    return dialect.followsStatistics()
        ? "left join lateral (select %2$s.* from %1$s %2$s where %3$s limit 1) %2$s on true"
            .formatted(table, alias, condition)
        : "left join %s %s on %s".formatted(table, alias, condition);
  }
}
