package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.PublisherListener;
import io.waybill.proof.server.KafkaServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PublisherCloseTest {
  private static final int ROUNDS = 40;

  /**
   * A command that sends nothing closes its publisher while that asks the broker for the first
   * time.
   */
  @Test
  void aPublisherThatIsClosedEarlyDoesNotReportABrokerThatIsThere() {
    Told told = new Told();
    try (KafkaServer server = KafkaServer.launch()) {
      for (int i = 0; i < ROUNDS; i++) {
        KafkaPublisher publisher =
            new KafkaPublisher(KafkaPublisherConfig.builder(server.bootstrapServers()).build());
        publisher.start(told);
        // From before the first question to after its answer.
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5L * i);
        while (System.nanoTime() - until < 0) {
          Thread.onSpinWait();
        }
        publisher.close();
      }
    }
    assertThat(told.unavailable).isEmpty();
  }

  private static final class Told implements PublisherListener {
    private final List<String> unavailable = new CopyOnWriteArrayList<>();

    @Override
    public void onConfirmation(Confirmation confirmation) {
      throw new AssertionError("nothing was sent");
    }

    @Override
    public void unavailable(String reason) {
      unavailable.add(reason);
    }

    @Override
    public void available() {
      // As it should be.
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }
}
