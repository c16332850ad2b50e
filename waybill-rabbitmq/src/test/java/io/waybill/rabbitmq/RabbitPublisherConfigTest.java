package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RabbitPublisherConfigTest {
  @Test
  void hasWorkingDefaults() {
    RabbitPublisherConfig config = RabbitPublisherConfig.builder().build();
    assertThat(config.addresses()).containsExactly("localhost:5672");
    assertThat(config.maxInFlightPerKey()).isEqualTo(1);
    assertThat(config.confirmTimeout()).isEqualTo(Duration.ofSeconds(10));
    try (RabbitPublisher publisher = new RabbitPublisher(config)) {
      assertThat(publisher.deliveryTimeout())
          .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
    }
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        rule("addresses", "is empty", b -> b.addresses(List.of())),
        rule("addresses", "'broker'", b -> b.addresses(List.of("broker"))),
        rule("addresses", "'b:0'", b -> b.addresses(List.of("b:0"))),
        rule("addresses", "'b:65536'", b -> b.addresses(List.of("a:1", "b:65536"))),
        rule("virtualHost", "empty", b -> b.virtualHost("")),
        rule("credentials", "empty", b -> b.credentials(password("", "x"))),
        rule("credentials", "empty", b -> b.credentials(password("x", ""))),
        rule("credentials", "key store", b -> b.credentials(new RabbitCredentials.Certificate())),
        rule("connections", "is 0", b -> b.connections(0)),
        rule("connections", "is 17", b -> b.connections(17)),
        rule("window", "is 0", b -> b.window(0)),
        rule("window", "is 65537", b -> b.window(65_537)),
        rule("confirmTimeout", "is PT0S", b -> b.confirmTimeout(Duration.ZERO)),
        rule("confirmTimeout", "is PT-1S", b -> b.confirmTimeout(Duration.ofSeconds(-1))),
        rule("confirmTimeout", "is PT24H", b -> b.confirmTimeout(Duration.ofDays(1))),
        rule("connectTimeout", "is PT0.001S", b -> b.connectTimeout(Duration.ofMillis(1))),
        rule("heartbeat", "is PT0S", b -> b.heartbeat(Duration.ZERO)),
        rule("heartbeat", "whole seconds", b -> b.heartbeat(Duration.ofMillis(1500))),
        rule("maxBackoff", "is PT0S", b -> b.maxBackoff(Duration.ZERO)),
        rule("maxMessageBytes", "is -1", b -> b.maxMessageBytes(-1)),
        rule("maxInFlightPerKey", "is 0", b -> b.maxInFlightPerKey(0)),
        rule("clientProperties", "'product'", b -> b.clientProperties(Map.of("product", "x"))));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("wrong")
  void namesSettingRuleAndValue(
      String name, String words, Consumer<RabbitPublisherConfigBuilder> change) {
    RabbitPublisherConfigBuilder builder = RabbitPublisherConfig.builder();
    change.accept(builder);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(words);
  }

  /** Decided by names alone: nothing is looked up. */
  @ParameterizedTest
  @CsvSource({
    "broker:5672, true",
    "localhost:5672, false",
    "127.1.2.3:5672, false",
    "[::1]:5672, false",
    "broker.localhost:5672, false",
    "128.0.0.1:5672, true",
    "[2001:db8::1]:5672, true"
  })
  void aPasswordDoesNotGoToAnotherMachineInPlaintext(String address, boolean isRefused) {
    RabbitPublisherConfigBuilder builder =
        RabbitPublisherConfig.builder().addresses(List.of("localhost:5672", address));
    if (isRefused) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("tls must be set")
          .hasMessageContaining(address)
          .hasMessageContaining("allowPlaintextPasswords");
    } else {
      assertThat(builder.build().addresses()).contains(address);
    }
    assertThat(builder.tls(RabbitTls.ofDefaults()).build().addresses()).contains(address);
    assertThat(builder.tls(null).allowPlaintextPasswords(true).build().addresses())
        .contains(address);
  }

  @Test
  void listsAllErrorsAtOnce() {
    assertThatThrownBy(() -> RabbitPublisherConfig.builder().window(0).connections(99).build())
        .hasMessageContaining("window")
        .hasMessageContaining("connections");
  }

  @Test
  void showsNoPassword() {
    RabbitPublisherConfig config =
        RabbitPublisherConfig.builder()
            .credentials(password("user", "secret-word"))
            .tls(new RabbitTls(null, "secret-word", null, "secret-word", true))
            .build();
    assertThat(config.toString()).contains("user").doesNotContain("secret-word");
  }

  @Test
  void namesTheTlsStoreThatCannotBeRead() {
    RabbitTls tls = new RabbitTls(Path.of("/no/such.pem"), null, null, null, true);
    RabbitPublisherConfig config = RabbitPublisherConfig.builder().tls(tls).build();
    assertThatThrownBy(() -> new RabbitPublisher(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/no/such.pem");
  }

  private static RabbitCredentials password(String username, String password) {
    return new RabbitCredentials.Password(username, password);
  }

  private static Arguments rule(
      String name, String words, Consumer<RabbitPublisherConfigBuilder> change) {
    return Arguments.of(name, words, change);
  }
}
