package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.RowIdKind;
import io.waybill.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators' view of the consumers whose inboxes have their tables in the schema of an outbox.
 * Used by one thread.
 */
public final class InboxAdmin {
  private static final int MOST_LANES = 1_000;

  private static final String NEXT =
      """
      select min(x.consumer) from (
        (select l.consumer from ${lane} l where l.consumer > ? order by l.consumer limit 1)
        union all
        (select d.consumer from ${deferred} d where d.consumer > ? order by d.consumer limit 1)) x""";

  private static final String NOTED =
      """
      select max(${noted}) from ${lane} l where l.consumer = ?""";

  private static final String LANES =
      """
      select l.lane, l.done_before from ${lane} l where l.consumer = ? order by l.lane limit ?""";

  private static final String DEFERRED =
      """
      select count(*), count(case when d.behind then 1 end), count(d.dead_reason), min(${since})
      from (
        select x.behind, x.dead_reason, x.deferred_at from ${deferred} x where x.consumer = ? limit ?
      ) d""";

  private static final String NEXT_DUE =
      """
      select d.event_id, d.event_type, d.source, d.attempts, ${due}, d.failure
      from ${deferred} d where d.consumer = ? and not d.behind order by d.due_at limit 1""";

  private static final String KNOWN =
      """
      select 1 from ${processed} p where p.consumer = ? limit 1""";

  private static final String PROCESSED =
      """
      select p.event_id from ${processed} p where p.consumer = ? and ${some}""";

  private static final int PAGE = 500;

  private final SqlDialect dialect;
  private final Queries queries;
  private final @Nullable String schema;
  private boolean absent;

  /**
   * How a consumer stands.
   *
   * @param consumer its name
   * @param doneBefore partitions or queues of which it has noted how far it is, and how far; the
   *     first 1,000 of them
   * @param notedAt when it last noted that, or null
   * @param deferred events that wait for their next attempt, or behind one of their key that does;
   *     at most the number at which counting stopped
   * @param behind how many of them wait behind others
   * @param givenUp how many of them are given up, and wait for the confirmation of their dead
   *     letter
   * @param since when the one that has waited for longest was deferred, or null
   * @param next the one that is due first, or null
   */
  public record ConsumerView(
      String consumer,
      Map<String, Long> doneBefore,
      @Nullable Instant notedAt,
      long deferred,
      long behind,
      long givenUp,
      @Nullable Instant since,
      @Nullable Deferred next) {}

  /**
   * A deferred event.
   *
   * @param eventId its id
   * @param eventType its type
   * @param source topic or queue that it came from
   * @param attempts how often its handler has failed
   * @param dueAt when it is tried again
   * @param failure what was said last
   */
  public record Deferred(
      String eventId,
      String eventType,
      String source,
      int attempts,
      Instant dueAt,
      String failure) {}

  InboxAdmin(Queries queries, @Nullable String schema) {
    this.dialect = queries.dialect();
    this.queries = queries;
    this.schema = schema;
  }

  /**
   * The inboxes beside an outbox, on the connection of its operators' view.
   *
   * @param admin the view
   * @throws IllegalArgumentException if it is not one of a database
   */
  public static InboxAdmin of(Admin admin) {
    if (admin instanceof JdbcAdmin own) {
      return own.inboxes();
    }
    throw new IllegalArgumentException("admin must be that of an outbox, but is " + admin);
  }

  /**
   * Lists consumers.
   *
   * @param after the last one of the previous page, empty for the first
   * @param limit most consumers
   * @param counted number at which to stop counting the deferred events of one
   * @return consumers by name
   */
  public List<ConsumerView> consumers(String after, int limit, int counted) {
    List<ConsumerView> consumers = new ArrayList<>();
    Optional<String> next = next(after);
    while (next.isPresent() && consumers.size() < limit) {
      consumers.add(consumer(next.get(), counted));
      next = consumers.size() < limit ? next(next.get()) : Optional.empty();
    }
    return consumers;
  }

  /**
   * Which events a consumer has noted as processed: applied, or given up.
   *
   * @param consumer its name
   * @param ids ids as the inbox notes them
   * @return those of them that are noted; empty if nothing of the consumer is noted here, or this
   *     user may not see it, which is found out once
   */
  public Optional<Set<String>> processed(String consumer, List<String> ids) {
    try {
      if (absent || !isKnown(consumer)) {
        return Optional.empty();
      }
      Set<String> found = new HashSet<>();
      for (int from = 0; from < ids.size(); from += PAGE) {
        List<String> some = ids.subList(from, Math.min(ids.size(), from + PAGE));
        found.addAll(
            queries.list(
                "look for processed events",
                sql(PROCESSED.replace("${some}", dialect.oneOf("p.event_id", some.size()))),
                binding -> {
                  binding.text(consumer);
                  binding.oneOf(RowIdKind.STRING, some);
                },
                result -> result.getString(1)));
      }
      return Optional.of(found);
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException sql && isAbsent(sql)) {
        absent = true;
        return Optional.empty();
      }
      throw e;
    }
  }

  private boolean isKnown(String consumer) {
    return !queries
        .list(
            "look for a consumer",
            sql(KNOWN),
            binding -> binding.text(consumer),
            result -> result.getInt(1))
        .isEmpty();
  }

  /** No such table or column, or no right to see it. */
  private static boolean isAbsent(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith("42");
  }

  private Optional<String> next(String after) {
    return queries
        .list(
            "find a consumer",
            sql(NEXT),
            binding -> {
              binding.text(after);
              binding.text(after);
            },
            result -> Optional.ofNullable(result.getString(1)))
        .get(0);
  }

  private ConsumerView consumer(String name, int counted) {
    Map<String, Long> lanes = new LinkedHashMap<>();
    queries
        .list(
            "list the lanes of a consumer",
            sql(LANES),
            binding -> {
              binding.text(name);
              binding.number(MOST_LANES);
            },
            result -> Map.entry(result.getString(1), result.getLong(2)))
        .forEach(each -> lanes.put(each.getKey(), each.getValue()));
    Instant notedAt =
        queries
            .list(
                "find when a consumer noted something",
                sql(NOTED),
                binding -> binding.text(name),
                result -> Optional.ofNullable(instant(result, 1)))
            .get(0)
            .orElse(null);
    Deferred next =
        queries
            .list(
                "find the next deferred event",
                sql(NEXT_DUE),
                binding -> binding.text(name),
                InboxAdmin::deferred)
            .stream()
            .findFirst()
            .orElse(null);
    return queries
        .list(
            "count deferred events",
            sql(DEFERRED),
            binding -> {
              binding.text(name);
              binding.number(counted);
            },
            result ->
                new ConsumerView(
                    name,
                    lanes,
                    notedAt,
                    result.getLong(1),
                    result.getLong(2),
                    result.getLong(3),
                    instant(result, 4),
                    next))
        .get(0);
  }

  private static Deferred deferred(ResultSet result) throws SQLException {
    return new Deferred(
        result.getString(1),
        result.getString(2),
        result.getString(3),
        result.getInt(4),
        AdminRows.time(result.getLong(5)),
        result.getString(6));
  }

  private static @Nullable Instant instant(ResultSet result, int column) throws SQLException {
    long micros = result.getLong(column);
    return result.wasNull() ? null : AdminRows.time(micros);
  }

  private String sql(String template) {
    return template
        .replace("${lane}", table("waybill_inbox_lane"))
        .replace("${processed}", table("processed_events"))
        .replace("${deferred}", table("waybill_inbox_deferred"))
        .replace("${noted}", dialect.micros("l.noted_at"))
        .replace("${since}", dialect.micros("d.deferred_at"))
        .replace("${due}", dialect.micros("d.due_at"));
  }

  private String table(String name) {
    return (schema == null ? "" : dialect.quote(schema) + ".") + dialect.quote(name);
  }
}
