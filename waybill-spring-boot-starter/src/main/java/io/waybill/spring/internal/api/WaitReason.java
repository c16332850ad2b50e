package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.store.FailingDestination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why an event is not published, as far as the tables say it. */
public final class WaitReason {
  private WaitReason() {}

  /**
   * Says why.
   *
   * @param admin the outbox
   * @param event the event
   * @param destination where it goes, if that is known
   * @return a sentence, or null if the event waits for nothing
   */
  public static @Nullable String of(Admin admin, EventView event, Optional<String> destination) {
    return switch (event.status()) {
      case PUBLISHED, DEAD -> null;
      case PARKED -> "for an operator: retry, skip or bury it";
      case PENDING -> pending(admin, event, destination);
    };
  }

  private static String pending(Admin admin, EventView event, Optional<String> destination) {
    if (event.delayedUntil() != null) {
      return "it is due at " + event.delayedUntil();
    }
    if (event.nextAttemptAt() != null) {
      return "it failed and is tried again at " + event.nextAttemptAt();
    }
    Optional<String> before = event.held() ? parked(admin, event) : Optional.empty();
    if (before.isPresent()) {
      return before.get();
    }
    Optional<DestinationView> paused =
        admin.destinations().stream()
            .filter(view -> view.paused() && destination.equals(Optional.of(view.name())))
            .findFirst();
    if (paused.isPresent()) {
      DestinationView view = paused.get();
      return "%s is paused since %s by %s (%s)"
          .formatted(view.name(), view.changedAt(), view.changedBy(), view.reason());
    }
    if (event.held()) {
      return "behind another event of its key";
    }
    return lane(admin, event, destination);
  }

  private static Optional<String> parked(Admin admin, EventView event) {
    if (event.aggregateType() == null) {
      return Optional.empty();
    }
    EventFilter key =
        new EventFilter(
            List.of(), EventStatus.PARKED, null, event.aggregateType(), event.aggregateId());
    return admin.find(key, null, 1).stream()
        .findFirst()
        .map(
            first ->
                "behind event %s of its key, which is parked (%s)"
                    .formatted(first.eventId(), first.reason()));
  }

  private static String lane(Admin admin, EventView event, Optional<String> destination) {
    List<SessionView> relays =
        admin.sessions().stream().filter(relay -> relay.leaseMillis() > 0).toList();
    if (relays.isEmpty()) {
      return "no relay runs for this outbox";
    }
    Optional<Long> fence =
        admin.lanes().stream()
            .filter(lane -> lane.lane() == event.lane())
            .findFirst()
            .map(LaneOwner::fence);
    return relays.stream()
        .filter(relay -> fence.equals(Optional.of(relay.fence())))
        .findFirst()
        .map(relay -> turn(relay, destination))
        .orElse("no relay owns lane " + event.lane() + " yet");
  }

  private static String turn(SessionView relay, Optional<String> destination) {
    List<FailingDestination> failing =
        relay.failing().stream().filter(each -> concerns(each, destination)).toList();
    if (failing.isEmpty()) {
      return "for its turn at relay " + relay.relay();
    }
    FailingDestination first = failing.get(0);
    Instant since = relay.renewedAt().minusMillis(first.forMillis());
    String what =
        first.destination().equals(FailingDestination.BROKER)
            ? "the broker"
            : "destination " + first.destination();
    String more = failing.size() > 1 ? "; so do %d more".formatted(failing.size() - 1) : "";
    return "%s takes no events from relay %s since %s (%s: %s)%s"
        .formatted(what, relay.relay(), since, first.reason(), first.detail(), more);
  }

  /** Any, if nobody knows where the event goes. */
  private static boolean concerns(FailingDestination failing, Optional<String> destination) {
    String name = failing.destination();
    return destination.isEmpty()
        || name.equals(FailingDestination.BROKER)
        || destination.get().equals(name)
        || (name.endsWith("/*")
            && destination.get().startsWith(name.substring(0, name.length() - 1)));
  }
}
