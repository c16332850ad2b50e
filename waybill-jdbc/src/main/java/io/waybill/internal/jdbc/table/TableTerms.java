package io.waybill.internal.jdbc.table;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.append.RowContext;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of statements that a layout decides. A position binds the order column's value twice
 * and the row id, or the row id alone in layouts without such a column. Immutable.
 *
 * <p>Rows have columns c1 to c19: row id, creation time in microseconds, version, lane, event id,
 * type, aggregate type, aggregate id, content type, correlation id, causation id, trace context,
 * headers, payload, value of the order column (microseconds; 0 without one or if it is the creation
 * time), whether the row was delayed, time of the read in microseconds, bytes of the row, sends
 * that were not confirmed; then the columns that become headers.
 */
public final class TableTerms {
  private final Layout layout;
  private final SqlDialect dialect;
  private final SideNames names;
  private final RowBound bound;
  private final StateColumn state;
  // Made once: they cost more than most statements that an index answers.
  private final Map<String, String> parts;

  public TableTerms(Layout layout, SqlDialect dialect, SideNames names) {
    this(layout, dialect, names, RowBound.USUAL);
  }

  /**
   * Parts for rows of bounded size.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   * @param bound how large a row may be for its contents to be read
   */
  public TableTerms(Layout layout, SqlDialect dialect, SideNames names, RowBound bound) {
    this.bound = bound;
    this.layout = layout;
    this.dialect = dialect;
    this.names = names;
    this.state = state(layout, dialect);
    this.parts = parts();
  }

  /** Fills a template in. */
  public String sql(String template) {
    String filled = template;
    for (Map.Entry<String, String> part : parts.entrySet()) {
      filled = filled.replace(part.getKey(), part.getValue());
    }
    return dialect.fill(names, filled);
  }

  /** Parts that hold others come before those. */
  private Map<String, String> parts() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("${columns}", columns("%s"));
    all.put("${context}", context());
    all.put("${columns_bare}", columns("null"));
    all.put("${columns_while_retried}", columns("case when s.state = 'RETRY' then %s end"));
    all.put(
        "${columns_unless_parked}",
        columns("case when s.state is null or s.state <> 'PARKED' then %s end"));
    all.put("${pending}", pending());
    all.put("${published}", published());
    all.put("${published_at}", orElse(layout.progress().publishedAt(), "null"));
    all.put("${state}", state());
    all.put("${payload}", payload());
    all.put("${due}", Delays.due(layout, this));
    all.put("${open}", open());
    all.put("${alive}", "exists (select 1 from ${session} x where x.fence = ?)");
    all.put("${entry_b}", entry().replace("s.", "b."));
    all.put("${entry}", entry());
    all.put("${order}", order());
    all.put("${latest}", order().replace(",", " desc,") + " desc");
    all.put("${created_of}", rowCreated(""));
    all.put("${row_created}", rowCreated("o."));
    all.put("${side_id}", dialect.sideId(id(), layout.identity().kind()));
    all.put("${traceparent}", beside(layout.content().context().traceparent(), "traceparent"));
    all.put("${id}", id());
    all.put("${plain_id}", dialect.quote(layout.identity().rowId()));
    all.put("${now}", dialect.now());
    all.put("${share}", dialect.shareLock());
    all.put("${outbox}", dialect.table(layout.table()));
    return all;
  }

  /** Names of the tables beside the outbox. */
  public SideNames names() {
    return names;
  }

  String id() {
    return column(layout.identity().rowId());
  }

  public String column(String name) {
    return "o." + dialect.quote(name);
  }

  @Nullable String lane() {
    String lane = layout.order().lane();
    return lane == null ? null : column(lane);
  }

  /**
   * Columns in the order of the decoder; whatever the table lacks is a constant.
   *
   * @param content how headers and payload are read
   */
  private String columns(String content) {
    List<String> texts =
        List.of(
            text(layout.identity().eventId()),
            text(layout.identity().eventType()),
            keyType(),
            keyId(),
            beside(layout.content().contentTypeColumn(), "content_type"),
            beside(layout.content().context().correlationId(), "correlation_id"),
            beside(layout.content().context().causationId(), "causation_id"),
            beside(layout.content().context().traceparent(), "traceparent"));
    List<String> contents = new ArrayList<>();
    contents.add(beside(layout.content().context().headers(), "headers"));
    contents.add(payload());
    layout.content().context().headerColumns().keySet().forEach(name -> contents.add(text(name)));
    List<String> bounded =
        contents.stream().map(column -> content.formatted(bound.orNull(column))).toList();
    List<String> expressions = new ArrayList<>();
    expressions.addAll(List.of(id(), createdAt(), version(), orElse(layout.order().lane(), "0")));
    texts.stream().map(RowBound::cut).forEach(expressions::add);
    expressions.addAll(bounded.subList(0, 2));
    expressions.addAll(
        List.of(
            orderValue(),
            delayed(),
            "(select " + dialect.micros(dialect.clock()) + ")",
            content.formatted("(" + bytes(texts, contents) + ")"),
            orElse(layout.progress().attempts(), "0")));
    expressions.addAll(bounded.subList(2, bounded.size()));
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < expressions.size(); i++) {
      columns.append(i == 0 ? "" : ", ").append(expressions.get(i)).append(" as c").append(i + 1);
    }
    return columns.toString();
  }

  private static String bytes(List<String> texts, List<String> contents) {
    return Stream.of(texts, contents)
        .map(columns -> columns.stream().filter(column -> !column.startsWith("null")).toList())
        .filter(columns -> !columns.isEmpty())
        .map(RowBound::sum)
        .collect(Collectors.joining(" + "));
  }

  RowBound bound() {
    return bound;
  }

  /** Creation time in microseconds, that of the statement where the table has none. */
  public String createdAt() {
    String column = layout.order().createdAt();
    return dialect.micros(column == null ? dialect.now() : column(column));
  }

  private String state() {
    return layout.progress().state() instanceof StateColumn.Word word
        ? column(word.column())
        : "null";
  }

  private String text(@Nullable String name) {
    return name == null ? "null" : dialect.text(column(name));
  }

  /** A column, or that of the table beside the outbox which serves in its place. */
  private String beside(@Nullable String name, String other) {
    return name == null ? dialect.text("w." + other) : text(name);
  }

  private String version() {
    String version = layout.identity().eventVersion();
    return "coalesce(" + (version == null ? "w.event_version" : column(version)) + ", 1)";
  }

  /** What the outbox has no columns for; it follows the outbox in a list of tables. */
  private String context() {
    return RowContext.isNeedless(layout)
        ? ""
        : "left join " + dialect.byPrimaryKey("${row_context}", "w") + " on w.row_id = ${side_id}";
  }

  private String orElse(@Nullable String name, String constant) {
    return name == null ? constant : column(name);
  }

  private String keyType() {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      return text(key.type());
    }
    return layout.order().key() instanceof KeyColumns.Single key
        ? "'" + key.aggregateType() + "'"
        : "null";
  }

  private String keyId() {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      return text(key.id());
    }
    return layout.order().key() instanceof KeyColumns.Single key ? text(key.id()) : "null";
  }

  private String payload() {
    String column = column(layout.content().payload());
    return layout.content().kind() == PayloadKind.BYTES ? column : dialect.text(column);
  }

  private String orderValue() {
    OrderColumn column = layout.order().column();
    // The creation time is there already.
    boolean known = column != null && column.column().equals(layout.order().createdAt());
    return known ? "0" : orderNumber();
  }

  /** What orders the rows as a number, 0 where no column does. */
  public String orderNumber() {
    OrderColumn order = layout.order().column();
    String column = order == null ? "0" : column(order.column());
    boolean time = order != null && order.kind() == OrderColumn.Kind.TIME;
    return time ? dialect.micros(column) : column;
  }

  private String delayed() {
    String column = layout.order().availableAt();
    return column == null ? "false" : column(column) + " is not null";
  }

  private String order() {
    OrderColumn column = layout.order().column();
    return column == null ? id() : column(column.column()) + ", " + id();
  }

  /** Repeated literally in every statement, so that partial indexes serve. */
  private String pending() {
    return stands("false", StateColumn.Word::pending, "true");
  }

  private String published() {
    return stands("true", StateColumn.Word::published, "false");
  }

  private String stands(String flag, Function<StateColumn.Word, String> word, String without) {
    if (state instanceof StateColumn.Flag column) {
      return column(column.column()) + " = " + flag;
    }
    return state instanceof StateColumn.Word column
        ? column(column.column()) + " = '" + word.apply(column) + "'"
        : without;
  }

  /**
   * What tells how a row stands. On MySQL and MariaDB the own table has its column also where
   * published rows are deleted: somebody may have marked a row, or have kept published ones before.
   */
  private static StateColumn state(Layout layout, SqlDialect dialect) {
    boolean isOwn = layout.equals(Layouts.WAYBILL.table(layout.table()));
    return isOwn && dialect.kind() != DatabaseKind.POSTGRESQL
        ? Layouts.WAYBILL_KEEP.progress().state()
        : layout.progress().state();
  }

  /**
   * Time of creation in microseconds as the tables beside the outbox have it: a row id may come
   * again, together with this it does not.
   */
  private String rowCreated(String alias) {
    String column = layout.order().createdAt();
    return column == null
        ? "0"
        : "coalesce(" + dialect.micros(alias + dialect.quote(column)) + ", 0)";
  }

  /**
   * Whether what is recorded of a waiting row counts. A table with a word of its own for the dead
   * shows them with it: where it says that the row waits, somebody has set it back.
   */
  private String entry() {
    return tellsDead() ? "s.state <> 'DEAD'" : "s.state is not null";
  }

  /** Whether the table has a word of its own for the dead. */
  public boolean tellsDead() {
    return layout.progress().state() instanceof StateColumn.Word;
  }

  private static String open() {
    return """
    not exists (select 1 from ${row_state} s where s.row_id = ${side_id} and ${entry}
        and s.row_created = ${row_created})
      and not exists (select 1 from ${held} h where h.row_id = ${side_id}
        and h.row_created = ${row_created})""";
  }

  /** Rows that have a place: where one can be null, no position is behind it. */
  public String placed() {
    OrderColumn order = layout.order().column();
    return order == null ? "true" : column(order.column()) + " is not null";
  }

  /**
   * Rows by their place.
   *
   * @param relation how they stand to a position: {@code <}, {@code <=}, {@code >=} or {@code >}
   */
  public String place(String relation) {
    OrderColumn order = layout.order().column();
    if (order == null) {
      return id() + " " + relation + " ?";
    }
    String column = column(order.column());
    String value = order.kind() == OrderColumn.Kind.TIME ? dialect.timestamp("?") : "?";
    // Not a comparison of rows of values: MySQL and MariaDB would not use an index for it.
    return "%1$s %2$s= %3$s and (%1$s %2$s %3$s or %4$s %5$s ?)"
        .formatted(column, relation.substring(0, 1), value, id(), relation);
  }
}
