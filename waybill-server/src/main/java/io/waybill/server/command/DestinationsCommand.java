package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.Instruction;
import io.waybill.server.destination.DeclareOptions;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.config.Printable;
import io.waybill.spring.internal.destination.Declaration;
import io.waybill.spring.internal.destination.RoutedNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists, pauses, resumes and declares destinations. */
@Command(name = "destinations", description = "List, pause, resume and declare destinations.")
final class DestinationsCommand extends Group {
  private static final String NAME = "Topic, or exchange/routing-key.";

  @Command(
      name = "list",
      description = {
        "List the destinations that the routes name, those that take no events, were paused, or refused events.",
        "Of these it says since when, why, and how many events are tried again or parked. It counts at most 1,000",
        "of each type and reason, in the 1,000 largest groups; moreRetrying and moreParked say that there may be",
        "others. Relays say which destinations take none; * is the broker as a whole. Braces mark fields of",
        "templates."
      })
  int list(@Mixin ConfigOptions options, @Mixin Output output) {
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      List<Map<String, @Nullable Object>> rows =
          outbox.destinations(admin).stream().map(DestinationsCommand::row).toList();
      output.rows(rows, "No route names a destination, and none was paused.");
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

  @Command(
      name = "declare",
      description = {
        "Declare what destinations lack: topics; exchanges, queues and bindings.",
        "Parts that exist stay as they are. AMQP does not show bindings: to be sure, name a queue."
      })
  int declare(
      @Mixin ConfigOptions options,
      @Mixin DeclareOptions how,
      @Mixin ChangeOptions change,
      @Mixin Output output,
      @Parameters(
              paramLabel = "NAME",
              arity = "0..*",
              description = NAME + " Default: all that the routes name.")
          @Nullable List<String> names) {
    OutboxAccess outbox = options.access();
    Instruction by = change.yes() ? change.instruction(options.context().user()) : null;
    try (Admin admin = outbox.admin()) {
      Declaration declaration = how.of(names == null ? List.of() : names);
      return how.tell(outbox.declare(admin, declaration, by), by == null, output);
    }
  }

  private static int set(
      ConfigOptions options, ChangeOptions change, Output output, String name, boolean paused) {
    OutboxAccess outbox = options.access();
    try (Admin admin = outbox.admin()) {
      List<DestinationView> known =
          admin.destinations().stream().filter(view -> view.name().equals(name)).toList();
      if (known.isEmpty()) {
        requireRoute(outbox, name, output);
      }
      boolean before = !known.isEmpty() && known.get(0).paused();
      if (change.yes()) {
        admin.pause(name, paused, change.instruction(options.context().user()));
      }
      if (output.json()) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("destination", name);
        result.put("pausedBefore", before);
        result.put("paused", change.yes() ? paused : before);
        result.put("dryRun", !change.yes());
        output.object(result);
      } else {
        output.line(answer(name, before, paused, change.yes()));
        if (before == paused && change.yes()) {
          known.forEach(view -> output.line(kept(view)));
        }
      }
      return ExitCode.OK;
    }
  }

  private static void requireRoute(OutboxAccess outbox, String name, Output output) {
    Optional<RoutedNames> routed =
        outbox.configured().map(each -> new RoutedNames(each.destinations()));
    if (routed.isEmpty()) {
      output.aside("The API does not know the routes: see that one leads to '" + name + "'.");
    } else if (!routed.get().lead(name)) {
      throw routed.get().stray(name);
    }
  }

  private static String kept(DestinationView view) {
    return Printable.line(
        "%s said so at %s: %s. That reason stays; yours is in the audit."
            .formatted(view.changedBy(), view.changedAt(), view.reason()));
  }

  private static String answer(String name, boolean before, boolean paused, boolean done) {
    String verb = paused ? "pause" : "resume";
    String state = before ? "paused" : "not paused";
    if (before == paused) {
      return "%s is %s already.".formatted(name, state);
    }
    return done
        ? "%s is %sd; relays follow at their next check.".formatted(name, verb)
        : "Would %s %s, which is %s. Nothing was changed. Add --yes and --reason to do it."
            .formatted(verb, name, state);
  }

  private static Map<String, @Nullable Object> row(DestinationStanding standing) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("destination", standing.destination());
    row.put("paused", standing.paused());
    row.put("by", standing.by());
    row.put("since", EventRows.text(standing.since()));
    row.put("reason", standing.reason());
    row.put("failingSince", EventRows.text(standing.failingSince()));
    row.put("failure", standing.failure());
    row.put("detail", standing.detail());
    row.put("retrying", standing.retrying().count());
    row.put("moreRetrying", standing.retrying().more());
    row.put("parked", standing.parked().count());
    row.put("moreParked", standing.parked().more());
    row.put("failedAt", EventRows.text(standing.failedAt()));
    return row;
  }
}
