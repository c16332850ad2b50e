package io.waybill.spring.observation;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The context of {@link WaybillObservation#PUBLISH}: a send and what became of it. The writer of
 * the row is the sender of what the relay receives and hands on.
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
   * What is sent.
   *
   * @return the message, in the trace context of its row
   */
  public Outgoing message() {
    return message;
  }

  /**
   * Where it is sent to.
   *
   * @return kind of broker
   */
  public Transport transport() {
    return client.transport();
  }

  /**
   * Who sends it.
   *
   * @return the client, with its server where there is one alone
   */
  public BrokerClient client() {
    return client;
  }

  /**
   * What became of it.
   *
   * @return null while nobody knows
   */
  public @Nullable Confirmation outcome() {
    return outcome;
  }

  /**
   * Says what became of it.
   *
   * @param confirmation the outcome
   */
  public void outcome(Confirmation confirmation) {
    outcome = confirmation;
  }
}
