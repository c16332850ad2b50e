package io.waybill.it;

import static org.awaitility.Awaitility.await;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/** Servers for the event outbox producer of the documents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NotificationContract {
  static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));

  private final DatabaseKind kind;
  private @Nullable DatabaseServer database;
  private @Nullable RabbitServer rabbit;

  NotificationContract(DatabaseKind kind) {
    this.kind = kind;
  }

  @BeforeAll
  void launch() {
    database = DatabaseServer.launch(kind);
    rabbit = RabbitServer.launch();
  }

  @AfterAll
  void close() {
    rabbit().close();
    database().close();
  }

  final DatabaseServer database() {
    return Objects.requireNonNull(database);
  }

  final RabbitServer rabbit() {
    return Objects.requireNonNull(rabbit);
  }

  final ProducerWorld world(TestInfo test) throws Exception {
    String method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    String name = method.substring(0, Math.min(40, method.length()));
    String number = Integer.toString(Math.floorMod(test.getDisplayName().hashCode(), 1000));
    return new ProducerWorld(database(), rabbit(), name + number);
  }

  static void awaitProcessed(ProducerWorld world, String eventId) {
    await().atMost(PATIENCE).until(() -> "PROCESSED".equals(world.status(eventId)));
  }

  static List<String> ids(RabbitTail tail) {
    return tail.messages().stream().map(RabbitMessage::id).toList();
  }

  static List<String> ids(RabbitTail tail, int atLeast) {
    await().atMost(PATIENCE).until(() -> tail.count() >= atLeast);
    return ids(tail);
  }
}
