package io.waybill.proof.sim.inbox;

import java.util.ArrayList;
import java.util.List;

/** The messages of a lane in the order of the broker: the first of them are visible. */
final class InboxLog {
  private final InboxWorld world;
  private final String consumer;
  private final List<InboxMessage> messages;
  private int visible;

  InboxLog(InboxWorld world, String consumer, List<InboxMessage> messages) {
    this.world = world;
    this.consumer = consumer;
    this.messages = new ArrayList<>(messages);
  }

  int size() {
    return messages.size();
  }

  int visible() {
    return visible;
  }

  InboxMessage get(int position) {
    return messages.get(position);
  }

  /** A message that comes behind all that there are. */
  void append(InboxMessage message) {
    messages.add(message);
    show();
  }

  private void show() {
    InboxMessage message = messages.get(visible++);
    if (world.swarm.promisesTime(message.key)) {
      world.time.after(InboxSwarm.LASTING_BOUND, () -> world.ledger.checkDone(consumer, message));
    }
  }

  /** All become visible, one after the other. */
  void publishAll(long over) {
    publish(messages.size(), over);
  }

  /** So many become visible, one after the other. */
  private void publish(int count, long over) {
    for (int i = 0; i < count; i++) {
      world.time.after(over * i / count, this::show);
    }
  }

  /** What is behind a position is gone, and is published again. */
  void loseEnd(int left) {
    publish(visible - left, world.dice.millis(1, 300));
    visible = left;
  }

  /** Begins anew: what was visible is published again, each once, and the rest. */
  void replace() {
    List<InboxMessage> again = messages.subList(0, visible).stream().distinct().toList();
    List<InboxMessage> rest = List.copyOf(messages.subList(visible, messages.size()));
    messages.clear();
    messages.addAll(again);
    messages.addAll(rest);
    visible = 0;
    publish(again.size(), world.dice.millis(1, 300));
  }
}
