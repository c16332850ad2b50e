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
  static void settle(Path config) {
    try (Admin admin =
        StandaloneOutboxes.of(StandaloneOutboxes.loader().load(config, Map.of()), "demo")
            .get(0)
            .admin()) {
      for (DestinationView destination : admin.destinations()) {
        if (destination.paused()) {
          admin.pause(destination.name(), false, END);
        }
      }
      // What waits for its relay already is asked for once.
      ask(admin, Verb.SKIP, Shop.POISON);
      for (String type : List.of(Shop.PLACED, Shop.CHANGED, Shop.RETURNED)) {
        ask(admin, Verb.RETRY, type);
      }
    }
  }

  private static void ask(Admin admin, Verb verb, String type) {
    int unused =
        admin.request(
            verb, new EventFilter(List.of(), EventStatus.PARKED, type, null, null), MOST, END);
  }
}
