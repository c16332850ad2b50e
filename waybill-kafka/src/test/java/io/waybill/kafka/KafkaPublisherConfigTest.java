package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaPublisherConfigTest {
  private static final String PLAIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required username='u' password='p';";

  @ParameterizedTest
  @CsvSource({
    "acks, 1, must be all",
    "acks, 0, must be all",
    "enable.idempotence, false, must be true",
    "retries, 0, must be 2147483647",
    "max.in.flight.requests.per.connection, 6, must be 1",
    "max.in.flight.requests.per.connection, 2, must be 1",
    "bootstrap.servers, other:9092, is set by bootstrapServers",
    "delivery.timeout.ms, 5, is set by deliveryTimeout",
    "request.timeout.ms, 5, is set by requestTimeout",
    "security.protocol, CLEAR, must be one of [PLAINTEXT",
    "sasl.mechanism, GSSAPI, must be one of [OAUTHBEARER",
    "compression.type, brotli, must be one of [gzip",
    "ssl.endpoint.identification.algorithm, '', must be https",
    "interceptor.classes, a.b.C, is not among the allowed",
    "key.serializer, a.b.C, is not among the allowed",
    "partitioner.class, a.b.C, is set by partitioner",
    "metric.reporters, a.b.C, is not among the allowed",
    "security.providers, a.b.C, is not among the allowed",
    "ssl.engine.factory.class, a.b.C, is not among the allowed",
    "sasl.login.class, a.b.C, is not among the allowed",
    "sasl.login.callback.handler.class, a.b.C, is not among the allowed",
    "sasl.client.callback.handler.class, a.b.C, is not among the allowed",
    "config.providers, file, is not among the allowed",
    "transactional.id, t, is not among the allowed",
    "max.block.ms, 60000, is not among the allowed",
    "partitioner.ignore.keys, true, is not among the allowed",
    "no.such.property, 1, is not among the allowed",
    "linger.ms, soon, linger.ms",
    "batch.size, -1, batch.size",
    "max.request.size, many, max.request.size",
  })
  void refusesAPropertyNamingItAndTheRule(String name, String value, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaPublisherConfig.builder("h:9092").property(name, value).build())
        .withMessageContaining(name)
        .withMessageContaining(rule)
        .withMessageContaining(rule.startsWith("is ") ? "" : value);
  }

  /** SCRAM proves the password without sending it. */
  @ParameterizedTest
  @CsvSource({
    "h:9092, SASL_PLAINTEXT, PLAIN, true",
    "h:9092, SASL_PLAINTEXT, OAUTHBEARER, true",
    "'localhost:9092, h:9092', SASL_PLAINTEXT, PLAIN, true",
    "h:9092, SASL_PLAINTEXT, SCRAM-SHA-512, false",
    "h:9092, SASL_SSL, PLAIN, false",
    "'localhost:9092, 127.0.0.1:9093', SASL_PLAINTEXT, PLAIN, false"
  })
  void aPasswordDoesNotGoToAnotherMachineInPlaintext(
      String servers, String protocol, String mechanism, boolean isRefused) {
    Map<String, String> properties =
        Map.of("security.protocol", protocol, "sasl.mechanism", mechanism);
    assertThat(PlaintextPasswords.check(servers, properties)).hasSize(isRefused ? 1 : 0);
  }

  @Test
  void aPasswordMayGoInPlaintextIfThatIsAskedFor() {
    KafkaPublisherConfig.Builder builder =
        KafkaPublisherConfig.builder("h:9092")
            .property("security.protocol", "SASL_PLAINTEXT")
            .property("sasl.mechanism", "PLAIN")
            .property("sasl.jaas.config", PLAIN);
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining("security.protocol: must be SASL_SSL")
        .withMessageContaining("h:9092")
        .withMessageContaining("allowPlaintextPasswords");
    assertThat(builder.allowPlaintextPasswords(true).build().allowPlaintextPasswords()).isTrue();
  }

  @Test
  void aClientSecretDoesNotGoToItsTokenEndpointInPlaintext() {
    String name = "sasl.oauthbearer.token.endpoint.url";
    assertThat(PlaintextPasswords.check("h:9092", Map.of(name, "http://login/token")))
        .singleElement()
        .asString()
        .contains(name, "https://", "http://login/token");
    assertThat(PlaintextPasswords.check("h:9092", Map.of(name, "https://login/token"))).isEmpty();
    assertThat(PlaintextPasswords.check("h:9092", Map.of(name, "http://localhost:8080/token")))
        .isEmpty();
    assertThat(PlaintextPasswords.check("h:9092", Map.of(name, "file:///run/token"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.sun.security.auth.module.JndiLoginModule required user.provider.url='ldap://x/';",
        "com.sun.security.auth.module.LdapLoginModule required userProvider='ldap://x/';",
        "com.sun.security.auth.module.Krb5LoginModule required;",
        "evil.Module required;",
        "/* c */ evil.Module required;",
        PLAIN + " com.sun.security.auth.module.JndiLoginModule required;",
        "org.apache.kafka.common.security.plain.PlainLoginModule",
        "",
        "no semicolon at all",
      })
  void refusesAForeignLoginModuleWithoutQuotingTheText(String jaas) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> KafkaPublisherConfig.builder("h:9092").property("sasl.jaas.config", jaas).build())
        .withMessageContaining("sasl.jaas.config: ")
        .withMessageContaining("PlainLoginModule")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("ldap:").doesNotContain("'p'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"u\""
            + " password=\"p\";",
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required ;",
      })
  void takesTheLoginModulesOfTheClient(String jaas) {
    KafkaPublisherConfig config =
        KafkaPublisherConfig.builder("h:9092").property("sasl.jaas.config", jaas).build();
    assertThat(config.properties()).containsEntry("sasl.jaas.config", jaas);
  }

  @ParameterizedTest
  @CsvSource({
    "acks, all",
    "acks, -1",
    "enable.idempotence, true",
    "client.id, relay-1",
    "compression.type, zstd",
    "linger.ms, 1",
    "batch.size, 131072",
    "security.protocol, SASL_SSL",
    "ssl.truststore.location, /etc/kafka/trust.p12",
    "ssl.endpoint.identification.algorithm, https",
    "metadata.max.age.ms, 60000",
    "reconnect.backoff.ms, 100",
  })
  void takesAnAllowedProperty(String name, String value) {
    KafkaPublisherConfig config =
        KafkaPublisherConfig.builder("h:9092").property(name, value).build();
    Map<String, Object> client = ClientProperties.producer(config);
    assertThat(client).containsEntry("acks", "all").containsEntry("enable.idempotence", "true");
    if (!"acks".equals(name)) {
      assertThat(client).containsEntry(name, value);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "host", "host:", ":9092", "host:9092,", "a b:9092", "http://h:9092"})
  void refusesServersThatAreNotHostAndPort(String servers) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaPublisherConfig.builder(servers).build())
        .withMessageContaining("bootstrapServers: must be host:port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:9092", "a:1, b:2", "127.0.0.1:9092", "[::1]:9092"})
  void takesServers(String servers) {
    assertThat(KafkaPublisherConfig.builder(servers).build().bootstrapServers()).isEqualTo(servers);
  }

  @Test
  void refusesADeliveryTimeoutBelowRequestTimeoutPlusLinger() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                KafkaPublisherConfig.builder("h:9092")
                    .deliveryTimeout(Duration.ofMillis(5_050))
                    .property("linger.ms", "100")
                    .build())
        .withMessageContaining("deliveryTimeout: must be at least requestTimeout plus linger.ms");
  }

  @Test
  void listsAllErrorsAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                KafkaPublisherConfig.builder("nowhere")
                    .requestTimeout(Duration.ZERO)
                    .property("acks", "1")
                    .property("foo", "bar")
                    .build())
        .withMessageContainingAll("bootstrapServers", "requestTimeout", "acks", "foo");
  }

  @Test
  void showsNoValuesOfProperties() {
    KafkaPublisherConfig config =
        KafkaPublisherConfig.builder("h:9092").property("ssl.key.password", "s3cret").build();
    assertThat(config.toString()).contains("ssl.key.password").doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource({"0, 1, partitions", "1, 0, replication", "1, -2, replication"})
  void refusesNonsenseForNewTopics(int partitions, int replication, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> KafkaPublisherConfig.builder("h:9092").createTopics(partitions, replication))
        .withMessageContaining(name + ": must be at least 1");
  }
}
