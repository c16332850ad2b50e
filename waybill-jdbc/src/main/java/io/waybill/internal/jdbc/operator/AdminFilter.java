package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.Queries.Binder;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.Identity;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.RowIdKind;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a filter means in a table: conditions and their parameters. Immutable. */
final class AdminFilter {
  private static final String WAITING =
      "${waiting} and (s.state is null or s.state = 'RETRY' or not (${entry}))";
  private static final String NONE = "1 = 0";

  private final Layout layout;
  private final SqlDialect dialect;
  private final TableTerms terms;

  AdminFilter(Layout layout, SqlDialect dialect, TableTerms terms) {
    this.layout = layout;
    this.dialect = dialect;
    this.terms = terms;
  }

  /**
   * A condition of rows.
   *
   * @param sql what it says
   * @param binder binds its parameters
   */
  record Condition(String sql, Binder binder) {}

  /**
   * Where to search, and what for.
   *
   * @param from where
   * @param range what the rows in the tables beside the outbox meet as well, for {@link
   *     AdminSql#ranged}
   * @param all what the events meet
   */
  record Search(AdminSql.From from, List<Condition> range, List<Condition> all) {
    Search(AdminSql.From from, List<Condition> all) {
      this(from, List.of(), all);
    }

    List<String> ranges() {
      return range.stream().map(Condition::sql).toList();
    }

    List<String> conditions() {
      return all.stream().map(Condition::sql).toList();
    }

    void bind(Binding binding) throws SQLException {
      for (int table = 0; table < AdminSql.BESIDE; table++) {
        bind(range, binding);
      }
      bind(all, binding);
    }

    private static void bind(List<Condition> conditions, Binding binding) throws SQLException {
      for (Condition condition : conditions) {
        condition.binder().bind(binding);
      }
    }

    /** Whether no event can meet the conditions. */
    boolean isVain() {
      return conditions().contains(NONE);
    }

    /** The same with more conditions. */
    Search and(List<Condition> more) {
      return new Search(from, range, Stream.concat(all.stream(), more.stream()).toList());
    }
  }

  static void requireCondition(EventFilter filter) {
    if (filter.isEmpty()) {
      throw new IllegalArgumentException(
          "A request needs at least one condition: event ids, status, event type or key");
    }
  }

  Search of(EventFilter filter) {
    List<Condition> conditions = new ArrayList<>();
    if (!filter.eventIds().isEmpty()) {
      conditions.add(ids(filter.eventIds()));
    }
    if (filter.status() == EventStatus.PENDING) {
      conditions.add(plain(WAITING));
    }
    if (filter.status() == EventStatus.PUBLISHED) {
      conditions.add(plain("${done}"));
    }
    if (filter.eventType() != null) {
      conditions.add(same(layout.identity().eventType(), filter.eventType()));
    }
    if (filter.aggregateType() != null) {
      conditions.add(keyType(filter.aggregateType()));
    }
    if (filter.aggregateId() != null) {
      conditions.add(keyId(filter.aggregateId()));
    }
    if (filter.reason() != null) {
      String reason = filter.reason();
      conditions.add(new Condition("s.last_reason = ?", binding -> binding.text(reason)));
    }
    if (filter.group() != null) {
      String group = filter.group();
      conditions.add(new Condition("s.failure_group = ?", binding -> binding.text(group)));
    }
    if (filter.traceId() != null) {
      // As W3C has it: version, trace, span and flags.
      String context = "__-" + filter.traceId() + "-%";
      conditions.add(new Condition("${traceparent} like ?", binding -> binding.text(context)));
    }
    if (filter.since() != null) {
      conditions.add(time(terms.createdAt() + " >= ?", filter.since()));
    }
    if (filter.before() != null) {
      conditions.add(time(terms.createdAt() + " < ?", filter.before()));
    }
    return new Search(from(filter.status(), filter.group() != null), conditions);
  }

  /** Those of some rows that have the status and a record of it. */
  Search recorded(EventStatus status, List<?> rowIds) {
    Condition rows = oneOf("s.row_id", layout.identity().kind(), rowIds);
    boolean pending = status == EventStatus.PENDING;
    return new Search(from(status, true), pending ? List.of(rows, plain(WAITING)) : List.of(rows));
  }

  private AdminSql.From from(@Nullable EventStatus status, boolean recorded) {
    if (status == EventStatus.PARKED) {
      return AdminSql.From.PARKED;
    }
    if (status == EventStatus.DEAD) {
      return terms.tellsDead() && !recorded ? AdminSql.From.DEAD : AdminSql.From.RECORDED_DEAD;
    }
    return recorded ? AdminSql.From.RETRIED : AdminSql.From.OUTBOX;
  }

  private Condition ids(List<String> eventIds) {
    Identity identity = layout.identity();
    String column = identity.eventId();
    if (column != null && !column.equals(identity.rowId())) {
      return oneOf(terms.column(column), RowIdKind.STRING, eventIds);
    }
    String prefix = column == null ? layout.table().name() + ":" : "";
    List<Object> rowIds =
        eventIds.stream()
            .filter(id -> id.startsWith(prefix))
            .map(id -> dialect.parseId(id.substring(prefix.length()), identity.kind()))
            .filter(Objects::nonNull)
            .<Object>map(Objects::requireNonNull)
            .toList();
    return oneOf(terms.column(identity.rowId()), identity.kind(), rowIds);
  }

  private Condition oneOf(String column, RowIdKind kind, List<?> values) {
    return values.isEmpty()
        ? plain(NONE)
        : new Condition(
            dialect.oneOf(column, values.size()), binding -> binding.oneOf(kind, values));
  }

  private Condition keyType(String type) {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      return same(key.type(), type);
    }
    boolean all =
        layout.order().key() instanceof KeyColumns.Single key && key.aggregateType().equals(type);
    return plain(all ? "true" : NONE);
  }

  private Condition keyId(String id) {
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      return same(key.id(), id);
    }
    return layout.order().key() instanceof KeyColumns.Single key ? same(key.id(), id) : plain(NONE);
  }

  private Condition same(String column, String value) {
    String condition = dialect.sameText(terms.column(column));
    long places = condition.chars().filter(c -> c == '?').count();
    return new Condition(
        condition,
        binding -> {
          for (int i = 0; i < places; i++) {
            binding.text(value);
          }
        });
  }

  private static Condition time(String condition, Instant time) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
    return new Condition(condition, binding -> binding.number(micros));
  }

  /** A condition without parameters. */
  static Condition plain(String condition) {
    return new Condition(condition, Binder.NOTHING);
  }
}
