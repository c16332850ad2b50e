package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.InboxEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetentionCheckTest extends InboxRun {
  private static final Duration WINDOW = Duration.ofDays(14);
  private static final Map<String, Duration> LONGER = Map.of("longer", Duration.ofDays(15));

  private void start() {
    start(builder().dedupeWindow(WINDOW).handler("placed", (event, connection) -> {}));
  }

  private List<InboxEvent> tooShort() {
    return told.stream().filter(InboxEvent.WindowTooShort.class::isInstance).toList();
  }

  private static boolean isAsking() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("waybill-test-retention"));
  }

  @Test
  void aWindowThatIsShorterThanTheBrokersRetentionIsToldOnce() {
    Duration endless = ChronoUnit.FOREVER.getDuration();
    Duration longer = WINDOW.plusMillis(1);
    broker.retention =
        () ->
            Map.of(
                "longer", longer, "equal", WINDOW, "endless", endless, "days", Duration.ofDays(13));
    start();
    broker.listener().available();
    broker.listener().available();

    await(() -> tooShort().size() >= 2);
    await(() -> !isAsking());
    broker.listener().available();
    assertThat(isAsking()).as("once").isFalse();
    assertThat(tooShort())
        .containsExactlyInAnyOrder(
            new InboxEvent.WindowTooShort("longer", longer, WINDOW),
            new InboxEvent.WindowTooShort("endless", endless, WINDOW));
  }

  @Test
  void aBrokerThatDoesNotAnswerIsAskedAgainWhenItIsAvailableTheNextTime() {
    AtomicInteger asked = new AtomicInteger();
    broker.retention =
        () -> {
          if (asked.incrementAndGet() == 1) {
            throw new UncheckedIOException(new IOException("no answer"));
          }
          return LONGER;
        };
    start();
    broker.listener().available();
    await(() -> asked.get() == 1 && !isAsking());
    assertThat(tooShort()).isEmpty();

    broker.listener().available();
    await(() -> !tooShort().isEmpty());
    assertThat(asked).hasValue(2);
  }

  @Test
  void nobodyIsToldAfterTheEnd() {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    broker.retention =
        () -> {
          asked.countDown();
          awaitEnd(ended);
          return LONGER;
        };
    start();
    broker.listener().available();
    await(() -> asked.getCount() == 0);
    inbox().close();
    ended.countDown();

    await(() -> !isAsking());
    assertThat(tooShort()).isEmpty();
  }

  private static void awaitEnd(CountDownLatch ended) {
    try {
      ended.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
