package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at keys. */
@Command(name = "keys", description = "List the keys that do not flow.")
final class KeysCommand extends Group {
  private static final int MOST_KEYS = 1_000;
  private static final int MOST_BEHIND = 10_000;

  @Command(
      name = "blocked",
      description = {
        "List blocked keys with the event that blocks each, since when, why, and how many wait (10,000 at most).",
        "Events that the relay holds in memory are not counted."
      })
  int blocked(
      @Mixin ConfigOptions options,
      @Mixin Output output,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "Most keys, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
          int limit,
      @Option(
              names = "--after",
              paramLabel = "POSITION",
              description = "Only keys behind this one, the last of the page before.")
          @Nullable String after) {
    if (limit < 1 || limit > MOST_KEYS) {
      throw new CommandFailure(
          ExitCode.USAGE, "--limit must be from 1 to %d, but is %d".formatted(MOST_KEYS, limit));
    }
    try (Admin admin = options.access().admin()) {
      List<EventView> blocking = blocking(admin, after, limit);
      Set<List<@Nullable String>> seen = new HashSet<>();
      output.rows(
          blocking.stream()
              .filter(event -> seen.add(Arrays.asList(event.aggregateType(), event.aggregateId())))
              .map(head -> row(admin, head))
              .toList(),
          "No key is blocked.");
      if (blocking.size() == limit) {
        output.note("Further keys: --after " + blocking.get(limit - 1).position());
      }
      return ExitCode.OK;
    }
  }

  private static List<EventView> blocking(Admin admin, @Nullable String after, int limit) {
    try {
      return admin.blocking(after, limit);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCode.USAGE, "--after must be a position of a list, but is '%s'".formatted(after));
    }
  }

  private static Map<String, @Nullable Object> row(Admin admin, EventView head) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("key", EventRows.key(head));
    row.put("lane", head.lane());
    row.put("eventId", head.eventId());
    row.put("eventType", head.eventType());
    row.put("state", head.status() == EventStatus.PARKED ? "PARKED" : "RETRY");
    row.put("since", EventRows.text(head.failedAt()));
    row.put("attempts", head.attempts());
    row.put("nextAttemptAt", EventRows.text(head.nextAttemptAt()));
    row.put("behind", admin.behind(head, MOST_BEHIND));
    row.put("reason", head.reason());
    row.put("detail", head.detail());
    row.put("position", head.position());
    return row;
  }
}
