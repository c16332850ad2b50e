package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableTerms;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of jobs in the database, and what became of them. */
final class JobEventTable {
  private static final int ROWS = 500;
  private static final int PIECE = 10_000;

  private final Queries queries;
  private final SqlDialect dialect;
  private final TableTerms terms;

  /** An event that was not asked for yet, and its status when it was planned. */
  record Planned(int number, String eventId, EventStatus status) {
    /** Why it is not asked for, as it is now. */
    String changed(@Nullable EventView now) {
      if (now == null) {
        return "it is gone";
      }
      return now.status() == status
          ? "the same is requested already, or it has failed in another way"
          : "it was %s when this was planned, and is %s".formatted(status, now.status());
    }
  }

  /** An event or a dead letter as it is written down when it is planned. */
  record Listed(
      String eventId,
      @Nullable EventStatus status,
      @Nullable String place,
      @Nullable String consumer,
      @Nullable Integer redriven) {
    static List<Listed> of(List<EventView> events) {
      return events.stream()
          .map(each -> new Listed(each.eventId(), each.status(), null, null, null))
          .toList();
    }
  }

  /** An event for which a relay has answered. */
  record Answered(
      int number, String eventId, Instant requestedAt, boolean done, @Nullable String note) {}

  JobEventTable(Queries queries, TableTerms terms) {
    this.queries = queries;
    this.dialect = queries.dialect();
    this.terms = terms;
  }

  /** Adds events behind a number. */
  int insert(Statements statements, long id, int behind, List<Listed> events) throws SQLException {
    for (int from = 0; from < events.size(); from += ROWS) {
      List<Listed> some = events.subList(from, Math.min(events.size(), from + ROWS));
      PreparedStatement statement =
          statements.prepare(
              sql(
                  "insert into ${job_event} (job_id, number, event_id, planned_status, place,"
                      + " consumer, redriven) values "
                      + String.join(
                          ", ", Collections.nCopies(some.size(), "(?, ?, ?, ?, ?, ?, ?)"))));
      Binding binding = new Binding(statement, dialect);
      int number = behind + from;
      for (Listed event : some) {
        binding.number(id);
        binding.number(++number);
        binding.text(event.eventId());
        binding.text(event.status() == null ? null : event.status().name());
        binding.text(event.place());
        binding.text(event.consumer());
        binding.optional(event.redriven() == null ? null : event.redriven().longValue());
      }
      statement.executeUpdate();
    }
    return events.size();
  }

  List<Job.Event> list(long id, Job.@Nullable Outcome outcome, int after, int limit) {
    String only = outcome == null ? "" : " and e.outcome = ?";
    return queries.list(
        "list events of a job",
        sql(
            """
            select e.number, e.event_id, e.place, e.consumer, e.outcome, e.note from ${job_event} e
            where e.job_id = ?${only} and e.number > ? order by e.number limit ?"""
                .replace("${only}", only)),
        binding -> {
          binding.number(id);
          if (outcome != null) {
            binding.text(outcome.name());
          }
          binding.number(after);
          binding.number(limit);
        },
        result ->
            new Job.Event(
                result.getInt(1),
                result.getString(2),
                result.getString(3),
                result.getString(4),
                Job.Outcome.valueOf(result.getString(5)),
                result.getString(6)));
  }

  /** Those behind a number. */
  List<Planned> next(Statements statements, long id, int after, int limit) throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                select e.number, e.event_id, e.planned_status from ${job_event} e
                where e.job_id = ? and e.number > ? order by e.number limit ?"""));
    Binding binding = new Binding(statement, dialect);
    binding.number(id);
    binding.number(after);
    binding.number(limit);
    return Queries.read(
        statement,
        result ->
            new Planned(
                result.getInt(1), result.getString(2), EventStatus.valueOf(result.getString(3))));
  }

  void requested(Statements statements, long id, int number, long auditId) throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                update ${job_event} set outcome = 'REQUESTED', audit_id = ?, changed_at = ${clock}
                where job_id = ? and number = ?"""));
    Binding binding = new Binding(statement, dialect);
    binding.number(auditId);
    binding.number(id);
    binding.number(number);
    statement.executeUpdate();
  }

  void record(
      Statements statements, long id, int number, Job.Outcome outcome, @Nullable String note)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            sql(
                """
                update ${job_event} set outcome = ?, note = ?, changed_at = ${clock}
                where job_id = ? and number = ?"""));
    Binding binding = new Binding(statement, dialect);
    binding.text(outcome.name());
    binding.text(note);
    binding.number(id);
    binding.number(number);
    statement.executeUpdate();
  }

  /** Those that were asked for, and for which a relay has answered. */
  List<Answered> answered(long id) {
    return queries.list(
        "look for outcomes",
        sql(
            """
            select e.number, e.event_id, ${requested}, a.done, a.note
            from ${job_event} e join ${audit} a on a.id = e.audit_id
            where e.job_id = ? and e.outcome = 'REQUESTED' and a.done is not null
            order by e.number"""
                .replace("${requested}", dialect.micros("a.requested_at"))),
        binding -> binding.number(id),
        result ->
            new Answered(
                result.getInt(1),
                result.getString(2),
                AdminRows.time(result.getLong(3)),
                result.getBoolean(4),
                result.getString(5)));
  }

  /** Removes some events of a job; returns how many. */
  int remove(long id) {
    return queries
        .database()
        .call(
            "remove events of a job",
            sql(
                """
                delete from ${job_event} where job_id = ? and number <= (
                  select x.lowest + ? from (
                    select min(e.number) as lowest from ${job_event} e where e.job_id = ?) x)"""),
            statement -> {
              Binding binding = new Binding(statement, dialect);
              binding.number(id);
              binding.number(PIECE);
              binding.number(id);
              return statement.executeUpdate();
            });
  }

  private String sql(String template) {
    return terms.sql(template.replace("${clock}", dialect.clock()));
  }
}
