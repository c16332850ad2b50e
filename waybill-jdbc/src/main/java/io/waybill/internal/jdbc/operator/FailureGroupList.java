package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.store.RowState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Groups of failures, from an index of their records: each costs as much as its counted events,
 * however many others there are.
 *
 * @param queries statements of operators
 * @param terms the layout's parts of statements
 */
record FailureGroupList(Queries queries, TableTerms terms) {
  private static final String NEXT =
      """
      select s.failure_group from ${row_state} s where s.state = ? and s.failure_group > ?
      order by s.failure_group limit 1""";

  // The index alone has what is counted. Times are in the records: of a large group, those of the
  // first ones and of the last one are looked at. MariaDB writes down what it counts: little of
  // each.
  private static final String SIZE =
      """
      select
        (select count(*)
        from (
          select 1 as one from ${row_state} s where s.state = ? and s.failure_group = ?
          order by s.row_id limit ?) c) as events,
        ${first} as first_micros, ${last} as last_micros
      from (
        select min(f.changed_at) as first_at, max(f.changed_at) as last_at
        from (
          select s.changed_at from ${row_state} s where s.state = ? and s.failure_group = ?
          order by s.row_id limit 100) f) g
      cross join (
        select s.changed_at from ${row_state} s where s.state = ? and s.failure_group = ?
        order by s.row_id desc limit 1) l""";

  /**
   * Lists groups.
   *
   * @param first finds the first event that meets a filter
   */
  List<FailureGroup> list(
      EventStatus status,
      @Nullable String after,
      int limit,
      int counted,
      Function<EventFilter, Optional<EventView>> first) {
    String state = state(status).name();
    List<FailureGroup> groups = new ArrayList<>();
    Optional<String> next = next(state, after == null ? "" : after);
    while (next.isPresent() && groups.size() < limit) {
      String group = next.get();
      // Nothing is left of some, but for records that the next owner of the lane removes.
      first
          .apply(FailureGroup.filter(status, group))
          .flatMap(sample -> size(state, counted, group, status, sample))
          .ifPresent(groups::add);
      next = next(state, group);
    }
    return groups;
  }

  private Optional<String> next(String state, String after) {
    return queries
        .list(
            "find a group of failures",
            terms.sql(NEXT),
            binding -> {
              binding.text(state);
              binding.text(after);
            },
            result -> result.getString(1))
        .stream()
        .findFirst();
  }

  private Optional<FailureGroup> size(
      String state, int counted, String group, EventStatus status, EventView sample) {
    String last = "greatest(g.last_at, l.changed_at)";
    return queries
        .list(
            "count a group of failures",
            terms.sql(
                SIZE.replace("${first}", queries.dialect().micros("g.first_at"))
                    .replace("${last}", queries.dialect().micros(last))),
            binding -> {
              binding.text(state);
              binding.text(group);
              binding.number(counted);
              binding.text(state);
              binding.text(group);
              binding.text(state);
              binding.text(group);
            },
            result ->
                new FailureGroup(
                    status,
                    group,
                    result.getLong("events"),
                    AdminRows.time(result.getLong("first_micros")),
                    AdminRows.time(result.getLong("last_micros")),
                    sample))
        .stream()
        .findFirst();
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
