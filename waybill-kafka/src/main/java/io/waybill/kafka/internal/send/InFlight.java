package io.waybill.kafka.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** One send that a session has taken, and the callback of the client for it. */
final class InFlight implements Callback {
  private static final int OPEN = 0;
  private static final int REPORTING = 1;
  private static final int SETTLED = 2;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(InFlight.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Outgoing message;
  final Topic topic;
  final ProducerSession session;
  final long sentNanos;

  /** The send after this one; guarded by the publisher's lock. */
  @Nullable InFlight next;

  /** What the client reported, kept until the whole session is reported. */
  volatile @Nullable Exception failure;

  @SuppressWarnings("UnusedVariable")
  private volatile int state;

  InFlight(Outgoing message, Topic topic, ProducerSession session, long sentNanos) {
    this.message = message;
    this.topic = topic;
    this.session = session;
    this.sentNanos = sentNanos;
  }

  /** Wins once, until {@link #reported}; the winner reports the outcome. */
  boolean take() {
    return state == OPEN && STATE.compareAndSet(this, OPEN, REPORTING);
  }

  /** A report that ended in an error was not made: it is left to the next one who takes it. */
  void reported(boolean made) {
    state = made ? SETTLED : OPEN;
  }

  boolean isSettled() {
    return state == SETTLED;
  }

  /** Its outcome when the broker has stored it. */
  Confirmation confirmed(@Nullable RecordMetadata metadata) {
    long id = message.sendId();
    return metadata == null
        ? new Confirmation.Confirmed(id)
        : new Confirmation.Confirmed(id, metadata.partition(), metadata.offset());
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    session.completed(this, metadata, exception);
  }
}
