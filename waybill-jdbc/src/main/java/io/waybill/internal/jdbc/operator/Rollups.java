package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableCatalogue;
import io.waybill.internal.jdbc.table.TableTerms;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The history of an outbox: what its relays did in each minute. Used by one thread. */
public final class Rollups {
  private static final List<String> SUMS =
      List.of("published", "refused", "unanswered", "parked", "dead", "latency_micros");
  private static final List<String> LONGEST = List.of("latency_max_micros", "oldest_millis");
  private static final Duration NAMES_OF = Duration.ofDays(1);
  private static final Duration PIECE = Duration.ofHours(6);
  private static final Duration PART = Duration.ofDays(1);
  // More than any hour has.
  private static final int MOST_READ = 20_000;
  private static final int ENOUGH = 1_000;

  private final Queries queries;
  private final SqlDialect dialect;
  private final TableTerms terms;

  /** What is added up. */
  public enum Step {
    /** Minutes, as they are written. */
    MINUTE(ChronoUnit.MINUTES),
    /** Hours. */
    HOUR(ChronoUnit.HOURS);

    private final ChronoUnit unit;

    Step(ChronoUnit unit) {
      this.unit = unit;
    }
  }

  /**
   * A part of the history, in the order of time and name.
   *
   * @param items whole steps
   * @param next when the next part begins; null if this is the last
   */
  public record Page(List<Rollup> items, @Nullable Instant next) {}

  private Rollups(Queries queries, TableTerms terms) {
    this.queries = queries;
    this.dialect = queries.dialect();
    this.terms = terms;
  }

  /**
   * The history of an outbox, on the connection of its operators' view.
   *
   * @param admin the view
   * @throws IllegalArgumentException if it is not one of a database
   */
  public static Rollups of(Admin admin) {
    JdbcAdmin.Parts parts = JdbcAdmin.of(admin).parts();
    return new Rollups(parts.queries(), parts.terms());
  }

  /** Why nothing can be shown, one sentence; null if it can. */
  public @Nullable String missing() {
    SideNames names = terms.names();
    String table = names.prefix() + "rollup";
    boolean readable =
        queries
            .list(
                "check the privilege to read the history",
                TableCatalogue.mayRead(dialect),
                binding -> {
                  binding.text(names.schema());
                  binding.text(table);
                  binding.text("minute_at");
                },
                result -> result.getBoolean(1))
            .get(0);
    return readable
        ? null
        : "There is no history: table %s is missing, or the user may not read it; fix: %s"
            .formatted(table, "waybill schema apply, or what waybill schema print --grants prints");
  }

  /** Destinations of the last day with rows of their own, the busiest first. */
  public List<String> destinations() {
    return queries.list(
        "look at the history",
        sql(
            """
            select r.destination from ${rollup} r
            where r.minute_at > ${begin} and r.destination not in (?, ?)
            group by r.destination order by sum(r.published) desc, r.destination limit ?"""
                .replace("${begin}", ago(NAMES_OF))),
        binding -> {
          binding.text(Rollup.OUTBOX);
          binding.text(Rollup.OTHERS);
          binding.number(Rollup.MOST_DESTINATIONS);
        },
        result -> result.getString(1));
  }

  /** Adds rows to what is there, in one statement; their order must be that of time and name. */
  public void add(List<Rollup> rows) {
    List<String> columns = new ArrayList<>(List.of("minute_at", "destination"));
    columns.addAll(SUMS);
    columns.addAll(LONGEST);
    Map<String, String> changes = new LinkedHashMap<>();
    for (String column : SUMS) {
      changes.put(column, dialect.stored(column) + " + " + dialect.incoming(column));
    }
    for (String column : LONGEST) {
      changes.put(
          column, "greatest(%s, %s)".formatted(dialect.stored(column), dialect.incoming(column)));
    }
    String row = "(" + dialect.timestamp("?") + ", ?".repeat(columns.size() - 1) + ")";
    String values = "values " + String.join(", ", Collections.nCopies(rows.size(), row));
    change(
        "write the history",
        dialect.insertOrChange("${rollup}", "minute_at, destination", columns, values, changes),
        binding -> {
          for (Rollup each : rows) {
            bind(binding, each);
          }
        });
  }

  private static void bind(Binding binding, Rollup row) throws SQLException {
    binding.number(micros(row.at()));
    binding.text(row.destination());
    binding.number(row.published());
    binding.number(row.refused());
    binding.number(row.unanswered());
    binding.number(row.parked());
    binding.number(row.dead());
    binding.number(row.latencyMicros());
    binding.number(row.latencyMaxMicros());
    binding.number(row.oldestMillis());
  }

  /** Removes rows that were kept long enough, some hours of them at a time; returns how many. */
  public int forget(Duration kept) {
    return change(
        "remove old history",
        """
        delete from ${rollup} where minute_at < ${end} and minute_at < (
          select ${some} from (select min(m.minute_at) as first_at from ${rollup} m) x)"""
            .replace("${end}", ago(kept))
            .replace("${some}", dialect.later("x.first_at", Long.toString(micros(PIECE)))),
        Queries.Binder.NOTHING);
  }

  private int change(String what, String template, Queries.Binder binder) {
    return queries.change(what, sql(template), binder);
  }

  /**
   * Lists what was done, of at most one day.
   *
   * @param since begin
   * @param before end
   * @param destination one destination; null for all
   * @param step minutes or hours
   */
  public Page list(Instant since, Instant before, @Nullable String destination, Step step) {
    Instant begin = since.truncatedTo(step.unit);
    Instant day = begin.plus(PART);
    Instant end = day.isBefore(before) ? day : before;
    List<Rollup> rows =
        rows(
            "r.minute_at >= %1$s and r.minute_at < %1$s".formatted(dialect.timestamp("?"))
                + (destination == null ? "" : " and r.destination = ?"),
            binding -> {
              binding.number(micros(begin));
              binding.number(micros(end));
              if (destination != null) {
                binding.text(destination);
              }
              binding.number(MOST_READ);
            });
    Map<Instant, Map<String, Rollup>> steps = new LinkedHashMap<>();
    for (Rollup row : rows) {
      Instant at = row.at().truncatedTo(step.unit);
      steps
          .computeIfAbsent(at, unused -> new LinkedHashMap<>())
          .merge(row.destination(), row.as(at, row.destination()), Rollup::plus);
    }
    return page(steps, rows.size() == MOST_READ, end.isBefore(before) ? end : null);
  }

  /** Whole steps; the last one may be cut where reading stopped. */
  private static Page page(
      Map<Instant, Map<String, Rollup>> steps, boolean cut, @Nullable Instant next) {
    List<Rollup> items = new ArrayList<>();
    int left = steps.size();
    for (Map.Entry<Instant, Map<String, Rollup>> each : steps.entrySet()) {
      if (!items.isEmpty() && (items.size() >= ENOUGH || (cut && left == 1))) {
        return new Page(items, each.getKey());
      }
      items.addAll(each.getValue().values());
      left--;
    }
    return new Page(items, next);
  }

  /** How fast events are published, and when those that wait will have been. */
  public Throughput throughput() {
    String missing = missing();
    if (missing != null) {
      return Throughput.unknown(missing);
    }
    List<Rollup> rows =
        rows("r.minute_at > " + ago(Throughput.LOOKED_AT), binding -> binding.number(MOST_READ));
    Instant now =
        queries
            .list(
                "ask for the time",
                "select " + dialect.micros(dialect.clock()),
                Queries.Binder.NOTHING,
                result -> AdminRows.time(result.getLong(1)))
            .get(0);
    return Throughput.of(rows, now);
  }

  /** Gives the connection back until the next call. */
  public void rest() {
    queries.database().rest();
  }

  private List<Rollup> rows(String condition, Queries.Binder binder) {
    String columns =
        List.of(SUMS, LONGEST).stream()
            .flatMap(List::stream)
            .map(column -> "r." + column)
            .collect(Collectors.joining(", "));
    return queries.list(
        "read the history",
        sql(
            """
            select ${at}, r.destination, ${columns_of_rollup} from ${rollup} r
            where ${condition} order by r.minute_at, r.destination limit ?"""
                .replace("${at}", dialect.micros("r.minute_at"))
                .replace("${columns_of_rollup}", columns)
                .replace("${condition}", condition)),
        binder,
        Rollups::row);
  }

  private static Rollup row(ResultSet result) throws SQLException {
    return new Rollup(
        AdminRows.time(result.getLong(1)),
        result.getString(2),
        result.getLong(3),
        result.getLong(4),
        result.getLong(5),
        result.getLong(6),
        result.getLong(7),
        result.getLong(8),
        result.getLong(9),
        result.getLong(10));
  }

  private String ago(Duration age) {
    return dialect.later(dialect.clock(), Long.toString(-micros(age)));
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private String sql(String template) {
    return terms.sql(template);
  }
}
