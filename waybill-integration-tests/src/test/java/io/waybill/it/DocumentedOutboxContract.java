package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.oracle.Oracle;
import io.waybill.proof.oracle.Verdict;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every documented outbox on one database and its documented broker, with real relays in processes
 * of their own, checked against the business rows by consumers that know nothing of Waybill.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DocumentedOutboxContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));

  private final DatabaseKind kind;
  private final int events;
  private DatabaseServer engine;
  private KafkaUnderTest kafka;
  private RabbitUnderTest rabbit;

  DocumentedOutboxContract(DatabaseKind kind, int events) {
    this.kind = kind;
    this.events = events;
  }

  @BeforeAll
  void launchAll() {
    engine = DatabaseServer.launch(kind);
    kafka = new KafkaUnderTest();
    rabbit = new RabbitUnderTest();
  }

  @AfterAll
  void close() {
    rabbit.close();
    kafka.close();
    engine.close();
  }

  static Stream<DocumentedOutbox> documents() {
    return Stream.of(
        new DocumentedOutboxes.Notification(),
        new DocumentedOutboxes.EventOutbox(),
        new DocumentedOutboxes.Wallet(),
        new DocumentedOutboxes.Polyshop());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyEventArrivesOnceAsDocumentedAlsoWhenARelayIsKilled(DocumentedOutbox document) {
    try (AdoptedWorld world = new AdoptedWorld(engine, kafka, rabbit, document)) {
      RelayProcess first = world.relay("a");
      world.writers().write(events);
      Verdict verdict = settled(world, events);
      assertThat(verdict.duplicates()).as(verdict.toString()).isZero();
      assertThat(world.writers().rolledBack()).isPositive();

      world.relay("b");
      world.awaitRelays(2);
      CompletableFuture<Void> writing = world.writers().begin(events);
      awaitArrivals(world, events + events / 10);
      first.kill();
      writing.join();
      verdict = settled(world, 2 * events);
      assertThat(verdict.duplicates())
          .as(verdict.toString())
          .isLessThanOrEqualTo(AdoptedWorld.MAX_ROWS);
    }
  }

  /** Until everything has arrived and is marked as documented. */
  private static Verdict settled(AdoptedWorld world, int events) {
    awaitArrivals(world, events);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(world.unfinished()).as(world.logs()).isZero());
    Verdict verdict =
        Oracle.compare(world.writers().committed(), world.consumer().copies(), java.util.Set.of());
    assertThat(verdict.clean()).as("%s %s", verdict, world.logs()).isTrue();
    assertThat(verdict.delivered()).isEqualTo(events);
    return verdict;
  }

  private static void awaitArrivals(AdoptedWorld world, int events) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              world.checkRelays();
              assertThat(world.consumer().distinct())
                  .as(world::logs)
                  .isGreaterThanOrEqualTo(events);
            });
  }
}
