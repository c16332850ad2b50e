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
import java.util.Set;
import java.util.TreeSet;
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
    Instant next = event.nextAttemptAt();
    if (next != null && next.isAfter(Instant.now())) {
      return "it failed and is tried again at " + next;
    }
    Optional<String> before = event.held() ? parked(admin, event) : Optional.empty();
    if (before.isPresent()) {
      return before.get();
    }
    List<DestinationView> paused =
        admin.destinations().stream().filter(DestinationView::paused).toList();
    Optional<DestinationView> own =
        paused.stream().filter(view -> destination.equals(Optional.of(view.name()))).findFirst();
    if (own.isPresent()) {
      DestinationView view = own.get();
      return "%s is paused since %s by %s (%s)"
          .formatted(view.name(), view.changedAt(), view.changedBy(), view.reason());
    }
    List<SessionView> relays =
        admin.sessions().stream().filter(relay -> relay.leaseMillis() > 0).toList();
    if (relays.isEmpty()) {
      return "no relay runs for this outbox";
    }
    Optional<SessionView> owner = owner(admin, event, relays);
    Optional<String> failing = owner.flatMap(relay -> failing(relay, destination));
    if (failing.isPresent()) {
      return failing.get();
    }
    if (event.held()) {
      return "behind another event of its key";
    }
    return owner
        .map(relay -> turn(relay, destination, paused))
        .orElse("no relay owns lane " + event.lane() + " yet");
  }

  private static Optional<SessionView> owner(
      Admin admin, EventView event, List<SessionView> relays) {
    Optional<Long> fence =
        admin.lanes().stream()
            .filter(lane -> lane.lane() == event.lane())
            .findFirst()
            .map(LaneOwner::fence);
    return relays.stream().filter(relay -> fence.equals(Optional.of(relay.fence()))).findFirst();
  }

  private static Optional<String> parked(Admin admin, EventView event) {
    if (event.aggregateType() == null) {
      return Optional.empty();
    }
    EventFilter key =
        new EventFilter(
            List.of(), EventStatus.PARKED, null, event.aggregateType(), event.aggregateId());
    return admin.find(key, null, 1).events().stream()
        .findFirst()
        .map(
            first ->
                "behind event %s of its key, which is parked (%s)"
                    .formatted(first.eventId(), first.reason()));
  }

  private static Optional<String> failing(SessionView relay, Optional<String> destination) {
    return relay.failing().stream()
        .filter(each -> concerns(each.destination(), destination))
        .findFirst()
        .map(
            each ->
                "%s takes no events from relay %s since %s (%s: %s)"
                    .formatted(
                        each.destination().equals(FailingDestination.BROKER)
                            ? "the broker"
                            : "destination " + each.destination(),
                        relay.relay(),
                        relay.renewedAt().minusMillis(each.forMillis()),
                        each.reason(),
                        each.detail()));
  }

  private static boolean concerns(String failing, Optional<String> destination) {
    if (failing.equals(FailingDestination.BROKER)) {
      return true;
    }
    String all = failing.endsWith("/*") ? failing.substring(0, failing.length() - 2) : null;
    return destination
        .filter(
            name ->
                name.equals(failing)
                    || (all != null && (name.equals(all) || name.startsWith(all + "/"))))
        .isPresent();
  }

  /** Where nobody knows where the event goes, any destination may be its own. */
  private static String turn(
      SessionView relay, Optional<String> destination, List<DestinationView> paused) {
    Set<String> troubled = new TreeSet<>();
    if (destination.isEmpty()) {
      relay.failing().forEach(each -> troubled.add(each.destination()));
      paused.forEach(view -> troubled.add(view.name()));
    }
    return "for its turn at relay "
        + relay.relay()
        + (troubled.isEmpty()
            ? ""
            : "; these destinations take no events or are paused: " + String.join(", ", troubled));
  }
}
