package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaSubscriberConfigTest {
  private static KafkaSubscriberConfig.Builder builder() {
    return KafkaSubscriberConfig.builder("h:9092", "group", List.of("topic"));
  }

  @ParameterizedTest
  @CsvSource({
    "enable.auto.commit, true, must be false",
    "isolation.level, read_uncommitted, must be read_committed",
    "allow.auto.create.topics, true, must be false",
    "auto.offset.reset, latest, is set by start",
    "bootstrap.servers, other:9092, is set by bootstrapServers",
    "group.id, other, is set by groupId",
    "max.poll.records, 5, is set by window",
    "max.poll.interval.ms, 5, is set by revocationLimit",
    "partition.assignment.strategy, a.b.C, is not among the allowed",
    "interceptor.classes, a.b.C, is not among the allowed",
    "key.deserializer, a.b.C, is not among the allowed",
    "group.instance.id, one, is not among the allowed",
    "linger.ms, 1, is not among the allowed",
    "group.protocol, share, must be one of [classic",
    "sasl.mechanism, GSSAPI, must be one of [OAUTHBEARER",
    "ssl.endpoint.identification.algorithm, '', must be https",
    "sasl.jaas.config, evil.Module required;, login module must be one of",
    "session.timeout.ms, soon, session.timeout.ms",
    "fetch.max.bytes, -1, fetch.max.bytes",
  })
  void refusesAPropertyNamingItAndTheRule(String name, String value, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().property(name, value).build())
        .withMessageContaining(name)
        .withMessageContaining(rule);
  }

  @ParameterizedTest
  @CsvSource({
    "session.timeout.ms, 10000",
    "heartbeat.interval.ms, 1000",
    "fetch.min.bytes, 1000",
    "fetch.max.wait.ms, 100",
    "max.partition.fetch.bytes, 2000000",
    "client.id, inbox-1",
    "security.protocol, SASL_SSL",
    "metadata.max.age.ms, 60000",
  })
  void takesAnAllowedProperty(String name, String value) {
    Map<String, Object> client = ConsumerProperties.of(builder().property(name, value).build());
    assertThat(client)
        .containsEntry(name, value)
        .containsEntry("enable.auto.commit", "false")
        .containsEntry("isolation.level", "read_committed")
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("allow.auto.create.topics", "false")
        .hasEntrySatisfying(
            "partition.assignment.strategy",
            strategy -> assertThat(strategy.toString()).contains("CooperativeStickyAssignor"));
  }

  @Test
  void aPasswordDoesNotGoToAnotherMachineInPlaintext() {
    KafkaSubscriberConfig.Builder open =
        builder()
            .property("security.protocol", "SASL_PLAINTEXT")
            .property("sasl.mechanism", "PLAIN");
    assertThatIllegalArgumentException()
        .isThrownBy(open::build)
        .withMessageContaining("security.protocol: must be SASL_SSL");
    assertThat(open.allowPlaintextPasswords(true).build().allowPlaintextPasswords()).isTrue();
  }

  @Test
  void leavesTheAssignmentToTheBrokerInTheNewProtocol() {
    Map<String, Object> client =
        ConsumerProperties.of(builder().property("group.protocol", "consumer").build());
    assertThat(client)
        .containsEntry("group.protocol", "consumer")
        .doesNotContainKey("partition.assignment.strategy");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                builder()
                    .property("group.protocol", "consumer")
                    .property("session.timeout.ms", "10000")
                    .build())
        .withMessageContaining("session.timeout.ms");
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        rule("window: must be 1 to 100000: 0", b -> b.window(0)),
        rule("window: must be 1 to 100000: 100001", b -> b.window(100_001)),
        rule("windowBytes: must be 1 to 2147483647: 0", b -> b.windowBytes(0)),
        rule("commitInterval: must be 10 to 60000 ms: PT0S", b -> b.commitInterval(Duration.ZERO)),
        rule("commitInterval", b -> b.commitInterval(Duration.ofHours(1))),
        rule("revocationLimit", b -> b.revocationLimit(Duration.ofMillis(-1))),
        rule("revocationLimit", b -> b.revocationLimit(Duration.ofHours(1))));
  }

  private static Arguments rule(
      String message, UnaryOperator<KafkaSubscriberConfig.Builder> change) {
    return Arguments.of(message, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void namesSettingRuleAndValue(
      String message, UnaryOperator<KafkaSubscriberConfig.Builder> change) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.apply(builder()).build())
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "nowhere, g, t, bootstrapServers: must be host:port",
    "h:1, '', t, groupId: must be 1 to 249",
    "h:1, '  ', t, groupId: must be 1 to 249",
    "h:1, g, 'no spaces', topics: topic: must be 1 to 249",
    "h:1, g, .., topics: topic: must be 1 to 249",
  })
  void refusesBadNames(String servers, String group, String topic, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaSubscriberConfig.builder(servers, group, List.of(topic)).build())
        .withMessageContaining(message);
  }

  @Test
  void refusesTopicsThatAreNoneOrRepeat() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaSubscriberConfig.builder("h:1", "g", List.of()).build())
        .withMessageContaining("topics: must name at least one topic");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaSubscriberConfig.builder("h:1", "g", List.of("t", "t")).build())
        .withMessageContaining("topics: must not repeat");
  }

  @Test
  void listsAllErrorsAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                KafkaSubscriberConfig.builder("nowhere", "", List.of())
                    .window(0)
                    .property("foo", "bar")
                    .build())
        .withMessageContainingAll("bootstrapServers", "groupId", "topics", "window", "foo");
  }

  @Test
  void showsNoValuesOfProperties() {
    KafkaSubscriberConfig config = builder().property("ssl.key.password", "s3cret").build();
    assertThat(config.toString()).contains("ssl.key.password").doesNotContain("s3cret");
  }
}
