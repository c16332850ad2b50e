package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.DurationConverter;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A verb that changes events: dry run first, then requests to the owners of their lanes. */
@Command
final class ChangeCommand implements Callable<Integer> {
  private static final int FIRST_ROWS = 10;

  private final Verb verb;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private FilterOptions filter = new FilterOptions();
  @Mixin private ChangeOptions change = new ChangeOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      arity = "0..1",
      fallbackValue = "30s",
      converter = DurationConverter.class,
      description =
          "Wait until a relay has done it; with --url until the job ends. Default: ${FALLBACK-VALUE}.")
  private @Nullable Duration wait;

  ChangeCommand(Verb verb) {
    this.verb = verb;
  }

  static String description(Verb verb) {
    return switch (verb) {
      case RETRY -> "Retry failed, parked or dead events now, with a new count of attempts.";
      case SKIP -> "Declare unpublished events dead and let their keys continue.";
      case PARK -> "Hold events and their keys until you retry, skip or bury the events.";
      case BURY -> "Like skip, with a copy to the dead-letter destination where there is one.";
      case REPLAY -> "Publish events again, marked as replays.";
    };
  }

  @Override
  public Integer call() {
    if (filter.isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE, "Say which events: ids, or a filter like --state");
    }
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      Selection selection = new Selection(admin, filter, outbox);
      if (!change.yes()) {
        return dryRun(selection);
      }
      return outbox.configured().isEmpty() ? job(outbox, admin) : request(admin, selection);
    }
  }

  /** An API takes many events at a time, as a job, which its processes carry out. */
  private int job(OutboxAccess outbox, Admin admin) {
    Instruction by = change.instruction(options.context().user());
    if (filter.limitOfChange() < Integer.MAX_VALUE) {
      throw new CommandFailure(
          ExitCode.USAGE, "--limit does not go with --url and --yes: a job is of all that match");
    }
    JobRequests jobs = outbox.jobs(admin);
    Job job = jobs.plan(verb, filter.filter(), new Pace(0, Pace.MOST, Pace.MOST), by.by());
    if (job.matched() > 0) {
      job = jobs.run(job.id(), by).orElseThrow();
    }
    if (wait != null && job.matched() > 0) {
      job = new JobExecution(outbox, admin, job.id(), by.by(), false).untilEnd(output);
    }
    output.object(JobExecution.row(job));
    boolean ended = wait == null || job.state() == Job.State.DONE;
    boolean well = ended && job.matched() > 0 && job.tally().failed() + job.tally().refused() == 0;
    return well ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private int dryRun(Selection selection) {
    List<EventView> first = new ArrayList<>();
    AtomicInteger matched = new AtomicInteger();
    Set<String> blocked = new LinkedHashSet<>();
    boolean more =
        selection.visit(
            filter.limitOfChange(),
            page -> {
              matched.addAndGet(page.size());
              page.stream().filter(this::blocks).map(EventRows::key).forEach(blocked::add);
              first.addAll(page.subList(0, Math.min(page.size(), FIRST_ROWS - first.size())));
            });
    int all = matched.get();
    if (output.json()) {
      Map<String, Object> result = result(true, all, more);
      result.put("blockedKeys", blocked);
      output.object(result);
    } else {
      output.line("Would %s %s%s".formatted(name(), events(all), all == 0 ? "." : ":"));
      if (all > 0) {
        output.rows(EventRows.of(first), "");
      }
      if (all > FIRST_ROWS) {
        output.line("... and " + (all - FIRST_ROWS) + " more");
      }
      tell(more, blocked);
      output.line("Nothing was changed. Add --yes and --reason to do it.");
    }
    return all == 0 ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private void tell(boolean more, Set<String> blocked) {
    if (more) {
      output.note("More events match than --limit allows; repeat the command for the next ones.");
    }
    if (!blocked.isEmpty()) {
      output.line(
          "Blocks %d key(s): %s%s.%s"
              .formatted(
                  blocked.size(),
                  blocked.stream().limit(FIRST_ROWS).collect(Collectors.joining(", ")),
                  blocked.size() > FIRST_ROWS ? ", ..." : "",
                  verb == Verb.PARK
                      ? " Each waits until its event is retried, skipped or buried."
                      : " They have continued, and their later events are published already. Each"
                          + " waits again until its event is published, skipped or buried."));
    }
  }

  /** Whether the key of the event does not wait now, and will. */
  private boolean blocks(EventView event) {
    boolean flows =
        switch (verb) {
          case RETRY -> event.status() == EventStatus.DEAD;
          case PARK -> event.status() == EventStatus.PENDING && !event.held();
          case SKIP, BURY, REPLAY -> false;
        };
    return flows && event.aggregateType() != null;
  }

  private int request(Admin admin, Selection selection) {
    Instruction by = change.instruction(options.context().user());
    Set<String> ids = new LinkedHashSet<>();
    AtomicInteger requested = new AtomicInteger();
    boolean more =
        output.during(
            () -> requested.get() + " requests made",
            () ->
                selection.visit(
                    filter.limitOfChange(),
                    page -> {
                      List<String> some = page.stream().map(EventView::eventId).toList();
                      requested.addAndGet(
                          admin.request(verb, EventFilter.ids(some), some.size(), by));
                      ids.addAll(some);
                    }));
    int waiting = ids.size() - requested.get();
    Map<String, Object> result = result(false, ids.size(), more);
    result.put("requested", requested.get());
    result.put("requestedBefore", waiting);
    if (!output.json()) {
      output.line(
          "%s matched, %d request(s) made.".formatted(events(ids.size()), requested.get())
              + (waiting == 0
                  ? ""
                  : " %d of them already have such a request.".formatted(waiting)));
      tell(more, Set.of());
    }
    boolean fine = !ids.isEmpty();
    if (wait != null && fine) {
      fine = await(admin, ids, wait, result);
    }
    if (output.json()) {
      output.object(result);
    }
    return fine ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private boolean await(Admin admin, Set<String> ids, Duration limit, Map<String, Object> result) {
    boolean relays = RequestWait.anyRelay(admin);
    if (!relays) {
      output.aside("No relay runs for this outbox: the requests wait until one does.");
    }
    RequestWait answers = new RequestWait(admin, verb, ids);
    boolean known = output.during(answers::progress, () -> answers.await(limit));
    answers.into(result);
    result.put("relayRuns", RequestWait.anyRelay(admin));
    if (!output.json()) {
      answers.lines().forEach(output::line);
    }
    return known && answers.allWell();
  }

  private Map<String, Object> result(boolean dryRun, int matched, boolean more) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("verb", name());
    result.put("dryRun", dryRun);
    result.put("matched", matched);
    result.put("more", more);
    return result;
  }

  private static String events(int number) {
    return number + " event(s)";
  }

  private String name() {
    return verb.name().toLowerCase(Locale.ROOT);
  }
}
