package io.waybill.examples.wallet;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.Waybill;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.store.Polling;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the relay makes of the documented table; the same on each database. */
@Tag("server")
abstract class WalletRelayContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  // Random letters, since what fits when it is compressed is sent.
  private static final String POISON =
      '"'
          + new Random(1).ints(4_000, 'a', 'z' + 1).mapToObj(Character::toString).collect(joining())
          + '"';
  private static final KafkaServer KAFKA = KafkaServer.launch();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final OutboxRepository repository = new OutboxRepository();
  private final OutboxService outbox = new OutboxService(repository);
  // Each test has topics of its own.
  private final String type = "Funds" + NUMBER.incrementAndGet();
  private final String topic = OutboxService.destination(type);

  abstract WalletDatabase database();

  @BeforeEach
  void begin() throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("delete from outbox");
      statement.execute("delete from waybill_outbox_row_state");
      statement.execute("delete from waybill_outbox_held");
    }
    KAFKA.createTopic(topic, 4, Map.of());
  }

  private Waybill relay(Polling polling) {
    return WalletRelay.start(type, database(), KAFKA.bootstrapServers(), polling, registry);
  }

  private void save(String payload, @Nullable String correlationId) throws SQLException {
    database()
        .transaction(
            connection -> outbox.saveOutboxEvent(connection, type, payload, correlationId));
  }

  private int unsent() throws SQLException {
    return database().transaction(c -> repository.countBySentFalse(c, 1_000));
  }

  @Test
  void anEventGoesToTheTopicOfItsTypeAsItIsWithItsCorrelationIdAsKey() throws Exception {
    String payload = "{\"z\": 1.10,  \"a\":\"é\"}";
    save(payload, "w-1");
    save("{\"free\":true}", null);
    try (KafkaTail tail = new KafkaTail(KAFKA.bootstrapServers(), List.of(topic));
        Waybill relay = relay(Polling.adaptive())) {
      await().atMost(PATIENCE).until(() -> tail.count() == 2 && unsent() == 0);

      assertThat(tail.messages())
          .extracting(KafkaMessage::topic, KafkaMessage::key, KafkaMessage::value)
          .containsExactlyInAnyOrder(
              Tuple.tuple(topic, "w-1", payload), Tuple.tuple(topic, null, "{\"free\":true}"));
      assertThat(tail.messages())
          .allSatisfy(message -> assertThat(message.headers()).containsKey("waybill-event-id"));
      assertThat(published()).isEqualTo(2);
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void eventsOfOneCorrelationIdArriveInOrder() throws Exception {
    for (int i = 0; i < 200; i++) {
      save(Integer.toString(i), "w-" + i % 3);
    }
    try (KafkaTail tail = new KafkaTail(KAFKA.bootstrapServers(), List.of(topic));
        Waybill relay = relay(Polling.adaptive())) {
      await().atMost(PATIENCE).until(() -> tail.count() == 200);

      for (String key : List.of("w-0", "w-1", "w-2")) {
        assertThat(tail.messages())
            .filteredOn(message -> key.equals(message.key()))
            .extracting(message -> Integer.valueOf(message.value()))
            .isSorted()
            .hasSizeGreaterThan(60);
      }
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void anEventPublishedTwiceArrivesTwiceUnderTwoIds() throws Exception {
    save("{}", "w-1");
    save("{}", "w-1");
    try (KafkaTail tail = new KafkaTail(KAFKA.bootstrapServers(), List.of(topic));
        Waybill relay = relay(Polling.adaptive())) {
      await().atMost(PATIENCE).until(() -> tail.count() == 2 && unsent() == 0);

      assertThat(tail.messages())
          .extracting(message -> message.headers().get("waybill-event-id"))
          .doesNotHaveDuplicates();
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void theFixedRateOfFiveSecondsIsKept() throws Exception {
    try (KafkaTail tail = new KafkaTail(KAFKA.bootstrapServers(), List.of(topic));
        Waybill relay = relay(WalletRelay.EVERY_FIVE_SECONDS)) {
      Duration longest = Duration.ZERO;
      // What a slow machine notices late has already waited for the next read.
      for (int i = 1; i <= 4 && longest.toSeconds() < 4; i++) {
        int count = i;
        long saved = System.nanoTime();
        save(Integer.toString(i), "w-1");
        await().atMost(PATIENCE).until(() -> tail.count() == count);
        if (i > 1) {
          longest = Duration.ofNanos(System.nanoTime() - saved);
        }
      }

      assertThat(longest).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(30));
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void aPoisonEventIsRetriedCountedDeadAndCopiedWhileTheOthersGoOn() throws Exception {
    if (!topics().contains(WalletRelay.DEAD_LETTERS)) {
      KAFKA.createTopic(WalletRelay.DEAD_LETTERS, 1, Map.of());
    }
    String poison = "TooLargeFor" + type;
    KAFKA.createTopic(OutboxService.destination(poison), 1, Map.of("max.message.bytes", "1000"));
    database().transaction(connection -> outbox.saveOutboxEvent(connection, poison, POISON, "w-1"));
    save("{\"n\":1}", "w-1");
    try (KafkaTail dead =
            new KafkaTail(KAFKA.bootstrapServers(), List.of(WalletRelay.DEAD_LETTERS));
        KafkaTail tail = new KafkaTail(KAFKA.bootstrapServers(), List.of(topic));
        Waybill relay = relay(Polling.adaptive())) {
      await().atMost(PATIENCE).until(() -> tail.count() == 1 && unsent() == 1);
      await().atMost(PATIENCE).until(() -> copyOf(poison, dead).isPresent());

      KafkaMessage copy = copyOf(poison, dead).orElseThrow();
      assertThat(copy.value()).isEqualTo(POISON);
      assertThat(copy.headers()).containsEntry("waybill-dead-reason", "record-too-large");
      assertThat(text("select state from waybill_outbox_row_state")).isEqualTo("DEAD");
      assertThat(text("select last_reason from waybill_outbox_row_state"))
          .isEqualTo("record-too-large");
      assertThat(text("select attempts from waybill_outbox_row_state")).isEqualTo("5");
      assertThat(count("waybill.events.retried")).isEqualTo(4);
      assertThat(count("waybill.events.dead")).isEqualTo(1);
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
    }
  }

  /** The topic is shared with the tests on the other database. */
  private static Optional<KafkaMessage> copyOf(String poison, KafkaTail dead) {
    return dead.messages().stream()
        .filter(message -> poison.equals(message.headers().get("waybill-event-type")))
        .findFirst();
  }

  private static List<String> topics() throws Exception {
    try (var admin = KAFKA.admin()) {
      return List.copyOf(admin.listTopics().names().get());
    }
  }

  private @Nullable String text(String sql) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  private double published() {
    return count("waybill.events.published");
  }

  private double count(String counter) {
    return registry.find(counter).counters().stream().mapToDouble(Counter::count).sum();
  }
}
