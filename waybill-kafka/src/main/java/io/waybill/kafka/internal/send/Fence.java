package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Holds back the keys of failed sends until the caller has had the chance to see the report: it
 * looks at the reports after each burst, and ends a burst by a flush. Without it, a send of the
 * same burst would pass the failed one. Guarded by the dispatcher, under whose lock failures are
 * reported, too.
 */
final class Fence {
  private record Place(String topic, ByteBuffer key) {}

  private final Set<Place> held = new HashSet<>();

  void hold(Outgoing message) {
    byte[] key = message.key();
    if (key != null) {
      held.add(new Place(message.destination().target(), ByteBuffer.wrap(key)));
    }
  }

  boolean holds(Outgoing message) {
    byte[] key = message.key();
    return key != null
        && !held.isEmpty()
        && held.contains(new Place(message.destination().target(), ByteBuffer.wrap(key)));
  }

  int size() {
    return held.size();
  }

  void lift() {
    if (!held.isEmpty()) {
      held.clear();
    }
  }
}
