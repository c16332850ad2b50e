package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.kafka.KafkaFailures;
import io.waybill.message.RecordTime;
import io.waybill.message.Transport;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.stream.binder.ExtendedProducerProperties;
import org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder;
import org.springframework.cloud.stream.binder.kafka.common.BinderHeaderMapper;
import org.springframework.cloud.stream.binder.kafka.properties.KafkaBinderConfigurationProperties;
import org.springframework.cloud.stream.binder.kafka.properties.KafkaProducerProperties;
import org.springframework.cloud.stream.binder.kafka.provisioning.KafkaTopicProvisioner;
import org.springframework.cloud.stream.binder.kafka.utils.BindingUtils;
import org.springframework.cloud.stream.binder.kafka.utils.KafkaTopicUtils;
import org.springframework.cloud.stream.config.ProducerMessageHandlerCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.integration.kafka.outbound.KafkaProducerMessageHandler;
import org.springframework.integration.kafka.support.KafkaIntegrationHeaders;
import org.springframework.kafka.support.KafkaHeaderMapper;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;

/**
 * Kafka's binder: its message handlers give the future of each send that carries a token, and with
 * it the record's metadata or the client's failure.
 */
final class KafkaKind implements BinderKind {
  private final KafkaMessageChannelBinder binder;
  private final ApplicationContext context;
  private final KafkaBinderConfigurationProperties properties;
  private final KafkaFutures futures;

  private KafkaKind(
      KafkaMessageChannelBinder binder, ApplicationContext context, KafkaFutures futures) {
    this.binder = binder;
    this.context = context;
    this.properties = context.getBean(KafkaBinderConfigurationProperties.class);
    this.futures = futures;
  }

  /** Takes part in what the binder makes from now on; the application's customizers stay. */
  static KafkaKind of(
      KafkaMessageChannelBinder binder, ApplicationContext context, Duration deliveryTimeout) {
    KafkaFutures futures = new KafkaFutures(deliveryTimeout);
    ProducerMessageHandlerCustomizer<KafkaProducerMessageHandler<?, ?>> own = own(context);
    ProducerMessageHandlerCustomizer<KafkaProducerMessageHandler<?, ?>> both =
        (handler, destination) -> {
          own.configure(handler, destination);
          handler.setFuturesChannel(futures.of(handler));
        };
    binder.setProducerMessageHandlerCustomizer(both);
    return new KafkaKind(binder, context, futures);
  }

  private static ProducerMessageHandlerCustomizer<KafkaProducerMessageHandler<?, ?>> own(
      ApplicationContext context) {
    ResolvableType type =
        ResolvableType.forClassWithGenerics(
            ProducerMessageHandlerCustomizer.class,
            ResolvableType.forClass(KafkaProducerMessageHandler.class));
    return context
        .<ProducerMessageHandlerCustomizer<KafkaProducerMessageHandler<?, ?>>>getBeanProvider(type)
        .getIfAvailable(() -> (handler, destination) -> {});
  }

  @Override
  public Transport transport() {
    return Transport.KAFKA;
  }

  /** As the properties have it; what customizers make of them is seen at the first send. */
  @Override
  public @Nullable String unconfirmed(String binding, String place) {
    try {
      KafkaTopicUtils.validateTopicName(place);
    } catch (IllegalArgumentException e) {
      return "binding '" + binding + "': " + e.getMessage();
    }
    KafkaProducerProperties extension = binder.getExtendedProducerProperties(binding);
    String rule =
        KafkaRules.broken(
            binding,
            BindingUtils.createProducerConfigs(
                new ExtendedProducerProperties<>(extension), properties));
    return rule == null ? KafkaRules.dropping(binding, mapper(extension)) : rule;
  }

  private KafkaHeaderMapper mapper(KafkaProducerProperties extension) {
    KafkaHeaderMapper own = BindingUtils.getHeaderMapper(context, properties);
    String[] patterns = extension.getHeaderPatterns();
    if (own != null) {
      return own;
    }
    return patterns == null || patterns.length == 0
        ? new BinderHeaderMapper()
        : new BinderHeaderMapper(BinderHeaderMapper.addNeverHeaderPatterns(List.of(patterns)));
  }

  @Override
  public String unrouted(String binding) {
    return "binding '" + binding + "' has no routing keys: they are RabbitMQ's";
  }

  @Override
  public Confirmation.@Nullable Rejected refusal(Outgoing message) {
    String binding = message.destination().target();
    if (!message.destination().routingKey().isEmpty()) {
      return new Confirmation.Rejected(message.sendId(), "routing-key", unrouted(binding));
    }
    String broken = futures.broken(binding);
    return broken == null
        ? null
        : new Confirmation.Rejected(message.sendId(), "not-confirmed", broken);
  }

  @Override
  public Handover handover(Outgoing message) {
    KafkaFutures.Open send = futures.open(message);
    return new Handover(
        message(message, send.token()), send.outcome(), () -> futures.returned(send));
  }

  private static Message<?> message(Outgoing message, byte[] token) {
    byte[] body = message.body();
    MessageBuilder<Body> built =
        MessageBuilder.withPayload(
            new Body(body == null ? KafkaNull.INSTANCE : body, message.contentType()));
    message.headers().forEach(header -> built.setHeader(header.name(), header.value()));
    built.setHeader(KafkaIntegrationHeaders.FUTURE_TOKEN, token);
    if (message.destination().timestamp() == RecordTime.CREATED) {
      built.setHeader(KafkaHeaders.TIMESTAMP, message.timestampMillis());
    }
    built.setHeader(KafkaHeaders.KEY, message.key());
    built.setHeader(KafkaHeaders.PARTITION, message.destination().partition());
    return built.build();
  }

  @Override
  public Confirmation failure(Outgoing message, Throwable thrown) {
    return unsent(message, thrown);
  }

  /** What the client's failure of a send means, or the binder's. */
  static Confirmation unsent(Outgoing message, Throwable thrown) {
    return Failures.cause(thrown, KafkaException.class)
        .map(cause -> KafkaFailures.outcome(message.sendId(), cause))
        .orElseGet(() -> Failures.unknown(message, thrown));
  }

  @Override
  public Probe probe() {
    return new KafkaProbe(context.getBean(KafkaTopicProvisioner.class).getAdminClientProperties());
  }
}
