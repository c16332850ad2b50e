package io.waybill.spring.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.broker.Broker;
import io.waybill.kafka.KafkaBroker;
import io.waybill.layout.Layouts;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitCredentials;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.properties.WaybillProperties;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/** Passwords that would go to another machine in plaintext, and the key that allows it. */
class PlaintextPasswordsTest {
  private static final String KEY = ".allow-plaintext-passwords";

  private final Map<String, Object> properties = new LinkedHashMap<>();

  private PlaintextPasswordsTest set(String key, Object value) {
    properties.put(key, value);
    return this;
  }

  private Broker broker() {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    WaybillProperties bound =
        Binder.get(environment).bindOrCreate("waybill", WaybillProperties.class);
    BrokerContext context =
        new BrokerContext(
            environment,
            new DefaultListableBeanFactory(),
            new DefaultResourceLoader(),
            new LinkedHashSet<>());
    return Brokers.of(ConfiguredOutbox.of(bound, "shop-1").get(0), Layouts.WAYBILL, bound, context);
  }

  private void assertRefused(String... parts) {
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::broker)
        .withMessageContainingAll(parts);
  }

  private PlaintextPasswordsTest sasl(String prefix) {
    return set(prefix + ".security.protocol", "SASL_PLAINTEXT")
        .set(prefix + ".sasl.mechanism", "PLAIN")
        .set(
            prefix + ".sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required"
                + " username=\"ann\" password=\"secret\";");
  }

  @Test
  void kafkaOfWaybillsOwnKeysIsRefusedUnlessTheKeyAllowsIt() {
    set("waybill.kafka.bootstrap-servers", "one:9092").sasl("waybill.kafka.properties");
    assertRefused(
        "PLAIN would send its password or token to one:9092 in plaintext",
        "; waybill.kafka" + KEY + "=true allows it",
        "(from waybill.kafka, else spring.kafka)");

    set("waybill.kafka.allow-plaintext-passwords", true);
    assertThat(broker()).isInstanceOf(KafkaBroker.class);
  }

  @Test
  void rabbitMqOfWaybillsOwnKeysIsRefusedUnlessTheKeyAllowsIt() {
    set("waybill.rabbitmq.addresses", "one:5672");
    assertRefused(
        "the password would go to one:5672 in plaintext",
        "; waybill.rabbitmq" + KEY + "=true allows it",
        "(from waybill.rabbitmq, else spring.rabbitmq)");

    set("waybill.rabbitmq.allow-plaintext-passwords", true);
    assertThat(broker()).isInstanceOf(RabbitBroker.class);
  }

  @ParameterizedTest
  @CsvSource({"addresses, one:5672", "username, relay", "password, secret"})
  void aLoginOrAnAddressOfWaybillsMakesTheConnectionWaybills(String key, String value) {
    set("spring.rabbitmq.host", "one").set("waybill.rabbitmq." + key, value);
    assertRefused("waybill.rabbitmq" + KEY + "=true allows it");
  }

  /** Spring connects in just this way, so that nothing would be protected. */
  @Test
  void whatSpringDoesItselfIsAllowedUnlessTheKeyRefusesIt() {
    set("spring.rabbitmq.host", "one");
    assertThat(broker()).isInstanceOf(RabbitBroker.class);
    set("waybill.rabbitmq" + KEY, false);
    assertRefused("waybill.rabbitmq" + KEY + "=true allows it");

    properties.clear();
    set("spring.kafka.bootstrap-servers", "one:9092").sasl("spring.kafka.properties");
    assertThat(broker()).isInstanceOf(KafkaBroker.class);
    set("waybill.kafka" + KEY, false);
    assertRefused("waybill.kafka" + KEY + "=true allows it");
  }

  /** Spring asks it nothing. */
  @Test
  void theManagementApiIsWaybillsConnection() {
    set("spring.rabbitmq.host", "one").set("waybill.rabbitmq.management-url", "http://one:15672");
    assertRefused(
        "waybill.rabbitmq.management-url must be https://, or the password would go to one in"
            + " plaintext; waybill.rabbitmq"
            + KEY
            + "=true allows it");

    set("waybill.rabbitmq.allow-plaintext-passwords", true);
    assertThat(((RabbitBroker) broker()).management()).isNotNull();

    set("waybill.rabbitmq" + KEY, false).set("spring.rabbitmq.host", "localhost");
    set("waybill.rabbitmq.management-url", "http://localhost:15672");
    assertThat(((RabbitBroker) broker()).management()).isNotNull();
  }

  @Test
  void theMessageHasTheKeyThatHoldsForTheOutbox() {
    set("waybill.outboxes.a.rabbitmq.addresses", "one:5672");
    assertRefused("; waybill.outboxes.a.rabbitmq" + KEY + "=true allows it");

    properties.clear();
    set("waybill.rabbitmq.addresses", "one:5672").set("waybill.outboxes.a.primary", true);
    assertRefused("; waybill.rabbitmq" + KEY + "=true allows it");
  }

  @Test
  void aCertificateIsNoPassword() {
    set("waybill.rabbitmq.addresses", "one:5672")
        .set("waybill.rabbitmq.sasl-mechanism", "external");
    assertRefused("credentials by certificate need tls");

    set("spring.rabbitmq.ssl.enabled", true).set("spring.rabbitmq.ssl.key-store", "file:/keys.p12");
    assertThat(((RabbitBroker) broker()).config().credentials())
        .isEqualTo(new RabbitCredentials.Certificate());
  }
}
