package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Rollups;
import io.waybill.internal.jdbc.operator.Storage;
import java.util.List;

/** How an outbox stands as a whole: asked for, or streamed. */
final class Standing {
  private static final int STREAMED_JOBS = 20;

  static final List<Operation> ALL =
      List.of(
          Operation.question(
              "",
              "status",
              "Backlog, failures, relays, paused and failing destinations, and how fast events go.",
              List.of(),
              Answers.Status.class,
              (admin, call) -> status(admin)),
          Operation.question(
              "/stream",
              "status",
              "Server-sent events: how all stands, and then what has changed, every two seconds at most.",
              List.of(),
              Answers.Change.class,
              (admin, call) -> change(admin)),
          Operation.question(
              "/storage",
              "storage",
              "Size of the tables, with estimates of rows, and the open transactions that keep removed rows.",
              List.of(),
              Storage.class,
              (admin, call) -> Storage.of(admin)));

  private Standing() {}

  /** How all stands. */
  static Answers.Change change(Admin admin) {
    return new Answers.Change(
        status(admin),
        Jobs.of(admin).list(Long.MAX_VALUE, STREAMED_JOBS).stream()
            .map(Answers.JobView::of)
            .toList());
  }

  private static Answers.Status status(Admin admin) {
    List<SessionView> relays = admin.sessions();
    return new Answers.Status(
        admin.counts(),
        relays,
        admin.lanes().stream().filter(lane -> lane.fence() == null).count(),
        admin.destinations().stream()
            .filter(DestinationView::paused)
            .map(DestinationView::name)
            .toList(),
        DestinationStanding.failing(relays),
        Rollups.of(admin).throughput());
  }
}
