package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why an event is not published, as far as the tables say it. */
final class WaitReason {
  private WaitReason() {}

  /** A sentence, or null if the event waits for nothing. */
  static @Nullable String of(Admin admin, EventView event, Optional<String> destination) {
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
    return lane(admin, event);
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

  private static String lane(Admin admin, EventView event) {
    if (!RequestWait.anyRelay(admin)) {
      return "no relay runs for this outbox";
    }
    return admin.lanes().stream()
        .filter(lane -> lane.lane() == event.lane() && lane.relay() != null)
        .findFirst()
        .map(
            lane ->
                "for its turn at relay %s, whose log and /readyz say whether the broker takes it"
                    .formatted(lane.relay()))
        .orElse("no relay owns lane " + event.lane() + " yet");
  }
}
