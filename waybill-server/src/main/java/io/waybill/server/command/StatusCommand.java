package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.SessionView;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows where outboxes stand. */
@Command(
    name = "status",
    description = "Show backlog, failures, relays and paused destinations of each outbox.")
final class StatusCommand implements Callable<Integer> {
  private static final int MOST_COUNTED = 10_000_000;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Option(
      names = "--count",
      description = "Also count the events that wait, which reads the table: up to 10,000,000.")
  private boolean count;

  @Override
  public Integer call() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (StandaloneOutbox outbox : options.outboxes()) {
      try (Admin admin = outbox.admin()) {
        all.add(status(outbox, admin));
      }
    }
    output.blocks(all, "There is no outbox.");
    return ExitCode.OK;
  }

  private Map<String, Object> status(StandaloneOutbox outbox, Admin admin) {
    Counts counts = admin.counts();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("outbox", outbox.name());
    status.put("oldestUnpublishedSeconds", counts.oldestUnpublishedMillis() / 1000.0);
    if (count) {
      long waiting = admin.count(EventFilter.status(EventStatus.PENDING), MOST_COUNTED);
      status.put("waiting", waiting);
    }
    status.put("retrying", counts.retry());
    status.put("parked", counts.parked());
    status.put("dead", counts.dead());
    status.put("held", counts.held());
    status.put("requests", counts.requests());
    status.put("lanes", admin.lanes().size());
    status.put("freeLanes", admin.lanes().stream().filter(lane -> lane.fence() == null).count());
    status.put("relays", admin.sessions().stream().map(RelayRow::of).toList());
    status.put(
        "pausedDestinations",
        admin.destinations().stream()
            .filter(DestinationView::paused)
            .map(DestinationView::name)
            .toList());
    return status;
  }

  /**
   * A relay: an object for programs, a text for people.
   *
   * @param relay its name
   * @param lanes how many lanes it owns
   * @param fence fence of its session
   * @param joinedAt when it joined
   * @param leaseSeconds until its lease ends; negative if it has ended
   */
  private record RelayRow(
      String relay, int lanes, long fence, String joinedAt, double leaseSeconds) {
    static RelayRow of(SessionView session) {
      return new RelayRow(
          session.relay(),
          session.lanes(),
          session.fence(),
          session.joinedAt().toString(),
          session.leaseMillis() / 1000.0);
    }

    @Override
    public String toString() {
      return "%s (%d lanes, fence %d, lease ends in %d s)"
          .formatted(relay, lanes, fence, Math.round(leaseSeconds));
    }
  }
}
