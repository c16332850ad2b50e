package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.Inbox;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Transport;
import io.waybill.proof.server.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The inbox's database fails over under load. What the new server lacks is read again from Kafka; a
 * planned switch-over costs nothing but time.
 */
@Tag("server")
@Tag("long")
class InboxFailoverTest {
  private static final int SOME = 400;
  private static KafkaServer broker;
  private static int numbers;

  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void launch() {
    broker = KafkaSource.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <T extends AutoCloseable> T opened(T thing) {
    open.add(thing);
    return thing;
  }

  private static String createTopic() {
    String topic = "orders-" + ++numbers;
    broker.createTopic(topic, 4, Map.of());
    broker.createTopic(topic + ".dlt", 1, Map.of());
    return topic;
  }

  /** Events come and are applied. */
  private final class Scene {
    private final String topic = createTopic();
    private final ReplicatedDatabase database;
    private final EffectLoad load;
    private final Inbox first;

    Scene(ReplicatedDatabase database) {
      this.database = opened(database);
      this.load = opened(new EffectLoad(broker.bootstrapServers(), topic));
      this.first = start();
      database.awaitEffects(SOME);
    }

    Inbox start() {
      return opened(
          Inbox.builder()
              .store(database.store())
              .subscriber(
                  new KafkaSubscriber(
                      KafkaSubscriberConfig.builder(
                              broker.bootstrapServers(), topic, List.of(topic))
                          .commitInterval(Duration.ofMillis(100))
                          .build()))
              .deadLetters(load.publisher(), Transport.KAFKA)
              .handler(EffectConsumer.TYPE, database::apply)
              .start());
    }

    /** The replica follows no more, and events are acknowledged that it will never have. */
    void loseTheLast() throws Exception {
      database.cutOff();
      database.awaitEffects(database.effects() + SOME);
    }

    void judge() throws Exception {
      database.awaitEffects(database.effects() + SOME);
      int published = load.end();
      EffectLoad.Verdict verdict = database.judge(published);
      System.out.printf("published %d: %s, dead letters %d%n", published, verdict, load.letters());
      assertThat(verdict).isEqualTo(new EffectLoad.Verdict(0, 0, 0));
      assertThat(load.letters()).as("dead letters").isZero();
    }
  }

  @Test
  void whatAStandbyOfPostgresLacksIsReadAgain() throws Exception {
    failOver(new Scene(ReplicatedDatabase.postgres()));
  }

  @Tag("long")
  @Test
  void whatAReplicaOfMariaDbLacksIsReadAgain() throws Exception {
    failOver(new Scene(ReplicatedDatabase.mariaDb()));
  }

  private static void failOver(Scene scene) throws Exception {
    scene.loseTheLast();
    scene.database.kill();
    scene.database.promote();
    scene.judge();
  }

  @Test
  void aProcessThatStartsAfterTheFailoverNoticesIt() throws Exception {
    Scene scene = new Scene(ReplicatedDatabase.postgres());
    scene.loseTheLast();
    scene.first.close();
    scene.database.kill();
    scene.database.promote();
    Inbox unused = scene.start();
    scene.judge();
  }

  @Test
  void aPlannedSwitchOverOfPostgresCostsNothing() throws Exception {
    handOver(new Scene(ReplicatedDatabase.postgres()));
  }

  @Tag("long")
  @Test
  void aPlannedSwitchOverOfMariaDbCostsNothing() throws Exception {
    handOver(new Scene(ReplicatedDatabase.mariaDb()));
  }

  private static void handOver(Scene scene) throws Exception {
    scene.database.handOver();
    scene.judge();
  }
}
