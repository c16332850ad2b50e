package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventView;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the events that a filter means, page by page in the order of their rows. */
final class Selection {
  private static final int PAGE = 500;

  private final Admin admin;
  private final FilterOptions filter;
  private final OutboxAccess outbox;

  Selection(Admin admin, FilterOptions filter, OutboxAccess outbox) {
    this.admin = admin;
    this.filter = filter;
    this.outbox = outbox;
    if (filter.destination() != null && outbox.configured().isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--destination does not go with --url: the API does not know the routes; see --group");
    }
  }

  /**
   * Some of the events that match.
   *
   * @param events the first, or the latest
   * @param matching how many there are, negative if there are more and nobody has counted them
   */
  record Found(List<EventView> events, long matching) {
    boolean hasMore() {
      return matching != events.size();
    }
  }

  /** The first events, as many as the limit of lists allows. */
  Found first() {
    List<EventView> found = new ArrayList<>();
    int limit = filter.limit();
    boolean more = visit(limit, found::addAll);
    return new Found(found, more ? count() : found.size());
  }

  /** The latest events, the last row first. */
  Found latest() {
    if (filter.destination() != null) {
      throw new CommandFailure(ExitCode.USAGE, "--newest-first goes without --destination");
    }
    int limit = filter.limit();
    List<EventView> found = new ArrayList<>();
    @Nullable String before = null;
    do {
      EventPage page = admin.latest(filter.filter(), before, limit + 1 - found.size());
      found.addAll(page.events());
      before = page.next();
    } while (before != null && found.size() <= limit);
    return found.size() > limit
        ? new Found(found.subList(0, limit), count())
        : new Found(found, found.size());
  }

  /** Where they go is in no table. */
  private long count() {
    if (filter.destination() != null) {
      return -1;
    }
    long all = size();
    return all > outbox.mostCounted() ? -1 : all;
  }

  /** How many match: one more than is counted if there are more. */
  long size() {
    int most = outbox.mostCounted() + 1;
    if (filter.destination() == null) {
      return count(admin, filter.filter(), most);
    }
    LongAdder count = new LongAdder();
    boolean unused = visit(most, page -> count.add(page.size()));
    return count.sum();
  }

  /**
   * How many events match.
   *
   * @param most number at which to stop counting
   */
  static long count(Admin admin, EventFilter filter, int most) {
    long all = 0;
    @Nullable String after = null;
    do {
      EventCount count = admin.count(filter, after, (int) (most - all));
      all += count.count();
      after = count.next();
    } while (after != null && all < most);
    return all;
  }

  /** Hands out pages until so many events were in them; returns whether more match. */
  boolean visit(int limit, Consumer<List<EventView>> each) {
    @Nullable String after = null;
    int left = limit;
    do {
      EventPage page = admin.find(filter.filter(), after, PAGE);
      List<EventView> matching = page.events().stream().filter(this::matches).toList();
      List<EventView> taken = matching.subList(0, Math.min(left, matching.size()));
      if (!taken.isEmpty()) {
        each.accept(taken);
      }
      left -= taken.size();
      if (taken.size() < matching.size()) {
        return true;
      }
      after = page.next();
    } while (after != null);
    return false;
  }

  private boolean matches(EventView event) {
    String wanted = filter.destination();
    return wanted == null
        || admin.show(event.eventId()).flatMap(outbox::destination).equals(Optional.of(wanted));
  }
}
