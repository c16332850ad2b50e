package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.broker.Broker;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.internal.jdbc.operator.RunningJob.JobTakenException;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.consumers.LookRefusedException;
import io.waybill.spring.internal.consumers.Redrive;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a job, or follows it while another process does, as always through an API, until it
 * ends or is paused. Used by one thread, but for its progress.
 */
final class JobExecution {
  private static final long STEP_MILLIS = 100;
  private static final long LOOK_MILLIS = 1_000;
  private static final int MOST_PIECES = 20;

  private final OutboxAccess outbox;
  private final JobRequests requests;
  private final long id;
  private final String user;
  private final boolean own;
  private final String runner = "command/" + UUID.randomUUID();
  private volatile String progress = "nothing requested yet";

  /**
   * Begins with {@link #untilEnd}.
   *
   * @param own whether this command let it run: then it ends with it
   */
  JobExecution(OutboxAccess outbox, Admin admin, long id, String user, boolean own) {
    this.outbox = outbox;
    this.requests = outbox.jobs(admin);
    this.id = id;
    this.user = user;
    this.own = own;
  }

  /** What came of it. */
  Job untilEnd(Output output) {
    Job end = own ? ownUntilEnd(output) : output.during(() -> progress, this::carryOut);
    if (requests instanceof Jobs jobs) {
      for (int pieces = 0; pieces < MOST_PIECES && jobs.clean() > 0; pieces++) {
        // What has long ended goes with the next one.
      }
    }
    return end;
  }

  /** The end of this command cancels the job: nothing more is requested. */
  private Job ownUntilEnd(Output output) {
    Thread cancels = new Thread(this::cancel, "waybill-cancel-job");
    Runtime.getRuntime().addShutdownHook(cancels);
    try {
      return output.during(() -> progress, this::carryOut);
    } catch (CommandFailure interrupted) {
      cancel();
      throw interrupted;
    } finally {
      remove(cancels);
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, and the hook runs.
    }
  }

  /** On a connection of its own: the other one may be in use. */
  private void cancel() {
    try (Admin admin = outbox.admin()) {
      Optional<Job> unused = outbox.jobs(admin).cancel(id, user);
    } catch (Jobs.JobStateException | CommandFailure e) {
      // It has ended.
    }
  }

  private Job carryOut() {
    while (true) {
      if (requests instanceof Jobs jobs) {
        jobs.take(id, runner).ifPresent(this::run);
      }
      Job job = requests.find(id).orElseThrow();
      if (job.state() != Job.State.RUNNING) {
        return job;
      }
      progress = text(job) + (job.runner() == null ? "" : ", carried out by " + job.runner());
      RequestWait.pause(LOOK_MILLIS, text(job));
    }
  }

  private void run(RunningJob job) {
    try (JobRun.Events events = Redrive.events(job, this::broker)) {
      if (job.job().state() != Job.State.RUNNING) {
        // What was asked for before may have an outcome by now.
        events.outcomes(System.nanoTime());
        job.leave();
        return;
      }
      JobRun run = job.run(events);
      while (!run.step(System.nanoTime())) {
        progress = text(run.progress());
        RequestWait.pause(STEP_MILLIS, progress + "; the others are not touched");
      }
      job.end(run.progress().stopped());
    } catch (JobTakenException e) {
      job.leave();
      progress = "paused, cancelled, or carried out by another process";
    } catch (DeadLetterAccessException | LookRefusedException e) {
      job.end("could not be carried out: " + e.getMessage());
    }
  }

  private Broker broker() {
    return outbox.configured().orElseThrow().broker();
  }

  private static String text(JobRun.Progress progress) {
    return text(progress.requested(), progress.tally(), progress.open());
  }

  private static String text(Job job) {
    return text(job.requested(), job.tally(), job.open());
  }

  private static String text(int requested, JobRun.Tally tally, int open) {
    return "%d requested, %d succeeded, %d failed again, %d refused, %d skipped, %d unclear, %d open"
        .formatted(
            requested,
            tally.succeeded(),
            tally.failed(),
            tally.refused(),
            tally.skipped(),
            tally.unclear(),
            open);
  }

  /** A job for people and programs. */
  static Map<String, @Nullable Object> row(Job job) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("job", Long.toString(job.id()));
    row.put("state", job.state().name());
    row.put("verb", job.verb());
    row.put("source", job.source());
    row.put("events", job.matched());
    row.put("more", job.more());
    row.put("requested", job.requested());
    row.put("succeeded", job.tally().succeeded());
    row.put("failed", job.tally().failed());
    row.put("refused", job.tally().refused());
    row.put("skipped", job.tally().skipped());
    row.put("unclear", job.tally().unclear());
    row.put("open", job.open());
    row.put("by", job.requestedBy() == null ? job.plannedBy() : job.requestedBy());
    row.put("reason", job.reason());
    row.put("plannedAt", job.plannedAt().toString());
    row.put("startedAt", EventRows.text(job.startedAt()));
    row.put("endedAt", EventRows.text(job.endedAt()));
    row.put("note", job.note());
    return row;
  }
}
