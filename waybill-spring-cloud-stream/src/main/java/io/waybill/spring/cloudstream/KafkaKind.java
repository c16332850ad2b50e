package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.kafka.KafkaFailures;
import io.waybill.message.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.stream.binder.ExtendedProducerProperties;
import org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder;
import org.springframework.cloud.stream.binder.kafka.properties.KafkaBinderConfigurationProperties;
import org.springframework.cloud.stream.binder.kafka.properties.KafkaProducerProperties;
import org.springframework.cloud.stream.binder.kafka.utils.BindingUtils;
import org.springframework.cloud.stream.config.ProducerMessageHandlerCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.integration.kafka.outbound.KafkaProducerMessageHandler;
import org.springframework.integration.kafka.support.KafkaIntegrationHeaders;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.kafka.support.SendResult;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.MessageBuilder;

/**
 * Kafka's binder: its message handlers give the future of each send that carries a token, and with
 * it the record's metadata or the client's failure.
 */
final class KafkaKind implements BinderKind {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaKind.class);
  private static final long ANSWER_SECONDS = 2;

  private final KafkaMessageChannelBinder binder;
  private final KafkaBinderConfigurationProperties properties;
  private final AtomicLong tokens = new AtomicLong();
  private final Map<Long, CompletableFuture<SendResult<?, ?>>> waiting = new ConcurrentHashMap<>();
  private final Duration deliveryTimeout;

  private KafkaKind(
      KafkaMessageChannelBinder binder,
      KafkaBinderConfigurationProperties properties,
      Duration deliveryTimeout) {
    this.binder = binder;
    this.properties = properties;
    this.deliveryTimeout = deliveryTimeout;
  }

  /** Takes part in what the binder makes from now on; the application's customizers stay. */
  static KafkaKind of(
      KafkaMessageChannelBinder binder, ApplicationContext context, Duration deliveryTimeout) {
    KafkaKind kind =
        new KafkaKind(
            binder, context.getBean(KafkaBinderConfigurationProperties.class), deliveryTimeout);
    ProducerMessageHandlerCustomizer<KafkaProducerMessageHandler<?, ?>> own = own(context);
    MessageChannel futures = kind::future;
    ProducerMessageHandlerCustomizer<KafkaProducerMessageHandler<?, ?>> both =
        (handler, destination) -> {
          own.configure(handler, destination);
          handler.setFuturesChannel(futures);
        };
    binder.setProducerMessageHandlerCustomizer(both);
    return kind;
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

  @Override
  public @Nullable String unconfirmed(String binding) {
    Map<String, Object> producer = producer(binding);
    String acks = String.valueOf(producer.get(ProducerConfig.ACKS_CONFIG));
    if (!acks.equals("all") && !acks.equals("-1")) {
      return "the producer of binding '"
          + binding
          + "' has acks="
          + acks
          + ", which confirms what a failing broker can lose; set"
          + " spring.cloud.stream.kafka.binder.required-acks=all";
    }
    if ("false".equals(String.valueOf(producer.get(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)))) {
      return "the producer of binding '"
          + binding
          + "' has enable.idempotence=false, with which records change places; remove it";
    }
    warnOfTime(binding, producer);
    return null;
  }

  private Map<String, Object> producer(String binding) {
    KafkaProducerProperties extension = binder.getExtendedProducerProperties(binding);
    return BindingUtils.createProducerConfigs(
        new ExtendedProducerProperties<>(extension), properties);
  }

  private void warnOfTime(String binding, Map<String, Object> producer) {
    Object given = producer.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    long millis = given == null ? 120_000 : Long.parseLong(given.toString());
    if (millis > deliveryTimeout.toMillis()) {
      LOG.warn(
          "The producer of binding '{}' tries for {} ms, longer than"
              + " waybill.spring-cloud-stream.delivery-timeout ({} ms): in an outage the relay sends"
              + " again, and both copies arrive; set"
              + " spring.cloud.stream.kafka.binder.configuration.delivery.timeout.ms below it",
          binding,
          millis,
          deliveryTimeout.toMillis());
    }
  }

  @Override
  public Confirmation.@Nullable Rejected refusal(Outgoing message) {
    return message.destination().routingKey().isEmpty()
        ? null
        : new Confirmation.Rejected(
            message.sendId(), "routing-key", "Kafka's binder has no routing keys");
  }

  @Override
  public Handover handover(Outgoing message) {
    long token = tokens.incrementAndGet();
    CompletableFuture<SendResult<?, ?>> sent = new CompletableFuture<>();
    waiting.put(token, sent);
    CompletableFuture<Confirmation> outcome =
        sent.handle((result, failure) -> outcome(message, result, failure));
    // A send whose time is up is cancelled: its entry must not stay.
    CompletableFuture<?> unused = outcome.whenComplete((done, failure) -> forget(token));
    return new Handover(message(message, token), outcome);
  }

  private void forget(long token) {
    waiting.remove(token);
  }

  private static Message<?> message(Outgoing message, long token) {
    byte[] body = message.body();
    MessageBuilder<Body> built =
        MessageBuilder.withPayload(
            new Body(body == null ? KafkaNull.INSTANCE : body, message.contentType()));
    message.headers().forEach(header -> built.setHeader(header.name(), header.value()));
    // Bytes, since the header mapper leaves a note of the class of everything else.
    built.setHeader(KafkaIntegrationHeaders.FUTURE_TOKEN, bytes(token));
    built.setHeader(KafkaHeaders.TIMESTAMP, message.timestampMillis());
    built.setHeader(KafkaHeaders.KEY, message.key());
    built.setHeader(KafkaHeaders.PARTITION, message.destination().partition());
    return built.build();
  }

  private static byte[] bytes(long token) {
    return ByteBuffer.allocate(Long.BYTES).putLong(token).array();
  }

  /** The binder's handlers call this within the send. */
  private boolean future(Message<?> message, long timeout) {
    Object token = message.getHeaders().get(KafkaIntegrationHeaders.FUTURE_TOKEN);
    if (token instanceof byte[] bytes
        && message.getPayload() instanceof CompletableFuture<?> sent) {
      CompletableFuture<SendResult<?, ?>> own = waiting.get(ByteBuffer.wrap(bytes).getLong());
      if (own != null) {
        CompletableFuture<?> unused =
            sent.whenComplete((result, failure) -> pass((SendResult<?, ?>) result, failure, own));
      }
    }
    return true;
  }

  private static void pass(
      @Nullable SendResult<?, ?> result,
      @Nullable Throwable failure,
      CompletableFuture<SendResult<?, ?>> own) {
    if (failure != null) {
      own.completeExceptionally(failure);
    } else {
      own.complete(result);
    }
  }

  private Confirmation outcome(
      Outgoing message, @Nullable SendResult<?, ?> result, @Nullable Throwable failure) {
    if (failure != null) {
      return failure(message, failure);
    }
    return result != null && result.getRecordMetadata().hasOffset()
        ? new Confirmation.Confirmed(message.sendId())
        : new Confirmation.Unknown(
            message.sendId(), "no-offset", "the producer does not wait for the broker");
  }

  @Override
  public Confirmation failure(Outgoing message, Throwable thrown) {
    return Failures.cause(thrown, KafkaException.class)
        .map(cause -> KafkaFailures.outcome(message.sendId(), cause))
        .orElseGet(() -> Failures.unknown(message, thrown));
  }

  @Override
  public Probe probe() {
    return new Probe() {
      private @Nullable Admin admin;

      @Override
      public void ask() throws Exception {
        Admin asked = admin;
        if (asked == null) {
          asked = Admin.create(admin());
          admin = asked;
        }
        asked.describeCluster().nodes().get(ANSWER_SECONDS, TimeUnit.SECONDS);
      }

      @Override
      public void close() {
        Admin asked = admin;
        if (asked != null) {
          asked.close(Duration.ZERO);
        }
      }
    };
  }

  private Map<String, Object> admin() {
    Map<String, Object> config = new HashMap<>(properties.mergedProducerConfiguration());
    config.keySet().retainAll(AdminClientConfig.configNames());
    config.putIfAbsent(
        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, properties.getKafkaConnectionString());
    return config;
  }
}
