package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.DeadLetterReader;
import io.waybill.inbox.Inbox;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.message.Destination;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitDeadLetterReader;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("long")
class RabbitLargeDeadLetterTest extends LargeDeadLetterContract {
  private static RabbitServer broker;
  private static MariaDbServer databases;

  @BeforeAll
  static void launch() {
    broker = RabbitSource.launch();
    databases = MariaDbServer.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
    databases.close();
  }

  @BeforeEach
  void unlimited() {
    limit(16_777_216);
  }

  private static void limit(int bytes) {
    broker.ctl("eval", "application:set_env(rabbit, max_message_size, " + bytes + ").");
    broker.ctl("eval", "persistent_term:put(max_message_size, " + bytes + ").");
  }

  @Override
  EffectDatabase database(String name) {
    return EffectDatabase.create(databases, name);
  }

  @Override
  EffectSource source() {
    return new RabbitSource(broker);
  }

  @Override
  Destination destination(String name) {
    return Destination.exchange(name + ".events", EffectConsumer.TYPE);
  }

  @Override
  DeadLetterReader open(String letters) {
    RabbitPublisherConfig config =
        RabbitPublisherConfig.builder().addresses(List.of(source().address())).build();
    return RabbitDeadLetterReader.open(config, letters, null);
  }

  @Override
  void letters(List<String> sources, int bytes) {
    sources.forEach(name -> source().createLetters(DeadLetter.nameOf(name)));
    limit(bytes);
  }

  @Test
  void aBodyThatTheBrokerTakesNoMoreIsKeptUntilItDoes() throws Exception {
    List<String> sources = source().create("larger");
    EffectDatabase database = prepared("larger");
    publish("larger", "large", binary());
    publish("larger", "after-it", new byte[0]);
    letters(sources, BODY / 2);
    try (Inbox inbox = start(database, sources)) {
      await(() -> first(InboxEvent.DeadLetterFailed.class).isPresent());
      await(() -> inbox.problem().isPresent());
      assertThat(inbox.problem().get())
          .contains("event large", "in the table of deferred events", "precondition-failed");
      assertThat(effects(database)).isEmpty();
      limit(1_000_000);
      await(() -> effects(database).equals(List.of("after-it")));
      await(() -> inbox.problem().isEmpty());
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(sources.stream().flatMap(this::found))
        .singleElement()
        .extracting(DeadLetter::original)
        .satisfies(original -> assertThat(original.body()).isEqualTo(binary()));
    assertThat(source().unacknowledged(sources)).isZero();
  }
}
