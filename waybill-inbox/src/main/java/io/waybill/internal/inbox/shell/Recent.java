package io.waybill.internal.inbox.shell;

import io.waybill.observe.InboxEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events that were acknowledged last. Thread-safe. */
final class Recent {
  private final int limit;
  private final Deque<String> ids = new ArrayDeque<>();

  Recent(int limit) {
    this.limit = limit;
  }

  /** Takes those events whose transaction is committed; they are acknowledged at once. */
  void on(InboxEvent event) {
    InboxEvent.About about = about(event);
    if (about != null && !about.eventId().isEmpty()) {
      add(about.eventId());
    }
  }

  private static InboxEvent.@Nullable About about(InboxEvent event) {
    if (event instanceof InboxEvent.Handled handled) {
      return handled.about();
    }
    if (event instanceof InboxEvent.Duplicate duplicate) {
      return duplicate.about();
    }
    if (event instanceof InboxEvent.Deferred deferred) {
      return deferred.about();
    }
    return event instanceof InboxEvent.DeadLettered dead ? dead.about() : null;
  }

  private synchronized void add(String id) {
    if (ids.size() == limit) {
      ids.removeFirst();
    }
    ids.addLast(id);
  }

  /** Event ids, the last one first. */
  synchronized Set<String> ids() {
    Set<String> newest = new LinkedHashSet<>();
    for (Iterator<String> each = ids.descendingIterator(); each.hasNext(); ) {
      newest.add(each.next());
    }
    return newest;
  }
}
