package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.server.assemble.Databases;
import io.waybill.server.config.OutboxConfig;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
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
      description = "Wait until a relay has done it. Default: ${FALLBACK-VALUE}.")
  private @Nullable Duration wait;

  ChangeCommand(Verb verb) {
    this.verb = verb;
  }

  static String description(Verb verb) {
    return switch (verb) {
      case RETRY -> "Try failed, parked or dead events now, their attempts forgotten.";
      case SKIP -> "Give up events that were not published and let their keys go on.";
      case PARK -> "Hold events and their keys until somebody retries, skips or buries them.";
      case BURY -> "Like skip, with a copy to the dead-letter destination where there is one.";
      case REPLAY -> "Publish events again, marked as replays.";
    };
  }

  @Override
  public Integer call() {
    if (filter.isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE, "Say which events: ids, or a filter like --state");
    }
    OutboxConfig outbox = options.outbox();
    try (Admin admin = Databases.admin(outbox)) {
      List<EventView> events = new Selection(admin, filter, outbox).find();
      return change.yes() ? request(admin, events) : dryRun(events);
    }
  }

  private int dryRun(List<EventView> events) {
    if (output.json()) {
      output.object(result("dryRun", true, events.size(), 0, List.of()));
      return found(events);
    }
    output.line("Would " + name() + " " + events.size() + " event(s):");
    output.rows(EventRows.of(events.subList(0, Math.min(FIRST_ROWS, events.size()))));
    if (events.size() > FIRST_ROWS) {
      output.line("... and " + (events.size() - FIRST_ROWS) + " more");
    }
    output.line("Nothing was changed. Add --yes and --reason to do it.");
    return found(events);
  }

  private int request(Admin admin, List<EventView> events) {
    Instruction by = change.instruction(options.surroundings().user());
    if (events.isEmpty()) {
      return answer(0, 0, List.of());
    }
    List<String> ids = events.stream().map(EventView::eventId).toList();
    int requested = admin.request(verb, EventFilter.ids(ids), ids.size(), by);
    if (wait == null) {
      return answer(events.size(), requested, List.of());
    }
    List<AuditEntry> answers = new Answers(admin, verb, ids, by).await(wait);
    return answer(events.size(), requested, answers);
  }

  private int answer(int matched, int requested, List<AuditEntry> answers) {
    long done = answers.stream().filter(entry -> Boolean.TRUE.equals(entry.done())).count();
    List<String> refused =
        answers.stream()
            .filter(entry -> Boolean.FALSE.equals(entry.done()))
            .map(entry -> entry.eventId() + ": " + entry.note())
            .toList();
    if (output.json()) {
      output.object(result("done", done, matched, requested, refused));
    } else {
      output.line(matched + " event(s) matched, " + requested + " request(s) made.");
      if (wait != null) {
        output.line(done + " done, " + refused.size() + " refused.");
        output.rows(refused.stream().map(text -> Map.of("refused", text)).toList());
      }
    }
    boolean fine = matched > 0 && (wait == null || done >= requested);
    return fine ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private Map<String, Object> result(
      String key, Object value, int matched, int requested, List<String> refused) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("verb", name());
    result.put(key, value);
    result.put("matched", matched);
    result.put("requested", requested);
    result.put("refused", refused);
    return result;
  }

  private static int found(List<EventView> events) {
    return events.isEmpty() ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private String name() {
    return verb.name().toLowerCase(Locale.ROOT);
  }
}
