package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.Instruction;
import io.waybill.broker.DeadLetterReader;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.config.Printable;
import io.waybill.spring.internal.consumers.DeadLetterSearch;
import io.waybill.spring.internal.consumers.DeadLetterSearch.Found;
import io.waybill.spring.internal.consumers.LookRefusedException;
import io.waybill.spring.internal.consumers.Redrive;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at the dead letters of consumers, and sends them again. */
@Command(
    name = "dead-letters",
    aliases = "dlt",
    description = "List, show and redrive dead letters of consumers.")
final class DeadLettersCommand extends Group {
  private static final int FIRST_ROWS = 10;
  private static final Duration NO_LIMIT = Duration.ofDays(365);

  @Command(name = "list", description = "List dead letters in the order of their places.")
  int list(@Mixin ConfigOptions options, @Mixin DeadLetterOptions which, @Mixin Output output) {
    StandaloneOutbox outbox = options.outbox();
    String name = which.name();
    try (Admin admin = outbox.admin();
        DeadLetterReader reader = outbox.deadLetters(name)) {
      DeadLetterSearch letters = new DeadLetterSearch(reader, admin, name);
      Found<DeadLetter> found = find(letters, which, true);
      output.rows(
          DeadLetterRows.of(letters, found.letters()),
          "There is no dead letter in " + name + " that matches.");
      tellMore(output, which, found);
      return ExitCode.OK;
    }
  }

  @Command(name = "show", description = "Show everything known about the dead letters of an event.")
  int show(
      @Mixin ConfigOptions options,
      @Mixin DeadLetterOptions which,
      @Mixin Output output,
      @Option(
              names = "--payload",
              description = "Print the payload too, at most 64 KiB; it may be personal data.")
          boolean payload) {
    StandaloneOutbox outbox = options.outbox();
    String name = which.name();
    requireCondition(which);
    try (Admin admin = outbox.admin();
        DeadLetterReader reader = outbox.deadLetters(name)) {
      DeadLetterSearch letters = new DeadLetterSearch(reader, admin, name);
      Found<DeadLetter> found = find(letters, which, true);
      if (found.letters().isEmpty()) {
        throw new CommandFailure(ExitCode.FINDINGS, "There is no such dead letter in " + name);
      }
      found.letters().forEach(each -> output.object(DeadLetterRows.detail(letters, each, payload)));
      tellMore(output, which, found);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "redrive",
      description = "Send dead letters back to where they came from, marked and in order.")
  int redrive(
      @Mixin ConfigOptions options,
      @Mixin DeadLetterOptions which,
      @Mixin RedriveOptions how,
      @Mixin ChangeOptions change,
      @Mixin Output output) {
    StandaloneOutbox outbox = options.outbox();
    String name = which.name();
    requireCondition(which);
    int rate = how.rate();
    Instruction by = change.yes() ? change.instruction(options.context().user()) : null;
    try (Admin admin = outbox.admin();
        DeadLetterReader reader = outbox.deadLetters(name)) {
      DeadLetterSearch letters = new DeadLetterSearch(reader, admin, name);
      Found<DeadLetter> found = find(letters, which, how.again());
      if (!reader.keeps()) {
        how.refuseAnother(found.letters());
      }
      int code;
      if (by == null) {
        code = dryRun(output, letters, found);
      } else {
        int all = found.letters().size();
        try (Redrive redrive = new Redrive(outbox.broker(), admin, reader, name, by)) {
          List<Redrive.Sent> sent =
              output.during(
                  () -> "%d of %d redriven".formatted(redrive.done(), all),
                  () -> redrive.run(found.letters(), how.target(), rate, NO_LIMIT));
          code = answer(output, found, redrive.done(), failure(sent));
        }
      }
      tellMore(output, which, found);
      return code;
    }
  }

  private static Found<DeadLetter> find(
      DeadLetterSearch letters, DeadLetterOptions which, boolean withRedriven) {
    try {
      return letters.find(which.filter(), which.bounds(withRedriven), Function.identity());
    } catch (LookRefusedException e) {
      throw new CommandFailure(
          ExitCode.FINDINGS,
          e.getMessage() + ". Nothing was done; add --despite-limit to do it anyway");
    }
  }

  private static void requireCondition(DeadLetterOptions which) {
    if (which.filter().isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE, "Say which events: ids, or a filter like --type");
    }
  }

  private static void tellMore(Output output, DeadLetterOptions which, Found<DeadLetter> found) {
    if (found.more()) {
      output.note("The limit of " + which.limit() + " was reached, there are more; see --limit.");
    }
  }

  private static int dryRun(Output output, DeadLetterSearch letters, Found<DeadLetter> found) {
    List<DeadLetter> all = found.letters();
    if (output.json()) {
      output.object(result(true, found, 0, null));
    } else {
      output.line("Would redrive " + all.size() + " dead letter(s):");
      output.rows(
          DeadLetterRows.of(letters, all.subList(0, Math.min(FIRST_ROWS, all.size()))),
          "None matches that was not redriven before.");
      if (all.size() > FIRST_ROWS) {
        output.line("... and " + (all.size() - FIRST_ROWS) + " more");
      }
      output.line("Nothing was changed. Add --yes and --reason to do it.");
    }
    return all.isEmpty() ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private static @Nullable String failure(List<Redrive.Sent> sent) {
    for (Redrive.Sent each : sent) {
      if (each.note() != null) {
        return each.letter().eventId() + ": " + each.note();
      }
    }
    return sent.stream().anyMatch(each -> each.outcome() == Redrive.Outcome.LEFT)
        ? "interrupted; dead letters already sent stay sent"
        : null;
  }

  private static int answer(
      Output output, Found<DeadLetter> found, int redriven, @Nullable String failure) {
    int matched = found.letters().size();
    if (output.json()) {
      output.object(result(false, found, redriven, failure));
    } else {
      output.line(matched + " dead letter(s) matched, " + redriven + " redriven.");
      if (failure != null) {
        output.line("Failed: " + Printable.line(failure));
      }
    }
    return matched > 0 && failure == null ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static Map<String, @Nullable Object> result(
      boolean dryRun, Found<DeadLetter> found, int redriven, @Nullable String failure) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("verb", "redrive");
    result.put("dryRun", dryRun);
    result.put("matched", found.letters().size());
    result.put("more", found.more());
    result.put("redriven", redriven);
    result.put("failure", failure);
    return result;
  }
}
