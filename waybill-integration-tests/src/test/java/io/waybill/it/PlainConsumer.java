package io.waybill.it;

import io.waybill.proof.oracle.Copy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps what arrives, in its order, read in the documented form. Thread-safe. */
abstract class PlainConsumer implements AutoCloseable {
  private final DocumentedOutbox outbox;
  private final List<Copy> copies = new ArrayList<>();
  private final Set<String> distinct = new HashSet<>();
  private @Nullable Throwable failure;

  PlainConsumer(DocumentedOutbox outbox) {
    this.outbox = outbox;
  }

  static PlainConsumer of(DocumentedOutbox outbox, KafkaUnderTest kafka, RabbitUnderTest rabbit) {
    return outbox.onRabbit()
        ? new PlainRabbitConsumer(outbox, rabbit.uri())
        : new PlainKafkaConsumer(outbox, kafka.bootstrapServers());
  }

  final synchronized void arrived(Message message) {
    try {
      Copy copy = BusinessWriters.copy(outbox.read(message));
      copies.add(copy);
      distinct.add(copy.eventId());
    } catch (RuntimeException | AssertionError e) {
      failure = failure == null ? e : failure;
    }
  }

  final synchronized int distinct() {
    if (failure != null) {
      throw new IllegalStateException("A message is not as documented", failure);
    }
    return distinct.size();
  }

  final synchronized List<Copy> copies() {
    return List.copyOf(copies);
  }

  @Override
  public abstract void close();
}
