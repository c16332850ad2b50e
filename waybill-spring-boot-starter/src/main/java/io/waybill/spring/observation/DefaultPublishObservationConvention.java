package io.waybill.spring.observation;

import io.micrometer.common.KeyValues;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.internal.observe.BoundedNames;
import io.waybill.internal.observe.MessagingConventions;
import io.waybill.spring.observation.WaybillObservation.PublishHigh;
import io.waybill.spring.observation.WaybillObservation.PublishLow;

/**
 * The observation {@code waybill.publish}, its span {@code send TOPIC} on Kafka and {@code publish
 * EXCHANGE:ROUTINGKEY} on RabbitMQ, with the keys of {@link MessagingConventions}. Thread-safe.
 */
public class DefaultPublishObservationConvention implements PublishObservationConvention {
  private final BoundedNames types = new BoundedNames(WaybillObservation.MOST_VALUES);
  private final BoundedNames destinations = new BoundedNames(WaybillObservation.MOST_VALUES);

  /** Creates one; it has no settings. */
  public DefaultPublishObservationConvention() {}

  @Override
  public String getName() {
    return "waybill.publish";
  }

  @Override
  public String getContextualName(PublishContext context) {
    return MessagingConventions.send(context.transport()) + " " + destination(context);
  }

  @Override
  public KeyValues getLowCardinalityKeyValues(PublishContext context) {
    return KeyValues.of(
        PublishLow.SYSTEM.withValue(MessagingConventions.system(context.transport())),
        PublishLow.OPERATION.withValue(MessagingConventions.send(context.transport())),
        PublishLow.OPERATION_TYPE.withValue(MessagingConventions.TYPE_SEND),
        PublishLow.DESTINATION.withValue(destinations.of(destination(context))),
        PublishLow.TYPE.withValue(types.of(context.message().eventType())));
  }

  @Override
  public KeyValues getHighCardinalityKeyValues(PublishContext context) {
    Outgoing message = context.message();
    KeyValues all = KeyValues.of(PublishHigh.MESSAGE_ID.withValue(message.eventId()));
    String correlation = message.header("waybill-correlation-id");
    if (correlation != null) {
      all = all.and(PublishHigh.CONVERSATION_ID.withValue(correlation));
    }
    if (!message.destination().routingKey().isEmpty()) {
      all = all.and(PublishHigh.ROUTING_KEY.withValue(message.destination().routingKey()));
    }
    BrokerClient client = context.client();
    if (client.serverAddress() != null && client.serverPort() != null) {
      all =
          all.and(
              PublishHigh.SERVER_ADDRESS.withValue(client.serverAddress()),
              PublishHigh.SERVER_PORT.withValue(Integer.toString(client.serverPort())));
    }
    Confirmation outcome = context.outcome();
    if (outcome instanceof Confirmation.NotConfirmed failed) {
      return all.and(PublishHigh.ERROR_TYPE.withValue(failed.reason()));
    }
    return outcome instanceof Confirmation.Confirmed stored && stored.offset() >= 0
        ? all.and(
            PublishHigh.PARTITION.withValue(Integer.toString(stored.partition())),
            PublishHigh.OFFSET.withValue(Long.toString(stored.offset())))
        : all;
  }

  private static String destination(PublishContext context) {
    return MessagingConventions.destination(context.transport(), context.message().destination());
  }
}
