package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import io.waybill.message.Destination;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An error on a thread of the publisher, or of its client library, loses no outcome in silence. */
@Tag("server")
class RabbitPublisherErrorTest {
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);
  private static RabbitServer server;

  private final PublisherRecorder recorder = new PublisherRecorder();

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** A listener that takes no outcome on threads of a name. */
  private record FailingListener(PublisherListener inner, Predicate<String> threads)
      implements PublisherListener {
    @Override
    public void onConfirmation(Confirmation confirmation) {
      if (threads.test(Thread.currentThread().getName())) {
        throw new IllegalStateException("planted");
      }
      inner.onConfirmation(confirmation);
    }

    @Override
    public void unavailable(String reason) {
      inner.unavailable(reason);
    }

    @Override
    public void available() {
      inner.available();
    }

    @Override
    public void failed(Throwable cause) {
      inner.failed(cause);
    }
  }

  @Test
  void aConfirmThatIsNotTakenEndsThePublisher() {
    Destination to = Broker.create(server, "confirms", Broker.QUORUM);
    try (RabbitPublisher publisher = start(name -> name.startsWith("AMQP"))) {
      send(publisher, to);
      awaitFailure();
    }
  }

  @Test
  void aLateOutcomeThatIsNotTakenEndsThePublisher() {
    Destination to = Broker.create(server, "late", Broker.QUORUM);
    try (RabbitPublisher publisher = start(name -> name.contains("clock"))) {
      server.freeze();
      send(publisher, to);
      awaitFailure();
    } finally {
      server.thaw();
    }
  }

  private RabbitPublisher start(Predicate<String> failing) {
    RabbitPublisher publisher =
        new RabbitPublisher(Broker.config(server).confirmTimeout(CONFIRM_TIMEOUT).build());
    publisher.start(new FailingListener(recorder, failing));
    Awaitility.await().until(() -> recorder.transport().contains("available"));
    return publisher;
  }

  private static void send(RabbitPublisher publisher, Destination to) {
    LongStream.range(0, 20)
        .forEach(
            id ->
                publisher.send(
                    new Outgoing(
                        id,
                        to,
                        ("k" + id).getBytes(UTF_8),
                        new byte[] {1},
                        "text/plain",
                        "event-" + id,
                        "Tested",
                        id,
                        List.of())));
    publisher.flush();
  }

  private void awaitFailure() {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .until(() -> recorder.transport().contains("failed"));
  }
}
