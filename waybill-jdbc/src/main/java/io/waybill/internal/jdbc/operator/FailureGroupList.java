package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.RowIdKind;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups of failures, from an index of their records: each costs as much as its counted events,
 * however many others there are. Used by one thread.
 */
final class FailureGroupList {
  // Times are in the records: of a large group, those of the first ones and of the last one are
  // looked at.
  private static final int LOOKED_AT = 20;

  // What is read at once: later groups would be shown as they were.
  private static final int PAGE = 100;

  private static final String NEXT =
      """
      select s.row_id, s.failure_group, ${changed} as changed_micros from ${row_state} s
      where s.state = ? and s.failure_group > ?
      order by s.failure_group, s.row_id limit ?""";

  private static final String LAST =
      """
      select ${changed} as changed_micros from ${row_state} s
      where s.state = ? and s.failure_group = ?
      order by s.row_id desc limit 1""";

  // The index alone has what is counted.
  private static final String COUNT =
      """
      select count(*) from (
        select 1 as one from ${row_state} s where s.state = ? and s.failure_group = ?
        order by s.row_id limit ?) c""";

  // MariaDB writes down what the statement above counts. This one gives up, without an answer, at
  // as many rows as its parameter says.
  private static final String FEW_ON_MARIADB =
      """
      select count(*) from ${row_state} s where s.state = ? and s.failure_group = ?
      limit rows examined ?""";

  private final Queries queries;
  private final RowIdKind kind;
  private final EventSearch search;
  // Made once: the terms of a layout cost more to fill in than a statement that an index answers.
  private final String next;
  private final String last;
  private final @Nullable String few;
  private final String count;

  /**
   * Groups of an outbox.
   *
   * @param queries statements of operators
   * @param terms the layout's parts of statements
   * @param kind type of the rows' ids
   * @param search finds events
   */
  FailureGroupList(Queries queries, TableTerms terms, RowIdKind kind, EventSearch search) {
    this.queries = queries;
    this.kind = kind;
    this.search = search;
    boolean mariaDb = queries.dialect().kind() == DatabaseKind.MARIADB;
    String changed = queries.dialect().micros("s.changed_at");
    this.next = terms.sql(NEXT.replace("${changed}", changed));
    this.last = terms.sql(LAST.replace("${changed}", changed));
    this.few = mariaDb ? terms.sql(FEW_ON_MARIADB) : null;
    this.count = terms.sql(COUNT);
  }

  /** One of the first records of a group. */
  private record Member(String group, Object rowId, long changedMicros) {}

  /** The first records of a group, at least one. */
  private record Head(List<Member> members) {
    String group() {
      return members.get(0).group();
    }

    Object rowId() {
      return members.get(0).rowId();
    }

    LongStream changedMicros() {
      return members.stream().mapToLong(Member::changedMicros);
    }
  }

  /** Lists groups, of which it counts a number of records each. */
  List<FailureGroup> list(EventStatus status, @Nullable String after, int limit, int counted) {
    String state = state(status).name();
    List<FailureGroup> groups = new ArrayList<>();
    List<Head> heads = heads(state, after == null ? "" : after, Math.min(limit, PAGE));
    while (!heads.isEmpty()) {
      Map<String, EventView> samples =
          search.recorded(status, heads.stream().map(Head::rowId).toList());
      for (Head head : heads) {
        // Nothing is left of some, but for records that the next owner of the lane removes.
        Optional.ofNullable(samples.get(head.group()))
            .or(() -> search.first(FailureGroup.filter(status, head.group())))
            .flatMap(sample -> group(status, head, counted, sample))
            .ifPresent(groups::add);
      }
      String reached = heads.get(heads.size() - 1).group();
      heads = heads(state, reached, Math.min(limit - groups.size(), PAGE));
    }
    return groups;
  }

  private List<Head> heads(String state, String after, int limit) {
    List<Head> heads = new ArrayList<>();
    Optional<Head> head = limit > 0 ? head(state, after) : Optional.empty();
    while (head.isPresent()) {
      heads.add(head.get());
      head = heads.size() < limit ? head(state, head.get().group()) : Optional.empty();
    }
    return heads;
  }

  private Optional<Head> head(String state, String after) {
    List<Member> found =
        queries.list(
            "find a group of failures",
            next,
            binding -> {
              binding.text(state);
              binding.text(after);
              binding.number(LOOKED_AT);
            },
            result ->
                new Member(
                    result.getString("failure_group"),
                    Objects.requireNonNull(queries.dialect().readId(result, 1, kind), "row id"),
                    result.getLong("changed_micros")));
    return found.stream()
        .findFirst()
        .map(
            first ->
                new Head(
                    found.stream().filter(each -> each.group().equals(first.group())).toList()));
  }

  private long count(String state, String group, int counted) {
    // It examines the end of the group as well.
    Optional<Long> all = few == null ? Optional.empty() : count(few, state, group, counted + 1L);
    return all.orElseGet(() -> count(count, state, group, counted).orElseThrow());
  }

  private Optional<Long> count(String statement, String state, String group, long most) {
    return queries
        .list(
            "count a group of failures",
            statement,
            binding -> {
              binding.text(state);
              binding.text(group);
              binding.number(most);
            },
            result -> result.getLong(1))
        .stream()
        .findFirst();
  }

  /** A group, unless none of it is left. */
  private Optional<FailureGroup> group(
      EventStatus status, Head head, int counted, EventView sample) {
    String state = state(status).name();
    return queries
        .list(
            "find the last one of a group of failures",
            last,
            binding -> {
              binding.text(state);
              binding.text(head.group());
            },
            result -> result.getLong("changed_micros"))
        .stream()
        .findFirst()
        .map(
            changed ->
                new FailureGroup(
                    status,
                    head.group(),
                    count(state, head.group(), counted),
                    AdminRows.time(head.changedMicros().min().orElse(changed)),
                    AdminRows.time(Math.max(changed, head.changedMicros().max().orElse(changed))),
                    sample))
        .filter(found -> found.count() > 0);
  }

  private static RowState state(EventStatus status) {
    return switch (status) {
      case PENDING -> RowState.RETRY;
      case PARKED -> RowState.PARKED;
      case DEAD -> RowState.DEAD;
      case PUBLISHED ->
          throw new IllegalArgumentException("status: must be one of failures, but is PUBLISHED");
    };
  }
}
