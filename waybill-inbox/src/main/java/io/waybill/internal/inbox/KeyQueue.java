package io.waybill.internal.inbox;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The messages of one key in their order; at most one of them, or a batch, is under way. */
final class KeyQueue {
  /** A key of a source, or the id of an event without key. */
  record Name(String source, boolean keyed, ByteBuffer key) {}

  final @Nullable Name name;
  final ArrayDeque<PendingMessage> queue = new ArrayDeque<>();
  // Something of it is being handled, waits for its time or for its dead letter.
  boolean busy;
  boolean ready;
  // What keeps it busy though only a time is waited for: deferred events go before it all the same.
  @Nullable PendingMessage refused;

  KeyQueue(@Nullable Name name) {
    this.name = name;
  }
}
