package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Transport;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/** What Waybill has to know of one binder: how it says that a message was stored. Thread-safe. */
interface BinderKind {
  /** The broker behind it. */
  Transport transport();

  /**
   * Why sends to a binding could not be confirmed, with what mends it; null if they can be.
   *
   * @param binding name of the binding
   * @param place the topic or exchange behind it
   */
  @Nullable String unconfirmed(String binding, String place);

  /** Why a binding does not take routing keys, with what mends it; null if it does. */
  @Nullable String unrouted(String binding);

  /** What the binder would throw at, or lose without a word; null for a good message. */
  Confirmation.@Nullable Rejected refusal(Outgoing message);

  /** The message as the binder takes it. */
  Handover handover(Outgoing message);

  /** What an exception means that the binder threw instead of taking the message. */
  Confirmation failure(Outgoing message, Throwable thrown);

  /** Asks the broker now and then; nothing is connected before it is used. */
  Probe probe();

  /**
   * A message for the binding.
   *
   * @param message the message
   * @param outcome completed by the binder's confirmation, by any thread
   * @param returned to be run when a bridge that is not asynchronous has returned: completes the
   *     outcome if it will never be completed
   */
  record Handover(Message<?> message, CompletableFuture<Confirmation> outcome, Runnable returned) {}

  /** Used by one thread. */
  interface Probe extends AutoCloseable {
    /** Returns if the broker answers, throws if it does not within some seconds. */
    void ask() throws Exception;

    @Override
    void close();
  }
}
