package io.waybill.spring.cloudstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.KafkaHeaderMapper;
import org.springframework.messaging.MessageHeaders;

/** What a binding to Kafka must be like for its confirmations to hold. */
final class KafkaRules {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaRules.class);

  private KafkaRules() {}

  /** The rule that a producer breaks, with what mends it; null if it breaks none. */
  static @Nullable String broken(String binding, Map<String, Object> producer) {
    // Kafka's own default is all.
    String acks = String.valueOf(producer.getOrDefault(ProducerConfig.ACKS_CONFIG, "all"));
    if (!acks.equals("all") && !acks.equals("-1")) {
      return "the producer of binding '"
          + binding
          + "' has acks="
          + acks
          + ", which confirms messages that a failing broker can lose; set"
          + " spring.cloud.stream.kafka.binder.required-acks=all, and let no customizer change it";
    }
    return "false".equals(String.valueOf(producer.get(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)))
        ? "the producer of binding '"
            + binding
            + "' has enable.idempotence=false, which can reorder records; remove it"
        : null;
  }

  /** Why a binding's header mapper is none for events; null if it is. */
  static @Nullable String dropping(String binding, @Nullable KafkaHeaderMapper mapper) {
    return mapper != null && carries(mapper)
        ? null
        : "binding '"
            + binding
            + "' leaves headers out, or changes them; remove header-patterns from"
            + " spring.cloud.stream.kafka.bindings."
            + binding
            + ".producer, or spring.cloud.stream.kafka.binder.header-mapper-bean-name";
  }

  private static boolean carries(KafkaHeaderMapper mapper) {
    String name = "any-name-of-a-header";
    RecordHeaders record = new RecordHeaders();
    mapper.fromHeaders(new MessageHeaders(Map.of(name, "text")), record);
    Header carried = record.lastHeader(name);
    return carried != null && Arrays.equals(carried.value(), "text".getBytes(UTF_8));
  }

  static void warnOfTime(String binding, Map<String, Object> producer, Duration deliveryTimeout) {
    Object given = producer.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    long millis = given == null ? 120_000 : Long.parseLong(given.toString());
    if (millis > deliveryTimeout.toMillis()) {
      LOG.warn(
          "The producer of binding '{}' tries for {} ms, longer than"
              + " waybill.spring-cloud-stream.delivery-timeout ({} ms): in an outage the relay"
              + " sends events again, and both copies arrive; set"
              + " spring.cloud.stream.kafka.binder.configuration.delivery.timeout.ms below it",
          binding,
          millis,
          deliveryTimeout.toMillis());
    }
  }
}
