package io.waybill.internal.jdbc.operator;

import io.waybill.database.RowIds;
import io.waybill.internal.jdbc.append.AppendCell;
import io.waybill.internal.jdbc.append.AppendCells;
import io.waybill.internal.jdbc.append.AppendRules;
import io.waybill.internal.jdbc.append.RowContext;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.kernel.TableColumns;
import io.waybill.internal.jdbc.kernel.TableColumns.Column;
import io.waybill.internal.jdbc.kernel.WriterColumns;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.internal.store.HeaderJson;
import io.waybill.layout.Content;
import io.waybill.layout.Identity;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.Progress;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.message.Event;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.Violation;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a row with another id, the present time and some other contents: every other column of
 * the row is copied by the database, those that no layout names too.
 */
final class CorrectedRow {
  private final Layout layout;
  private final SqlDialect dialect;
  private final TableTerms terms;
  private final Correction correction;
  private final Object original;
  private final AppendCell.Row values;
  private final Map<String, AppendCell> cells = new HashMap<>();
  private final Set<String> corrected = new HashSet<>();
  // Columns and their expressions, in their order.
  private final Map<String, String> copied = new LinkedHashMap<>();
  private final List<AppendCell> bound = new ArrayList<>();

  /** A row that was inserted. */
  record Inserted(Object rowId, String eventId) {}

  /**
   * A copy that is not inserted yet.
   *
   * @param columns columns of the outbox
   * @param original id of the row
   * @param eventId the row's event
   * @param type its type
   * @param headersJson its headers
   * @throws CorrectionException if the table does not take the new contents
   */
  CorrectedRow(
      JdbcAdmin.Parts parts,
      TableColumns columns,
      Correction correction,
      Object original,
      String eventId,
      String type,
      @Nullable String headersJson) {
    this.layout = parts.layout();
    this.dialect = parts.queries().dialect();
    this.terms = parts.terms();
    this.correction = correction;
    this.original = original;
    Event.Builder event =
        Event.builder(correction.eventType() == null ? type : correction.eventType())
            .id(newId(eventId));
    headers(headersJson).list().forEach(each -> event.header(each.name(), each.value()));
    byte[] payload = correction.payload() == null ? new byte[0] : correction.payload();
    String contentType = correction.contentType();
    event.payload(Payload.of(payload, contentType == null ? Payload.BYTES : contentType));
    List<AppendCell> all = AppendCells.of(layout, dialect, columns);
    all.forEach(cell -> cells.put(cell.column().name(), cell));
    correct();
    values = new AppendCell.Row(event.build(), newRowId());
    check(new AppendRules(layout, all).violations(values.event()));
    boolean own = Layouts.isOwn(layout);
    for (Column column : columns.all()) {
      if (!column.generated() && (!own || WriterColumns.OF_CONTENT.contains(column.name()))) {
        put(column);
      }
    }
  }

  /** Always the same: a table with ids takes one correction of an event. */
  private String newId(String eventId) {
    Identity identity = layout.identity();
    if (identity.rowId().equals(identity.eventId()) && identity.kind() == RowIdKind.LONG) {
      return Long.toString(RowIds.timeOrdered().next());
    }
    String name = "waybill correction of " + layout.table() + " " + eventId;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Null where the database gives it, or the event's id is the row's. */
  private @Nullable String newRowId() {
    AppendCell cell = cells.get(layout.identity().rowId());
    if (cell == null || !cell.field().equals("row id")) {
      return null;
    }
    return layout.identity().kind() == RowIdKind.LONG
        ? Long.toString(RowIds.timeOrdered().next())
        : UUID.randomUUID().toString();
  }

  private Headers headers(@Nullable String json) {
    if (correction.headers().isEmpty()) {
      return Headers.NONE;
    }
    List<Header> all = new ArrayList<>();
    // What nobody can read is replaced as a whole.
    if (HeaderJson.read(json) instanceof HeaderJson.Parsed.Valid valid) {
      valid.headers().list().stream()
          .filter(each -> !correction.headers().containsKey(each.name()))
          .forEach(all::add);
    }
    correction.headers().forEach((name, value) -> all.add(new Header(name, value)));
    return new Headers(all);
  }

  private void correct() {
    if (correction.payload() != null) {
      corrected.add("payload");
    }
    if (correction.contentType() != null) {
      corrected.add("contentType");
    }
    if (correction.eventType() != null) {
      corrected.add("type");
    }
    Collection<String> named = layout.content().context().headerColumns().values();
    for (String header : correction.headers().keySet()) {
      corrected.add(named.contains(header) ? "header " + header : "headers");
    }
  }

  private void check(List<Violation> violations) {
    for (Violation each : violations) {
      if (corrected.contains(each.field())) {
        String value = each.value();
        throw CorrectionException.content(each.field(), each.rule(), value == null ? "" : value);
      }
    }
  }

  private void put(Column column) {
    String name = column.name();
    AppendCell cell = cells.get(name);
    boolean fresh = fresh().contains(name);
    if (cell != null && (fresh || corrected.contains(cell.field()))) {
      copied.put(name, cell.sql());
      if (cell.value() != null) {
        bound.add(cell);
      }
    } else if (!fresh) {
      copied.put(name, terms.column(name));
    } else if (isOrder(name) && !column.defaulted()) {
      copied.put(name, now(column));
    }
  }

  /** What is not copied: identity, times, and how the row stands. */
  private Set<String> fresh() {
    Progress progress = layout.progress();
    StateColumn state = progress.state();
    OrderColumn order = layout.order().column();
    return Stream.of(
            layout.identity().rowId(),
            layout.identity().eventId(),
            layout.order().createdAt(),
            layout.order().availableAt(),
            layout.order().lane(),
            order == null ? null : order.column(),
            state instanceof StateColumn.Flag flag ? flag.column() : null,
            state instanceof StateColumn.Word word ? word.column() : null,
            progress.publishedAt(),
            progress.attempts(),
            progress.nextAttemptAt(),
            progress.error())
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isOrder(String name) {
    OrderColumn order = layout.order().column();
    return order != null && order.column().equals(name);
  }

  private String now(Column column) {
    OrderColumn order = layout.order().column();
    if (order != null && order.kind() == OrderColumn.Kind.TIME) {
      return dialect.timeNow(column.type());
    }
    throw CorrectionException.state(
        "column %s of %s orders the events, and only their writers know its next value"
            .formatted(column.name(), layout.table()));
  }

  /** Inserts it. */
  Inserted insert(Statements statements) throws SQLException {
    Identity identity = layout.identity();
    String sql =
        terms.sql(
            "insert into ${outbox} (%s)\nselect %s\nfrom ${outbox} o where %s"
                .formatted(
                    copied.keySet().stream().map(dialect::quote).collect(Collectors.joining(", ")),
                    String.join(", ", copied.values()),
                    dialect.oneOf(terms.column(identity.rowId()), 1)));
    boolean given = copied.containsKey(identity.rowId());
    PreparedStatement statement =
        given ? statements.prepare(sql) : statements.prepareKeyed(sql, identity.rowId());
    Binding binding = new Binding(statement, dialect);
    for (AppendCell cell : bound) {
      Object value = Objects.requireNonNull(cell.value()).of(values);
      if (value instanceof byte[] bytes) {
        binding.bytes(bytes);
      } else {
        binding.text((String) value);
      }
    }
    binding.oneOf(identity.kind(), List.of(original));
    if (statement.executeUpdate() != 1) {
      throw CorrectionException.state("the event is gone");
    }
    Object rowId = given ? givenId() : key(statement);
    beside(statements, rowId);
    boolean derived = identity.eventId() == null;
    return new Inserted(rowId, derived ? layout.table().name() + ":" + rowId : values.event().id());
  }

  private Object givenId() {
    String text = values.rowId() == null ? values.event().id() : values.rowId();
    return Objects.requireNonNull(dialect.parseId(text, layout.identity().kind()));
  }

  private static Object key(PreparedStatement statement) throws SQLException {
    try (ResultSet keys = statement.getGeneratedKeys()) {
      keys.next();
      return keys.getLong(1);
    }
  }

  /** What the outbox has no columns for. */
  private void beside(Statements statements, Object rowId) throws SQLException {
    if (RowContext.isNeedless(layout)) {
      return;
    }
    Content content = layout.content();
    boolean headers = corrected.contains("headers") && content.context().headers() == null;
    boolean type = corrected.contains("contentType") && content.contentTypeColumn() == null;
    PreparedStatement statement =
        statements.prepare(
            terms.sql(
                """
                insert into ${row_context} (row_id, event_version, content_type, headers,
                  correlation_id, causation_id, traceparent)
                select %s, w.event_version, %s, %s, w.correlation_id, w.causation_id, w.traceparent
                from (select 1 as one) x left join ${row_context} w on w.row_id = ?
                where w.row_id is not null%s"""
                    .formatted(
                        dialect.idParameter(layout.identity().kind()),
                        type ? "?" : "w.content_type",
                        headers ? dialect.parameter("json") : "w.headers",
                        headers || type ? " or 1 = 1" : "")));
    Binding binding = new Binding(statement, dialect);
    binding.text(rowId.toString());
    if (type) {
      binding.text(correction.contentType());
    }
    if (headers) {
      Collection<String> named = content.context().headerColumns().values();
      binding.text(HeaderJson.write(AppendCells.rest(values.event(), named)));
    }
    binding.id(original);
    statement.executeUpdate();
  }
}
