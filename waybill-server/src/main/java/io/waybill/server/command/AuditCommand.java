package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what operators asked for. */
@Command(name = "audit", description = "List requests with user, reason and outcome, latest first.")
final class AuditCommand implements Callable<Integer> {
  private static final int MOST = 10_000;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Most entries, 1 to 10,000. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(
      names = "--before",
      paramLabel = "ID",
      description = "Only entries before this one, the last of the page before.")
  private @Nullable Long before;

  @Override
  public Integer call() {
    if (limit < 1 || limit > MOST) {
      throw new CommandFailure(ExitCode.USAGE, "--limit must be 1 to 10000, but is " + limit);
    }
    try (Admin admin = options.access().admin()) {
      long from = before == null ? Long.MAX_VALUE : before;
      List<AuditEntry> found = admin.audit(from, limit + 1);
      List<AuditEntry> shown = found.subList(0, Math.min(limit, found.size()));
      output.rows(shown.stream().map(AuditCommand::row).toList(), "No requests have been made.");
      if (found.size() > limit) {
        output.note("Older entries: --before " + shown.get(limit - 1).id());
      }
      return ExitCode.OK;
    }
  }

  static Map<String, @Nullable Object> row(AuditEntry entry) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", entry.id());
    row.put("requestedAt", entry.requestedAt().toString());
    row.put("databaseUser", entry.databaseUser());
    row.put("clientAddress", entry.clientAddress());
    row.put("claimedBy", entry.requestedBy());
    row.put("verb", entry.verb());
    row.put("eventId", entry.eventId());
    row.put("destination", entry.destination());
    row.put("reason", entry.reason());
    row.put("earlierReason", entry.earlierReason());
    row.put("outcome", EventRows.outcome(entry));
    row.put("completedAt", entry.completedAt() == null ? null : entry.completedAt().toString());
    row.put("note", entry.note());
    return row;
  }
}
