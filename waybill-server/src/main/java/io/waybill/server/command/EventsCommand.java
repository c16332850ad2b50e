package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Corrections;
import io.waybill.server.correction.CorrectionOptions;
import io.waybill.server.correction.EventCorrection;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.api.WaitReason;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at events; the verbs that change them are {@link ChangeCommand}s. */
@Command(name = "events", description = "List, show and fix events.")
final class EventsCommand extends Group {
  @Command(name = "list", description = "List events in the order of their rows.")
  int list(
      @Mixin ConfigOptions options,
      @Mixin FilterOptions filter,
      @Mixin Output output,
      @Option(
              names = "--newest-first",
              description = "The last rows first. Default: the first rows.")
          boolean newestFirst) {
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      Selection selection = new Selection(admin, filter, outbox);
      Selection.Found found = newestFirst ? selection.latest() : selection.first();
      output.rows(EventRows.of(found.events()), "No event matches.");
      if (found.hasMore()) {
        output.note(
            "%d events are shown%s; see --limit and the filters."
                .formatted(
                    found.events().size(),
                    found.matching() < 0
                        ? ", more match"
                        : " of %d that match".formatted(found.matching())));
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "count",
      description = {
        "Count events, up to 10,000,000, through an API 10,000; with --destination, each matching event is looked at.",
        "Without --state parked or dead it reads the table."
      })
  int count(@Mixin ConfigOptions options, @Mixin FilterOptions filter, @Mixin Output output) {
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      long size = new Selection(admin, filter, outbox).size();
      long count = Math.min(size, outbox.mostCounted());
      if (output.json()) {
        output.object(Map.of("count", count));
      } else {
        output.line(Long.toString(count));
      }
      if (size > count) {
        output.note("There are more; no more were counted.");
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "show", description = "Show everything known about one event.")
  int show(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Parameters(paramLabel = "ID", description = "Event id.") String id,
      @Option(
              names = "--payload",
              description = "Print the payload too, at most 64 KiB; it may be personal data.")
          boolean payload) {
    OutboxAccess outbox = options.access();
    if (payload && outbox.configured().isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE, "--payload does not go with --url: the API shows no payloads");
    }
    try (Admin admin = outbox.admin()) {
      EventDetail detail =
          admin
              .show(id)
              .orElseThrow(
                  () -> new CommandFailure(ExitCode.FINDINGS, "There is no event '" + id + "'"));
      Optional<String> destination = outbox.destination(detail);
      Map<String, @Nullable Object> row =
          EventRows.detail(detail, destination, payload, output.json());
      row.put("waits", WaitReason.of(admin, detail.event(), destination));
      output.object(row);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "correct",
      description = {
        "Bury a parked or dead event, and append a corrected one at the end of its key.",
        "Without a relay nothing is appended. Needs a user with what schema print --correction-grant prints."
      })
  int correct(
      @Mixin ConfigOptions options,
      @Mixin CorrectionOptions correction,
      @Mixin ChangeOptions change,
      @Mixin Output output,
      @Parameters(paramLabel = "ID", description = "Event id.") String id) {
    OutboxAccess outbox = new OutboxAccess.ByDatabase(options.outbox());
    String user = options.context().user();
    Instruction by = change.yes() ? change.instruction(user) : null;
    try (Admin admin = outbox.admin()) {
      return new EventCorrection(
              Corrections.of(admin),
              output,
              job -> new JobExecution(outbox, admin, job, user, true).untilEnd(output))
          .run(id, correction.correction(), by);
    }
  }
}
