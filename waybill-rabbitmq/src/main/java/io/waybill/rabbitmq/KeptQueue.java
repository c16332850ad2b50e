package io.waybill.rabbitmq;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;

/** What is said of a queue that is there as another kind than the topology names, and is kept. */
final class KeptQueue {
  private KeptQueue() {}

  /** Without the argument that takes the broker's own limit away. */
  static Finding limited(RabbitTopology.Queue queue) {
    return new Finding(
        Check.RABBITMQ_DELIVERIES_LIMITED,
        "queue " + queue.name(),
        ("queue '%s' exists without %s: unless a policy says otherwise, the broker drops a message,"
                + " or moves it to a dead-letter exchange, after %d failed deliveries")
            .formatted(queue.name(), DeliveryLimit.ARGUMENT, DeliveryLimit.DEFAULT),
        "set delivery-limit to -1 in a policy for it");
  }

  /** With another type. */
  static Finding ofOtherType(RabbitTopology.Queue queue, String type) {
    return new Finding(
        Check.RABBITMQ_QUEUE_TYPE_DIFFERS,
        "queue " + queue.name(),
        "queue '%s' exists with type %s, but the topology says %s: Waybill uses it as it is"
            .formatted(queue.name(), type, queue.type().amqp()),
        "set its type in the topology to "
            + type
            + ", or delete the queue once it is empty and let Waybill declare it again");
  }
}
