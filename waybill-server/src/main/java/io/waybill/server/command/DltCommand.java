package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.Instruction;
import io.waybill.broker.DeadLetterReader;
import io.waybill.encode.DeadLetter;
import io.waybill.server.assemble.Databases;
import io.waybill.server.assemble.DeadLetters;
import io.waybill.server.config.OutboxConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at the dead letters of consumers, and sends them again. */
@Command(name = "dlt", description = "List, show and redrive dead letters of consumers.")
final class DltCommand extends Group {
  private static final int FIRST_ROWS = 10;

  @Command(name = "list", description = "List dead letters in the order of their places.")
  int list(@Mixin ConfigOptions options, @Mixin DltFilter filter, @Mixin Output output) {
    OutboxConfig outbox = options.outbox();
    String name = filter.name();
    try (Admin admin = Databases.admin(outbox);
        DeadLetterReader reader = DeadLetters.reader(outbox, name)) {
      DltLetters letters = DltLetters.of(reader, admin, name);
      output.rows(DltRows.of(letters, letters.find(filter, true)));
      return ExitCode.OK;
    }
  }

  @Command(name = "show", description = "Show everything known about the dead letters of an event.")
  int show(
      @Mixin ConfigOptions options,
      @Mixin DltFilter filter,
      @Mixin Output output,
      @Option(
              names = "--payload",
              description = "Print the payload too, at most 64 KiB; it may be personal data.")
          boolean payload) {
    OutboxConfig outbox = options.outbox();
    String name = filter.name();
    if (filter.isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE, "Say which events: ids, or a filter like --type");
    }
    try (Admin admin = Databases.admin(outbox);
        DeadLetterReader reader = DeadLetters.reader(outbox, name)) {
      DltLetters letters = DltLetters.of(reader, admin, name);
      List<DeadLetter> found = letters.find(filter, true);
      if (found.isEmpty()) {
        throw new CommandFailure(ExitCode.FINDINGS, "There is no such dead letter in " + name);
      }
      found.forEach(letter -> output.object(DltRows.detail(letters, letter, payload)));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "redrive",
      description = "Send dead letters to where they came from, marked, in their order.")
  int redrive(
      @Mixin ConfigOptions options,
      @Mixin DltFilter filter,
      @Mixin ChangeOptions change,
      @Mixin Output output,
      @Option(
              names = "--rate",
              paramLabel = "N",
              defaultValue = "100",
              description = "At most so many a second, 1 to 10000. Default: ${DEFAULT-VALUE}.")
          int rate,
      @Option(
              names = "--for",
              paramLabel = "NAME",
              description = "Name of the inbox that is to handle them. Default: who gave them up.")
          @Nullable String target,
      @Option(names = "--again", description = "Also those of a topic that were redriven before.")
          boolean again) {
    OutboxConfig outbox = options.outbox();
    String name = filter.name();
    if (filter.isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE, "Say which events: ids, or a filter like --type");
    }
    if (rate < 1 || rate > 10_000) {
      throw new CommandFailure(ExitCode.USAGE, "--rate must be from 1 to 10000, but is " + rate);
    }
    Instruction by = change.yes() ? change.instruction(options.surroundings().user()) : null;
    try (Admin admin = Databases.admin(outbox);
        DeadLetterReader reader = DeadLetters.reader(outbox, name)) {
      DltLetters letters = DltLetters.of(reader, admin, name);
      List<DeadLetter> found = letters.find(filter, again);
      if (by == null) {
        return dryRun(output, letters, found);
      }
      try (Redrive redrive = new Redrive(outbox, admin, reader, name, by)) {
        return answer(output, found.size(), redrive.run(found, target, rate));
      }
    }
  }

  private static int dryRun(Output output, DltLetters letters, List<DeadLetter> found) {
    if (output.json()) {
      output.object(result(true, found.size(), 0, null));
    } else {
      output.line("Would redrive " + found.size() + " dead letter(s):");
      output.rows(DltRows.of(letters, found.subList(0, Math.min(FIRST_ROWS, found.size()))));
      if (found.size() > FIRST_ROWS) {
        output.line("... and " + (found.size() - FIRST_ROWS) + " more");
      }
      output.line("Nothing was changed. Add --yes and --reason to do it.");
    }
    return found.isEmpty() ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private static int answer(Output output, int matched, Redrive.Result result) {
    if (output.json()) {
      output.object(result(false, matched, result.done(), result.failure()));
    } else {
      output.line(matched + " dead letter(s) matched, " + result.done() + " redriven.");
      if (result.failure() != null) {
        output.rows(List.of(Map.of("failed", result.failure())));
      }
    }
    return matched > 0 && result.failure() == null ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static Map<String, @Nullable Object> result(
      boolean dryRun, int matched, int redriven, @Nullable String failure) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("verb", "redrive");
    result.put("dryRun", dryRun);
    result.put("matched", matched);
    result.put("redriven", redriven);
    result.put("failure", failure);
    return result;
  }
}
