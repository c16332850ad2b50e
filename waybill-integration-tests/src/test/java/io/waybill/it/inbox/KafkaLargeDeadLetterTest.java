package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.DeadLetterReader;
import io.waybill.inbox.Inbox;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.kafka.KafkaDeadLetterReader;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Destination;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class KafkaLargeDeadLetterTest extends LargeDeadLetterContract {
  private static KafkaServer broker;
  private static PostgresServer databases;

  @BeforeAll
  static void launch() {
    broker = KafkaSource.launch();
    databases = PostgresServer.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
    databases.close();
  }

  @Override
  EffectDatabase database(String name) {
    return EffectDatabase.create(databases, name);
  }

  @Override
  EffectSource source() {
    return new KafkaSource(broker);
  }

  @Override
  Destination destination(String name) {
    return Destination.topic(name);
  }

  @Override
  DeadLetterReader open(String letters) {
    KafkaPublisherConfig config = KafkaPublisherConfig.builder(broker.bootstrapServers()).build();
    return KafkaDeadLetterReader.open(config, letters);
  }

  @Override
  void letters(List<String> sources, int bytes) {
    Map<String, String> limit = Map.of("max.message.bytes", Integer.toString(bytes));
    sources.forEach(name -> broker.createTopic(DeadLetter.nameOf(name), 1, limit));
  }

  @Test
  void aBodyThatTheTopicOfLettersDoesNotTakeLiesWhereItsLetterSays() throws Exception {
    List<String> sources = source().create("larger");
    letters(sources, BODY / 2);
    EffectDatabase database = prepared("larger");
    publish("larger", "before-it", new byte[0]);
    publish("larger", "large", binary());
    publish("larger", "after-it", new byte[0]);
    try (Inbox inbox = start(database, sources)) {
      await(() -> effects(database).equals(List.of("before-it", "after-it")));
      assertThat(inbox.problem()).isEmpty();
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    InboxEvent.DeadLetterWithoutBody without =
        first(InboxEvent.DeadLetterWithoutBody.class).orElseThrow();
    assertThat(without)
        .returns("large", each -> each.about().eventId())
        .returns(BODY, InboxEvent.DeadLetterWithoutBody::bytes)
        .satisfies(each -> assertThat(each.reason()).startsWith("record-too-large: "));
    assertThat(found("larger"))
        .singleElement()
        .returns("large", DeadLetter::eventId)
        .returns(EffectConsumer.TYPE, DeadLetter::eventType)
        .returns(null, DeadLetter::original)
        .extracting(DeadLetter::missing)
        .returns(BODY, DeadLetter.Missing::length)
        .returns(without.place(), DeadLetter.Missing::place)
        .satisfies(
            each -> assertThat(each.place()).matches("larger-[0-5]@1"),
            each -> assertThat(each.sha256()).matches("[0-9a-f]{64}"));
    assertThat(source().unacknowledged(sources)).isZero();
  }
}
