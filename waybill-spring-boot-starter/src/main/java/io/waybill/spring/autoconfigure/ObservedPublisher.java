package io.waybill.spring.autoconfigure;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher with an observation {@code waybill.publish} from each send to its outcome, where the
 * message belongs to a trace that is recorded; others cost a look at their headers. With Micrometer
 * Tracing it is a span that continues the trace of the row, and what handlers continue.
 */
final class ObservedPublisher extends ForwardingPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedPublisher.class);
  private static final String TRACEPARENT = "traceparent";
  private static final int TRACEPARENT_LENGTH = 55;
  private static final int PARENT_START = 36;
  private static final int HEXADECIMAL = 16;

  private final Observations observations;
  private final Map<Long, Observation> open = new ConcurrentHashMap<>();
  private final AtomicBoolean told = new AtomicBoolean();

  ObservedPublisher(Publisher publisher, Observations observations) {
    super(publisher);
    this.observations = observations;
  }

  /** A send without confirmation, for the span of it. */
  private static final class NotConfirmedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotConfirmedException(String reason) {
      super(reason, null, false, false);
    }
  }

  @Override
  public void send(Outgoing message) {
    String traceparent = message.header(TRACEPARENT);
    super.send(
        traceparent != null && isRecorded(traceparent) ? observed(message, traceparent) : message);
  }

  /** The last bit of the flags is set. */
  private static boolean isRecorded(String traceparent) {
    return traceparent.length() == TRACEPARENT_LENGTH
        && isOdd(Character.digit(traceparent.charAt(TRACEPARENT_LENGTH - 1), HEXADECIMAL));
  }

  private static boolean isOdd(int digit) {
    return digit > 0 && digit % 2 == 1;
  }

  /** Begins the observation; returns the message as it goes on. */
  private Outgoing observed(Outgoing message, String traceparent) {
    Observation.Scope before = observations.registry().getCurrentObservationScope();
    try {
      Observation observation =
          Observation.start("waybill.publish", () -> context(message), observations.registry());
      if (observation.isNoop()) {
        return message;
      }
      // Before the send: its outcome may come at once.
      open.put(message.sendId(), observation);
      String current = observation.scoped(() -> observations.traces().get());
      // Another trace than the event's is not written over it.
      return current != null && traceparent.regionMatches(0, current, 0, PARENT_START)
          ? message.replaceHeader(TRACEPARENT, current)
          : message;
    } catch (RuntimeException | Error e) {
      // A scope that could not be opened by all handlers is not closed by anybody.
      observations.registry().setCurrentObservationScope(before);
      tell(e, message.eventId());
      return message;
    }
  }

  private static ReceiverContext<Outgoing> context(Outgoing message) {
    // The writer of the row is the sender of what the relay receives and hands on.
    ReceiverContext<Outgoing> context = new ReceiverContext<>(Outgoing::header, Kind.PRODUCER);
    context.setCarrier(message);
    context.setContextualName("publish " + message.eventType());
    context.addLowCardinalityKeyValue(KeyValue.of("waybill.type", message.eventType()));
    context.addHighCardinalityKeyValue(
        KeyValue.of("waybill.destination", message.destination().name()));
    context.addHighCardinalityKeyValue(KeyValue.of("waybill.event-id", message.eventId()));
    return context;
  }

  private void end(Observation observation, Confirmation confirmation) {
    try {
      String reason = reason(confirmation);
      if (reason != null) {
        observation.error(new NotConfirmedException(reason));
      }
      observation.stop();
    } catch (RuntimeException | Error e) {
      Object carrier = ((ReceiverContext<?>) observation.getContext()).getCarrier();
      tell(e, carrier instanceof Outgoing message ? message.eventId() : "unknown");
    }
  }

  private static @Nullable String reason(Confirmation confirmation) {
    return confirmation instanceof Confirmation.NotConfirmed failed ? failed.reason() : null;
  }

  /** Whatever an application's handler throws: no event may suffer from being observed. */
  private void tell(Throwable e, String eventId) {
    if (!told.getAndSet(true)) {
      LOG.warn(
          "An observation handler failed at event {}; events are sent all the same, further"
              + " failures are not logged",
          eventId,
          e);
    }
  }

  /** Ends the observation before the outcome is told on. */
  @Override
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    Observation observation = open.remove(confirmation.sendId());
    if (observation != null) {
      end(observation, confirmation);
    }
    super.outcome(confirmation, listener);
  }
}
