package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.database.RowIds;
import io.waybill.internal.jdbc.operator.Job.State;
import io.waybill.internal.jdbc.operator.JobEventTable.Listed;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.store.OperatorRequest.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes of many events, which are planned first. Used by one thread. */
public final class Jobs implements JobRequests {
  /** The most events that are listed when a job is planned. */
  public static final int MOST_COUNTED = 10_000;

  private static final int PAGE = 1_000;

  private final JdbcAdmin admin;
  private final JobTables tables;

  /** A job is not in a state in which it can do what is asked of it. */
  public static final class JobStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JobStateException(Job job, String rule) {
      super("job %d is %s, but %s".formatted(job.id(), job.state(), rule));
    }
  }

  Jobs(JdbcAdmin admin, JobTables tables) {
    this.admin = admin;
    this.tables = tables;
  }

  /**
   * The jobs of an outbox, on the connection of its operators' view.
   *
   * @param admin the view
   * @throws IllegalArgumentException if it is not one of a database
   */
  public static Jobs of(Admin admin) {
    JdbcAdmin own = JdbcAdmin.of(admin);
    return new Jobs(own, new JobTables(own.parts().queries(), own.parts().terms()));
  }

  /**
   * Finds the events that a change would concern, and stores that. Nothing is requested.
   *
   * @param verb the change
   * @param filter which events; must not be empty
   * @param pace how carefully it is to go on
   * @param by who plans it
   * @param most as many events are listed now, at most {@link #MOST_COUNTED}; the others are found
   *     while it runs
   */
  public Job plan(Verb verb, EventFilter filter, Pace pace, String by, int most) {
    if (filter.eventIds().size() > MOST_COUNTED) {
      throw new IllegalArgumentException(
          "eventIds: must be at most %d, but are %d"
              .formatted(MOST_COUNTED, filter.eventIds().size()));
    }
    AdminFilter.requireCondition(filter);
    List<EventView> events = new ArrayList<>();
    EventPage page = admin.find(filter, null, PAGE);
    events.addAll(page.events());
    while (page.next() != null && events.size() <= most) {
      page = admin.find(filter, page.next(), PAGE);
      events.addAll(page.events());
    }
    boolean more = events.size() > most;
    List<EventView> listed = more ? events.subList(0, most) : events;
    String last = more ? last(filter) : null;
    long id = RowIds.timeOrdered().next();
    tables.insert(
        id,
        new JobTables.Plan(
            verb.name(),
            null,
            false,
            filter,
            Listed.of(listed),
            more,
            last == null ? null : listed.get(listed.size() - 1).position(),
            last),
        pace,
        by);
    return get(id);
  }

  private @Nullable String last(EventFilter filter) {
    EventPage page = admin.latest(filter, null, 1);
    while (page.events().isEmpty() && page.next() != null) {
      page = admin.latest(filter, page.next(), 1);
    }
    return page.events().isEmpty() ? null : page.events().get(0).position();
  }

  /**
   * Stores which dead letters are to be sent again. Nothing is sent.
   *
   * @param plan the letters
   * @param pace how carefully it is to go on
   * @param by who plans it
   */
  public Job plan(JobLetters.Plan plan, Pace pace, String by) {
    long id = RowIds.timeOrdered().next();
    tables.insert(id, plan.job(), pace, by);
    return get(id);
  }

  @Override
  public Job plan(Verb verb, EventFilter filter, Pace pace, String by) {
    return plan(verb, filter, pace, by, MOST_COUNTED);
  }

  @Override
  public Optional<Job> find(long id) {
    return tables.list("j.id = ?", binding -> binding.number(id)).stream().findFirst();
  }

  private Job get(long id) {
    return find(id).orElseThrow();
  }

  @Override
  public List<Job> list(long before, int limit) {
    return tables.list(
        "j.id < ? order by j.id desc limit ?",
        binding -> {
          binding.number(before);
          binding.number(limit);
        });
  }

  @Override
  public List<Job.Event> events(long id, Job.@Nullable Outcome outcome, int after, int limit) {
    return tables.events().list(id, outcome, after, limit);
  }

  /**
   * {@inheritDoc}
   *
   * @throws JobStateException if it was let run by somebody else, or has ended
   */
  @Override
  public Optional<Job> run(long id, Instruction by) {
    int changed =
        tables.change(
            """
            update ${job} set state = 'RUNNING', requested_by = ?, reason = ?,
              started_at = ${clock}, changed_at = ${clock}
            where id = ? and state = 'PLANNED'""",
            binding -> {
              binding.text(by.by());
              binding.text(by.reason());
              binding.number(id);
            });
    return find(id)
        .map(
            job -> {
              boolean same = by.by().equals(job.requestedBy()) && by.reason().equals(job.reason());
              if (changed > 0 || same) {
                return job;
              }
              throw new JobStateException(job, "only a planned one can be run");
            });
  }

  @Override
  public Optional<Job> pause(long id, String by) {
    return move(id, List.of(State.RUNNING), State.PAUSED, "paused by " + by);
  }

  @Override
  public Optional<Job> resume(long id, String by) {
    return move(id, List.of(State.PAUSED), State.RUNNING, "resumed by " + by);
  }

  @Override
  public Optional<Job> cancel(long id, String by) {
    return move(
        id,
        List.of(State.PLANNED, State.RUNNING, State.PAUSED),
        State.CANCELLED,
        "cancelled by " + by);
  }

  private Optional<Job> move(long id, List<State> from, State to, String note) {
    String states = String.join("', '", from.stream().map(State::name).toList());
    String ended = to.isEnd() ? ", ended_at = ${clock}" : "";
    tables.change(
        "update ${job} set state = ?, note = ?, changed_at = ${clock}"
            + ended
            + " where id = ? and state in ('"
            + states
            + "')",
        binding -> {
          binding.text(to.name());
          binding.text(note);
          binding.number(id);
        });
    return find(id)
        .map(
            job -> {
              if (job.state() == to) {
                return job;
              }
              throw new JobStateException(job, "must be " + String.join(" or ", names(from)));
            });
  }

  private static List<String> names(List<State> states) {
    return states.stream().map(State::name).toList();
  }

  /**
   * Jobs that are to be carried out, or whose events have no outcome yet, and that nobody else has.
   *
   * @param runner the process that asks
   */
  public List<Long> due(String runner) {
    return tables.due(runner);
  }

  /**
   * Takes a job, or keeps it. After 15 seconds without a word of its runner, another one may have
   * it.
   *
   * @param id the job
   * @param runner the process that carries it out
   * @return the job, or empty if another process has it, or nothing is to be done for it
   */
  public Optional<RunningJob> take(long id, String runner) {
    return tables.take(id, runner)
        ? find(id).map(job -> new RunningJob(admin, tables, job, runner))
        : Optional.empty();
  }

  /** Removes some of what has long ended, or was planned and never run; returns how much. */
  public int clean() {
    return tables.clean() + Notes.of(admin).clean();
  }
}
