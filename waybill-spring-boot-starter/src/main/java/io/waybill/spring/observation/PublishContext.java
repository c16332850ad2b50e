package io.waybill.spring.observation;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The context of {@link WaybillObservation#PUBLISH}: a send and its outcome. The writer of the row
 * counts as the sender of the event that the relay receives and passes on.
 */
public final class PublishContext extends ReceiverContext<Outgoing> {
  private final Outgoing message;
  private final BrokerClient client;
  private volatile @Nullable Confirmation outcome;

  /**
   * The context of a send.
   *
   * @param message what is sent
   * @param client who sends
   */
  public PublishContext(Outgoing message, BrokerClient client) {
    super(Outgoing::header, Kind.PRODUCER);
    this.message = message;
    this.client = client;
    setCarrier(message);
  }

  /**
   * Returns the sent message.
   *
   * @return the message, in the trace context of its row
   */
  public Outgoing message() {
    return message;
  }

  /**
   * The kind of broker that it is sent to.
   *
   * @return kind of broker
   */
  public Transport transport() {
    return client.transport();
  }

  /**
   * Returns the sending client.
   *
   * @return the client, with its server if only one is configured
   */
  public BrokerClient client() {
    return client;
  }

  /**
   * Returns the outcome.
   *
   * @return the outcome, or null while it is unknown
   */
  public @Nullable Confirmation outcome() {
    return outcome;
  }

  /**
   * Sets the outcome.
   *
   * @param confirmation the outcome
   */
  public void outcome(Confirmation confirmation) {
    outcome = confirmation;
  }
}
