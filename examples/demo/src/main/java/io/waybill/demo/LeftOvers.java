package io.waybill.demo;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.Instruction;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.store.OperatorRequest.Verb;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What still waits for an operator in the end, decided as one would. */
final class LeftOvers {
  private static final int MOST = 100_000;
  private static final Instruction END = new Instruction("the demo", "the end of the demo");

  private LeftOvers() {}

  /**
   * Resumes destinations, skips what no broker takes, and retries what else is parked.
   *
   * @param config of a relay
   */
  static void settle(Path config, Screen screen) {
    try (Admin admin =
        StandaloneOutboxes.of(StandaloneOutboxes.loader().load(config, Map.of()), "demo")
            .get(0)
            .admin()) {
      for (DestinationView destination : admin.destinations()) {
        if (destination.paused()) {
          admin.pause(destination.name(), false, END);
        }
      }
      int skipped = admin.request(Verb.SKIP, parked(Shop.POISON_TYPE), MOST, END);
      int retried = 0;
      for (String type : List.of("order.placed", "order.changed", "order.returned")) {
        retried += admin.request(Verb.RETRY, parked(type), MOST, END);
      }
      if (skipped + retried > 0) {
        screen.event("%d left over to skip, %d to retry".formatted(skipped, retried));
      }
    }
  }

  private static EventFilter parked(String type) {
    return new EventFilter(List.of(), EventStatus.PARKED, type, null, null);
  }
}
