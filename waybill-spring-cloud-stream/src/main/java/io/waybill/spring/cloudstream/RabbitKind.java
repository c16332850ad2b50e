package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Confirmation.Rejected;
import io.waybill.broker.Outgoing;
import io.waybill.message.Transport;
import java.util.Arrays;
import java.util.Date;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.cloud.stream.binder.rabbit.RabbitMessageChannelBinder;
import org.springframework.cloud.stream.binder.rabbit.properties.RabbitProducerProperties;
import org.springframework.cloud.stream.binder.rabbit.properties.RabbitProducerProperties.ProducerType;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;

/** RabbitMQ's binder: publisher confirms and returns come back in the send's correlation data. */
final class RabbitKind implements BinderKind {
  /** The route's routing key, for the binding's expression. */
  static final String ROUTING_KEY = "waybill-routing-key";

  /** Set to true on a message without a body, since AMQP cannot tell it from an empty body. */
  static final String TOMBSTONE = "waybill-tombstone";

  private final RabbitMessageChannelBinder binder;
  private final ConnectionFactory connections;
  private final RabbitAlarms alarms = new RabbitAlarms();

  RabbitKind(RabbitMessageChannelBinder binder, ConnectionFactory connections) {
    this.binder = binder;
    this.connections = connections;
    connections.addConnectionListener(alarms);
  }

  @Override
  public Transport transport() {
    return Transport.RABBITMQ;
  }

  @Override
  public @Nullable String unconfirmed(String binding, String place) {
    if (!connections.isPublisherConfirms()) {
      return "the connection of RabbitMQ's binder has no publisher confirms; set"
          + " spring.rabbitmq.publisher-confirm-type=correlated";
    }
    if (!connections.isPublisherReturns()) {
      return "the connection of RabbitMQ's binder does not get unroutable messages back; set"
          + " spring.rabbitmq.publisher-returns=true";
    }
    RabbitProducerProperties producer = binder.getExtendedProducerProperties(binding);
    String key = "spring.cloud.stream.rabbit.bindings." + binding + ".producer.";
    if (!producer.isUseConfirmHeader()) {
      return "binding '"
          + binding
          + "' does not confirm single sends; set "
          + key
          + "use-confirm-header=true, or spring.cloud.stream.rabbit.default.producer"
          + ".use-confirm-header=true";
    }
    if (producer.isBatchingEnabled()) {
      return "binding '"
          + binding
          + "' collects messages before it sends; remove "
          + key
          + "batching-enabled";
    }
    if (producer.isTransacted()) {
      return "binding '"
          + binding
          + "' is transacted, which RabbitMQ does not confirm; remove "
          + key
          + "transacted";
    }
    if (!Arrays.asList(producer.getHeaderPatterns()).contains("*")) {
      return "binding '" + binding + "' leaves headers out; remove " + key + "header-patterns";
    }
    return producer.getProducerType() == ProducerType.AMQP
        ? null
        : "binding '" + binding + "' writes to a stream; remove " + key + "producer-type";
  }

  @Override
  public @Nullable String unrouted(String binding) {
    return binder.getExtendedProducerProperties(binding).getRoutingKeyExpression() != null
        ? null
        : "binding '"
            + binding
            + "' does not use the route's routing key; set spring.cloud.stream.rabbit.bindings."
            + binding
            + ".producer.routing-key-expression=headers['"
            + ROUTING_KEY
            + "']";
  }

  @Override
  public @Nullable Rejected refusal(Outgoing message) {
    String unrouted =
        message.destination().routingKey().isEmpty()
            ? null
            : unrouted(message.destination().target());
    if (unrouted != null) {
      return new Rejected(message.sendId(), "routing-key", unrouted);
    }
    return AmqpLimits.refusal(message);
  }

  @Override
  public Handover handover(Outgoing message) {
    CorrelationData correlation = new CorrelationData();
    CompletableFuture<Confirmation> outcome =
        correlation.getFuture().thenApply(confirm -> outcome(message, correlation, confirm));
    return new Handover(message(message, correlation), outcome, () -> {});
  }

  @SuppressWarnings("JavaUtilDate") // the type that the header mapper asks for
  private static Message<?> message(Outgoing message, CorrelationData correlation) {
    byte[] body = message.body();
    MessageBuilder<Body> built =
        MessageBuilder.withPayload(
            new Body(body == null ? new byte[0] : body, message.contentType()));
    message.headers().forEach(header -> built.setHeader(header.name(), header.value()));
    if (body == null) {
      built.setHeader(TOMBSTONE, true);
    }
    if (!message.destination().routingKey().isEmpty()) {
      built.setHeader(ROUTING_KEY, message.destination().routingKey());
    }
    built.setHeader(AmqpHeaders.PUBLISH_CONFIRM_CORRELATION, correlation);
    built.setHeader(AmqpHeaders.MESSAGE_ID, message.eventId());
    built.setHeader(AmqpHeaders.TYPE, message.eventType());
    built.setHeader(AmqpHeaders.TIMESTAMP, new Date(message.timestampMillis()));
    built.setHeader(AmqpHeaders.DELIVERY_MODE, MessageDeliveryMode.PERSISTENT);
    return built.build();
  }

  private static Confirmation outcome(
      Outgoing message, CorrelationData correlation, CorrelationData.Confirm confirm) {
    long id = message.sendId();
    String binding = message.destination().target();
    if (!confirm.ack()) {
      // The library makes up refusals for the sends of a closed channel, and gives their cause.
      return confirm.reason() == null
          ? new Confirmation.Refused(
              id, "nacked", "the broker did not take the message of '" + binding + "'", true)
          : new Confirmation.Unknown(
              id, "channel-closed", "binding '" + binding + "': " + confirm.reason());
    }
    ReturnedMessage returned = correlation.getReturned();
    return returned == null
        ? new Confirmation.Confirmed(id)
        : new Confirmation.Refused(
            id,
            "unroutable",
            "returned with %d %s: exchange '%s', routing key '%s'"
                .formatted(
                    returned.getReplyCode(),
                    returned.getReplyText(),
                    returned.getExchange(),
                    returned.getRoutingKey()),
            false);
  }

  @Override
  public Confirmation failure(Outgoing message, Throwable thrown) {
    return Failures.unknown(message, thrown);
  }

  @Override
  public Probe probe() {
    return new RabbitProbe(
        Optional.ofNullable(connections.getPublisherConnectionFactory()).orElse(connections),
        alarms);
  }
}
