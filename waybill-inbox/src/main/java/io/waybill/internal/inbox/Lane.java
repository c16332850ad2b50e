package io.waybill.internal.inbox;

import java.util.LinkedHashSet;
import java.util.Set;

/** A lane during one assignment. */
final class Lane {
  final String name;
  // Everything of it in memory.
  final Set<PendingMessage> messages = new LinkedHashSet<>();
  boolean held;
  boolean stopped;
  boolean gone;
  // Items in the hands of workers.
  int running;

  Lane(String name) {
    this.name = name;
  }
}
