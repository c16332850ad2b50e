package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.Jobs.JobStateException;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at jobs, lets planned ones run, and pauses, resumes and cancels them. */
@Command(
    name = "jobs",
    description = "List changes of many events, and run, pause, resume or cancel them.")
final class JobsCommand extends Group {
  private static final int MOST = 1_000;
  private static final String ID = "Job as jobs list shows it.";

  @Command(
      name = "list",
      description = "List planned changes and how far each has come, the latest first.")
  int list(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "20",
              description = "Most jobs, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
          int limit) {
    requireLimit(limit);
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      output.rows(
          outbox.jobs(admin).list(Long.MAX_VALUE, limit).stream().map(JobExecution::row).toList(),
          "No job was planned.");
      return ExitCode.OK;
    }
  }

  private static void requireLimit(int limit) {
    if (limit < 1 || limit > MOST) {
      throw new CommandFailure(
          ExitCode.USAGE, "--limit must be from 1 to %d, but is %d".formatted(MOST, limit));
    }
  }

  @Command(name = "show", description = "Show a job's events and what became of each.")
  int show(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Parameters(paramLabel = "JOB", description = ID) long id,
      @Option(
              names = "--outcome",
              paramLabel = "OUTCOME",
              description = "Only events with this outcome: ${COMPLETION-CANDIDATES}.")
          Job.@Nullable Outcome outcome,
      @Option(
              names = "--after",
              paramLabel = "N",
              defaultValue = "0",
              description = "Only events behind this number. Default: ${DEFAULT-VALUE}.")
          int after,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "Most events, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
          int limit) {
    requireLimit(limit);
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      JobRequests jobs = outbox.jobs(admin);
      Job job = jobs.find(id).orElseThrow(() -> missing(id));
      List<Job.Event> events = jobs.events(id, outcome, after, limit);
      if (!output.json()) {
        output.object(JobExecution.row(job));
      }
      output.rows(events.stream().map(JobsCommand::row).toList(), "No event has this outcome.");
      return ExitCode.OK;
    }
  }

  private static Map<String, @Nullable Object> row(Job.Event event) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("number", event.number());
    row.put("eventId", event.eventId());
    row.put("place", event.place());
    row.put("consumer", event.consumer());
    row.put("outcome", event.outcome().name());
    row.put("note", event.note());
    return row;
  }

  private static CommandFailure missing(long id) {
    return new CommandFailure(ExitCode.FINDINGS, "There is no job " + id);
  }

  @Command(
      name = "run",
      description = {
        "Let a planned job run, and carry it out until it ends. Of a job that runs it says how far it is, and takes",
        "it over from a process that has ended. Of one that has ended it records outcomes that came since."
      })
  int run(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Mixin ChangeOptions change,
      @Parameters(paramLabel = "JOB", description = ID) long id) {
    OutboxAccess outbox = options.access();
    String user = options.context().user();
    try (Admin admin = outbox.admin()) {
      JobRequests jobs = outbox.jobs(admin);
      Job job = jobs.find(id).orElseThrow(() -> missing(id));
      if (!change.yes()) {
        output.object(JobExecution.row(job));
        output.note("Nothing was changed. Add --yes and --reason to run it.");
        return ExitCode.OK;
      }
      boolean own = job.state() == Job.State.PLANNED;
      if (own) {
        changed(id, () -> jobs.run(id, change.instruction(user)));
      }
      Job end = new JobExecution(outbox, admin, id, user, own).untilEnd(output);
      output.object(JobExecution.row(end));
      return end.state() == Job.State.DONE ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  @Command(
      name = "pause",
      description = "Pause a running job. Requests that were made have their course.")
  int pause(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Parameters(paramLabel = "JOB", description = ID) long id) {
    return change(options, output, id, (jobs, user) -> jobs.pause(id, user));
  }

  @Command(name = "resume", description = "Let a paused job go on; see jobs run.")
  int resume(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Parameters(paramLabel = "JOB", description = ID) long id) {
    return change(options, output, id, (jobs, user) -> jobs.resume(id, user));
  }

  @Command(
      name = "cancel",
      description = "Cancel a job that has not ended. Requests that were made have their course.")
  int cancel(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Parameters(paramLabel = "JOB", description = ID) long id) {
    return change(options, output, id, (jobs, user) -> jobs.cancel(id, user));
  }

  private static int change(
      ConfigOptions options,
      Output output,
      long id,
      BiFunction<JobRequests, String, Optional<Job>> change) {
    String user = options.context().user();
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      JobRequests jobs = outbox.jobs(admin);
      output.object(JobExecution.row(changed(id, () -> change.apply(jobs, user))));
      return ExitCode.OK;
    }
  }

  private interface Change {
    Optional<Job> make();
  }

  private static Job changed(long id, Change change) {
    try {
      return change.make().orElseThrow(() -> missing(id));
    } catch (JobStateException e) {
      throw new CommandFailure(ExitCode.FINDINGS, String.valueOf(e.getMessage()));
    }
  }
}
