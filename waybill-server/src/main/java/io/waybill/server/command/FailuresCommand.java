package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.store.OperatorRequest.Verb;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at failures by type, destination and reason, and retries them. */
@Command(
    name = "failures",
    description = "List failures by type, destination and reason, note them, and retry them.")
final class FailuresCommand extends Group {
  private static final int MOST_GROUPS = 1_000;
  private static final int MOST_COUNTED = 10_000;
  private static final int MOST_CHARACTERS = 500;

  @Command(
      name = "list",
      description = {
        "List groups of events that failed: how many (10,000 at most), the first and the last failure, a sample."
      })
  int list(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              description =
                  "Only parked or dead events, or pending ones, which are tried again. Default: all.")
          @Nullable EventStatus state,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "Most groups, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
          int limit) {
    if (limit < 1 || limit > MOST_GROUPS) {
      throw new CommandFailure(
          ExitCode.USAGE, "--limit must be from 1 to %d, but is %d".formatted(MOST_GROUPS, limit));
    }
    if (state == EventStatus.PUBLISHED) {
      throw new CommandFailure(
          ExitCode.USAGE, "--state must be pending, parked or dead, but is PUBLISHED");
    }
    Stream<EventStatus> states =
        state == null
            ? Stream.of(EventStatus.PARKED, EventStatus.DEAD, EventStatus.PENDING)
            : Stream.of(state);
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      List<FailureGroup> groups =
          states
              .flatMap(each -> admin.failures(each, null, MOST_GROUPS, MOST_COUNTED + 1).stream())
              .sorted(Comparator.comparingLong(FailureGroup::count).reversed())
              .toList();
      List<FailureGroup> shown = groups.subList(0, Math.min(limit, groups.size()));
      Map<String, Notes.Note> notes = outbox.notes(admin, shown);
      output.rows(
          shown.stream().map(group -> row(group, notes.get(group.group()))).toList(),
          "Nothing fails.");
      if (groups.size() > limit) {
        output.note(
            "The largest %d of %d groups are shown; see --state and --limit."
                .formatted(limit, groups.size()));
      }
      boolean cut =
          Arrays.stream(EventStatus.values())
              .anyMatch(
                  each ->
                      groups.stream().filter(group -> group.status() == each).count()
                          == MOST_GROUPS);
      if (cut) {
        output.note("There may be more than 1,000 groups of a state; no more were looked at.");
      }
      return ExitCode.OK;
    }
  }

  private static Map<String, @Nullable Object> row(FailureGroup group, Notes.@Nullable Note note) {
    EventView sample = group.sample();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("group", group.id());
    row.put("state", group.status().name());
    row.put("count", Math.min(group.count(), MOST_COUNTED));
    row.put("more", group.count() > MOST_COUNTED);
    row.put("eventType", sample.eventType());
    row.put("destination", sample.destination());
    row.put("reason", sample.reason());
    row.put("first", group.first().toString());
    row.put("last", group.last().toString());
    row.put("sample", sample.eventId());
    row.put("detail", sample.detail());
    row.put("note", note == null ? null : note.text());
    row.put("noteBy", note == null ? null : note.by());
    row.put("noteAt", note == null ? null : note.at().toString());
    return row;
  }

  @Command(
      name = "note",
      description = {
        "Write a note on a group for the next shift, which failures list shows. It replaces the one before,",
        "and is kept for 14 days. Without --text it is removed."
      })
  int note(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Parameters(paramLabel = "GROUP", description = "Group as failures list shows it.")
          String group,
      @Option(
              names = "--text",
              paramLabel = "TEXT",
              description = "The note, up to 500 characters.")
          @Nullable String text) {
    if (text != null && (text.isBlank() || text.length() > MOST_CHARACTERS)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--text must have 1 to %d characters, but has %d"
              .formatted(MOST_CHARACTERS, text.strip().length()));
    }
    EventFilter unused = filter(group);
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      if (!outbox.note(admin, group, text, options.context().user())) {
        throw new CommandFailure(ExitCode.FINDINGS, "No event is in the group " + group);
      }
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      result.put("group", group);
      result.put("note", text);
      output.object(result);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "retry",
      description = {
        "Retry the events of a group in the order of their rows: a few first, then the others at a rate.",
        "Stops by itself when events fail again and none is published between them."
      })
  int retry(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Mixin ChangeOptions change,
      @Parameters(paramLabel = "GROUP", description = "Group as failures list shows it.")
          String group,
      @Mixin PaceOptions carefully) {
    EventFilter filter = filter(group);
    Pace pace = carefully.pace();
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      if (!change.yes()) {
        return dryRun(admin, output, filter, pace, group);
      }
      Instruction by = change.instruction(options.context().user());
      refuseHopeless(outbox, admin, filter, group);
      if (!RequestWait.anyRelay(admin)) {
        output.aside("No relay runs for this outbox: the requests wait until one does.");
      }
      JobRequests jobs = outbox.jobs(admin);
      Job planned = jobs.plan(Verb.RETRY, filter, pace, by.by());
      jobs.run(planned.id(), by);
      Job end = new JobExecution(outbox, admin, planned.id(), by.by(), true).untilEnd(output);
      print(output, group, end);
      boolean well =
          end.state() == Job.State.DONE
              && end.requested() > 0
              && end.tally().succeeded() == end.requested();
      return well ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  private static EventFilter filter(String group) {
    try {
      return FailureGroup.filter(group);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /** What is tried now would only leave the place where it is seen. */
  private static void refuseHopeless(
      OutboxAccess outbox, Admin admin, EventFilter filter, String group) {
    EventView first =
        admin.find(filter, null, 1).events().stream()
            .findFirst()
            .orElseThrow(
                () -> new CommandFailure(ExitCode.FINDINGS, "No event is in the group " + group));
    Optional<String> leads = admin.show(first.eventId()).flatMap(outbox::destination);
    for (DestinationView view : admin.destinations()) {
      if (view.paused() && leads.equals(Optional.of(view.name()))) {
        throw new CommandFailure(
            ExitCode.FINDINGS,
            "%s is paused since %s by %s (%s): resume it first"
                .formatted(view.name(), view.changedAt(), view.changedBy(), view.reason()));
      }
    }
  }

  private static int dryRun(
      Admin admin, Output output, EventFilter filter, Pace pace, String group) {
    long count = Selection.count(admin, filter, MOST_COUNTED + 1);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("group", group);
    result.put("dryRun", true);
    result.put("matched", Math.min(count, MOST_COUNTED));
    result.put("more", count > MOST_COUNTED);
    if (output.json()) {
      output.object(result);
    } else {
      output.line(
          "Would retry %s%d event(s): first %d, then %d a second."
              .formatted(
                  count > MOST_COUNTED ? "more than " : "",
                  Math.min(count, MOST_COUNTED),
                  Math.min(pace.canary(), count),
                  pace.rate()));
      if (filter.status() == EventStatus.DEAD && count > 0) {
        output.line(
            "Their keys have continued: later events are published already, and each key waits again"
                + " until its event is published, skipped or buried.");
      }
      output.line("Nothing was changed. Add --yes and --reason to do it.");
    }
    return count == 0 ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private static void print(Output output, String group, Job end) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("group", group);
    result.put("dryRun", false);
    result.put("job", Long.toString(end.id()));
    result.put("requested", end.requested());
    result.put("published", end.tally().succeeded());
    result.put("failed", end.tally().failed());
    result.put("refused", end.tally().refused());
    result.put("skipped", end.tally().skipped());
    result.put("open", end.open());
    result.put("stopped", end.note());
    output.object(result);
  }
}
