package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventView;
import io.waybill.server.assemble.Destinations;
import io.waybill.server.config.OutboxConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the events that a filter means. */
final class Selection {
  private static final int PAGE = 500;

  // Conditions that only the command checks could otherwise page through millions of events.
  private static final int MOST_LOOKED_AT = 200_000;

  private final Admin admin;
  private final FilterOptions filter;
  private final Destinations destinations;
  private final Instant now;

  Selection(Admin admin, FilterOptions filter, OutboxConfig outbox) {
    this.admin = admin;
    this.filter = filter;
    this.destinations = new Destinations(outbox);
    this.now = Instant.now();
  }

  /** The events in the order of their rows, as many as the limit allows. */
  List<EventView> find() {
    int limit = filter.limit();
    List<EventView> found = new ArrayList<>();
    @Nullable String after = null;
    for (int looked = 0; looked < MOST_LOOKED_AT && found.size() < limit; ) {
      List<EventView> page = admin.find(filter.filter(), after, PAGE);
      page.stream().filter(this::matches).forEach(found::add);
      looked += page.size();
      if (page.size() < PAGE) {
        break;
      }
      after = page.get(page.size() - 1).position();
    }
    return found.subList(0, Math.min(limit, found.size()));
  }

  private boolean matches(EventView event) {
    Duration age = filter.olderThan();
    if (age != null && !event.createdAt().isBefore(now.minus(age))) {
      return false;
    }
    String wanted = filter.destination();
    return wanted == null
        || admin.show(event.eventId()).flatMap(destinations::of).equals(Optional.of(wanted));
  }
}
