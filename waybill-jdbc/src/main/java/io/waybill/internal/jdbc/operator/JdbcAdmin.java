package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.AdminFilter.Search;
import io.waybill.internal.jdbc.operator.EventSearch.Range;
import io.waybill.internal.jdbc.operator.Places.Direction;
import io.waybill.internal.jdbc.operator.Queries.Binder;
import io.waybill.internal.jdbc.table.BacklogSql;
import io.waybill.internal.jdbc.table.TableCatalogue;
import io.waybill.internal.jdbc.table.TableDecoder;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.Layout;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operators see and ask for in a table of any layout, on one connection. */
public final class JdbcAdmin implements Admin {
  private static final int AUDIT_OF_ONE_EVENT = 100;
  private static final int PIECE = 10_000;
  private static final int SEARCHED = 20_000;

  private final Database database;
  private final Layout layout;
  private final SqlDialect dialect;
  private final AdminSql sql;
  private final BacklogSql backlog;
  private final Queries queries;
  private final OperatorTables operator;
  private final FailureGroupList failures;
  private final AdminFilter filters;
  private final AdminRows rows;
  private final EventSearch search;
  private final Purge purge;

  /** An event for which something can be requested, and its status. */
  record Candidate(OutboxRow row, EventStatus status) {}

  /** What others need that work on this connection. */
  record Parts(Queries queries, Layout layout, TableTerms terms, OperatorTables operator) {}

  public JdbcAdmin(
      Database database, Layout layout, SqlDialect dialect, AdminSql sql, BacklogSql backlog) {
    this(database, layout, dialect, sql, backlog, SEARCHED);
  }

  private JdbcAdmin(
      Database database,
      Layout layout,
      SqlDialect dialect,
      AdminSql sql,
      BacklogSql backlog,
      int searched) {
    this.database = database;
    this.layout = layout;
    this.dialect = dialect;
    this.sql = sql;
    this.backlog = backlog;
    this.queries = new Queries(database, dialect);
    this.operator = new OperatorTables(queries, layout, sql.terms());
    this.purge = sql.purge();
    this.filters = new AdminFilter(layout, dialect, sql.terms());
    Places places = new Places(layout, dialect, sql.terms());
    this.rows = new AdminRows(new TableDecoder(layout, dialect, RowBound.USUAL), places);
    this.search = new EventSearch(queries, layout, sql, places, rows, searched);
    this.failures = new FailureGroupList(queries, sql.terms(), layout.identity().kind(), search);
  }

  @Override
  public Counts counts() {
    Binder most =
        binding -> {
          for (int i = 0; i < BacklogSql.COUNTS; i++) {
            binding.number(Counts.MOST);
          }
        };
    return queries.list("count", backlog.counts(), most, AdminRows::counts).get(0);
  }

  @Override
  public EventPage find(EventFilter filter, @Nullable String after, int limit) {
    return search.find(filter, new Range(Direction.FORWARD, after, null), limit, mayReadPayloads());
  }

  @Override
  public EventPage latest(EventFilter filter, @Nullable String before, int limit) {
    return search.find(
        filter, new Range(Direction.BACKWARD, before, null), limit, mayReadPayloads());
  }

  /** As {@link #find}, up to a position. */
  EventPage upTo(EventFilter filter, @Nullable String after, String last, int limit) {
    return search.find(filter, new Range(Direction.FORWARD, after, last), limit, false);
  }

  @Override
  public List<EventView> blocking(@Nullable String after, int limit) {
    return search.blocking(after, limit).events();
  }

  @Override
  public long behind(EventView head, int limit) {
    return queries
        .list(
            "count what waits behind an event",
            sql.behind(),
            binding -> {
              binding.text(head.aggregateType());
              binding.text(head.aggregateId());
              binding.number(limit);
            },
            result -> result.getLong(1))
        .get(0);
  }

  @Override
  public List<FailureGroup> failures(
      EventStatus status, @Nullable String after, int limit, int counted) {
    return failures.list(status, after, limit, counted);
  }

  @Override
  public Optional<EventDetail> show(String eventId) {
    Search which = filters.of(EventFilter.ids(List.of(eventId)));
    List<AuditEntry> audit = operator.audit(Long.MAX_VALUE, eventId, AUDIT_OF_ONE_EVENT);
    return queries
        .list(
            "show an event",
            sql.show(which, mayReadPayloads()),
            which::bind,
            result -> rows.detail(result, audit))
        .stream()
        .findFirst();
  }

  /** Operators and readers need not: they then see neither payloads nor their sizes. */
  boolean mayReadPayloads() {
    return queries
        .list(
            "check the privilege to read payloads",
            TableCatalogue.mayRead(dialect),
            binding -> {
              binding.text(layout.table().schema());
              binding.text(layout.table().name());
              binding.text(layout.content().payload());
            },
            result -> result.getBoolean(1))
        .get(0);
  }

  @Override
  public EventCount count(EventFilter filter, @Nullable String after, int limit) {
    return search.count(filter, after, limit);
  }

  @Override
  public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
    AdminFilter.requireCondition(filter);
    return database.transaction(
        "make requests",
        statements -> {
          List<OutboxRow> found = rows(candidates(statements, filter, verb.name(), limit));
          operator.ask(statements, found, verb, by);
          return found.size();
        });
  }

  static List<OutboxRow> rows(List<Candidate> candidates) {
    return candidates.stream().map(Candidate::row).toList();
  }

  /** Events for which something can be requested. */
  List<Candidate> candidates(Statements statements, EventFilter filter, String verb, int limit)
      throws SQLException {
    return search.candidates(statements, filter, verb, limit);
  }

  /** Asks the owners of the rows' lanes; returns the audit's ids in the order of the rows. */
  List<Long> ask(Statements statements, List<OutboxRow> found, Verb verb, Instruction by)
      throws SQLException {
    return operator.ask(statements, found, verb, by);
  }

  /**
   * The same on the same connection, by other pieces.
   *
   * @param rows how many rows a search looks at
   */
  public JdbcAdmin searching(int rows) {
    return new JdbcAdmin(database, layout, dialect, sql, backlog, rows);
  }

  /** That of a database, and of nothing else. */
  static JdbcAdmin of(Admin admin) {
    if (admin instanceof JdbcAdmin own) {
      return own;
    }
    throw new IllegalArgumentException("admin must be that of an outbox, but is " + admin);
  }

  Parts parts() {
    return new Parts(queries, layout, sql.terms(), operator);
  }

  InboxAdmin inboxes() {
    return new InboxAdmin(queries, layout.table().schema());
  }

  @Override
  public int purge(EventFilter filter, int limit, Instruction by) {
    return Removal.remove(this, filter, limit, by).size();
  }

  Purge purge() {
    return purge;
  }

  @Override
  public List<DestinationView> destinations() {
    return operator.destinations();
  }

  @Override
  public void pause(String destination, boolean paused, Instruction by) {
    operator.pause(destination, paused, by);
  }

  @Override
  public void record(AuditNote note, Instruction by) {
    operator.record(note, by);
  }

  void record(Statements statements, AuditNote note, Instruction by) throws SQLException {
    operator.record(statements, note, by);
  }

  @Override
  public List<SessionView> sessions() {
    return operator.sessions();
  }

  @Override
  public List<LaneOwner> lanes() {
    return operator.lanes();
  }

  @Override
  public List<AuditEntry> audit(long beforeId, int limit) {
    return operator.audit(beforeId, null, limit);
  }

  @Override
  public List<AuditEntry> carriedOut(
      String verb, String destination, Set<String> eventIds, List<String> notes) {
    return operator.carriedOut(verb, destination, eventIds, notes);
  }

  @Override
  public long empty(Instruction by) {
    List<SessionView> relays = sessions();
    if (!relays.isEmpty()) {
      throw new IllegalStateException(
          "An outbox is emptied only while no relay runs, but %d do, as '%s': stop them first"
              .formatted(relays.size(), relays.get(0).relay()));
    }
    noteEmptied(by, false, "begun");
    // First the events: without what is known of them, some would be published again.
    List<Long> removed = sql.empty().stream().map(this::removeAll).toList();
    noteEmptied(by, true, removed.get(0) + " event(s) removed");
    return removed.get(0);
  }

  private void noteEmptied(Instruction by, boolean done, String note) {
    record(new AuditNote("EMPTY", null, layout.table().toString(), done, note), by);
  }

  private long removeAll(String some) {
    long all = 0;
    for (int removed = PIECE; removed > 0; all += removed) {
      removed =
          database.call(
              "empty a table",
              some,
              statement -> {
                statement.setInt(1, PIECE);
                return statement.executeUpdate();
              });
    }
    return all;
  }

  @Override
  public void close() {
    database.close();
  }
}
