package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An error on a thread of the subscriber does not end consuming: RabbitMQ delivers messages again,
 * and the subscriber repeats calls that its listener did not take.
 */
@Tag("server")
@Tag("long")
class RabbitSubscriberErrorTest {
  private static RabbitServer server;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private enum Call {
    DELIVERED,
    REVOKED,
    AVAILABLE,
    UNAVAILABLE
  }

  /** Its first calls of one kind end in an error. */
  private record FailingListener(SubscriberRecorder inner, Call failing, AtomicInteger left)
      implements SubscriberListener {
    @Override
    public void delivered(List<Delivery> all) {
      failOn(Call.DELIVERED);
      inner.delivered(all);
    }

    @Override
    public void revoked(Set<String> lanes, boolean lost) {
      failOn(Call.REVOKED);
      inner.revoked(lanes, lost);
    }

    @Override
    public void available() {
      failOn(Call.AVAILABLE);
      inner.available();
    }

    @Override
    public void unavailable(String reason) {
      failOn(Call.UNAVAILABLE);
      inner.unavailable(reason);
    }

    private void failOn(Call call) {
      if (call == failing && left.getAndDecrement() > 0) {
        throw new NoClassDefFoundError("planted");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void whatFailsIsDoneAgain(Call failing) {
    String queue = "failing-" + failing;
    Broker.create(server, queue, Broker.QUORUM);
    SubscriberRecorder recorder = new SubscriberRecorder();
    AtomicInteger left = new AtomicInteger(2);
    try (RabbitSubscriber subscriber =
        new RabbitSubscriber(
            RabbitContractSource.config(RabbitContractSource.address(server), List.of(queue))
                .build())) {
      subscriber.start(new FailingListener(recorder, failing, left));
      await(() -> recorder.transport().contains("available"));
      publish(queue, "first");
      await(() -> recorder.bodies().contains("first"));
      server.kill();
      await(() -> recorder.lost().contains(queue));
      await(() -> recorder.transport().stream().anyMatch(call -> call.startsWith("unavailable")));
      server.start();
      publish(queue, "second");
      await(() -> recorder.bodies().contains("second"));
      assertThat(recorder.transport()).last().isEqualTo("available");
    }
    assertThat(left.get()).as("errors to come").isLessThanOrEqualTo(0);
  }

  private static void publish(String queue, String body) {
    int unused =
        Broker.call(
            server,
            channel -> {
              channel.basicPublish("", queue, null, body.getBytes(UTF_8));
              return 0;
            });
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Patience.of(Duration.ofSeconds(40))).until(condition);
  }
}
