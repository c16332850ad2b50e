package io.waybill.internal.jdbc.operator;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.DestinationView;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.operator.Queries.Binder;
import io.waybill.internal.jdbc.table.RowCreated;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.Layout;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What operators ask of relays, and what they see of them: requests and their audit, destinations,
 * sessions and lanes of any outbox.
 */
final class OperatorTables {
  private final Queries queries;
  private final Database database;
  private final SqlDialect dialect;
  private final Layout layout;
  private final TableTerms terms;

  OperatorTables(Queries queries, Layout layout, TableTerms terms) {
    this.queries = queries;
    this.database = queries.database();
    this.dialect = queries.dialect();
    this.layout = layout;
    this.terms = terms;
  }

  /** Asks the owners of the rows' lanes, and records that with the reasons for earlier failures. */
  List<Long> ask(Statements statements, List<OutboxRow> rows, Verb verb, Instruction by)
      throws SQLException {
    List<Long> audited = audit(statements, rows, verb, by);
    if (rows.isEmpty()) {
      return audited;
    }
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                insert into ${request} (audit_id, lane, row_id, row_created, verb, reason)
                values (?, ?, ?, ?, ?, ?)"""));
    for (int i = 0; i < rows.size(); i++) {
      OutboxRow row = rows.get(i);
      Binding binding = new Binding(statement, dialect);
      binding.number(audited.get(i));
      binding.number(row.lane());
      binding.id(row.rowId());
      binding.number(RowCreated.of(row, layout));
      binding.text(verb.name());
      binding.text(by.reason());
      statement.addBatch();
    }
    statement.executeBatch();
    return audited;
  }

  private List<Long> audit(Statements statements, List<OutboxRow> rows, Verb verb, Instruction by)
      throws SQLException {
    List<Long> ids = new ArrayList<>();
    PreparedStatement statement =
        statements.prepareKeyed(
            sql(
                """
                insert into ${audit} (requested_by, verb, row_id, event_id, reason, earlier_reason)
                values (?, ?, ?, ?, ?,
                  (select concat(s.last_reason, ': ', s.last_detail) from ${row_state} s
                    where s.row_id = ? and s.row_created = ?))"""),
            "id");
    for (OutboxRow row : rows) {
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

  List<DestinationView> destinations() {
    return queries.list(
        "list destinations",
        sql(
            """
            select d.name, d.paused, d.reason, d.changed_by, ${changed}
            from ${destination} d order by d.name"""
                .replace("${changed}", dialect.micros("d.changed_at"))),
        Binder.NOTHING,
        AdminRows::destination);
  }

  void pause(String destination, boolean paused, Instruction by) {
    database.transaction(
        paused ? "pause a destination" : "resume a destination",
        statements -> {
          // Before the change, since it records the reason for the earlier state.
          auditPause(statements, destination, paused, by);
          know(statements, destination, paused, by);
          return change(statements, destination, paused, by);
        });
  }

  private void auditPause(Statements statements, String destination, boolean paused, Instruction by)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                insert into ${audit}
                  (requested_by, verb, destination, reason, earlier_reason, completed_at, done, note)
                values (?, ?, ?, ?, (select d.reason from ${destination} d where d.name = ?), ${clock}, true,
                  'taken up by the relays at their next look')"""));
    Binding binding = new Binding(statement, dialect);
    binding.text(by.by());
    binding.text(paused ? "PAUSE" : "RESUME");
    binding.text(destination);
    binding.text(by.reason());
    binding.text(destination);
    statement.executeUpdate();
  }

  /** A destination that is known is not changed. */
  private void know(Statements statements, String destination, boolean paused, Instruction by)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                insert into ${destination} (name, paused, reason, changed_by, changed_at)
                values (?, ?, ?, ?, ${clock})
                """
                    + dialect.orUpdate("name", List.of("name"))));
    Binding binding = new Binding(statement, dialect);
    binding.text(destination);
    binding.flag(paused);
    binding.text(by.reason());
    binding.text(by.by());
    statement.executeUpdate();
  }

  /** Reason and time stay if the state does not change. */
  private int change(Statements statements, String destination, boolean paused, Instruction by)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                update ${destination} set paused = ?, reason = ?, changed_by = ?, changed_at = ${clock}
                where name = ? and paused <> ?"""));
    Binding binding = new Binding(statement, dialect);
    binding.flag(paused);
    binding.text(by.reason());
    binding.text(by.by());
    binding.text(destination);
    binding.flag(paused);
    return statement.executeUpdate();
  }

  /** Records what an operator did with an event without a relay. */
  int note(
      Statements statements, Object rowId, String eventId, String verb, Instruction by, String note)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                insert into ${audit}
                  (requested_by, verb, row_id, event_id, reason, completed_at, done, note)
                values (?, ?, ?, ?, ?, ${clock}, true, ?)"""));
    Binding binding = new Binding(statement, dialect);
    binding.text(by.by());
    binding.text(verb);
    binding.id(rowId);
    binding.text(eventId);
    binding.text(by.reason());
    binding.text(note);
    return statement.executeUpdate();
  }

  /** Records an action that an operator carried out without a relay. */
  void record(AuditNote note, Instruction by) {
    int unused =
        database.transaction(
            "record an operator's action", statements -> record(statements, note, by));
  }

  /** As {@link #record(AuditNote, Instruction)}, in a transaction. */
  int record(Statements statements, AuditNote note, Instruction by) throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                insert into ${audit}
                  (requested_by, verb, event_id, destination, reason, completed_at, done, note)
                values (?, ?, ?, ?, ?, ${clock}, ?, ?)"""));
    Binding binding = new Binding(statement, dialect);
    binding.text(by.by());
    binding.text(note.verb());
    binding.text(note.eventId());
    binding.text(note.destination());
    binding.text(by.reason());
    binding.flag(note.done());
    binding.text(note.note());
    return statement.executeUpdate();
  }

  /** The running relays by fence; times in microseconds. */
  List<SessionView> sessions() {
    return queries.list(
        "list relays",
        sql(
            """
            select s.fence, s.relay, (select count(*) from ${lane} l where l.fence = s.fence),
              ${joined}, ${until} - ${now_micros}, s.host, s.version, s.configuration, ${renewed}, s.failing
            from ${session} s order by s.fence"""
                .replace("${joined}", dialect.micros("s.joined_at"))
                .replace("${renewed}", dialect.micros("s.renewed_at"))
                .replace("${until}", dialect.micros("s.lease_until"))
                .replace("${now_micros}", dialect.micros(dialect.now()))),
        Binder.NOTHING,
        AdminRows::session);
  }

  List<LaneOwner> lanes() {
    return queries.list(
        "list lanes",
        sql(
            """
            select l.lane, l.fence, s.relay, ${changed}, l.taken_from, l.taken_because, ${taken}
            from ${lane} l left join ${session} s on s.fence = l.fence
            order by l.lane"""
                .replace("${changed}", dialect.micros("l.changed_at"))
                .replace("${taken}", dialect.micros("l.taken_at"))),
        Binder.NOTHING,
        AdminRows::lane);
  }

  /** Latest first, of all events or of one. */
  List<AuditEntry> audit(long beforeId, @Nullable String eventId, int limit) {
    String event = eventId == null ? "" : "and a.event_id = ?";
    return queries.list(
        "list the audit",
        entries("a.id < ? " + event + " order by a.id desc limit ?"),
        binding -> {
          binding.number(beforeId);
          if (eventId != null) {
            binding.text(eventId);
          }
          binding.number(limit);
        },
        AdminRows::audit);
  }

  List<AuditEntry> carriedOut(
      String verb, String destination, Set<String> eventIds, List<String> notes) {
    String events = eventIds.isEmpty() ? "" : " and " + among("a.event_id", eventIds);
    return queries.list(
        "search the audit",
        entries(
            "a.verb = ? and a.destination = ? and a.done and " + among("a.note", notes) + events),
        binding -> {
          binding.text(verb);
          binding.text(destination);
          for (String note : notes) {
            binding.text(note);
          }
          for (String eventId : eventIds) {
            binding.text(eventId);
          }
        },
        AdminRows::audit);
  }

  private static String among(String column, Collection<String> values) {
    return column + " in (" + String.join(", ", Collections.nCopies(values.size(), "?")) + ")";
  }

  private String entries(String condition) {
    return sql(
        """
        select a.id, ${requested}, a.requested_by, a.verb, a.event_id, a.destination, a.reason,
          ${completed}, a.done, a.note, a.database_user, a.client_address, a.earlier_reason
        from ${audit} a where ${condition}"""
            .replace("${requested}", dialect.micros("a.requested_at"))
            .replace("${completed}", dialect.micros("a.completed_at"))
            .replace("${condition}", condition));
  }

  private String sql(String template) {
    return terms.sql(template.replace("${clock}", dialect.clock()));
  }
}
