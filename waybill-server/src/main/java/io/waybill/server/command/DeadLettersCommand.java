package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.Instruction;
import io.waybill.broker.DeadLetterReader;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.consumers.DeadLetterSearch;
import io.waybill.spring.internal.consumers.DeadLetterSearch.Found;
import io.waybill.spring.internal.consumers.LookRefusedException;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
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
      tellMore(output, which, found.more());
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
      tellMore(output, which, found.more());
      return ExitCode.OK;
    }
  }

  @Command(
      name = "redrive",
      description = {
        "Send dead letters back to where they came from, marked and in order: a few first, then the others at a rate.",
        "Stops by itself when dead letters come back and none is applied between them."
      })
  int redrive(
      @Mixin ConfigOptions options,
      @Mixin DeadLetterOptions which,
      @Mixin RedriveOptions how,
      @Mixin PaceOptions carefully,
      @Mixin ChangeOptions change,
      @Mixin Output output) {
    OutboxAccess.ByDatabase outbox = new OutboxAccess.ByDatabase(options.outbox());
    requireCondition(which);
    Pace pace = carefully.pace();
    Instruction by = change.yes() ? change.instruction(options.context().user()) : null;
    try (Admin admin = outbox.admin()) {
      if (by == null) {
        return dryRun(outbox.outbox(), admin, which, how, output);
      }
      JobLetters.Plan plan = plan(outbox.outbox(), admin, which, how);
      if (plan.letters().isEmpty()) {
        RedriveAnswer.print(output, RedriveAnswer.without(false, 0, plan.more()));
        tellMore(output, which, plan.more());
        return ExitCode.FINDINGS;
      }
      Jobs jobs = Jobs.of(admin);
      long id = jobs.plan(plan, pace, by.by()).id();
      jobs.run(id, by);
      Job end = new JobExecution(outbox, admin, id, by.by(), true).untilEnd(output);
      RedriveAnswer.print(output, RedriveAnswer.of(jobs, end));
      tellMore(output, which, end.more());
      return RedriveAnswer.isWell(end) ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  private static JobLetters.Plan plan(
      StandaloneOutbox outbox, Admin admin, DeadLetterOptions which, RedriveOptions how) {
    try (DeadLetterReader reader = outbox.deadLetters(which.name())) {
      DeadLetterSearch letters = new DeadLetterSearch(reader, admin, which.name());
      Found<Letter> found =
          looked(() -> letters.letters(which.filter(), which.bounds(how.again())));
      if (!reader.keeps()) {
        how.refuseAnother(found.letters());
      }
      return new JobLetters.Plan(
          which.source(), which.despiteLimit(), found.letters(), how.target(), found.more());
    }
  }

  private static Found<DeadLetter> find(
      DeadLetterSearch letters, DeadLetterOptions which, boolean withRedriven) {
    return looked(
        () -> letters.find(which.filter(), which.bounds(withRedriven), Function.identity()));
  }

  private static <T> T looked(Supplier<T> look) {
    try {
      return look.get();
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

  private static void tellMore(Output output, DeadLetterOptions which, boolean more) {
    if (more) {
      output.note("The limit of " + which.limit() + " was reached, there are more; see --limit.");
    }
  }

  private static int dryRun(
      StandaloneOutbox outbox,
      Admin admin,
      DeadLetterOptions which,
      RedriveOptions how,
      Output output) {
    String name = which.name();
    try (DeadLetterReader reader = outbox.deadLetters(name)) {
      DeadLetterSearch letters = new DeadLetterSearch(reader, admin, name);
      Found<DeadLetter> found = find(letters, which, how.again());
      List<DeadLetter> all = found.letters();
      if (!reader.keeps()) {
        how.refuseAnother(all.stream().map(letters::letter).toList());
      }
      if (output.json()) {
        output.object(RedriveAnswer.without(true, all.size(), found.more()));
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
      tellMore(output, which, found.more());
      return all.isEmpty() ? ExitCode.FINDINGS : ExitCode.OK;
    }
  }
}
