package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a destination stands: by what operators have said, and by the events on record that it did
 * not take. While a destination refuses everything, relays try without recording that.
 *
 * @param destination its name
 * @param paused whether an operator has paused it
 * @param by who changed that last, or null
 * @param since when, or null
 * @param reason why, or null
 * @param retrying events that it refused and that are tried again, up to 10,000 of each type and
 *     reason
 * @param parked events that it refused and that are parked, counted likewise
 * @param failure reason of most of these, or null without any
 * @param failedAt the earliest time of a last refusal among them, or null
 */
public record DestinationStanding(
    String destination,
    boolean paused,
    @Nullable String by,
    @Nullable Instant since,
    @Nullable String reason,
    long retrying,
    long parked,
    @Nullable String failure,
    @Nullable Instant failedAt) {
  private static final int MOST_GROUPS = 1_000;
  private static final int MOST_COUNTED = 10_000;

  /**
   * Looks at some destinations, and at all others of which something is known.
   *
   * @param admin the outbox
   * @param routed names of destinations, or templates of them
   * @return those that operators have touched, those that refused events, and then the others
   */
  public static List<DestinationStanding> of(Admin admin, List<String> routed) {
    Map<String, DestinationView> touched = new TreeMap<>();
    admin.destinations().forEach(view -> touched.put(view.name(), view));
    Map<String, List<FailureGroup>> failures = new TreeMap<>();
    for (EventStatus status : List.of(EventStatus.PENDING, EventStatus.PARKED)) {
      for (FailureGroup group : admin.failures(status, null, MOST_GROUPS, MOST_COUNTED)) {
        String name = Objects.requireNonNullElse(group.sample().destination(), "");
        failures.computeIfAbsent(name, n -> new ArrayList<>()).add(group);
      }
    }
    // Of those without a route.
    failures.remove("");
    Map<String, DestinationStanding> all = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(touched.keySet());
    names.addAll(failures.keySet());
    names.addAll(routed);
    names.forEach(
        name ->
            all.computeIfAbsent(
                name, n -> of(n, touched.get(n), failures.getOrDefault(n, List.of()))));
    return List.copyOf(all.values());
  }

  private static DestinationStanding of(
      String name, @Nullable DestinationView view, List<FailureGroup> groups) {
    List<FailureGroup> retried =
        groups.stream().filter(group -> group.status() == EventStatus.PENDING).toList();
    FailureGroup largest =
        groups.stream().max(Comparator.comparingLong(FailureGroup::count)).orElse(null);
    return new DestinationStanding(
        name,
        view != null && view.paused(),
        view == null ? null : view.changedBy(),
        view == null ? null : view.changedAt(),
        view == null ? null : view.reason(),
        count(retried),
        count(groups) - count(retried),
        largest == null ? null : largest.sample().reason(),
        groups.stream().map(FailureGroup::first).min(Comparator.naturalOrder()).orElse(null));
  }

  private static long count(List<FailureGroup> groups) {
    return groups.stream().mapToLong(FailureGroup::count).sum();
  }
}
