package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.SessionView;
import io.waybill.server.assemble.Databases;
import io.waybill.server.config.OutboxConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows where outboxes stand. */
@Command(
    name = "status",
    description = "Show backlog, failures, relays and paused destinations of each outbox.")
final class StatusCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (OutboxConfig outbox : options.outboxes()) {
      try (Admin admin = Databases.admin(outbox)) {
        all.add(status(outbox, admin));
      }
    }
    if (output.json()) {
      output.rows(all);
    } else {
      all.forEach(output::object);
    }
    return ExitCode.OK;
  }

  private static Map<String, Object> status(OutboxConfig outbox, Admin admin) {
    Counts counts = admin.counts();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("outbox", outbox.name());
    status.put("oldestUnpublishedSeconds", counts.oldestUnpublishedMillis() / 1000.0);
    status.put("retrying", counts.retry());
    status.put("parked", counts.parked());
    status.put("dead", counts.dead());
    status.put("held", counts.held());
    status.put("requests", counts.requests());
    status.put("lanes", admin.lanes().size());
    status.put("freeLanes", admin.lanes().stream().filter(lane -> lane.fence() == null).count());
    status.put("relays", admin.sessions().stream().map(StatusCommand::relay).toList());
    status.put(
        "pausedDestinations",
        admin.destinations().stream()
            .filter(DestinationView::paused)
            .map(DestinationView::name)
            .toList());
    return status;
  }

  private static String relay(SessionView session) {
    return session.relay() + " (" + session.lanes() + " lanes, fence " + session.fence() + ")";
  }
}
