package io.waybill.rabbitmq;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;

/** What is said of an exchange or a queue that is there otherwise than the topology names it. */
final class KeptPart {
  private KeptPart() {}

  /** With differences that only the broker knows. */
  static Finding of(String kind, String name, ScratchChannel.Answer answer) {
    return new Finding(
        Check.RABBITMQ_PROPERTIES_DIFFER,
        kind + " " + name,
        "%s '%s' exists with other properties than the topology says: Waybill uses it as it is (%d %s)"
            .formatted(kind, name, answer.code(), answer.text()),
        "see that it keeps its messages, or delete it once it is empty and let Waybill declare it"
            + " again");
  }

  /** Without the single active consumer that was asked for: its order would be lost. */
  static Finding withoutOrder(String name, ScratchChannel.Answer answer) {
    return new Finding(
        Check.RABBITMQ_DECLARATION_REFUSED,
        "queue " + name,
        "queue '%s' exists with other properties than a single active consumer needs: %d %s"
            .formatted(name, answer.code(), answer.text()),
        "remove it from the topology to use it as it is, or delete it once it is empty");
  }

  /** A queue that may be there: RabbitMQ 4 shows it to those alone who have a right on it. */
  static Finding perhapsMissing(String subject, ScratchChannel.Answer answer) {
    return new Finding(
        Check.RABBITMQ_BINDING_DENIED,
        subject,
        "the relay's user may not see it: unless it is there, its events are refused and wait (%d %s)"
            .formatted(answer.code(), answer.text()),
        "see that it is there, or grant configure on it");
  }

  /** A binding that may be there and can neither be seen nor made. */
  static Finding perhapsUnbound(RabbitTopology.Binding binding, ScratchChannel.Answer answer) {
    return new Finding(
        Check.RABBITMQ_BINDING_DENIED,
        "queue " + binding.queue(),
        ("the relay's user may not bind queue '%s' to exchange '%s': unless it is bound with routing"
                + " key '%s', such events are refused and wait (%d %s)")
            .formatted(
                binding.queue(),
                binding.exchange(),
                binding.routingKey(),
                answer.code(),
                answer.text()),
        "bind it, or grant write on the queue and read on the exchange");
  }

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
