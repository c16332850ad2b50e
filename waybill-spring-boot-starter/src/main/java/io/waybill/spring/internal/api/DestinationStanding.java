package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.SessionView;
import io.waybill.store.FailingDestination;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a destination stands: by what operators have said, by what relays say of it, and by the
 * events on record that it did not take.
 *
 * @param destination its name; empty for events that failed before one was found
 * @param paused whether an operator has paused it
 * @param by who changed that last, or null
 * @param since when, or null
 * @param reason why, or null
 * @param retrying events that it refused and that are tried again; of each type and reason, at most
 *     1,000 are counted, in the 1,000 largest groups
 * @param parked events that it refused and that are parked, counted likewise
 * @param failingSince since when it takes no events from a relay, or null if it does, as far as is
 *     known
 * @param failure why it takes none, else the reason of the largest group of events that it refused,
 *     as far as they are counted; or null
 * @param detail one sentence about why it takes none, or null
 * @param failedAt the earliest time of a last refusal among them, or null
 */
public record DestinationStanding(
    String destination,
    boolean paused,
    @Nullable String by,
    @Nullable Instant since,
    @Nullable String reason,
    Answers.Count retrying,
    Answers.Count parked,
    @Nullable Instant failingSince,
    @Nullable String failure,
    @Nullable String detail,
    @Nullable Instant failedAt) {
  private record Failing(FailingDestination destination, Instant since) {
    static Failing of(SessionView relay, FailingDestination destination) {
      return new Failing(destination, relay.renewedAt().minusMillis(destination.forMillis()));
    }

    Failing earlier(Failing other) {
      return other.since.isBefore(since) ? other : this;
    }
  }

  private static final int MOST_GROUPS = 1_000;
  private static final int MOST_COUNTED = 1_000;

  /**
   * Looks at some destinations, and at all others of which something is known.
   *
   * @param admin the outbox
   * @param routed names of destinations, or templates of them
   * @return those that take no events, those that operators have touched, those that refused
   *     events, and then the others
   */
  public static List<DestinationStanding> of(Admin admin, List<String> routed) {
    Map<String, DestinationView> touched = new TreeMap<>();
    admin.destinations().forEach(view -> touched.put(view.name(), view));
    Map<String, List<FailureGroup>> failures = new TreeMap<>();
    Set<EventStatus> cut = EnumSet.noneOf(EventStatus.class);
    for (EventStatus status : List.of(EventStatus.PENDING, EventStatus.PARKED)) {
      List<FailureGroup> groups = admin.failures(status, null, MOST_GROUPS, MOST_COUNTED + 1);
      for (FailureGroup group : groups) {
        String name = Objects.requireNonNullElse(group.sample().destination(), "");
        failures.computeIfAbsent(name, n -> new ArrayList<>()).add(group);
      }
      if (groups.size() == MOST_GROUPS) {
        cut.add(status);
      }
    }
    Map<String, Failing> failing = new TreeMap<>();
    admin.sessions().stream()
        .flatMap(relay -> relay.failing().stream().map(each -> Failing.of(relay, each)))
        .forEach(each -> failing.merge(each.destination().destination(), each, Failing::earlier));
    Map<String, DestinationStanding> all = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(failing.keySet());
    names.addAll(touched.keySet());
    names.addAll(failures.keySet());
    names.addAll(routed);
    names.forEach(
        name ->
            all.computeIfAbsent(
                name,
                n ->
                    of(
                        n,
                        touched.get(n),
                        failing.get(n),
                        failures.getOrDefault(n, List.of()),
                        cut)));
    return List.copyOf(all.values());
  }

  /**
   * Names of destinations that take no events.
   *
   * @param relays as they say
   * @return names, each once
   */
  public static List<String> failing(List<SessionView> relays) {
    return relays.stream()
        .flatMap(relay -> relay.failing().stream())
        .map(FailingDestination::destination)
        .distinct()
        .toList();
  }

  private static DestinationStanding of(
      String name,
      @Nullable DestinationView view,
      @Nullable Failing failing,
      List<FailureGroup> groups,
      Set<EventStatus> cut) {
    FailureGroup largest =
        groups.stream()
            .max(
                Comparator.comparingLong(FailureGroup::count)
                    .thenComparing(group -> group.status() == EventStatus.PARKED))
            .orElse(null);
    return new DestinationStanding(
        name,
        view != null && view.paused(),
        view == null ? null : view.changedBy(),
        view == null ? null : view.changedAt(),
        view == null ? null : view.reason(),
        count(groups, EventStatus.PENDING, cut),
        count(groups, EventStatus.PARKED, cut),
        failing == null ? null : failing.since(),
        failing != null
            ? failing.destination().reason()
            : largest == null ? null : largest.sample().reason(),
        failing == null ? null : failing.destination().detail(),
        groups.stream().map(FailureGroup::first).min(Comparator.naturalOrder()).orElse(null));
  }

  private static Answers.Count count(
      List<FailureGroup> groups, EventStatus status, Set<EventStatus> cut) {
    List<Long> counts =
        groups.stream().filter(group -> group.status() == status).map(FailureGroup::count).toList();
    return new Answers.Count(
        counts.stream().mapToLong(count -> Math.min(count, MOST_COUNTED)).sum(),
        cut.contains(status) || counts.stream().anyMatch(count -> count > MOST_COUNTED));
  }
}
