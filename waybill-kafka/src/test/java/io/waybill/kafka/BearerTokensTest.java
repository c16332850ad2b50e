package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.waybill.kafka.internal.DeepestCause;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What OAUTHBEARER needs beside properties. */
class BearerTokensTest {
  private static final String FILE = "file:///run/token";
  private static final ClassLoader MINE = BearerTokensTest.class.getClassLoader();

  @AfterEach
  void disallow() {
    System.clearProperty(BearerTokens.ALLOWED);
  }

  private static Map<String, String> properties(String... more) {
    Map<String, String> all = new HashMap<>(Map.of("sasl.mechanism", "OAUTHBEARER"));
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  @Test
  void anEndpointHasToBeAllowedForTheProcess() {
    Map<String, String> properties = properties(BearerTokens.ENDPOINT, FILE);
    System.setProperty(BearerTokens.ALLOWED, "file:///run/other");
    assertThat(BearerTokens.check(properties, MINE))
        .containsExactly(
            "sasl.oauthbearer.token.endpoint.url: must be among the addresses that Kafka's client"
                + " may ask, so start Java with"
                + " -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file:///run/token");

    System.setProperty(BearerTokens.ALLOWED, "file:///run/other, " + FILE);
    assertThat(BearerTokens.check(properties, MINE)).isEmpty();
  }

  @Test
  void producerAndConsumerAreRefusedWithoutIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            KafkaPublisherConfig.builder("localhost:9092").property("sasl.mechanism", "OAUTHBEARER")
                ::build)
        .withMessageContaining(BearerTokens.ENDPOINT + ": must be given for OAUTHBEARER");
    assertThatIllegalArgumentException()
        .isThrownBy(
            KafkaSubscriberConfig.builder("localhost:9092", "g", java.util.List.of("t"))
                    .property("sasl.mechanism", "OAUTHBEARER")
                ::build)
        .withMessageContaining(BearerTokens.ENDPOINT + ": must be given for OAUTHBEARER");
  }

  @Test
  void aLoginModuleMayHaveTheTokenItself() {
    assertThat(BearerTokens.check(properties("sasl.jaas.config", "x"), MINE)).isEmpty();
    assertThat(BearerTokens.check(Map.of("sasl.mechanism", "PLAIN"), MINE)).isEmpty();
  }

  /** Kafka's client has it for an optional part. */
  @Test
  void theLibraryThatReadsTokensHasToBeThere() {
    ClassLoader bare = new ClassLoader(null) {};
    assertThat(BearerTokens.check(properties("sasl.jaas.config", "x"), bare))
        .singleElement()
        .asString()
        .contains("com.fasterxml.jackson.core:jackson-databind");
  }

  @Test
  void whoAsksAnEndpointNeedsNoLoginModule() {
    Map<String, Object> all = new HashMap<>(Map.of(BearerTokens.ENDPOINT, FILE));
    BearerTokens.complete(all);
    assertThat(all.get("sasl.jaas.config")).asString().contains("OAuthBearerLoginModule required;");

    all.put("sasl.jaas.config", "mine");
    BearerTokens.complete(all);
    assertThat(all).containsEntry("sasl.jaas.config", "mine");
  }

  @Test
  void aFailureSaysItsDeepestCause() {
    KafkaException failure =
        new KafkaException("Failed to create new KafkaAdminClient", new Exception("no login"));
    assertThat(DeepestCause.text(failure))
        .isEqualTo(
            "org.apache.kafka.common.KafkaException: Failed to create new KafkaAdminClient:"
                + " java.lang.Exception: no login");
    assertThat(DeepestCause.text(new KafkaException("alone"))).endsWith("KafkaException: alone");
  }
}
