package io.waybill.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Destination;
import io.waybill.message.Transport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportRulesTest {
  static Stream<String> topics() {
    return Stream.of("a", "order.order.placed.v1", "A_b-9", "...", "t".repeat(249));
  }

  @ParameterizedTest
  @MethodSource
  void topics(String topic) {
    assertThat(TransportRules.violation(Transport.KAFKA, Destination.topic(topic))).isNull();
  }

  static Stream<String> badTopics() {
    return Stream.of(
        "", ".", "..", "a/b", "a b", "../etc", "grüße", "a\u0000", "a\r\nb", "t".repeat(250));
  }

  @ParameterizedTest
  @MethodSource
  void badTopics(String topic) {
    assertThat(TransportRules.violation(Transport.KAFKA, Destination.topic(topic)))
        .startsWith("topic must be 1 to 249 of A-Z a-z 0-9 . _ -")
        .matches("[^\\p{Cntrl}]+");
  }

  @Test
  void kafkaHasPartitionsAndNoRoutingKeys() {
    assertThat(TransportRules.violation(Transport.KAFKA, new Destination("t", "", 0))).isNull();
    assertThat(TransportRules.violation(Transport.KAFKA, new Destination("t", "", -1)))
        .isEqualTo("partition must be 0 or more, is -1");
    assertThat(TransportRules.violation(Transport.KAFKA, new Destination("t", "k", null)))
        .isEqualTo("routing key must be empty on Kafka, is \"k\"");
  }

  static Stream<String> routingKeys() {
    return Stream.of("", "notification.order", "*.#", "grüße", "k".repeat(255), "é".repeat(127));
  }

  @ParameterizedTest
  @MethodSource
  void routingKeys(String key) {
    assertThat(TransportRules.violation(Transport.RABBITMQ, Destination.exchange("x", key)))
        .isNull();
  }

  static Stream<String> badRoutingKeys() {
    return Stream.of("k".repeat(256), "é".repeat(128), "😀".repeat(64));
  }

  @ParameterizedTest
  @MethodSource
  void badRoutingKeys(String key) {
    assertThat(TransportRules.violation(Transport.RABBITMQ, Destination.exchange("x", key)))
        .startsWith("routing key must be at most 255 bytes");
    assertThat(TransportRules.violation(Transport.RABBITMQ, Destination.exchange(key, "")))
        .startsWith("exchange must be at most 255 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000", "a\r\nb", "\u001b[2J", "\ud800"})
  void routingKeysArePrintable(String key) {
    assertThat(TransportRules.violation(Transport.RABBITMQ, Destination.exchange("x", key)))
        .startsWith("routing key must have no control characters or lone surrogates")
        .matches("[^\\p{Cntrl}]+");
  }

  @Test
  void theDefaultExchangeNeedsARoutingKeyAndRabbitHasNoPartitions() {
    assertThat(TransportRules.violation(Transport.RABBITMQ, Destination.exchange("", "")))
        .startsWith("routing key must not be empty on the default exchange");
    assertThat(TransportRules.violation(Transport.RABBITMQ, new Destination("x", "k", 1)))
        .isEqualTo("partition must not be set on RabbitMQ, is 1");
  }
}
