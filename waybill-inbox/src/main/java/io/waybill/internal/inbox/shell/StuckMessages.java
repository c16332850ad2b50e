package io.waybill.internal.inbox.shell;

import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxEvent.MessageStuck;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that can't be finished for so long that somebody has to see to them: what follows of
 * their key waits for them, and with Kafka sooner or later what follows in their partition, if they
 * are still with the broker. Used by one thread, but for {@link #problem}.
 */
final class StuckMessages {
  private record Message(String place, String eventId) {}

  private final Duration limit;
  private final Consumer<InboxEvent> listener;
  private Set<Message> told = Set.of();
  private volatile @Nullable String problem;

  StuckMessages(Duration limit, Consumer<InboxEvent> listener) {
    this.limit = limit;
    this.listener = listener;
  }

  /** Looks at what can't be finished; each is told once. */
  void look(List<MessageStuck> all) {
    Set<Message> now = new HashSet<>();
    MessageStuck worst = null;
    for (MessageStuck each : all) {
      if (each.time().compareTo(limit) > 0) {
        Message message = new Message(each.place(), each.about().eventId());
        now.add(message);
        worst = worst == null || each.time().compareTo(worst.time()) > 0 ? each : worst;
        if (!told.contains(message)) {
          listener.accept(each);
        }
      }
    }
    told = now;
    problem = worst == null ? null : describe(worst, now.size());
  }

  private static String describe(MessageStuck worst, int all) {
    return ("event %s, in %s, can't be finished for %s: %s; later events of its key wait"
            + " (%d such messages, at most one of each lane and of the table)")
        .formatted(worst.about().eventId(), worst.place(), worst.time(), worst.reason(), all);
  }

  /** One sentence for an operator; null if there is none. */
  @Nullable String problem() {
    return problem;
  }
}
