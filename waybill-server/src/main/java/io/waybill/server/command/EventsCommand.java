package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.server.assemble.Databases;
import io.waybill.server.config.OutboxConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at events; the verbs that change them are {@link ChangeCommand}s. */
@Command(name = "events", description = "List, show and mend events.")
final class EventsCommand extends Group {
  @Command(name = "list", description = "List events in the order of their rows.")
  int list(@Mixin ConfigOptions options, @Mixin FilterOptions filter, @Mixin Output output) {
    OutboxConfig outbox = options.outbox();
    try (Admin admin = Databases.admin(outbox)) {
      output.rows(EventRows.of(new Selection(admin, filter, outbox).find()));
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
    try (Admin admin = Databases.admin(options.outbox())) {
      EventDetail detail =
          admin
              .show(id)
              .orElseThrow(
                  () -> new CommandFailure(ExitCode.FINDINGS, "There is no event '" + id + "'"));
      output.object(EventRows.detail(detail, payload));
      return ExitCode.OK;
    }
  }
}
