package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.store.OperatorRequest.Verb;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators see and ask of jobs. For use by one thread. */
public interface JobRequests {
  /**
   * Finds the events that a change would concern, and stores that. Nothing is requested.
   *
   * @param verb the change
   * @param filter which events; must not be empty
   * @param pace how carefully it is to go on
   * @param by who plans it
   */
  Job plan(Verb verb, EventFilter filter, Pace pace, String by);

  /** One job, if there is such a one. */
  Optional<Job> find(long id);

  /**
   * Jobs, the latest first.
   *
   * @param before id of the last one of the previous page, {@link Long#MAX_VALUE} for the first
   * @param limit most jobs
   */
  List<Job> list(long before, int limit);

  /**
   * Events of a job in their order.
   *
   * @param id the job
   * @param outcome only those with this outcome, or null
   * @param after number of the last one of the previous page, 0 for the first
   * @param limit most events
   */
  List<Job.Event> events(long id, Job.@Nullable Outcome outcome, int after, int limit);

  /**
   * Lets a planned job run. The same call again changes nothing.
   *
   * @param id the job
   * @param by who lets it run, and why
   * @return the job, or empty if there is no such one
   */
  Optional<Job> run(long id, Instruction by);

  /** Pauses a running job: what was requested has its course. As {@link #run} otherwise. */
  Optional<Job> pause(long id, String by);

  /** Lets a paused job go on. As {@link #run} otherwise. */
  Optional<Job> resume(long id, String by);

  /** Gives up a job that has not ended: what was requested has its course. As {@link #run}. */
  Optional<Job> cancel(long id, String by);
}
