package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * An error on a thread of the subscriber ends no reading: what was delivered in vain comes again.
 */
class KafkaSubscriberErrorTest {
  /** Its first calls of each kind end in an error. */
  private record FailingListener(
      SubscriberRecorder inner, AtomicInteger deliveries, AtomicInteger availables)
      implements SubscriberListener {
    @Override
    public void delivered(List<Delivery> all) {
      failOn(deliveries);
      inner.delivered(all);
    }

    @Override
    public void revoked(Set<String> lanes, boolean lost) {
      inner.revoked(lanes, lost);
    }

    @Override
    public void available() {
      failOn(availables);
      inner.available();
    }

    @Override
    public void unavailable(String reason) {
      inner.unavailable(reason);
    }

    private static void failOn(AtomicInteger left) {
      if (left.getAndDecrement() > 0) {
        throw new NoClassDefFoundError("planted");
      }
    }
  }

  @Test
  void messagesComeAgainAfterAnError() {
    SubscriberRecorder recorder = new SubscriberRecorder();
    FailingListener failing =
        new FailingListener(recorder, new AtomicInteger(2), new AtomicInteger(2));
    try (KafkaServer server = KafkaServer.launch()) {
      server.createTopic("failing", 1, Map.of());
      KafkaContractSource.publish(server, "failing", "k", List.of("a", "b"));
      KafkaSubscriberConfig config =
          KafkaSubscriberConfig.builder(server.bootstrapServers(), "readers", List.of("failing"))
              .build();
      try (KafkaSubscriber subscriber = new KafkaSubscriber(config)) {
        subscriber.start(failing);
        Awaitility.await("messages and the broker's return")
            .atMost(Patience.of(Duration.ofSeconds(40)))
            .until(() -> recorder.bodies().containsAll(List.of("a", "b")));
        Awaitility.await()
            .atMost(Patience.of(Duration.ofSeconds(20)))
            .until(() -> recorder.transport().contains("available"));
      }
    }
    assertThat(recorder.bodies()).startsWith("a", "b");
  }
}
