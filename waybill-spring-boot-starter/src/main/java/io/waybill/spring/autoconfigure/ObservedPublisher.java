package io.waybill.spring.autoconfigure;

import io.micrometer.observation.Observation;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.message.TraceContext;
import io.waybill.spring.observation.DefaultPublishObservationConvention;
import io.waybill.spring.observation.PublishContext;
import io.waybill.spring.observation.PublishObservationConvention;
import io.waybill.spring.observation.WaybillObservation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher with an observation {@link WaybillObservation#PUBLISH} from each send to its outcome,
 * where the message belongs to a trace that is recorded; others cost a look at their headers. With
 * Micrometer Tracing it is a span that continues the trace of the row, and what handlers continue.
 */
final class ObservedPublisher extends ForwardingPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedPublisher.class);
  private static final int TRACEPARENT_LENGTH = 55;
  private static final int PARENT_START = 36;
  private static final int HEXADECIMAL = 16;

  private final BrokerClient client;
  private final Observations observations;
  private final PublishObservationConvention usual = new DefaultPublishObservationConvention();
  private final Map<Long, Observation> open = new ConcurrentHashMap<>();
  private final AtomicBoolean told = new AtomicBoolean();

  ObservedPublisher(Publisher publisher, BrokerClient client, Observations observations) {
    super(publisher);
    this.client = client;
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
    TraceContext row = message.traceContext();
    super.send(row != null && isRecorded(row.traceparent()) ? observed(message, row) : message);
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
  private Outgoing observed(Outgoing message, TraceContext row) {
    Observation.Scope before = observations.registry().getCurrentObservationScope();
    try {
      Observation observation =
          WaybillObservation.PUBLISH.start(
              observations.publish(),
              usual,
              () -> new PublishContext(message, client),
              observations.registry());
      if (observation.isNoop()) {
        return message;
      }
      // Before the send: its outcome may come at once.
      open.put(message.sendId(), observation);
      TraceContext current = observation.scoped(() -> observations.traces().get());
      // Another trace than the event's is not written over it.
      return current != null
              && row.traceparent().regionMatches(0, current.traceparent(), 0, PARENT_START)
          ? message.withTraceContext(current)
          : message;
    } catch (RuntimeException | Error e) {
      // A scope that could not be opened by all handlers is not closed by anybody.
      observations.registry().setCurrentObservationScope(before);
      tell(e, message.eventId());
      return message;
    }
  }

  private void end(Observation observation, Confirmation confirmation) {
    PublishContext context = (PublishContext) observation.getContext();
    try {
      context.outcome(confirmation);
      if (confirmation instanceof Confirmation.NotConfirmed failed) {
        observation.error(new NotConfirmedException(failed.reason()));
      }
      observation.stop();
    } catch (RuntimeException | Error e) {
      tell(e, context.message().eventId());
    }
  }

  /** Whatever an application's handler throws: no event may suffer from being observed. */
  private void tell(Throwable e, String eventId) {
    if (!told.getAndSet(true)) {
      LOG.warn(
          "An observation handler failed at event {}; the relay still sends events, and does not"
              + " log further failures",
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
