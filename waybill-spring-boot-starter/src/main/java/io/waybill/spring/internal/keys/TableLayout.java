package io.waybill.spring.internal.keys;

import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.table.RetentionSql;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.layout.InvalidLayoutException;
import io.waybill.layout.Layout;
import io.waybill.layout.LayoutBuilder;
import io.waybill.layout.Layouts;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.RecordTable;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import io.waybill.spring.properties.ColumnsProperties;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The layout of an outbox's table, from its keys; what is wrong with them is added to problems. */
public final class TableLayout {
  private static final Map<String, String> KEYS =
      Map.of("orderedBy", "order.column", "rowId", "row-id.column", "payload", "payload.column");

  private final OutboxProperties properties;
  private final Problems problems;

  private TableLayout(OutboxProperties properties, Problems problems) {
    this.properties = properties;
    this.problems = problems;
  }

  /**
   * The layout.
   *
   * @param bean one of the application's own, which wins
   * @param kind kind of database, null while it is not known
   */
  public static Layout of(
      ConfiguredOutbox outbox,
      @Nullable Layout bean,
      @Nullable DatabaseKind kind,
      Problems problems) {
    TableLayout keys = new TableLayout(outbox.properties(), problems.with(key -> outbox.key(key)));
    return bean == null ? keys.read(kind) : bean;
  }

  /** The same; fails with what is wrong. */
  public static Layout of(
      ConfiguredOutbox outbox, @Nullable Layout bean, @Nullable DatabaseKind kind) {
    Problems problems = new Problems();
    Layout layout = of(outbox, bean, kind, problems);
    problems.throwIfAny();
    return layout;
  }

  /** The table and how it is used. */
  public static OutboxDefinition definition(ConfiguredOutbox outbox, Layout layout) {
    OutboxProperties properties = outbox.properties();
    return OutboxDefinition.of(layout)
        .sideNames(sideNames(properties, layout))
        .timeRange(timeRange(properties))
        .onPublished(properties.onPublished())
        .limits(
            properties.database().queryTimeout(),
            Math.toIntExact(properties.limits().maxEventBytes().toBytes()))
        .applicationName("waybill " + outbox.relay());
  }

  /** Which rows are relayed. */
  static TimeRange timeRange(OutboxProperties properties) {
    OutboxProperties.TimeRangeKeys range = properties.timeRange();
    return range == null ? TimeRange.ALL : new TimeRange(range.from(), range.until());
  }

  /** Names of the tables beside an adopted one. */
  public static SideNames sideNames(OutboxProperties properties, Layout layout) {
    OutboxProperties.SideTables given = properties.sideTables();
    if (given == null || (given.prefix() == null && given.schema() == null)) {
      return SideNames.of(layout);
    }
    String table = layout.table().name();
    return new SideNames(
        given.schema() == null ? layout.table().schema() : given.schema(),
        given.prefix() == null ? "waybill_" + table + "_" : given.prefix());
  }

  private Layout read(@Nullable DatabaseKind kind) {
    LayoutName name = properties.layout();
    Layout layout =
        switch (name) {
          case WAYBILL ->
              properties.onPublished() == OnPublished.KEEP && kind != DatabaseKind.POSTGRESQL
                  ? Layouts.WAYBILL_KEEP
                  : Layouts.WAYBILL;
          case NOTIFICATION -> Layouts.NOTIFICATION;
          case EVENT_OUTBOX -> Layouts.EVENT_OUTBOX;
          case WALLET -> Layouts.WALLET;
          case POLYSHOP -> Layouts.POLYSHOP;
          case DEBEZIUM -> debezium();
          case CUSTOM -> custom();
        };
    if (name == LayoutName.NOTIFICATION && Boolean.FALSE.equals(properties.record())) {
      layout = layout.record(null);
    }
    Layout named = named(layout);
    check(name, named);
    return named;
  }

  private Layout named(Layout layout) {
    String table = properties.table();
    String schema = properties.schema().name();
    if (table == null && schema == null) {
      return layout;
    }
    try {
      return layout.table(new TableName(schema, table == null ? layout.table().name() : table));
    } catch (IllegalArgumentException e) {
      problems.add(
          table == null ? "schema.name" : "table", "must be a plain name: " + e.getMessage());
      return layout;
    }
  }

  private void check(LayoutName name, Layout layout) {
    boolean own = name == LayoutName.WAYBILL;
    if (own && properties.table() != null) {
      problems.add(
          "table",
          "must be %s for layout waybill; leave it out".formatted(Layouts.WAYBILL.table().name()),
          properties.table());
    }
    if (name != LayoutName.CUSTOM && properties.columns() != null) {
      problems.add("columns", "are for layout custom");
    }
    if (name != LayoutName.DEBEZIUM && properties.order() != null) {
      problems.add("order", "is for layout debezium; other layouts define their order");
    }
    if (name != LayoutName.NOTIFICATION && properties.record() != null) {
      problems.add("record", "is for layout notification; a custom layout has it in its columns");
    }
    if (!own && properties.onPublished() == OnPublished.KEEP) {
      problems.add("on-published", "is for layout waybill: other layouts define it by their state");
    }
    if (own && properties.sideTables() != null) {
      problems.add("side-tables", "is for adopted tables");
    }
    if (!own && properties.listen()) {
      problems.add("listen", "needs Waybill's own table on PostgreSQL");
    }
    checkRetention(own, layout);
    checkTimeRange(own, layout);
    problems.attempt("side-tables.prefix", () -> sideNames(properties, layout));
  }

  private void checkRetention(boolean own, Layout layout) {
    if (properties.retention() == null) {
      return;
    }
    String refusal = own ? null : RetentionSql.refusal(layout);
    if (refusal != null) {
      problems.add("retention", "must be left out: " + refusal);
    }
    if (own && properties.onPublished() == OnPublished.DELETE) {
      problems.add("retention", "needs " + problems.name("on-published") + "=keep");
    }
  }

  private void checkTimeRange(boolean own, Layout layout) {
    if (properties.timeRange() == null) {
      return;
    }
    if (own || layout.order().createdAt() == null) {
      problems.add("time-range", "is for adopted tables with a creation time");
    }
    problems.attempt("time-range", () -> timeRange(properties));
  }

  private Layout debezium() {
    ColumnsProperties.Order order = properties.order();
    if (order == null) {
      return Layouts.DEBEZIUM;
    }
    if (order.column() == null) {
      problems.add("order.column", "must be given");
      return Layouts.DEBEZIUM;
    }
    try {
      return Layouts.debezium(new OrderColumn(order.column(), order.type()));
    } catch (IllegalArgumentException e) {
      problems.add("order.column", "is not a column name: " + e.getMessage());
      return Layouts.DEBEZIUM;
    }
  }

  private Layout custom() {
    ColumnsProperties columns = properties.columns();
    if (properties.table() == null) {
      problems.add("table", "must be given");
    }
    if (columns == null || columns.state() == null) {
      problems.add("columns.state", "must be given: type presence, boolean, string or enum");
    }
    if (columns == null || properties.table() == null) {
      return Layouts.EVENT_OUTBOX;
    }
    LayoutBuilder layout = Layout.builder("custom", properties.table());
    columns(columns, layout);
    try {
      return layout.build();
    } catch (InvalidLayoutException e) {
      e.violations()
          .forEach(
              broken -> {
                String key = KEYS.getOrDefault(broken.field(), kebab(broken.field()));
                if (broken.value() == null) {
                  problems.add("columns." + key, broken.rule());
                } else {
                  problems.add("columns." + key, broken.rule(), broken.value());
                }
              });
      return Layouts.EVENT_OUTBOX;
    }
  }

  private void columns(ColumnsProperties columns, LayoutBuilder layout) {
    layout.rowId(columns.rowId().column(), columns.rowId().type());
    layout.payload(columns.payload().column(), columns.payload().type());
    layout.eventType(columns.eventType());
    given(columns.eventId(), layout::eventId);
    given(columns.eventVersion(), layout::eventVersion);
    given(columns.contentTypeColumn(), layout::contentTypeColumn);
    given(columns.contentType(), layout::contentType);
    given(columns.headers(), layout::headers);
    layout.context(columns.correlationId(), columns.causationId(), columns.traceparent());
    columns.headerColumns().forEach(layout::headerColumn);
    layout.createdAt(columns.createdAt());
    given(columns.availableAt(), layout::availableAt);
    given(columns.lane(), layout::lane);
    key(columns.key(), layout);
    order(columns.order(), layout);
    layout.state(state(columns.state()));
    given(columns.publishedAt(), layout::publishedAt);
    given(columns.attempts(), layout::attempts);
    given(columns.nextAttemptAt(), layout::nextAttemptAt);
    given(columns.error(), layout::error);
    ColumnsProperties.ProcessedTable record = columns.record();
    if (record != null) {
      layout.record(
          new RecordTable(
              record.table(),
              record.eventId(),
              record.status(),
              record.createdAt(),
              record.updatedAt()));
    }
  }

  private static void given(@Nullable String column, Consumer<String> setting) {
    if (column != null) {
      setting.accept(column);
    }
  }

  private void order(ColumnsProperties.@Nullable Order order, LayoutBuilder layout) {
    if (order == null) {
      return;
    }
    if (order.column() == null) {
      problems.add("columns.order.column", "must be given");
    } else {
      layout.orderedBy(order.column(), order.type());
    }
  }

  private void key(ColumnsProperties.@Nullable Key key, LayoutBuilder layout) {
    if (key == null) {
      return;
    }
    if (key.id() == null) {
      problems.add("columns.key.id", "must be given");
    }
    if ((key.type() == null) == (key.aggregateType() == null)) {
      problems.add(
          "columns.key.type",
          "must be given, or aggregate-type for the same in every row, but not both");
    }
    String id = key.id() == null ? "missing_id" : key.id();
    if (key.type() != null) {
      layout.key(key.type(), id);
    } else if (key.aggregateType() != null) {
      layout.singleKey(id, key.aggregateType());
    }
  }

  private StateColumn state(ColumnsProperties.@Nullable State state) {
    if (state == null) {
      return new StateColumn.Presence();
    }
    return switch (state.type()) {
      case PRESENCE -> new StateColumn.Presence();
      case BOOLEAN -> new StateColumn.Flag(word("column", state.column()));
      case STRING, ENUM ->
          new StateColumn.Word(
              word("column", state.column()),
              word("pending", state.pending()),
              word("published", state.published()),
              word("dead", state.dead()));
    };
  }

  /** What is missing is replaced, differently from key to key, so that the rest is checked. */
  private String word(String key, @Nullable String given) {
    if (given == null) {
      problems.add("columns.state." + key, "must be given");
    }
    return given == null ? "missing_" + key : given;
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
