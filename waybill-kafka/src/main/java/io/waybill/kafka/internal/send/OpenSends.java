package io.waybill.kafka.internal.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sends of one session that have no outcome, in their order. Guarded by the publisher's lock.
 */
final class OpenSends {
  /** Oldest send that may be without outcome. */
  private @Nullable InFlight head;

  private @Nullable InFlight tail;
  private long appended;

  void add(InFlight send) {
    appended++;
    InFlight last = tail;
    if (last == null) {
      head = send;
    } else {
      last.next = send;
    }
    tail = send;
  }

  /** How many were added. */
  long appended() {
    return appended;
  }

  /** All sends without outcome, in their order. */
  List<InFlight> all() {
    List<InFlight> open = new ArrayList<>();
    for (InFlight send = head; send != null; send = send.next) {
      if (!send.isSettled()) {
        open.add(send);
      }
    }
    return open;
  }

  /** The oldest send without outcome. Forgets those before it. */
  @Nullable InFlight oldest() {
    InFlight first = head;
    while (first != null && first.isSettled()) {
      InFlight next = first.next;
      // A chain that begins in old memory would keep all that follows it from a young collection.
      first.next = null;
      first = next;
    }
    head = first;
    if (first == null) {
      tail = null;
    }
    return first;
  }

  /** Age of the oldest send without outcome; zero when there is none. */
  Duration oldestAge() {
    InFlight oldest = oldest();
    return oldest == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - oldest.sentNanos);
  }
}
