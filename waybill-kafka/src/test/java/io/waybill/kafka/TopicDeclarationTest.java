package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.DestinationDeclaration.Part;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.testkit.DeclarationContract;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicDeclarationTest extends DeclarationContract {
  @TempDir private static Path directory;
  private static SecuredKafka kafka;

  @BeforeAll
  static void launch() throws Exception {
    kafka = new SecuredKafka(directory);
  }

  @AfterAll
  static void close() {
    kafka.close();
  }

  private static KafkaBroker broker() {
    return KafkaBroker.at(kafka.server.bootstrapServers());
  }

  @Override
  protected DestinationDeclaration declaration() {
    return broker().declaration(null, null);
  }

  @Override
  protected DestinationDeclaration silent() {
    return KafkaBroker.at("127.0.0.1:9").declaration(null, null);
  }

  @Override
  protected DestinationDeclaration powerless() {
    return KafkaBroker.of(kafka.trusting("right").build()).declaration(null, null);
  }

  @Override
  protected Publisher publisher() {
    return broker().publisher();
  }

  @Override
  protected Destination absent(String name) {
    return Destination.topic(name);
  }

  @Override
  protected @Nullable String queue(Destination destination) {
    return null;
  }

  private static Part look(DestinationDeclaration declaration, String topic) {
    return only(declaration.look(Destination.topic(topic), null));
  }

  private static Part declare(DestinationDeclaration declaration, String topic) {
    return only(declaration.declare(Destination.topic(topic), null));
  }

  private static Part only(List<Part> parts) {
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }

  @Test
  void theSettingsAreThoseThatWereAskedForElseTheBrokers() {
    Part planned = new Part("topic three", State.MISSING, "partitions: 3, replication factor: 1");
    assertThat(look(broker().declaration(3, 1), "three")).isEqualTo(planned);
    assertThat(declare(broker().declaration(3, 1), "three"))
        .isEqualTo(new Part("topic three", State.DECLARED, planned.detail()));
    assertThat(declare(broker().declaration(3, 1), "three"))
        .isEqualTo(new Part("topic three", State.EXISTS, planned.detail()));
    Part other = declare(broker().declaration(5, 1), "three");
    assertThat(other.state()).isEqualTo(State.EXISTS);
    assertThat(other.detail())
        .startsWith(planned.detail() + "; asked for are 5")
        .contains("stays as it is", "breaks the order");

    assertThat(declare(broker().declaration(null, null), "default").detail())
        .isEqualTo("partitions: 1, replication factor: 1");

    KafkaBroker creating =
        KafkaBroker.of(
            KafkaPublisherConfig.builder(kafka.server.bootstrapServers())
                .createTopics(2, 1)
                .build());
    assertThat(look(creating.declaration(null, null), "created").detail())
        .isEqualTo("partitions: 2, replication factor: 1");
    assertThat(look(creating.declaration(-1, null), "created").detail())
        .isEqualTo("partitions: 1, replication factor: 1");
  }

  /** Also by a look. */
  @ParameterizedTest
  @CsvSource({
    "replicated, 7, InvalidReplicationFactorException",
    "no spaces, 1, InvalidTopicException",
    "'', 1, InvalidTopicException",
    "a_b, 1, InvalidTopicException"
  })
  void whatTheBrokerRefusesIsNamed(String topic, int replication, String reason) {
    Part colliding = declare(declaration(), "a.b");
    assertThat(colliding.state()).isIn(State.DECLARED, State.EXISTS);
    DestinationDeclaration declaration = broker().declaration(1, replication);
    for (Part part : List.of(look(declaration, topic), declare(declaration, topic))) {
      assertThat(part.state()).isEqualTo(State.REFUSED);
      assertThat(part.name()).isEqualTo("topic " + topic);
      assertThat(part.detail()).contains(reason);
    }
  }

  @Test
  void aTopicThatTheUserMayNotSeeIsLeftAlone() throws Exception {
    kafka.server.createTopic("unseen", 1, Map.of());
    assertThat(declare(powerless(), "unseen").state()).isEqualTo(State.REFUSED);
    kafka.allow("unseen", AclOperation.CREATE);
    assertThat(declare(powerless(), "unseen").state()).isEqualTo(State.EXISTS);
  }

  @Test
  void aRefusedLogInIsNoMissingTopic() {
    DestinationDeclaration wrong =
        KafkaBroker.of(kafka.trusting("wrong").build()).declaration(null, null);
    assertThatThrownBy(() -> look(wrong, "any"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("SaslAuthenticationException")
        .hasMessageNotContaining("wrong");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "-2, 1", "1, 0", "1, -2", "1, 40000"})
  void numbersOutOfRangeAreRefused(int partitions, int replication) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> broker().declaration(partitions, replication))
        .withMessageContaining("must be");
  }
}
