package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RabbitSubscriberConfigTest {
  private static final RabbitPublisherConfig CONNECTION = RabbitPublisherConfig.builder().build();

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(List.of(), 1, "queues must name at least one queue"),
        Arguments.of(List.of("a", "a"), 1, "queues must not repeat, is [a, a]"),
        Arguments.of(List.of(""), 1, "queues must have names of 1 to 255 bytes, has ''"),
        Arguments.of(List.of("ß".repeat(128)), 1, "queues must have names of 1 to 255 bytes"),
        Arguments.of(List.of("a"), 0, "prefetch must be 1 to 65535, is 0"),
        Arguments.of(List.of("a"), -1, "prefetch must be 1 to 65535, is -1"),
        Arguments.of(List.of("a"), 65_536, "prefetch must be 1 to 65535, is 65536"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("wrong")
  void namesSettingRuleAndValue(List<String> queues, int prefetch, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> RabbitSubscriberConfig.builder(CONNECTION, queues).prefetch(prefetch).build())
        .withMessageContaining(message);
  }

  @Test
  void listsAllErrorsAtOnceAndShowsNoPassword() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitSubscriberConfig(CONNECTION, List.of(), 0))
        .withMessageContainingAll("queues", "prefetch");
    RabbitPublisherConfig secret =
        RabbitPublisherConfig.builder()
            .credentials(new RabbitCredentials.Password("user", "secret-word"))
            .build();
    assertThat(RabbitSubscriberConfig.builder(secret, List.of("q")).build().toString())
        .contains("user")
        .doesNotContain("secret-word");
  }

  @Test
  void namesTheTlsStoreThatCannotBeRead() {
    RabbitTls tls = new RabbitTls(Path.of("/no/such.pem"), null, null, null, true);
    RabbitSubscriberConfig config =
        RabbitSubscriberConfig.builder(
                RabbitPublisherConfig.builder().tls(tls).build(), List.of("q"))
            .build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitSubscriber(config))
        .withMessageContaining("/no/such.pem");
  }

  @Test
  void namesOfQueuesLeaveRoomForWhatIsMadeOfThemForDeadLetters() {
    RabbitDeadLetters letters = new RabbitDeadLetters("dead", "ß.{queue}");
    letters.check(List.of("ß".repeat(125), "q".repeat(251)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> letters.check(List.of("q", "ü".repeat(126))))
        .withMessageContaining("must have at most 255 bytes")
        .withMessageStartingWith("queue for dead letters of queue 'üü");
    RabbitDeadLetters longer = new RabbitDeadLetters("dead", "dead.letters.{queue}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> longer.topology(List.of("q", "ü".repeat(125))))
        .withMessageStartingWith("routing key of dead letters of queue 'üü")
        .withMessageContaining("must have at most 255 bytes, is 'dead.letters.üü");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RabbitDeadLetters.checkQueues(List.of("q".repeat(252))))
        .withMessageStartingWith("queue for dead letters of queue 'qq");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitDeadLetters("ü".repeat(128)))
        .withMessageContaining("dead-letter exchange must have 1 to 255 bytes");
  }

  @Test
  void refusesBadNamesForDeadLettersAndHashedQueues() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitDeadLetters(""))
        .withMessageContaining("dead-letter exchange must have 1 to 255 bytes, is ''");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitDeadLetters("dead", "letters"))
        .withMessageContaining("contain {queue}, is 'letters'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitHashedQueues("", 2))
        .withMessageContaining("name of 1 to 240 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitHashedQueues("q", 0))
        .withMessageContaining("must be 1 to 128, are 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RabbitHashedQueues("q", 129))
        .withMessageContaining("must be 1 to 128, are 129");
  }
}
