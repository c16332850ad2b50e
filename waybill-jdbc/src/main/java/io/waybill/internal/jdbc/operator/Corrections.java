package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.TableColumns;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import io.waybill.internal.sql.SqlStates;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Corrects events that are parked or dead: a job buries the event; when a relay has done that, a
 * corrected copy is appended at the end of its key, once. The contents of the copy are stored
 * nowhere before: who asks says them again. Used by one thread.
 */
public final class Corrections {
  private static final int AUDITED = 100;
  private static final Set<EventStatus> CORRECTABLE = Set.of(EventStatus.PARKED, EventStatus.DEAD);

  private final JdbcAdmin admin;
  private final JdbcAdmin.Parts parts;
  private final Jobs jobs;
  private final JobTables tables;

  /**
   * What would be done.
   *
   * @param event the event that would be buried
   * @param behind events of its key that are set aside behind it, up to a bound
   */
  public record Plan(EventView event, long behind) {}

  /** How far a correction is. */
  public enum State {
    /** No relay has answered: nothing is appended. */
    WAITING,
    /** The event was not buried: nothing is appended. */
    REFUSED,
    /** The event is buried, and a corrected one appended. */
    DONE
  }

  /**
   * How far a correction is.
   *
   * @param state how far
   * @param eventId the event
   * @param correctedBy the event that was appended, or null
   * @param note why it was not buried, or null
   */
  public record Result(
      State state, String eventId, @Nullable String correctedBy, @Nullable String note) {}

  private Corrections(JdbcAdmin admin) {
    this.admin = admin;
    this.parts = admin.parts();
    this.jobs = Jobs.of(admin);
    this.tables = new JobTables(parts.queries(), parts.terms());
  }

  /**
   * Corrections in an outbox.
   *
   * @param admin operators' view of a database
   * @throws IllegalArgumentException if it is one of something else
   */
  public static Corrections of(Admin admin) {
    return new Corrections(JdbcAdmin.of(admin));
  }

  /**
   * Finds out whether an event can be corrected: the database tries the insert and takes it back.
   *
   * @param eventId the event
   * @param correction what is corrected
   * @param counted number at which to stop counting what waits behind it
   * @return what would be done, or empty if there is no such event
   * @throws CorrectionException if it is neither parked nor dead, or was corrected before, or if
   *     the table does not take the copy
   * @throws MissingGrantException if the database user may not append it
   */
  public Optional<Plan> check(String eventId, Correction correction, int counted) {
    Optional<EventDetail> found = admin.show(eventId);
    found.ifPresent(
        detail -> {
          EventStatus status = detail.event().status();
          if (!CORRECTABLE.contains(status)) {
            throw CorrectionException.state(
                "event '%s' is %s, but must be PARKED or DEAD".formatted(eventId, status));
          }
          String by = CorrectionLinks.of(admin, detail).correctedBy();
          if (by != null) {
            throw CorrectionException.state(
                "event '%s' has been corrected by '%s'".formatted(eventId, by));
          }
          tryOut(row(detail, correction));
        });
    return found.map(
        detail ->
            new Plan(
                detail.event(),
                detail.event().aggregateType() == null
                    ? 0
                    : admin.behind(detail.event(), counted)));
  }

  private CorrectedRow row(EventDetail detail, Correction correction) {
    TableColumns columns =
        parts
            .queries()
            .database()
            .ask(
                "look at the columns of the outbox",
                connection ->
                    TableColumns.read(
                        connection, parts.queries().dialect(), parts.layout().table()));
    Object rowId =
        parts.queries().dialect().parseId(detail.event().rowId(), parts.layout().identity().kind());
    return new CorrectedRow(
        parts,
        columns,
        correction,
        Objects.requireNonNull(rowId),
        detail.event().eventId(),
        detail.event().eventType(),
        detail.headersJson());
  }

  /** Ends a transaction that was only tried. */
  private static final class Undone extends StoreException {
    private static final long serialVersionUID = 1L;

    Undone() {
      super("tried", null, false);
    }
  }

  private void tryOut(CorrectedRow row) {
    try {
      parts
          .queries()
          .database()
          .transaction(
              "try to append a corrected event",
              statements -> {
                CorrectedRow.Inserted unused = row.insert(statements);
                throw new Undone();
              });
    } catch (Undone e) {
      // As it was meant.
    } catch (StoreException e) {
      throw refused(e);
    }
  }

  private RuntimeException refused(StoreException e) {
    String table = parts.layout().table().toString();
    if (e.getCause() instanceof CorrectionException correction) {
      return correction;
    } else if (!(e.getCause() instanceof SQLException sql)) {
      return e;
    } else if (MissingGrantException.isDenied(sql)) {
      return new MissingGrantException("SELECT and INSERT", table, "--correction-grant");
    } else if (SqlStates.isRefusedChange(sql)) {
      String names = parts.queries().dialect().names(sql);
      return CorrectionException.content(
          "event", "must be one that table " + table + " takes" + names, "");
    }
    return e;
  }

  /**
   * Plans the burial of an event that was checked.
   *
   * @param eventId the event
   * @param by who plans it
   * @return the job; its id is the correction's
   */
  public Job plan(String eventId, String by) {
    return jobs.plan(Verb.BURY, EventFilter.ids(List.of(eventId)), new Pace(0, 1, 1), by, 1);
  }

  /**
   * Lets the job run, and appends the copy when the event is buried. To be called with the same
   * again until it is no longer waiting; then it changes nothing.
   *
   * @param jobId the job
   * @param correction what is corrected
   * @param by who corrects it, and why
   * @return how far it is, or empty if there is no such job
   * @throws JobStateException if somebody else has let it run, or for another reason
   * @throws CorrectionException as {@link #check}, and if the event was to be published after it
   *     was buried
   * @throws MissingGrantException as {@link #check}
   */
  public Optional<Result> run(long jobId, Correction correction, Instruction by) {
    Job job = jobs.find(jobId).orElse(null);
    if (job == null) {
      return Optional.empty();
    }
    if (!job.verb().equals(Verb.BURY.name()) || job.matched() != 1 || job.more()) {
      throw CorrectionException.state(
          "job %d is no plan of a correction: it is %s of %d event(s)"
              .formatted(jobId, job.verb(), job.matched()));
    }
    String eventId = jobs.events(jobId, null, 0, 1).get(0).eventId();
    Result done = corrected(job, eventId);
    if (done != null) {
      return Optional.of(done);
    }
    if (job.state() == Job.State.PLANNED && check(eventId, correction, 1).isEmpty()) {
      return Optional.of(new Result(State.REFUSED, eventId, null, "it is gone"));
    }
    // Whoever finds the event dead sees what it waits for.
    Instruction burial = new Instruction(by.by(), "to be corrected: " + by.reason());
    Optional<Job> running = jobs.run(jobId, burial);
    return running.map(each -> result(each, eventId, correction, by));
  }

  private Result result(Job job, String eventId, Correction correction, Instruction by) {
    Job.Event event = jobs.events(job.id(), null, 0, 1).get(0);
    return switch (event.outcome()) {
      case PLANNED ->
          job.state().isEnd()
              ? new Result(State.REFUSED, eventId, null, job.note())
              : new Result(State.WAITING, eventId, null, job.note());
      case REQUESTED -> new Result(State.WAITING, eventId, null, job.note());
      case DONE -> append(job, eventId, correction, by);
      case PUBLISHED, FAILED, REFUSED, SKIPPED, UNCLEAR ->
          new Result(State.REFUSED, eventId, null, event.note());
    };
  }

  private Result append(Job job, String eventId, Correction correction, Instruction by) {
    EventDetail detail = admin.show(eventId).orElse(null);
    if (detail == null) {
      return new Result(State.REFUSED, eventId, null, "it is gone");
    }
    CorrectedRow row = row(detail, correction);
    try {
      return parts
          .queries()
          .database()
          .transaction(
              "append a corrected event", statements -> append(statements, job, row, eventId, by));
    } catch (StoreException e) {
      // Another one may have been faster.
      Result done = corrected(job, eventId);
      if (done != null) {
        return done;
      }
      throw refused(e);
    }
  }

  private Result append(
      Statements statements, Job job, CorrectedRow row, String eventId, Instruction by)
      throws SQLException {
    // One run of the job after the other.
    int locked =
        tables.change(
            statements,
            "update ${job} set changed_at = ${clock} where id = ?",
            binding -> binding.number(job.id()));
    List<String> later = verbsSince(statements, job.id(), eventId);
    List<JdbcAdmin.Candidate> now =
        admin.candidates(statements, EventFilter.ids(List.of(eventId)), CorrectionLinks.CORRECT, 1);
    if (locked == 0 || !later.isEmpty() || now.isEmpty()) {
      return new Result(
          State.REFUSED,
          eventId,
          null,
          later.isEmpty()
              ? "it is gone"
              : "asked for since it was buried: " + String.join(", ", later));
    }
    EventStatus status = now.get(0).status();
    if (status != EventStatus.DEAD) {
      return new Result(State.REFUSED, eventId, null, "it was buried, and is " + status);
    }
    CorrectedRow.Inserted copy = row.insert(statements);
    Object buried = now.get(0).row().rowId();
    OperatorTables audit = parts.operator();
    int noted =
        audit.note(statements, buried, eventId, CorrectionLinks.CORRECT, by, copy.eventId());
    noted +=
        audit.note(
            statements,
            copy.rowId(),
            copy.eventId(),
            CorrectionLinks.APPEND,
            by,
            CorrectionLinks.noteFor(eventId));
    return new Result(State.DONE, eventId, copy.eventId(), noted == 2 ? null : "not in the audit");
  }

  /** What could let the event be published, or was appended for it, since it was buried. */
  private List<String> verbsSince(Statements statements, long jobId, String eventId)
      throws SQLException {
    PreparedStatement statement =
        statements.prepare(
            parts
                .terms()
                .sql(
                    """
                    select a.verb from ${audit} a
                    where a.id > (select e.audit_id from ${job_event} e
                        where e.job_id = ? and e.number = 1)
                      and a.event_id = ? and a.verb in ('RETRY', 'REPLAY', 'CORRECT')
                      and (a.done is null or a.done = true)
                    order by a.id"""));
    statement.setLong(1, jobId);
    statement.setString(2, eventId);
    return Queries.read(statement, result -> result.getString(1));
  }

  private @Nullable Result corrected(Job job, String eventId) {
    List<AuditEntry> audit = parts.operator().audit(Long.MAX_VALUE, eventId, AUDITED);
    String by = CorrectionLinks.correctedBy(audit, job.plannedAt());
    return by == null ? null : new Result(State.DONE, eventId, by, null);
  }
}
