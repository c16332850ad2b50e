package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.server.assemble.Databases;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pauses and resumes destinations. */
@Command(name = "destinations", description = "List, pause and resume destinations.")
final class DestinationsCommand extends Group {
  private static final String NAME = "Topic, or exchange/routing-key.";

  @Command(name = "list", description = "List destinations that were paused or resumed.")
  int list(@Mixin ConfigOptions options, @Mixin Output output) {
    try (Admin admin = Databases.admin(options.outbox())) {
      output.rows(admin.destinations().stream().map(DestinationsCommand::row).toList());
      return ExitCode.OK;
    }
  }

  @Command(name = "pause", description = "Send nothing to a destination until it is resumed.")
  int pause(
      @Mixin ConfigOptions options,
      @Mixin ChangeOptions change,
      @Mixin Output output,
      @Parameters(paramLabel = "NAME", description = NAME) String name) {
    return set(options, change, output, name, true);
  }

  @Command(name = "resume", description = "Send to a paused destination again.")
  int resume(
      @Mixin ConfigOptions options,
      @Mixin ChangeOptions change,
      @Mixin Output output,
      @Parameters(paramLabel = "NAME", description = NAME) String name) {
    return set(options, change, output, name, false);
  }

  private static int set(
      ConfigOptions options, ChangeOptions change, Output output, String name, boolean paused) {
    try (Admin admin = Databases.admin(options.outbox())) {
      List<DestinationView> known =
          admin.destinations().stream().filter(view -> view.name().equals(name)).toList();
      boolean before = !known.isEmpty() && known.get(0).paused();
      if (change.yes()) {
        admin.pause(name, paused, change.instruction(options.surroundings().user()));
      }
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("destination", name);
      result.put("pausedBefore", before);
      result.put("paused", change.yes() ? paused : before);
      result.put("dryRun", !change.yes());
      output.object(result);
      if (!change.yes() && !output.json()) {
        output.line("Nothing was changed. Add --yes and --reason to do it.");
      }
      return ExitCode.OK;
    }
  }

  private static Map<String, Object> row(DestinationView view) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("destination", view.name());
    row.put("paused", view.paused());
    row.put("by", view.changedBy());
    row.put("since", view.changedAt().toString());
    row.put("reason", view.reason());
    return row;
  }
}
