package io.waybill.kafka;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** One send that a generation has taken, and the callback of the client for it. */
final class InFlight implements Callback {
  private static final VarHandle SETTLED;

  static {
    try {
      SETTLED = MethodHandles.lookup().findVarHandle(InFlight.class, "settled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long sendId;
  final byte @Nullable [] key;
  final Topic topic;
  final Generation generation;
  final long sentNanos;

  /** The send after this one; guarded by the publisher's lock. */
  @Nullable InFlight next;

  /** What the client reported, kept until the whole generation is reported. */
  volatile @Nullable Exception failure;

  @SuppressWarnings("UnusedVariable")
  private volatile boolean settled;

  InFlight(long sendId, byte @Nullable [] key, Topic topic, Generation generation, long sentNanos) {
    this.sendId = sendId;
    this.key = key;
    this.topic = topic;
    this.generation = generation;
    this.sentNanos = sentNanos;
  }

  /** Wins once; the winner reports the outcome. */
  boolean settle() {
    return !settled && SETTLED.compareAndSet(this, false, true);
  }

  boolean isSettled() {
    return settled;
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    generation.completed(this, exception);
  }
}
