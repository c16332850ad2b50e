package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.AdminFilter.Search;
import io.waybill.internal.jdbc.table.BacklogSql;
import io.waybill.internal.jdbc.table.LayoutCatalogue;
import io.waybill.internal.jdbc.table.LayoutDecoder;
import io.waybill.internal.jdbc.table.RowCreated;
import io.waybill.layout.Layout;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators see and ask for in a table of any layout, on one connection. */
public final class JdbcAdmin implements Admin {
  private static final int AUDIT_OF_ONE_EVENT = 100;
  private static final int PIECE = 10_000;

  private final Database database;
  private final Layout layout;
  private final SqlDialect dialect;
  private final AdminSql sql;
  private final BacklogSql backlog;
  private final OperatorSql operator;
  private final AdminFilter filters;
  private final PlaceText places;
  private final AdminRows rows;
  private final Purge purge;

  public JdbcAdmin(
      Database database, Layout layout, SqlDialect dialect, AdminSql sql, BacklogSql backlog) {
    this.database = database;
    this.layout = layout;
    this.dialect = dialect;
    this.sql = sql;
    this.backlog = backlog;
    this.operator = sql.operator();
    this.purge = new Purge(layout, dialect, sql.purge());
    this.filters = new AdminFilter(layout, dialect, sql);
    this.places = new PlaceText(layout, dialect);
    this.rows = new AdminRows(new LayoutDecoder(layout, dialect, RowBound.USUAL), places);
  }

  @Override
  public Counts counts() {
    return list("count", backlog.counts(), binding -> {}, AdminRows::counts).get(0);
  }

  @Override
  public List<EventView> find(EventFilter filter, @Nullable String after, int limit) {
    Search search = filters.of(filter);
    boolean payload = mayReadPayloads();
    Place place = after == null ? null : places.parse(after);
    return list(
        "list events",
        sql.find(search.from(), search.conditions(), place == null, payload),
        binding -> {
          search.bind(binding);
          if (place != null) {
            binding.place(place, places.ordered());
          }
          binding.number(limit);
        },
        rows::event);
  }

  @Override
  public List<EventView> latest(EventFilter filter, int limit) {
    Search search = filters.of(filter);
    return list(
        "list events",
        sql.latest(search.from(), search.conditions(), mayReadPayloads()),
        binding -> {
          search.bind(binding);
          binding.number(limit);
        },
        rows::event);
  }

  @Override
  public Optional<EventDetail> show(String eventId) {
    Search search = filters.of(EventFilter.ids(List.of(eventId)));
    List<AuditEntry> audit = audit(Long.MAX_VALUE, eventId, AUDIT_OF_ONE_EVENT);
    return list(
            "show an event",
            sql.show(search.conditions().get(0), mayReadPayloads()),
            search::bind,
            result -> rows.detail(result, audit))
        .stream()
        .findFirst();
  }

  /** Operators and readers need not: they then see neither payloads nor their sizes. */
  private boolean mayReadPayloads() {
    return list(
            "check the privilege to read payloads",
            LayoutCatalogue.mayRead(dialect),
            binding -> {
              binding.text(layout.table().schema());
              binding.text(layout.table().name());
              binding.text(layout.content().payload());
            },
            result -> result.getBoolean(1))
        .get(0);
  }

  @Override
  public long count(EventFilter filter, int limit) {
    Search search = filters.of(filter);
    return list(
            "count events",
            sql.count(search.from(), search.conditions()),
            binding -> {
              search.bind(binding);
              binding.number(limit);
            },
            result -> result.getLong(1))
        .get(0);
  }

  @Override
  public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
    requireCondition(filter);
    Search search = filters.of(filter);
    return database.transaction(
        "make requests",
        statements -> {
          List<OutboxRow> found = candidates(statements, search, verb.name(), limit);
          ask(statements, found, audit(statements, found, verb, by), verb, by);
          return found.size();
        });
  }

  private List<OutboxRow> candidates(Statements statements, Search search, String verb, int limit)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(sql.candidates(search.from(), search.conditions()));
    Binding binding = new Binding(statement, dialect);
    search.bind(binding);
    binding.text(verb);
    binding.number(limit);
    return read(statement, rows::row);
  }

  private List<Long> audit(Statements statements, List<OutboxRow> found, Verb verb, Instruction by)
      throws SQLException {
    List<Long> ids = new ArrayList<>();
    PreparedStatement statement = statements.prepareKeyed(operator.audit(), "id");
    for (OutboxRow row : found) {
      Binding binding = new Binding(statement, dialect);
      binding.text(by.by());
      binding.text(verb.name());
      binding.id(row.rowId());
      binding.text(row.eventId());
      binding.text(by.reason());
      binding.id(row.rowId());
      binding.number(RowCreated.of(row, layout));
      // Not as a batch: not every driver returns the keys of one.
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        ids.add(keys.getLong(1));
      }
    }
    return ids;
  }

  private void ask(
      Statements statements, List<OutboxRow> found, List<Long> ids, Verb verb, Instruction by)
      throws SQLException {
    if (found.isEmpty()) {
      return;
    }
    PreparedStatement statement = statements.prepare(operator.ask());
    for (int i = 0; i < found.size(); i++) {
      Binding binding = new Binding(statement, dialect);
      binding.number(ids.get(i));
      binding.number(found.get(i).lane());
      binding.id(found.get(i).rowId());
      binding.number(RowCreated.of(found.get(i), layout));
      binding.text(verb.name());
      binding.text(by.reason());
      statement.addBatch();
    }
    statement.executeBatch();
  }

  @Override
  public int purge(EventFilter filter, int limit, Instruction by) {
    requireCondition(filter);
    if (filter.status() != EventStatus.DEAD) {
      throw new IllegalArgumentException("Only dead events can be removed: the filter must say so");
    }
    Search search = filters.of(filter);
    return database.transaction(
        "remove dead events",
        statements ->
            purge.remove(statements, candidates(statements, search, Purge.VERB, limit), by));
  }

  private static void requireCondition(EventFilter filter) {
    if (filter.isEmpty()) {
      throw new IllegalArgumentException(
          "A request needs at least one condition: event ids, status, event type or key");
    }
  }

  @Override
  public List<DestinationView> destinations() {
    return list("list destinations", operator.destinations(), b -> {}, AdminRows::destination);
  }

  @Override
  public void pause(String destination, boolean paused, Instruction by) {
    database.transaction(
        paused ? "pause a destination" : "resume a destination",
        statements -> {
          PreparedStatement note = statements.prepare(operator.auditPause());
          Binding noted = new Binding(note, dialect);
          noted.text(by.by());
          noted.text(paused ? "PAUSE" : "RESUME");
          noted.text(destination);
          noted.text(by.reason());
          noted.text(destination);
          note.executeUpdate();
          PreparedStatement know = statements.prepare(operator.know());
          Binding known = new Binding(know, dialect);
          known.text(destination);
          known.flag(paused);
          known.text(by.reason());
          known.text(by.by());
          know.executeUpdate();
          PreparedStatement change = statements.prepare(operator.pause());
          Binding changed = new Binding(change, dialect);
          changed.flag(paused);
          changed.text(by.reason());
          changed.text(by.by());
          changed.text(destination);
          changed.flag(paused);
          return change.executeUpdate();
        });
  }

  @Override
  public void record(AuditNote note, Instruction by) {
    database.call(
        "record an operator's action",
        operator.auditNote(),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.text(by.by());
          binding.text(note.verb());
          binding.text(note.eventId());
          binding.text(note.destination());
          binding.text(by.reason());
          binding.flag(note.done());
          binding.text(note.note());
          return statement.executeUpdate();
        });
  }

  @Override
  public List<SessionView> sessions() {
    return list("list relays", operator.sessions(), b -> {}, AdminRows::session);
  }

  @Override
  public List<LaneOwner> lanes() {
    return list("list lanes", operator.lanes(), b -> {}, AdminRows::lane);
  }

  @Override
  public List<AuditEntry> audit(long beforeId, int limit) {
    return audit(beforeId, null, limit);
  }

  @Override
  public List<AuditEntry> carriedOut(String verb, String destination, List<String> notes) {
    return list(
        "search the audit",
        operator.carriedOut(notes.size()),
        binding -> {
          binding.text(verb);
          binding.text(destination);
          for (String note : notes) {
            binding.text(note);
          }
        },
        AdminRows::audit);
  }

  private List<AuditEntry> audit(long beforeId, @Nullable String eventId, int limit) {
    return list(
        "list the audit",
        operator.entries(eventId != null),
        binding -> {
          binding.number(beforeId);
          if (eventId != null) {
            binding.text(eventId);
          }
          binding.number(limit);
        },
        AdminRows::audit);
  }

  private interface Binder {
    void bind(Binding binding) throws SQLException;
  }

  private interface Row<T> {
    T of(ResultSet result) throws SQLException;
  }

  private <T> List<T> list(String what, String query, Binder binder, Row<T> row) {
    return database.call(
        what,
        query,
        statement -> {
          binder.bind(new Binding(statement, dialect));
          return read(statement, row);
        });
  }

  private static <T> List<T> read(PreparedStatement statement, Row<T> row) throws SQLException {
    List<T> items = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        items.add(row.of(result));
      }
    }
    return items;
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
