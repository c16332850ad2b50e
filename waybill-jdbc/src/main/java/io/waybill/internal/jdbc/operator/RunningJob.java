package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.operator.JdbcAdmin.Candidate;
import io.waybill.internal.jdbc.operator.JobEventTable.Answered;
import io.waybill.internal.jdbc.operator.JobEventTable.Listed;
import io.waybill.internal.jdbc.operator.JobEventTable.Planned;
import io.waybill.internal.jdbc.operator.JobRun.Asked;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job in the hands of a process. Requests are made in one transaction with the record of them:
 * after a crash, another process knows which events were asked for. Every change needs the lease.
 * Used by one thread.
 */
public final class RunningJob implements JobRun.Events {
  private static final int PAGE = 500;
  private static final int PAGE_OF_LOOKS = 200;
  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
  private static final int FILL = 1_000;

  private final JdbcAdmin admin;
  private final JobTables tables;
  private final Job job;
  private final JobLease lease;
  private @Nullable Progress progress;
  private boolean looked;
  private long lookedAt;

  /** Somebody else has the job now, or it does not run any more. */
  public static final class JobTakenException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Of a process that had it. */
    public JobTakenException(Job job, String runner) {
      super("Job %d is not carried out by %s any more".formatted(job.id(), runner), null, true);
    }
  }

  /** How many events were asked for, and are listed; where the list ends, and is to end. */
  private record Progress(int asked, int planned, @Nullable String reached, @Nullable String last) {
    boolean listed() {
      return last == null;
    }
  }

  RunningJob(JdbcAdmin admin, JobTables tables, Job job, String runner) {
    this.admin = admin;
    this.tables = tables;
    this.job = job;
    this.lease = new JobLease(tables, job, runner);
  }

  /** The job as it was when it was taken. */
  public Job job() {
    return job;
  }

  /** Events without an outcome. */
  public int open() {
    return lease.open();
  }

  /** The letters of a job that has a source. */
  public JobLetters letters() {
    return new JobLetters(admin, tables, lease);
  }

  private Verb verb() {
    return Verb.valueOf(job.verb());
  }

  /** Decides when the next events are asked for. */
  public JobRun run() {
    return run(this);
  }

  /**
   * Decides when the next events are asked for.
   *
   * @param events asks for them
   */
  public JobRun run(JobRun.Events events) {
    List<Integer> numbers =
        open() == 0
            ? List.of()
            : tables.events().list(job.id(), Job.Outcome.REQUESTED, 0, Integer.MAX_VALUE).stream()
                .map(Job.Event::number)
                .toList();
    return new JobRun(events, job.pace(), job.tally(), numbers);
  }

  @Override
  public Asked ask(int number) {
    Progress before = listed(number);
    Instruction by = job.instruction();
    Asked asked = tables.transaction("ask for events of a job", to -> ask(to, before, number, by));
    lease.opened(asked.numbers().size());
    progress =
        new Progress(
            before.asked() + asked.numbers().size() + asked.skipped(),
            before.planned(),
            before.reached(),
            before.last());
    return asked;
  }

  private Asked ask(Statements statements, Progress before, int number, Instruction by)
      throws SQLException {
    // Nobody else takes the job until this is decided.
    lease.lock(statements);
    List<Planned> next = tables.events().next(statements, job.id(), before.asked(), number);
    Map<String, Candidate> found = candidates(statements, next);
    List<Planned> asked = new ArrayList<>();
    List<Planned> skipped = new ArrayList<>();
    for (Planned each : next) {
      Candidate candidate = found.get(each.eventId());
      boolean same =
          candidate != null && candidate.status() == each.status() && !isDone(candidate.status());
      (same ? asked : skipped).add(each);
    }
    List<OutboxRow> rows =
        asked.stream()
            .map(each -> Objects.requireNonNull(found.get(each.eventId())).row())
            .toList();
    List<Long> audited = admin.ask(statements, rows, verb(), by);
    for (int i = 0; i < asked.size(); i++) {
      tables.events().requested(statements, job.id(), asked.get(i).number(), audited.get(i));
    }
    skip(statements, skipped);
    lease.hold(
        statements,
        "state = 'RUNNING'",
        "asked = asked + ?, open = open + ?, skipped = skipped + ?",
        next.size(),
        asked.size(),
        skipped.size());
    boolean last = before.listed() && next.size() < number;
    return new Asked(asked.stream().map(Planned::number).toList(), skipped.size(), last);
  }

  /** A retry of what is published would be a success without a send. */
  private boolean isDone(EventStatus status) {
    return verb() == Verb.RETRY && status == EventStatus.PUBLISHED;
  }

  /** The events that may be asked for: those that still meet the conditions. */
  private Map<String, Candidate> candidates(Statements statements, List<Planned> planned)
      throws SQLException {
    Map<String, Candidate> found = new HashMap<>();
    if (!planned.isEmpty()) {
      admin
          .candidates(statements, narrowed(planned), job.verb(), planned.size())
          .forEach(each -> found.put(each.row().eventId(), each));
    }
    return found;
  }

  private EventFilter narrowed(List<Planned> planned) {
    EventFilter filter = job.filter();
    return new EventFilter(
        planned.stream().map(Planned::eventId).toList(),
        filter.status(),
        filter.eventType(),
        filter.aggregateType(),
        filter.aggregateId(),
        filter.reason(),
        filter.since(),
        filter.before(),
        filter.group(),
        filter.traceId());
  }

  private void skip(Statements statements, List<Planned> skipped) throws SQLException {
    if (skipped.isEmpty()) {
      return;
    }
    Map<String, EventView> there = new HashMap<>();
    List<String> ids = skipped.stream().map(Planned::eventId).toList();
    for (EventView event : admin.find(EventFilter.ids(ids), null, ids.size()).events()) {
      there.put(event.eventId(), event);
    }
    for (Planned each : skipped) {
      EventView event = there.get(each.eventId());
      boolean done = event != null && isDone(event.status());
      String note = done ? "it is published" : each.changed(event);
      tables.events().record(statements, job.id(), each.number(), Job.Outcome.SKIPPED, note);
    }
  }

  /** Lists more events before they are asked for, where not all could be listed at once. */
  private Progress listed(int number) {
    Progress known = progress == null ? progress() : progress;
    while (!known.listed() && known.planned() - known.asked() < number) {
      known = list(known);
    }
    progress = known;
    return known;
  }

  private Progress progress() {
    return tables.read(
        job.id(),
        "asked, planned, reached_position, last_position",
        result ->
            new Progress(
                result.getInt(1), result.getInt(2), result.getString(3), result.getString(4)));
  }

  private Progress list(Progress known) {
    String last = Objects.requireNonNull(known.last());
    EventPage page = admin.upTo(job.filter(), known.reached(), last, FILL);
    List<EventView> more = page.events();
    String reached = page.next();
    boolean all = reached == null;
    tables.transaction(
        "list events of a job",
        statements -> {
          tables.events().insert(statements, job.id(), known.planned(), Listed.of(more));
          lease.hold(statements, "state = 'RUNNING'", "planned = planned + ?", more.size());
          return tables.change(
              statements,
              "update ${job} set reached_position = ?"
                  + (all ? ", last_position = null" : "")
                  + " where id = ?",
              binding -> {
                binding.text(reached);
                binding.number(job.id());
              });
        });
    return new Progress(
        known.asked(), known.planned() + more.size(), reached, all ? null : known.last());
  }

  @Override
  public Map<Integer, EventOutcome> outcomes(long now) {
    lease.keep(now);
    Map<Integer, EventOutcome> outcomes = new TreeMap<>();
    // Each look reads all that were answered and have no outcome.
    boolean due = now - lookedAt >= LOOK_NANOS * (open() / PAGE_OF_LOOKS) || !looked;
    if (open() > 0 && due) {
      looked = true;
      lookedAt = now;
      List<Answered> answered = tables.events().answered(job.id());
      Map<String, EventView> events = retried(answered);
      for (Answered each : answered) {
        EventOutcome outcome =
            EventOutcome.of(
                verb(), each.requestedAt(), each.done(), each.note(), events.get(each.eventId()));
        if (outcome != null) {
          outcomes.put(each.number(), outcome);
        }
      }
    }
    if (!outcomes.isEmpty()) {
      lease.settle(outcomes);
    }
    return outcomes;
  }

  /** What became of events that were tried again. */
  private Map<String, EventView> retried(Collection<Answered> answered) {
    Map<String, EventView> events = new LinkedHashMap<>();
    if (verb() == Verb.RETRY) {
      List<String> ids = answered.stream().map(Answered::eventId).toList();
      for (int from = 0; from < ids.size(); from += PAGE) {
        List<String> some = ids.subList(from, Math.min(ids.size(), from + PAGE));
        EventPage page = admin.find(EventFilter.ids(some), null, PAGE);
        page.events().forEach(e -> events.put(e.eventId(), e));
      }
    }
    return events;
  }

  /**
   * It has ended: all events have an outcome, or it has stopped by itself.
   *
   * @return false if it was paused, cancelled or taken before
   */
  public boolean end(@Nullable String stopped) {
    return lease.end(stopped);
  }

  /** Leaves the job to the next process that takes it. */
  public void leave() {
    lease.leave();
  }
}
