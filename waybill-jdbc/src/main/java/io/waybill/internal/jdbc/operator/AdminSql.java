package io.waybill.internal.jdbc.operator;

import static java.util.stream.Collectors.joining;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.append.RowContext;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.AdminFilter.Condition;
import io.waybill.internal.jdbc.operator.AdminFilter.Search;
import io.waybill.internal.jdbc.table.Delays;
import io.waybill.internal.jdbc.table.LaneSql;
import io.waybill.internal.jdbc.table.RowLookup;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statements with which operators inspect events, for any layout on any database. Conditions are
 * SQL of {@link AdminFilter}; their parameters are at the same place as the conditions. Immutable.
 */
public final class AdminSql {
  // The columns' values, without headers and payload.
  private static final String VIEW =
      """
      ${columns_bare},
        case when ${done} then 'PUBLISHED' when ${dead} then 'DEAD'
          when s.state in ('PARKED', 'DEAD') and ${entry} then s.state
          when ${waiting} then 'PENDING' else 'DEAD' end as status,
        coalesce(s.attempts, 0) as attempts, coalesce(s.unknown_outcome, false) as unknown_outcome,
        ${next} as next_micros, s.last_reason as last_reason,
        coalesce(s.last_detail, ${error}) as last_detail, ${failed} as failed_micros,
        s.destination as failed_destination, s.failure_group as failure_group, h.row_id is not null as held,
        ${delayed} as delayed_micros, ${published_micros} as published_micros,
        ${payload_bytes} as payload_bytes""";
  private static final String PAYLOAD_BYTES = "octet_length(${payload})";

  /** How many tables beside the outbox have the range of a search. */
  static final int BESIDE = 3;

  private final TableTerms terms;
  private final SqlDialect dialect;
  private final Layout layout;
  private final Published published;
  // What knows rows of this outbox alone, by this column.
  private final Map<String, String> more;

  /** The start of a search: the outbox, or the few rows of one state. */
  public enum From {
    /** All events. */
    OUTBOX,
    /** Parked events. */
    PARKED,
    /** Dead events of a table that says itself which are. */
    DEAD,
    /** Dead events that relays have recorded. */
    RECORDED_DEAD,
    /** Events that failed and wait for their next attempt. */
    RETRIED,
    /** Events that block their key. */
    BLOCKING
  }

  private AdminSql(
      Layout layout,
      SqlDialect dialect,
      SideNames names,
      Published published,
      Map<String, String> more) {
    this.terms = new TableTerms(layout, dialect, names);
    this.dialect = dialect;
    this.layout = layout;
    this.published = published;
    this.more = more;
  }

  /**
   * Statements for a layout.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   * @return statements
   */
  public static AdminSql of(Layout layout, SqlDialect dialect, SideNames names) {
    Map<String, String> context =
        RowContext.isNeedless(layout) ? Map.of() : Map.of("${row_context}", "row_id");
    return new AdminSql(layout, dialect, names, Published.in(layout), context);
  }

  /**
   * Statements for Waybill's own table on PostgreSQL, with a side table of published rows.
   *
   * @param schema plain name of its schema
   * @return statements
   */
  public static AdminSql ownOnPostgres(String schema) {
    Layout layout = LaneSql.ownLayout(schema);
    SqlDialect dialect = new PostgresDialect();
    SideNames names = SideNames.of(layout);
    return new AdminSql(
        layout,
        dialect,
        names,
        Published.beside(dialect, names),
        Map.of(dialect.sideTable(names, "published"), "id"));
  }

  /** The layout's parts of statements. */
  TableTerms terms() {
    return terms;
  }

  /** Removes dead events. */
  Purge purge() {
    return new Purge(layout, dialect, terms, published.dead(), more);
  }

  /**
   * A search of a bounded range of the outbox. Beside Waybill's own table PostgreSQL then reads the
   * same range of the other tables, instead of a look at them for each row.
   *
   * @param range conditions that row ids meet
   */
  Search ranged(Search search, List<Condition> range) {
    boolean gains = search.from() == From.OUTBOX && !published.join().isEmpty();
    return gains ? new Search(From.OUTBOX, List.copyOf(range), search.all()) : search;
  }

  /**
   * Lists events. Parameters: those of the search, most rows.
   *
   * @param search what to list
   * @param order the list's order
   * @param payload whether payloads may be read, for their sizes
   * @return statement returning rows in the form of {@link TableTerms}, without headers and
   *     payload, then their known state, in named columns
   */
  String find(Search search, String order, boolean payload) {
    return sql("select " + view(payload) + where(search) + " order by " + order + " limit ?");
  }

  /**
   * Counts events. Parameters: those of the search, number at which to stop.
   *
   * @return statement returning a number
   */
  String count(Search search) {
    return sql("select count(*) from (select 1 as one" + where(search) + " limit ?) matching");
  }

  /**
   * Counts the events that are set aside behind a key's first one. Parameters: both parts of the
   * key, number at which to stop.
   *
   * @return statement returning a number
   */
  public String behind() {
    return sql(
        """
        select count(*) from (select 1 as one from ${held} h
          where h.aggregate_type = ? and h.aggregate_id = ? limit ?) waiting""");
  }

  /**
   * Finds events for requests. Parameters: those of the search, verb, most rows.
   *
   * @param search what to find
   * @param order their order
   * @return statement returning rows in the form of {@link #find}
   */
  String candidates(Search search, String order) {
    return sql(
        "select "
            + view(false)
            + where(search)
            + """

              and not exists (
                select 1 from ${request} r
                where r.row_id = ${side_id} and r.row_created = ${row_created} and r.verb = ?)
            order by\s"""
            + order
            + " limit ?");
  }

  /**
   * Shows one event. Parameters: those of the search.
   *
   * @param search which event
   * @param payload whether payloads may be read
   * @return statement returning a row in the form of {@link #find}, with headers and payload if
   *     permitted
   */
  String show(Search search, boolean payload) {
    String view = view(payload);
    return sql(
        "select "
            + (payload ? view.replace("${columns_bare}", "${columns}") : view)
            + where(search));
  }

  /**
   * Empties the outbox, then the tables with data about its rows. Parameter of each: most rows.
   *
   * @return delete statements, each to be repeated until it finds nothing
   */
  public List<String> empty() {
    List<String> statements = new ArrayList<>();
    statements.add(empty("${outbox}", "${plain_id}"));
    statements.add(empty("${request}", "id"));
    statements.add(empty("${row_state}", "row_id"));
    statements.add(empty("${held}", "row_id"));
    more.forEach((table, id) -> statements.add(empty(table, id)));
    return statements;
  }

  private String empty(String table, String id) {
    // Twice in parentheses: MySQL has no limit in the subquery of an IN.
    String some = "(select x.%1$s from (select %1$s from %2$s order by %1$s limit ?) x)";
    return sql(dialect.deleteByKey(table, ("o.%1$s in " + some).formatted(id, table)));
  }

  private static String view(boolean payload) {
    return VIEW.replace("${payload_bytes}", payload ? PAYLOAD_BYTES : "null");
  }

  private String where(Search search) {
    return source(search.from(), search.ranges()) + and(search.conditions());
  }

  private static String and(List<String> conditions) {
    return conditions.stream().map(condition -> " and " + condition).collect(joining());
  }

  private String within(List<String> range, String id) {
    return and(range).replace(terms.column(layout.identity().rowId()), id);
  }

  private String source(From from, List<String> range) {
    String failed = "not (${done}) and not (${dead})";
    return switch (from) {
      case OUTBOX -> "\nfrom ${outbox} o\n" + beside(range) + "where true";
      case DEAD -> dead();
      case PARKED -> recorded("s.state = 'PARKED'", failed);
      case RETRIED -> recorded("s.state = 'RETRY'", failed);
      case BLOCKING ->
          recorded("s.state in ('PARKED', 'RETRY') and s.aggregate_type is not null", failed);
      case RECORDED_DEAD ->
          recorded(
              "s.state = 'DEAD'",
              "not (${done})" + (terms.tellsDead() ? " and not (${waiting})" : ""));
    };
  }

  private String dead() {
    return """

        from (
          select s.row_id as id from ${row_state} s where s.state = 'DEAD'
          union
          select ${id} as id from ${outbox} o where ${dead}
        ) x join ${outbox} o on ${id} = x.id
        """
        + beside(List.of())
        + "where not (${done}) and not (${waiting})";
  }

  private String beside(List<String> range) {
    return """
        left join ${row_state} s on ${of_s}
        left join ${held} h on ${of_h}
        ${context}
        ${join}
        """
        .replace(
            "${join}",
            range.isEmpty() ? published.lookup() : published.join() + within(range, "d.id"))
        .replace("${of_s}", ofRow("s") + within(range, "s.row_id"))
        .replace("${of_h}", ofRow("h") + within(range, "h.row_id"));
  }

  /**
   * The records of a state, whose rows are looked up one by one. Nearly all records have a row that
   * stands so. Of plain conditions PostgreSQL expects one in two hundred, and so reads and sorts
   * all records of a state or a group for the first of them.
   */
  private String recorded(String state, String stands) {
    RowLookup lookup = new RowLookup(dialect);
    return """

        from ${row_state} s
        join ${outbox} o on ${by_id}
        ${held_row}
        ${context}
        ${join}
        where ${recorded}
          and case when s.row_created = ${row_created} and ${stands} then 1 = 1 else 1 = 0 end"""
        .replace("${by_id}", lookup.hasId("${id}", "s.row_id"))
        .replace("${held_row}", lookup.leftJoinById("${held}", "h", ofRow("h")))
        .replace("${join}", published.lookup())
        .replace("${recorded}", state)
        .replace("${stands}", stands);
  }

  /** The entry of a table beside the outbox is that of the row. */
  private static String ofRow(String entry) {
    return "%1$s.row_id = ${side_id} and %1$s.row_created = ${row_created}".formatted(entry);
  }

  private String sql(String template) {
    String available = layout.order().availableAt();
    String tried = Delays.tried(layout, terms);
    String delayed =
        available == null
            ? "null"
            : "case when s.row_id is null and %1$s > ${now}%3$s then %2$s end"
                .formatted(
                    terms.column(available),
                    dialect.micros(terms.column(available)),
                    tried == null ? "" : " and not (" + tried + ")");
    String error = layout.progress().error();
    String at = published.at();
    return terms.sql(
        template
            .replace("${done}", published.condition())
            .replace("${waiting}", published.waiting())
            .replace("${dead}", published.dead())
            .replace("${published_micros}", at.equals("null") ? at : dialect.micros(at))
            .replace("${failed}", dialect.micros("s.changed_at"))
            .replace("${next}", next(tried, available))
            .replace("${error}", error == null ? "null" : dialect.text(terms.column(error)))
            .replace("${delayed}", delayed));
  }

  /** Of a row that waits without a record, the table may tell. */
  private String next(@Nullable String tried, @Nullable String available) {
    String recorded = dialect.micros("s.next_attempt_at");
    return tried == null || available == null
        ? recorded
        : "case when s.row_id is null and %s and %s then %s else %s end"
            .formatted(
                tried, published.waiting(), dialect.micros(terms.column(available)), recorded);
  }
}
