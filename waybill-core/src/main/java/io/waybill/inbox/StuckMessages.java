package io.waybill.inbox;

import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxEvent.MessageStuck;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that can't be finished for so long that somebody has to see to them: with Kafka all that
 * follows in their partition waits for them sooner or later, while other partitions go on. Used by
 * one thread, but for {@link #problem}.
 */
final class StuckMessages {
  private record Place(String lane, long position) {}

  private final Duration limit;
  private final Consumer<InboxEvent> listener;
  private Set<Place> told = Set.of();
  private volatile @Nullable String problem;

  StuckMessages(Duration limit, Consumer<InboxEvent> listener) {
    this.limit = limit;
    this.listener = listener;
  }

  /** Looks at what can't be finished; each is told once. */
  void look(List<MessageStuck> all) {
    Set<Place> now = new HashSet<>();
    MessageStuck worst = null;
    for (MessageStuck each : all) {
      if (each.time().compareTo(limit) > 0) {
        Place place = new Place(each.lane(), each.position());
        now.add(place);
        worst = worst == null || each.time().compareTo(worst.time()) > 0 ? each : worst;
        if (!told.contains(place)) {
          listener.accept(each);
        }
      }
    }
    told = now;
    problem = worst == null ? null : describe(worst, now.size());
  }

  private static String describe(MessageStuck worst, int lanes) {
    return "message %d of %s (event %s) can't be finished for %s: %s; what follows in its lane will wait or waits (%d lanes so)"
        .formatted(
            worst.position(),
            worst.lane(),
            worst.about().eventId(),
            worst.time(),
            worst.reason(),
            lanes);
  }

  /** One sentence for an operator; null if there is none. */
  @Nullable String problem() {
    return problem;
  }
}
