package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.SqlDialect;

/**
 * Statements that read what is beside a table of any layout: failed and held rows, requests, paused
 * destinations. Row ids, lanes and keys are bound as for {@link SqlDialect#oneOf}. Rows have the
 * columns of {@link TableTerms}. Immutable.
 */
public final class TableSideReads {
  // What the table itself says comes first; what is beside it is about rows that wait.
  private static final String EVENT_STATE =
      """
      case when ${published} then 'PUBLISHED' when not (${pending}) then 'DEAD'
        when ${entry} then s.state when h.row_id is not null then 'HELD' else 'PENDING' end""";

  private final TableTerms terms;
  private final SqlDialect dialect;

  /**
   * Statements for a layout.
   *
   * @param terms the layout's parts of statements
   * @param dialect the database's dialect
   */
  public TableSideReads(TableTerms terms, SqlDialect dialect) {
    this.terms = terms;
    this.dialect = dialect;
  }

  /**
   * The row id at which a stretch of failed rows ends. Parameters: id after which to begin if there
   * is one, number of rows before the one that is returned.
   *
   * @param after whether there is an id after which to begin
   * @return statement returning a row id, or no row
   */
  public String failedUntil(boolean after) {
    return terms.sql(until("${row_state}", after));
  }

  /**
   * The row id at which a stretch of held rows ends. Parameters: as of {@link #failedUntil}.
   *
   * @param after whether there is an id after which to begin
   * @return statement returning a row id, or no row
   */
  public String heldUntil(boolean after) {
    return terms.sql(until("${held}", after));
  }

  private static String until(String table, boolean after) {
    return "select r.row_id from "
        + table
        + " r"
        + (after ? " where r.row_id > ?" : "")
        + " order by r.row_id limit 1 offset ?";
  }

  private String row(String id) {
    return new RowLookup(dialect).rowById("${outbox}", "${id} = " + id);
  }

  private static String stretch(String id, boolean after, boolean until) {
    return (after ? " and " + id + " > ?" : "") + (until ? " and " + id + " <= ?" : "");
  }

  /**
   * Heads of blocked keys. Parked rows come without headers and payload, since they are not sent.
   * Parameters: lanes, row id after which to begin and last one as far as they are given, fence,
   * most rows, most bytes if the dialect bounds them.
   *
   * @param lanes number of lanes
   * @param after whether there is an id after which to begin
   * @param until whether there is a last id
   * @return statement returning rows, then state, attempts, unknown outcome, delay in microseconds,
   *     reason and detail, named
   */
  public String failedRows(int lanes, boolean after, boolean until) {
    return terms.sql(
        dialect.bounded(
            """
        select ${columns_while_retried}, s.state as state, s.attempts as attempts,
          s.unknown_outcome as unknown_outcome, ${next} - ${nowMicros} as delay_micros,
          s.last_reason as last_reason, s.last_detail as last_detail
        from ${row_state} s
        join ${row} on ${id} = s.row_id and s.row_created = ${row_created}
        ${context}
        where s.state in ('RETRY', 'PARKED') and ${pending} and ${lanes}${stretch} and ${alive}
        order by s.row_id limit ?"""
                .replace("${row}", row("s.row_id"))
                .replace("${stretch}", stretch("s.row_id", after, until))
                .replace("${next}", dialect.micros("s.next_attempt_at"))
                .replace("${nowMicros}", dialect.micros(dialect.now()))
                .replace("${lanes}", dialect.oneOf("s.lane", lanes)),
            terms.bound()));
  }

  /**
   * Number of held rows per key. Parameters: lanes, row id after which to begin and last one as far
   * as they are given.
   *
   * @param lanes number of lanes
   * @param after whether there is an id after which to begin
   * @param until whether there is a last id
   * @return statement returning aggregate type, aggregate id, lane and number
   */
  public String heldCounts(int lanes, boolean after, boolean until) {
    return terms.sql(
        """
        select h.aggregate_type, h.aggregate_id, min(h.lane), count(*)
        from ${held} h where ${lanes}${stretch}
        group by h.aggregate_type, h.aggregate_id"""
            .replace("${stretch}", stretch("h.row_id", after, until))
            .replace("${lanes}", dialect.oneOf("h.lane", lanes)));
  }

  /**
   * Failed rows that others removed or marked. Parameters: as of {@link #heldCounts}.
   *
   * @param lanes number of lanes
   * @param after whether there is an id after which to begin
   * @param until whether there is a last id
   * @return statement returning row id and time of creation
   */
  public String orphanedFailures(int lanes, boolean after, boolean until) {
    return orphaned(
        "${row_state}",
        "${pending} or (s.state = 'DEAD' and not ${published})",
        lanes,
        after,
        until);
  }

  /**
   * Held rows that others removed or marked. Parameters: as of {@link #heldCounts}.
   *
   * @param lanes number of lanes
   * @param after whether there is an id after which to begin
   * @param until whether there is a last id
   * @return statement returning row id and time of creation
   */
  public String orphanedHeld(int lanes, boolean after, boolean until) {
    return orphaned("${held}", "${pending}", lanes, after, until);
  }

  private String orphaned(String table, String stands, int lanes, boolean after, boolean until) {
    return terms.sql(
        """
        select s.row_id, s.row_created from ${table} s
        where ${lanes}${stretch} and not exists (
          select 1 from ${row}
          where ${id} = s.row_id and s.row_created = ${row_created} and (${stands}))"""
            .replace("${table}", table)
            .replace("${row}", row("s.row_id"))
            .replace("${stands}", stands)
            .replace("${stretch}", stretch("s.row_id", after, until))
            .replace("${lanes}", dialect.oneOf("s.lane", lanes)));
  }

  /**
   * Held rows of keys, in order. Parameters: aggregate type and aggregate id of each key, fence,
   * most rows, most bytes if the dialect bounds them.
   *
   * @param keys number of keys
   * @return statement
   */
  public String heldRows(int keys) {
    // A join with the keys, since a disjunction would not use the index.
    String list = "select ? as type, ? as id" + " union all select ?, ?".repeat(keys - 1);
    return terms.sql(
        dialect.bounded(
            """
            select ${columns}
            from (${keys}) k
            join ${held} h on h.aggregate_type = k.type and h.aggregate_id = k.id
            join ${row} on ${id} = h.row_id and h.row_created = ${row_created}
            ${context}
            where ${pending}
              and not exists (
                select 1 from ${row_state} s
                where s.row_id = h.row_id and ${entry} and s.row_created = h.row_created)
              and ${alive}
            order by ${order} limit ?"""
                .replace("${keys}", list)
                .replace("${row}", row("h.row_id")),
            terms.bound()));
  }

  /**
   * The current state of rows. Parameters: ids, most rows, most bytes if the dialect bounds them.
   *
   * @param ids number of ids
   * @return statement returning rows, without headers and payload if they are parked, then state,
   *     named; rows that are gone are left out
   */
  public String look(int ids) {
    return terms.sql(
        dialect.bounded(
            """
            select ${columns_unless_parked}, ${event_state} as event_state
            from ${outbox} o
            ${context}
            left join ${row_state} s on s.row_id = ${side_id} and s.row_created = ${row_created}
            left join ${held} h on h.row_id = ${side_id} and h.row_created = ${row_created}
            where ${ids}
            limit ?"""
                .replace("${event_state}", EVENT_STATE)
                .replace("${ids}", dialect.oneOf(terms.id(), ids)),
            terms.bound()));
  }

  /**
   * The requests of operators. Parameters: lanes, id after which to begin, most requests, most
   * bytes if the dialect bounds them.
   *
   * @param lanes number of lanes
   * @return statement returning rows (null if gone), then request id, verb, row id, reason and
   *     state, named
   */
  public String requests(int lanes) {
    return terms.sql(
        dialect.bounded(
            """
            select ${columns}, r.id as request_id, r.verb as verb, r.row_id as request_row,
              r.reason as reason,
              case when ${id} is null then 'GONE' else ${event_state} end as event_state
            from ${request} r
            left join ${outbox} o on ${id} = r.row_id and r.row_created = ${row_created}
            ${context}
            left join ${row_state} s on s.row_id = r.row_id and s.row_created = r.row_created
            left join ${held} h on h.row_id = r.row_id and h.row_created = r.row_created
            where ${lanes} and r.id > ?
            order by r.id limit ?"""
                .replace("${event_state}", EVENT_STATE)
                .replace("${lanes}", dialect.oneOf("r.lane", lanes)),
            terms.bound()));
  }

  /**
   * Destinations that are paused.
   *
   * @return statement returning names
   */
  public String pausedDestinations() {
    return terms.sql("select name from ${destination} where paused = true");
  }
}
