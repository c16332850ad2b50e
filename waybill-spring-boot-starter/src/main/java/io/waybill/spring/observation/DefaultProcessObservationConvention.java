package io.waybill.spring.observation;

import io.micrometer.common.KeyValues;
import io.waybill.internal.observe.BoundedNames;
import io.waybill.internal.observe.MessagingConventions;
import io.waybill.message.Place;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import io.waybill.spring.observation.WaybillObservation.ProcessHigh;
import io.waybill.spring.observation.WaybillObservation.ProcessLow;

/**
 * The observation {@code waybill.process}, its span {@code process TOPIC} on Kafka and {@code
 * process EXCHANGE:ROUTINGKEY:QUEUE} on RabbitMQ, with the keys of {@link MessagingConventions}.
 * Thread-safe.
 */
public class DefaultProcessObservationConvention implements ProcessObservationConvention {
  private final BoundedNames types = new BoundedNames(WaybillObservation.MOST_VALUES);
  private final BoundedNames destinations = new BoundedNames(WaybillObservation.MOST_VALUES);

  /** Creates one; it has no settings. */
  public DefaultProcessObservationConvention() {}

  @Override
  public String getName() {
    return "waybill.process";
  }

  @Override
  public String getContextualName(ProcessContext context) {
    return MessagingConventions.PROCESS + " " + destination(context);
  }

  @Override
  public KeyValues getLowCardinalityKeyValues(ProcessContext context) {
    return KeyValues.of(
        ProcessLow.SYSTEM.withValue(MessagingConventions.system(context.transport())),
        ProcessLow.OPERATION.withValue(MessagingConventions.PROCESS),
        ProcessLow.OPERATION_TYPE.withValue(MessagingConventions.PROCESS),
        ProcessLow.DESTINATION.withValue(destinations.of(destination(context))),
        ProcessLow.CONSUMER.withValue(context.consumer()),
        ProcessLow.TYPE.withValue(types.of(context.events().get(0).type())));
  }

  @Override
  public KeyValues getHighCardinalityKeyValues(ProcessContext context) {
    KeyValues group =
        context.transport() == Transport.KAFKA
            ? KeyValues.of(ProcessHigh.CONSUMER_GROUP.withValue(context.consumer()))
            : KeyValues.empty();
    if (context.events().size() > 1) {
      String count = Integer.toString(context.events().size());
      return group.and(ProcessHigh.BATCH_COUNT.withValue(count));
    }
    ReceivedEvent event = context.events().get(0);
    KeyValues all = group.and(ProcessHigh.MESSAGE_ID.withValue(event.id()));
    if (event.correlationId() != null) {
      all = all.and(ProcessHigh.CONVERSATION_ID.withValue(event.correlationId()));
    }
    if (event.place() instanceof Place.Offset at) {
      all =
          all.and(
              ProcessHigh.PARTITION.withValue(Integer.toString(at.partition())),
              ProcessHigh.OFFSET.withValue(Long.toString(at.offset())));
    } else if (event.place() instanceof Place.Route route && !route.routingKey().isEmpty()) {
      all = all.and(ProcessHigh.ROUTING_KEY.withValue(route.routingKey()));
    }
    Throwable error = context.getError();
    return error == null
        ? all
        : all.and(ProcessHigh.ERROR_TYPE.withValue(error.getClass().getName()));
  }

  private static String destination(ProcessContext context) {
    ReceivedEvent first = context.events().get(0);
    return context.events().size() == 1 ? MessagingConventions.destination(first) : first.channel();
  }
}
