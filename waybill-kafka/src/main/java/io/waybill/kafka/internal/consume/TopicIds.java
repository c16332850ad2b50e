package io.waybill.kafka.internal.consume;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;

/**
 * Which topic it is that bears a name: one that was deleted and made anew has another id, and
 * positions in the former one mean nothing in it. Thread-safe.
 */
public final class TopicIds {
  private final Map<String, Long> askedAt = new HashMap<>();
  // All there were, for a broker that lags behind may name a former one again.
  private final Map<String, Set<Uuid>> known = new HashMap<>();
  private final Set<String> madeAnew = new TreeSet<>();

  /** Knows no topic yet. */
  public TopicIds() {}

  /**
   * The broker has answered.
   *
   * @param asked monotonic time in nanoseconds at which it was asked
   */
  synchronized void seen(String topic, Uuid id, long asked) {
    askedAt.put(topic, asked);
    if (id.equals(Uuid.ZERO_UUID)) {
      // A broker before 2.8 knows none, and is no other one once it is upgraded.
      return;
    }
    Set<Uuid> ids = known.computeIfAbsent(topic, name -> new HashSet<>());
    if (ids.add(id) && ids.size() > 1) {
      madeAnew.add(topic);
    }
  }

  /** Those that were made anew, until that is {@link #met}. */
  synchronized Set<String> madeAnew() {
    return madeAnew.isEmpty() ? Set.of() : new TreeSet<>(madeAnew);
  }

  synchronized void met(Collection<String> topics) {
    madeAnew.removeAll(topics);
  }

  /** Whether the broker was asked after that time and knows the topic by its former id. */
  synchronized boolean isSameSince(String topic, long time) {
    Long asked = askedAt.get(topic);
    return asked != null && asked - time >= 0 && !madeAnew.contains(topic);
  }
}
