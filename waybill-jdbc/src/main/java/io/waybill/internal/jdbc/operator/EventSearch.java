package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventCount;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.operator.AdminFilter.Condition;
import io.waybill.internal.jdbc.operator.AdminFilter.Search;
import io.waybill.internal.jdbc.operator.AdminSql.From;
import io.waybill.internal.jdbc.operator.JdbcAdmin.Candidate;
import io.waybill.internal.jdbc.operator.Places.Direction;
import io.waybill.internal.jdbc.operator.Queries.Binder;
import io.waybill.internal.jdbc.table.TableIndexes;
import io.waybill.layout.Layout;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches for events. A statement looks at a bounded number of rows, whether or not they are
 * searched for, unless an index leads to those that are. Used by one thread.
 */
final class EventSearch {
  private final Queries queries;
  private final Layout layout;
  private final AdminSql sql;
  private final AdminFilter filters;
  private final Places places;
  private final AdminRows rows;
  private final int most;
  private @Nullable SearchedRows searched;

  /**
   * A search of a table.
   *
   * @param queries statements of operators
   * @param layout the table's layout
   * @param sql its statements
   * @param places places of its rows
   * @param rows makes events of rows
   * @param most rows that a statement looks at
   */
  EventSearch(
      Queries queries, Layout layout, AdminSql sql, Places places, AdminRows rows, int most) {
    this.queries = queries;
    this.layout = layout;
    this.sql = sql;
    this.filters = new AdminFilter(layout, queries.dialect(), sql.terms());
    this.places = places;
    this.rows = rows;
    this.most = most;
  }

  /**
   * Where a list goes.
   *
   * @param direction which way
   * @param after position that it begins behind, or null
   * @param last position that it ends with, or null
   */
  record Range(Direction direction, @Nullable String after, @Nullable String last) {}

  /**
   * What one statement searches.
   *
   * @param search its conditions
   * @param end position of the last row that it looks at, or null if these are all that are left
   */
  private record Part(Search search, @Nullable String end) {}

  EventPage find(EventFilter filter, Range range, int limit, boolean payloads) {
    return page(part(filter, range, limit), range.direction(), limit, payloads);
  }

  Optional<EventView> first(EventFilter filter) {
    Range range = new Range(Direction.FORWARD, null, null);
    return find(filter, range, 1, false).events().stream().findFirst();
  }

  /**
   * Events of these rows that stand as their records say, the first one of each group.
   *
   * @return events by group; none where the rows' order is not that of the records
   */
  Map<String, EventView> recorded(EventStatus status, List<?> rowIds) {
    Search search = filters.recorded(status, rowIds);
    Map<String, EventView> events = new HashMap<>();
    if (places.byRecord(search.from())) {
      queries.list(
          "list events",
          sql.find(search, places.order(Direction.FORWARD, search.from()), false),
          bounded(search, rowIds.size()),
          row -> events.putIfAbsent(row.getString("failure_group"), rows.event(row)));
    }
    return events;
  }

  EventPage blocking(@Nullable String after, int limit) {
    Range range = new Range(Direction.FORWARD, after, null);
    Search search = new Search(From.BLOCKING, List.of()).and(conditions(range, From.BLOCKING));
    return page(new Part(search, null), Direction.FORWARD, limit, false);
  }

  private EventPage page(Part part, Direction direction, int limit, boolean payloads) {
    Search search = part.search();
    List<EventView> events =
        queries.list(
            "list events",
            sql.find(search, places.order(direction, search.from()), payloads),
            bounded(search, limit),
            rows::event);
    boolean full = events.size() == limit;
    return new EventPage(events, full ? events.get(limit - 1).position() : part.end());
  }

  private static Binder bounded(Search search, int limit) {
    return binding -> {
      search.bind(binding);
      binding.number(limit);
    };
  }

  EventCount count(EventFilter filter, @Nullable String after, int limit) {
    Part part = part(filter, new Range(Direction.FORWARD, after, null), limit);
    Search search = part.search();
    long count =
        queries
            .list(
                "count events",
                sql.count(search),
                bounded(search, limit),
                result -> result.getLong(1))
            .get(0);
    return new EventCount(count, count < limit ? part.end() : null);
  }

  /** Events for which something can be requested: as many as there are, up to the limit. */
  List<Candidate> candidates(Statements statements, EventFilter filter, String verb, int limit)
      throws SQLException {
    List<Candidate> found = new ArrayList<>();
    String after = null;
    do {
      Part part = part(filter, new Range(Direction.FORWARD, after, null), limit);
      Search search = part.search();
      PreparedStatement statement =
          statements.prepare(
              sql.candidates(search, places.order(Direction.FORWARD, search.from())));
      Binding binding = new Binding(statement, queries.dialect());
      search.bind(binding);
      binding.text(verb);
      binding.number(limit - found.size());
      found.addAll(
          Queries.read(
              statement,
              row -> new Candidate(rows.row(row), EventStatus.valueOf(row.getString("status")))));
      after = part.end();
    } while (after != null && found.size() < limit);
    return found;
  }

  private Part part(EventFilter filter, Range range, int limit) {
    Search search = filters.of(filter);
    List<Condition> conditions = conditions(range, search.from());
    Search within = search.and(conditions);
    boolean few =
        search.from() != From.OUTBOX
            || !filter.eventIds().isEmpty()
            || search.isVain()
            || (search.all().isEmpty() && limit <= most);
    if (few) {
      return new Part(within, null);
    }
    Optional<String> looked = searched().of(filter);
    if (looked.isEmpty()) {
      return new Part(within, null);
    }
    Optional<String> end = end(looked.get(), conditions, range.direction());
    end.ifPresent(last -> conditions.add(places.upTo(last, range.direction(), search.from())));
    // Of other events many are found at once; pending ones may lie behind many that are not.
    Search ranged =
        filter.status() == EventStatus.PENDING ? sql.ranged(search, conditions) : search;
    return new Part(ranged.and(conditions), end.orElse(null));
  }

  private List<Condition> conditions(Range range, From from) {
    List<Condition> conditions = new ArrayList<>();
    if (range.after() != null) {
      conditions.add(places.behind(range.after(), range.direction(), from));
    }
    if (range.last() != null) {
      conditions.add(places.upTo(range.last(), range.direction(), from));
    }
    return conditions;
  }

  private SearchedRows searched() {
    if (searched == null) {
      TableIndexes indexes =
          queries
              .database()
              .ask(
                  "look at the indexes of the outbox",
                  connection ->
                      TableIndexes.read(connection, queries.dialect().kind(), layout.table()));
      searched = new SearchedRows(layout, indexes);
    }
    return searched;
  }

  /** The last of the rows to look at, or empty if all that are left are few enough. */
  private Optional<String> end(String looked, List<Condition> conditions, Direction direction) {
    Search rest = new Search(From.OUTBOX, List.of(AdminFilter.plain(looked))).and(conditions);
    return queries
        .list(
            "find the end of a part of the outbox",
            places.last(rest.conditions(), direction),
            bounded(rest, most - 1),
            places::read)
        .stream()
        .findFirst();
  }
}
