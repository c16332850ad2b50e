package io.waybill.internal.jdbc.operator;

import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.operator.RunningJob.JobTakenException;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a process on a job, and its numbers: every change of them asks whether the job is
 * still this process's. Used by one thread.
 */
final class JobLease {
  private static final long RENEW_NANOS = JobTables.LEASE.toNanos() / 3;

  private final JobTables tables;
  private final Job job;
  private final String runner;
  private int open;
  private long now;
  private long renewedAt;
  private boolean begun;

  JobLease(JobTables tables, Job job, String runner) {
    this.tables = tables;
    this.job = job;
    this.runner = runner;
    this.open = job.open();
  }

  /** The job as it was when it was taken. */
  Job job() {
    return job;
  }

  /** Events without an outcome. */
  int open() {
    return open;
  }

  /** So many more have no outcome. */
  void opened(int number) {
    open += number;
  }

  /** Keeps others from taking or changing the job in this transaction. */
  void lock(Statements statements) throws SQLException {
    if (!tables.lock(statements, job.id(), runner)) {
      throw new JobTakenException(job, runner);
    }
  }

  void hold(Statements statements, String condition, String set, long... numbers)
      throws SQLException {
    if (!tables.hold(statements, job.id(), runner, condition, set, numbers)) {
      throw new JobTakenException(job, runner);
    }
    renewedAt = now;
  }

  /**
   * Renews the lease where that is due.
   *
   * @param now monotonic time in nanoseconds
   */
  void keep(long now) {
    this.now = now;
    renewedAt = begun ? renewedAt : now;
    begun = true;
    if (now - renewedAt > RENEW_NANOS) {
      settle(Map.of());
    }
  }

  /** Records outcomes, by the numbers of events. */
  void settle(Map<Integer, EventOutcome> outcomes) {
    Map<EventOutcome.Kind, Long> numbers =
        outcomes.values().stream()
            .collect(Collectors.groupingBy(EventOutcome::kind, Collectors.counting()));
    tables.transaction(
        "record outcomes of a job",
        statements -> {
          for (Map.Entry<Integer, EventOutcome> each : outcomes.entrySet()) {
            EventOutcome outcome = each.getValue();
            Job.Outcome kind = Job.Outcome.of(outcome.kind());
            tables.events().record(statements, job.id(), each.getKey(), kind, outcome.note());
          }
          hold(
              statements,
              "true",
              "open = open - ?, succeeded = succeeded + ?, failed = failed + ?,"
                  + " refused = refused + ?, unclear = unclear + ?",
              outcomes.size(),
              numbers.getOrDefault(EventOutcome.Kind.DONE, 0L)
                  + numbers.getOrDefault(EventOutcome.Kind.PUBLISHED, 0L),
              numbers.getOrDefault(EventOutcome.Kind.FAILED, 0L),
              numbers.getOrDefault(EventOutcome.Kind.REFUSED, 0L),
              numbers.getOrDefault(EventOutcome.Kind.UNCLEAR, 0L));
          return true;
        });
    open -= outcomes.size();
  }

  /** It has ended; returns false if it was paused, cancelled or taken before. */
  boolean end(@Nullable String stopped) {
    return tables.end(job.id(), runner, stopped);
  }

  /** Leaves the job to the next process that takes it. */
  void leave() {
    tables.leave(job.id(), runner);
  }
}
