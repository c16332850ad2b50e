package io.waybill.server.command;

import io.waybill.internal.jdbc.operator.InboxAdmin;
import io.waybill.internal.jdbc.operator.InboxAdmin.ConsumerView;
import io.waybill.internal.jdbc.operator.InboxAdmin.Deferred;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the consumers whose inboxes have their tables beside an outbox. */
@Command(
    name = "consumers",
    description = {
      "List the consumers whose inboxes have their tables in the schema of the outbox.",
      "Each has its lanes, its deferred events (10,000 at most), since when, and the one that is tried next."
    })
final class ConsumersCommand implements Callable<Integer> {
  private static final int MOST_CONSUMERS = 1_000;
  private static final int MOST_COUNTED = 10_000;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    try (InboxAdmin admin = options.outbox().inboxes()) {
      List<ConsumerView> consumers = admin.consumers(MOST_CONSUMERS, MOST_COUNTED + 1);
      output.rows(
          consumers.stream().map(ConsumersCommand::row).toList(),
          "No consumer has noted anything.");
      return ExitCode.OK;
    }
  }

  private static Map<String, @Nullable Object> row(ConsumerView view) {
    Deferred next = view.next();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("consumer", view.consumer());
    row.put("lanes", view.lanes());
    row.put("notedAt", EventRows.text(view.notedAt()));
    row.put("deferred", Math.min(view.deferred(), MOST_COUNTED));
    row.put("more", view.deferred() > MOST_COUNTED);
    row.put("behind", view.behind());
    row.put("since", EventRows.text(view.since()));
    row.put("nextEventId", next == null ? null : next.eventId());
    row.put("nextEventType", next == null ? null : next.eventType());
    row.put("nextSource", next == null ? null : next.source());
    row.put("nextAttempts", next == null ? null : next.attempts());
    row.put("nextAttemptAt", next == null ? null : next.dueAt().toString());
    row.put("failure", next == null ? null : next.failure());
    return row;
  }
}
