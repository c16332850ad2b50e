package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;

/**
 * Statements that read tables of any layout. A position binds the order column's value twice and
 * the row id, or the row id alone in layouts without such a column. Row ids, lanes and keys are
 * bound as for {@link SqlDialect#oneOf}. Immutable.
 *
 * <p>Rows have columns c1 to c18: row id, creation time in microseconds, version, lane, event id,
 * type, aggregate type, aggregate id, content type, correlation id, causation id, trace context,
 * headers, payload, value of the order column (microseconds; 0 without one or if it is the creation
 * time), whether the row was delayed, time of the read in microseconds, bytes of the row; then the
 * columns that become headers.
 */
public final class LayoutReads {
  // What the table itself says comes first; what is beside it is about rows that wait.
  private static final String STANDING =
      """
      case when ${published} then 'PUBLISHED' when not (${pending}) then 'DEAD'
        when ${entry} then s.state when h.row_id is not null then 'HELD' else 'PENDING' end""";

  private final LayoutTerms terms;
  private final SqlDialect dialect;
  private final String range;

  /**
   * Statements for a layout.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   */
  public LayoutReads(Layout layout, SqlDialect dialect, SideNames names) {
    this(layout, dialect, names, TimeRange.ALL, RowBound.USUAL);
  }

  /**
   * Statements for the rows of a table that were created in a time range.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   * @param range rows to read at first; failed and held rows are read whenever they were created
   * @param bound how large a row may be for its contents to be read
   * @throws IllegalArgumentException if the layout has no creation time
   */
  public LayoutReads(
      Layout layout, SqlDialect dialect, SideNames names, TimeRange range, RowBound bound) {
    this.terms = new LayoutTerms(layout, dialect, names, bound);
    this.dialect = dialect;
    String created = layout.order().createdAt();
    if (created == null && !range.equals(TimeRange.ALL)) {
      throw new IllegalArgumentException(
          "A time range needs a column of the creation time, and the layout "
              + layout.name()
              + " has none");
    }
    this.range = created == null ? "" : dialect.and(range, terms.column(created));
  }

  /**
   * Rows that wait, in order. Parameters: position if there is one, lanes if they are given, fence,
   * most rows, most bytes if the dialect bounds them.
   *
   * @param fromStart whether there is no position
   * @param lanes number of lanes to read, 0 for all
   * @return statement
   */
  public String page(boolean fromStart, int lanes) {
    return rows(
        """
        select ${columns} from ${outbox} o ${context}
        where ${pending}${range} ${position} ${lanes} and ${due}
          and ${open}
          and ${alive}
        order by ${order} limit ?"""
            .replace("${position}", "and " + (fromStart ? terms.placed() : terms.after())),
        lanes);
  }

  /**
   * Rows by id as far as they wait, in order. Parameters: ids, lanes if they are given, fence, most
   * rows, most bytes if the dialect bounds them.
   *
   * @param ids number of ids
   * @param lanes number of lanes to read, 0 for all
   * @return statement
   */
  public String byId(int ids, int lanes) {
    return rows(
        """
        select ${columns} from ${outbox} o ${context}
        where ${ids} and ${pending}${range} ${lanes} and ${due}
          and ${open}
          and ${alive}
        order by ${order} limit ?"""
            .replace("${ids}", dialect.oneOf(terms.id(), ids)),
        lanes);
  }

  /**
   * Rows that wait up to a position, by id and time of creation. Parameters: lower position if
   * there is one, position, lanes if they are given, most ids.
   *
   * @param fromStart whether there is no lower position
   * @param lanes number of lanes to look at, 0 for all
   * @return statement
   */
  public String sweep(boolean fromStart, int lanes) {
    return terms.sql(
        lanes(
            """
            select ${id}, ${row_created} from ${outbox} o
            where ${pending}${range} ${position} and ${until} ${lanes} and ${due}
              and ${open}
            limit ?"""
                .replace("${position}", fromStart ? "" : "and " + terms.after())
                .replace("${until}", terms.upTo()),
            lanes));
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
    return dialect.rowById("${outbox}", "${id} = " + id);
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
            bound()));
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
            bound()));
  }

  /**
   * The current state of rows. Parameters: ids, most rows, most bytes if the dialect bounds them.
   *
   * @param ids number of ids
   * @return statement returning rows, without headers and payload if they are parked, then
   *     standing, named; rows that are gone are left out
   */
  public String look(int ids) {
    return terms.sql(
        dialect.bounded(
            """
            select ${columns_unless_parked}, ${standing} as standing
            from ${outbox} o
            ${context}
            left join ${row_state} s on s.row_id = ${side_id} and s.row_created = ${row_created}
            left join ${held} h on h.row_id = ${side_id} and h.row_created = ${row_created}
            where ${ids}
            limit ?"""
                .replace("${standing}", STANDING)
                .replace("${ids}", dialect.oneOf(terms.id(), ids)),
            terms.bound()));
  }

  /**
   * The requests of operators. Parameters: lanes, id after which to begin, most requests, most
   * bytes if the dialect bounds them.
   *
   * @param lanes number of lanes
   * @return statement returning rows (null if gone), then request id, verb, row id, reason and
   *     standing, named
   */
  public String requests(int lanes) {
    return terms.sql(
        dialect.bounded(
            """
            select ${columns}, r.id as request_id, r.verb as verb, r.row_id as request_row,
              r.reason as reason,
              case when ${id} is null then 'GONE' else ${standing} end as standing
            from ${request} r
            left join ${outbox} o on ${id} = r.row_id and r.row_created = ${row_created}
            ${context}
            left join ${row_state} s on s.row_id = r.row_id and s.row_created = r.row_created
            left join ${held} h on h.row_id = r.row_id and h.row_created = r.row_created
            where ${lanes} and r.id > ?
            order by r.id limit ?"""
                .replace("${standing}", STANDING)
                .replace("${lanes}", dialect.oneOf("r.lane", lanes)),
            bound()));
  }

  /**
   * Destinations that are paused.
   *
   * @return statement returning names
   */
  public String pausedDestinations() {
    return terms.sql("select name from ${destination} where paused = true");
  }

  /**
   * Changes a row that no other session writes. Parameter: lane.
   *
   * @return update statement
   */
  public String touch() {
    return terms.sql("update ${lane} set changed_at = ${now} where lane = ?");
  }

  /**
   * Number of lanes.
   *
   * @return statement returning a number
   */
  public String laneCount() {
    return terms.sql("select count(*) from ${lane}");
  }

  private String rows(String query, int lanes) {
    return terms.sql(dialect.bounded(lanes(query, lanes), bound()));
  }

  private String lanes(String query, int lanes) {
    String column = terms.lane();
    String ranged = query.replace("${range}", range);
    return ranged.replace(
        "${lanes}", lanes == 0 || column == null ? "" : "and " + dialect.oneOf(column, lanes));
  }

  /**
   * How large a row may be for its contents to be read.
   *
   * @return the bound
   */
  public RowBound bound() {
    return terms.bound();
  }

  /**
   * Type of lanes as parameters.
   *
   * @return how {@link SqlDialect#bindOneOf} binds them
   */
  public static RowIdKind laneKind() {
    return RowIdKind.LONG;
  }
}
